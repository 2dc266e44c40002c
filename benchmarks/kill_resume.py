"""Kill the workflow's driver with SIGKILL in the middle of chosen stages, resume, and compare with an undisturbed run.

Run as: python benchmarks/kill_resume.py --reference results/rehearsal
The reference must be finished. The disturbed run uses the same settings and its own results folder; at the end
proofs.jsonl, proofs.lean and every eval JSON must be byte-equal to the reference's (sidecars aside).
"""

import argparse
import filecmp
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# (what to wait for, a description): the driver is killed shortly after the file or folder appears.
MOMENTS = [
    ("base/.progress/model", "training of the base model"),
    ("iter_0/.progress/adapter", "fine-tuning of iteration 0"),
    ("iter_0/search/main/.progress", "search of iteration 0"),
    ("iter_1/.progress/adapter", "fine-tuning of iteration 1"),
    ("iter_1/.progress/ebm", "training of the head"),
    ("iter_1/search/main/.progress", "search of iteration 1"),
    ("iter_1/eval/.progress", "evaluation of iteration 1"),
]
COMPARED = [
    "baseline/eval/*.json",
    "iter_*/eval/*.json",
    "iter_*/proofs.jsonl",
    "iter_*/proofs.lean",
    "iter_*/ebm/metrics.json",
]


def start(profile: str, results: Path, extra: list[str]) -> subprocess.Popen[bytes]:
    snakemake = Path(sys.executable).with_name("snakemake")
    command = [str(snakemake), "all", "--workflow-profile", profile, "--config", f"results={results}", *extra]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def compared_files(folder: Path) -> dict[str, Path]:
    """Return the files that must be equal, by their path inside the results folder; sidecars aside."""
    found = [path for pattern in COMPARED for path in sorted(folder.glob(pattern))]
    return {str(path.relative_to(folder)): path for path in found if not path.name.endswith(".meta.json")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path, required=True, help="results folder of an undisturbed run")
    parser.add_argument(
        "--results", type=Path, default=Path("results/killed"), help="results folder of the disturbed run"
    )
    parser.add_argument("--profile", default="rehearsal")
    parser.add_argument(
        "--config", nargs="*", default=[], help="further Snakemake --config values of the reference run"
    )
    parser.add_argument("--delay", type=float, default=2.0, help="seconds between the moment and the kill")
    args = parser.parse_args()
    shutil.rmtree(args.results, ignore_errors=True)
    kills = 0
    for place, name in MOMENTS:
        driver = start(args.profile, args.results, args.config)
        while driver.poll() is None and not (args.results / place).exists():
            time.sleep(0.1)
        time.sleep(args.delay)
        if driver.poll() is not None:
            sys.exit(f"the workflow ended (status {driver.returncode}) before: {name}")
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        kills += 1
        print(f"killed during {name}", flush=True)
    status = start(args.profile, args.results, args.config).wait()
    if status:
        sys.exit(f"the resumed workflow failed with status {status}")
    reference, disturbed = compared_files(args.reference), compared_files(args.results)
    different = [
        name
        for name in reference
        if name not in disturbed or not filecmp.cmp(reference[name], disturbed[name], shallow=False)
    ]
    if set(reference) != set(disturbed) or different:
        sys.exit(f"different after {kills} kills: {different or sorted(set(reference) ^ set(disturbed))}")
    print(f"{kills} kills: all {len(reference)} compared files are byte-equal")


if __name__ == "__main__":
    main()
