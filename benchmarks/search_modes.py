"""Compare ways of searching on a finished run, over several seeds of the sampling:

* modes: `tactic`, `continuation` and `mixed`, at equal generated tokens per theorem; states are sampled again when
  no new one is left (search.resample), so that each way uses its tokens;
* priorities: `logprob`, `energy`, `weighted` and `hybrid`, at equal expansions, all with the head's candidates and
  temperature;
* again: sampling states again when no new one is left (search.resample), at equal expansions and at equal tokens.

Every proof is re-checked. A theorem counts as solved within a budget when the expansions up to the one that found
its proof needed no more. Each way is compared with the first one of its group on the same theorems and seeds.
One search of all theorems is one file in the folder --runs: what is there is not run again, several processes (or
calls) share the folder, and `--processes 0` only draws up the tables.

The policy must have learned both forms (sft.continuation_share above 0, as in the rehearsal).
Run as: python benchmarks/search_modes.py --results results/rehearsal --seeds 0 1 2 --processes 2
"""

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.config import (
    EvaluationSettings,
    ModelSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    VerifySettings,
)
from burnqed.evaluation.stack import load_blocks, newest_iteration, recorded_blocks
from burnqed.experiments.ablation import Row, csv_rows, paired_row
from burnqed.files import UserError, digest, input_digest, read_json, write_json, write_text
from burnqed.policy.prompts import FORMATS
from burnqed.prover.verify import verify_proofs
from burnqed.records.theorems import Theorem, read_theorem_index
from burnqed.records.trajectories import TheoremResult
from burnqed.report.tables import to_csv, to_markdown
from burnqed.search.plan import Generator, Searches, derive_seed
from burnqed.search.run import run_search
from burnqed.search.stack import OpenStack, Stack

GROUPS = ("modes", "priorities", "again")
KIND = "modes"
SPARE = 1.3  # expansions of the modes beyond what the largest number of tokens takes on average
PILOT = (12, 8)  # theorems and expansions that tell how many tokens an expansion takes
SAMPLES = 5000  # of the bootstrap
WHOLE = 1000  # search.resample: more often than any budget here allows, so that the budget is used


@dataclass(frozen=True)
class Way:
    """One way of searching; ``unit`` is what its group's budgets count: tokens or expansions."""

    group: str
    name: str
    changes: Mapping[str, object] = field(default_factory=dict)
    with_head: bool = False
    unit: str = "expansions"


def ways_of(search: SearchSettings, has_head: bool) -> list[Way]:
    """Return all ways; the first of each group is what the others are compared with."""
    ways = [
        Way("modes", mode, {"mode": mode, "resample": WHOLE}, unit="tokens")
        for mode in ("tactic", "continuation", "mixed")
    ]
    with_head = {"candidates": search.candidates_with_head, "temperature": search.temperature_with_head}
    if has_head:
        ways.append(Way("priorities", "logprob", {"mode": "tactic", **with_head}))
        ways += [
            Way("priorities", name, {"mode": "tactic", "priority": name, **with_head}, True)
            for name in ("energy", "weighted", "hybrid")
        ]
    for name, times in (("once", 0), ("until the budget is used", WHOLE)):
        ways.append(Way("again", name, {"mode": "tactic", "resample": times}))
    more = {"candidates": 2 * search.candidates}
    return [*ways, Way("again", "once, twice the candidates", {"mode": "tactic", "resample": 0, **more})]


@dataclass(frozen=True, kw_only=True)
class KeptPolicy(Stack):
    """A stack whose policy is loaded already, and stays so."""

    generator: Generator

    def open(self, searches: Searches) -> OpenStack:
        """Load the value; policy and value are left open."""
        return OpenStack(self.generator, self.load_scorer(searches), self.make_pool, owned=False)


