"""Run the rehearsal over several seeds and report what the loop learned, as it came out.

Run as: python benchmarks/rehearsal_seeds.py --seeds 0 1 2 [--profile rehearsal] [--markdown FILE]
Finished seeds are not run again (each has its own results folder).
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from burnqed.report.summary import model_name
from burnqed.report.tables import to_markdown


def run_seed(seed: int, profile: str) -> tuple[Path, float]:
    """Run the whole workflow with one seed; return its results folder and the wall seconds."""
    results = Path(f"results/{profile}-seed-{seed}")
    started = time.monotonic()
    snakemake = Path(sys.executable).with_name("snakemake")
    command = [str(snakemake), "all", "--workflow-profile", profile, "--config", f"seed={seed}", f"results={results}"]
    subprocess.run(command, check=True)
    return results, time.monotonic() - started


def rows_of(seed: int, results: Path, seconds: float) -> list[dict[str, object]]:
    """Return the table rows of one seed; the ratio is to the base model's solve rate."""
    summary = json.loads((results / "summary.json").read_text())
    base = summary["models"][0]["rate"]
    return [
        {
            "seed": seed,
            "model": model_name(model["label"]),
            "head": "yes" if model["variant"] == "llm_ebm" else "no",
            "solved": f"{model['solved']}/{model['total']}",
            "rate": f"{100 * model['rate']:.1f} %",
            "95 % interval": f"{100 * model['ci95'][0]:.1f} - {100 * model['ci95'][1]:.1f} %",
            "x base": f"{model['rate'] / base:.2f}" if base else "-",
            "run (s)": round(seconds),
        }
        for model in summary["models"]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--profile", default="rehearsal")
    parser.add_argument("--markdown", type=Path, help="also write the table here")
    args = parser.parse_args()
    rows: list[dict[str, object]] = []
    for seed in args.seeds:
        rows += rows_of(seed, *run_seed(seed, args.profile))
        table = to_markdown(rows)
        print(table, flush=True)
        if args.markdown:
            args.markdown.write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