class Bench:
    """A finished run's policy, head and prover, for several searches of the same theorems."""

    def __init__(self, args: argparse.Namespace) -> None:
        iteration = newest_iteration(args.results)
        if iteration is None:
            raise UserError(f"{args.results}: no finished iteration; run the workflow first")
        blocks, self.quantization = load_blocks(recorded_blocks(iteration), None, args.set)
        self.blocks: dict[str, Any] = dict(blocks)
        self.model_dir: Path = args.model_dir or iteration / "model"
        head = args.ebm or iteration / "ebm"
        self.head: Path | None = head if head.is_dir() else None
        self.evaluation: EvaluationSettings = self.blocks["evaluation"]
        self.settings: SearchSettings = self.blocks["search"]
        index = args.benchmark or args.results / "data" / "benchmarks" / f"{self.evaluation.benchmark}.json"
        theorems = read_theorem_index(index).theorems[: args.max_theorems or self.evaluation.max_theorems or None]
        self.theorems: Sequence[Theorem] = theorems
        self.ways = ways_of(self.settings, self.head is not None)
        self.device: str = args.device
        self.runs: Path = args.runs
        self.files = {"model": input_digest(self.model_dir), "head": self.head and input_digest(self.head)}
        self._generator: Any = None

    @property
    def generator(self) -> Any:
        """The policy, loaded when it is first needed."""
        if self._generator is None:
            from burnqed.policy.transformers_backend import TransformersGenerator

            model, policy = self.blocks["model"], self.blocks["policy"]
            assert isinstance(model, ModelSettings) and isinstance(policy, PolicySettings)
            self._generator = TransformersGenerator(
                self.model_dir, policy, FORMATS[model.prompt_format], model.max_length, self.device, self.quantization
            )
        return self._generator

    def file(self, way: Way, seed: int, expansions: int, theorems: int) -> Path:
        """Return where a search's outcome is kept: the name depends on all that it depends on.

        A longer search that is there already stands for a shorter one, which is its prefix.
        """
        blocks = {name: block.model_dump() for name, block in self.blocks.items() if name != "evaluation"}
        search = self.settings.model_copy(update=dict(way.changes)).model_dump(exclude={"concurrency", "shards"})
        files = self.files if way.with_head else {"model": self.files["model"]}
        names = [theorem.name for theorem in self.theorems[:theorems]]
        key = digest([blocks | {"search": search}, files, way.with_head, seed, names])[:20]
        known = {int(path.stem.rpartition("-")[2]): path for path in self.runs.glob(f"{key}-*.json")}
        return known[max(known)] if max(known, default=0) >= expansions else self.runs / f"{key}-{expansions}.json"

    def outcome(self, way: Way, seed: int, expansions: int, theorems: int | None = None) -> dict[str, Any]:
        """Search, or read what an earlier search found: by theorem solved, nodes and the tokens up to each node."""
        count = len(self.theorems) if theorems is None else theorems
        path = self.file(way, seed, expansions, count)
        if path.is_file():
            return dict(read_json(path))
        started, cpu = time.monotonic(), time.process_time()
        results, spent = self._search(way, seed, expansions, self.theorems[:count])
        solved = self._solved(results)
        found = {
            "way": way.name,
            "seed": seed,
            "seconds": round(time.monotonic() - started, 1),
            "cpu_seconds": round(time.process_time() - cpu, 1),  # of this process: without the prover's
            "stop_reasons": dict(Counter(r.stop_reason for r in results).most_common()),
            "theorems": {
                r.theorem: {
                    "solved": r.theorem in solved,
                    "nodes": r.nodes,
                    "tokens": spent[r.theorem],
                    "stop": r.stop_reason,
                }
                for r in results
            },
        }
        write_json(path, found)
        return found

    def _search(
        self, way: Way, seed: int, expansions: int, theorems: Sequence[Theorem]
    ) -> tuple[list[TheoremResult], dict[str, int]]:
        changed = self.settings.model_copy(update=dict(way.changes))
        rest = {name: block for name, block in self.blocks.items() if name not in ("search", "verify", "evaluation")}
        stack = KeptPolicy(
            **rest,
            generator=self.generator,
            search=changed,
            quantization=self.quantization,
            model_dir=self.model_dir,
            ebm=self.head if way.with_head else None,
            device=self.device,
        )
        by_seed: dict[int, int] = {}
        self.generator.tokens_by_seed = by_seed
        with tempfile.TemporaryDirectory() as folder:
            searches = Searches(theorems, KIND, 0, seed, budget=expansions, attempts=1)
            results = run_search(stack, searches, Path(folder) / "steps.parquet")
        spent: dict[str, int] = {}
        for result in results:
            seeds = [derive_seed(seed, 0, KIND, result.theorem, 0, n + 1) for n in range(result.expansions)]
            spent[result.theorem] = sum(
                by_seed.get(s, 0) + by_seed.get(derive_seed(s, "continuation"), 0) for s in seeds
            )
        return results, spent

    def _solved(self, results: Sequence[TheoremResult]) -> set[str]:
        """Return the theorems whose proof stands in a fresh prover."""
        by_name: dict[str, Theorem] = {theorem.name: theorem for theorem in self.theorems}
        verify, prover = self.blocks["verify"], self.blocks["prover"]
        assert isinstance(verify, VerifySettings) and isinstance(prover, ProverSettings)
        proved = [r for r in results if r.proved]
        verdicts = asyncio.run(verify_proofs([(by_name[r.theorem], r.proof) for r in proved], prover, verify))
        return {result.theorem for result, verdict in zip(proved, verdicts, strict=True) if verdict.ok}

    def tokens_of_a_node(self, way: Way) -> float:
        """Return how many tokens an expansion takes, measured on a few theorems."""
        theorems, expansions = PILOT
        found = self.outcome(way, 0, expansions, theorems)["theorems"].values()
        return sum(row["tokens"] for row in found) / sum(row["nodes"] for row in found)

    def token_budgets(self) -> list[int]:
        """Return the tokens that mode `tactic` takes for a quarter, a half and all of the largest budget."""
        whole = max(self.evaluation.budgets) * self.tokens_of_a_node(self.ways[0])
        return [10 * round(whole * share / 10) for share in (0.25, 0.5, 1.0)]

    def expansions(self, way: Way) -> int:
        """Return the expansions a way is given: enough for the largest budget of its group."""
        if way.unit == "expansions":
            return max(self.evaluation.budgets)
        return math.ceil(SPARE * max(self.token_budgets()) / self.tokens_of_a_node(way))

    def jobs(self, groups: Sequence[str], seeds: Sequence[int]) -> Iterator[tuple[Way, int]]:
        """Yield the searches to do, seed by seed, so that what is done can be compared at any time."""
        for seed in seeds:
            for way in self.ways:
                if way.group in groups:
                    yield way, seed


def work(args: argparse.Namespace) -> None:
    """Do the searches that nobody has done or is doing; run by each process."""
    import fcntl

    import torch

    torch.set_num_threads(1)
    bench = Bench(args)
    jobs = list(bench.jobs(args.only, args.seeds))
    args.runs.mkdir(parents=True, exist_ok=True)
    for number, (way, seed) in enumerate(jobs, 1):
        path = bench.file(way, seed, bench.expansions(way), len(bench.theorems))
        if path.is_file():
            continue
        with path.with_suffix(".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # another process does it
                continue
            found = bench.outcome(way, seed, bench.expansions(way))
            path.with_suffix(".lock").unlink(missing_ok=True)
        solved = sum(row["solved"] for row in found["theorems"].values())
        print(
            f"{number} of {len(jobs)}: {way.group}, {way.name}, seed {seed}: {solved} of {len(bench.theorems)} solved in "
            f"{found['seconds']:.0f} s; ended: {found['stop_reasons']}",
            flush=True,
        )


def compare(bench: Bench, group: str, unit: str, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of a group at each budget, over the seeds that all its ways were run with."""
    ways = [way for way in bench.ways if way.group == group]
    limits = {way.name: bench.expansions(way) for way in ways}
    seeds = [s for s in seeds if all(bench.file(w, s, limits[w.name], len(bench.theorems)).is_file() for w in ways)]
    if not seeds:
        return []
    found = {way.name: [bench.outcome(way, seed, limits[way.name])["theorems"] for seed in seeds] for way in ways}
    names = [theorem.name for theorem in bench.theorems]
    cost = "tokens" if unit == "tokens" else "nodes"
    rows: list[dict[str, Any]] = []
    for budget in bench.token_budgets() if unit == "tokens" else bench.evaluation.budgets:
        solved = {
            way: [{n for n, row in run.items() if row["solved"] and row[cost] <= budget} for run in runs]
            for way, runs in found.items()
        }
        for way in ways:
            row = paired_row(
                way.name, names, solved[ways[0].name], solved[way.name], seeds, budget, bench.evaluation.confidence,
                SAMPLES,
            )  # fmt: skip
            cut = [r for run in found[way.name] for r in run.values() if not r["solved"] and r["stop"] != "exhausted"]
            spent = [min(r[cost], budget) for run in found[way.name] for r in run.values()]
            (flat,) = csv_rows([row])
            flat |= {"unit": unit, "mean_used": round(sum(spent) / len(spent), 1)}
            flat["ended_before_budget"] = sum(r[cost] < budget for r in cut)
            rows.append(flat | {"shown": _shown(row, row.way == ways[0].name)})
    return rows


def _shown(row: Row, first: bool) -> str:
    """Return a cell: the rate with its interval for the first way, for others the rate and the paired difference."""
    d = row.rate if first else row.difference
    interval = f"{100 * d.low:.1f} - {100 * d.high:.1f}" if first else f"{100 * d.low:+.1f} to {100 * d.high:+.1f}"
    if first:
        return f"{100 * row.rate.value:.1f} % ({interval})"
    return f"{100 * row.rate.value:.1f} %, {100 * d.value:+.1f} ({interval}), p {row.p:.2g}"


def tables(bench: Bench, groups: Sequence[str], seeds: Sequence[int]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as Markdown, a line for each way and a column for each budget; and all rows."""
    parts: list[str] = []
    every: list[dict[str, Any]] = []
    for group, unit in (
        ("modes", "tokens"),
        ("priorities", "expansions"),
        ("again", "expansions"),
        ("again", "tokens"),
    ):
        rows = compare(bench, group, unit, seeds) if group in groups else []
        if not rows:
            continue
        lines: dict[str, dict[str, object]] = {}
        for row in rows:
            shown = f"{row.pop('shown')}; {row['mean_used']:g} used"
            lines.setdefault(row["way"], {"way": row["way"]})[f"{row['budget']} {unit}"] = shown
        number = len(str(rows[0]["seeds"]).split())
        parts.append(
            f"{group.capitalize()} at equal {unit} per theorem: {len(bench.theorems)} theorems, {number} seeds; solved, "
            f"paired difference to {rows[0]['way']} in points, mean {unit} used\n"
        )
        parts.append(to_markdown(list(lines.values())))
        if cut := {row["way"]: row["ended_before_budget"] for row in rows if row["ended_before_budget"]}:
            parts.append(f"searches cut by the limit on expansions before the largest budget: {cut}\n")
        every += [{"group": group, **row} for row in rows]
    return "\n".join(parts), every


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the solve rates with their intervals over the budget, one panel per table, as SVG, PNG and CSV."""
    from burnqed.report.style import COLOURS, MARKERS, new_panels, save_figure

    panels = list(dict.fromkeys((row["group"], row["unit"]) for row in rows))
    figure, grid = new_panels(len(panels), 9.6, 3.9 * math.ceil(len(panels) / 2), columns=min(2, len(panels)))
    for (group, unit), axes in zip(panels, grid, strict=True):
        own = [row for row in rows if (row["group"], row["unit"]) == (group, unit)]
        ways = list(dict.fromkeys(row["way"] for row in own))
        step = min(row["budget"] for row in own) / 25
        for number, way in enumerate(ways):
            points = [row for row in own if row["way"] == way]
            axes.errorbar(
                [row["budget"] + step * (number - (len(ways) - 1) / 2) for row in points],
                [100 * row["rate"] for row in points],
                yerr=[[100 * abs(row[end] - row["rate"]) for row in points] for end in ("rate_low", "rate_high")],
                color=COLOURS[number],
                marker=MARKERS[number],
                capsize=3,
                label=way,
            )
        axes.set_xticks(sorted({row["budget"] for row in own}))
        axes.set_xlabel("generated tokens per theorem" if unit == "tokens" else "expanded nodes per theorem")
        axes.set_ylabel("solved (%)")
        axes.set_ylim(bottom=0)
        axes.set_title(f"{group}, equal {unit}")
        axes.legend(loc="lower right", fontsize=8)
    save_figure(figure, [{k: str(v) for k, v in row.items()} for row in rows], path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="results folder of a finished run")
    parser.add_argument("--model-dir", type=Path, help="another policy than that of the newest iteration")
    parser.add_argument("--ebm", type=Path, help="another head than that of the newest iteration")
    parser.add_argument("--benchmark", type=Path, help="another theorem index than the run's benchmark")
    parser.add_argument("--max-theorems", type=int, default=0, help="first theorems of it only (default: as evaluated)")
    parser.add_argument("--set", action="append", default=[], metavar="BLOCK.KEY=VALUE", help="another setting")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="of the sampling (default: 0 1 2)")
    parser.add_argument("--only", choices=GROUPS, nargs="+", default=list(GROUPS), help="some of the comparisons")
    parser.add_argument("--processes", type=int, default=2, help="searches at a time; 0: only the tables (default: 2)")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"], help="default: cpu")
    parser.add_argument("--runs", type=Path, default=Path("results/search_modes"), help="folder of finished searches")
    parser.add_argument("--output", type=Path, help="also write the tables as Markdown, and as CSV and JSON beside it")
    parser.add_argument("--figure", type=Path, help="also draw them (.svg; PNG and CSV beside it)")
    args = parser.parse_args()
    try:
        bench = Bench(args)
        if "priorities" in args.only and bench.head is None:
            print("no energy head in this run: priorities are not compared", file=sys.stderr)
        args.runs.mkdir(parents=True, exist_ok=True)
        if args.processes:
            bench.token_budgets()  # once, before several processes ask for it
        if args.processes > 1:
            os.environ.setdefault("OMP_NUM_THREADS", "1")
            with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
                pool.map(work, [args] * args.processes, chunksize=1)
        elif args.processes:
            work(args)
        text, rows = tables(bench, args.only, args.seeds)
    except UserError as error:
        print(f"search_modes: {error}", file=sys.stderr)
        return 1
    print(text or "no way of a group is finished with any seed yet")
    if args.output and rows:
        write_text(args.output, text)
        write_text(args.output.with_suffix(".csv"), to_csv([{k: str(v) for k, v in row.items()} for row in rows]))
        figures = {"model": str(bench.model_dir), "theorems": len(bench.theorems), "rows": rows}
        write_text(args.output.with_suffix(".json"), json.dumps(figures, indent=2) + "\n")
    if args.figure and rows:
        draw(rows, args.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
