"""Compare expansion modes at equal generated tokens, then priorities at equal expansions, on a finished run.

Each way searches the run's benchmark once, with the same seeds; every proof is re-checked. A theorem counts
as solved within T tokens when the expansions up to the one that found its proof generated at most T tokens.
All ways are compared with the first one, theorem by theorem (McNemar's exact test, paired bootstrap).

The policy must have learned both forms: make the run with sft.continuation_share above 0, for example
    snakemake --workflow-profile rehearsal --config results=results/modes 'sft={"continuation_share": 0.25}'
Run as: python benchmarks/search_modes.py --results results/modes
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError
from burnqed.config import (
    EncoderSettings,
    ModelSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    VerifySettings,
)
from burnqed.data.theorems import Theorem, read_theorem_index
from burnqed.evaluation.stack import load_blocks, newest_iteration, recorded_blocks
from burnqed.evaluation.statistics import mcnemar, paired_bootstrap, wilson_interval
from burnqed.lean.verify import verify_proofs
from burnqed.policy.transformers_backend import TransformersGenerator
from burnqed.search.plan import derive_seed
from burnqed.search.run import run_search
from burnqed.search.trajectories import TheoremResult

MODES = ("tactic", "continuation", "mixed")
PRIORITIES = ("logprob", "energy", "weighted", "hybrid")
KIND = "modes"


@dataclass(frozen=True)
class Outcome:
    """One theorem: whether it was proved and re-checked, at which cost, and whether a limit ended the search."""

    solved: bool
    cost: int
    limited: bool


def compare(ways: Mapping[str, Mapping[str, Outcome]], budget: int) -> list[dict[str, Any]]:
    """Return one row per way: solved within the budget, and against the first way on the same theorems."""
    rows: list[dict[str, Any]] = []
    first: list[float] = []
    for name, outcomes in ways.items():
        solved = [float(o.solved and o.cost <= budget) for o in outcomes.values()]
        low, high = wilson_interval(int(sum(solved)), len(solved))
        row: dict[str, Any] = {"way": name, "budget": budget, "solved": int(sum(solved)), "total": len(solved)}
        row["ci95"] = [round(low, 4), round(high, 4)]
        row["ended_before_budget"] = sum(not o.solved and o.limited and o.cost < budget for o in outcomes.values())
        if not first:
            first = solved
        else:
            gained = sum(b > a for a, b in zip(first, solved, strict=True))
            lost = sum(a > b for a, b in zip(first, solved, strict=True))
            difference = paired_bootstrap(first, solved, 5000)
            row |= {"gained": gained, "lost": lost, "p": round(mcnemar(gained, lost), 4)}
            row["difference"] = {key: round(value, 4) for key, value in asdict(difference).items()}
        rows.append(row)
    return rows


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
        self.seed = args.seed
        self.results = iteration.parent
        index = args.results / "data" / "benchmarks" / f"{self.blocks['evaluation'].benchmark}.json"
        self.theorems = read_theorem_index(args.benchmark or index).theorems[: args.max_theorems or None]
        model, policy = self.blocks["model"], self.blocks["policy"]
        assert isinstance(model, ModelSettings) and isinstance(policy, PolicySettings)
        from burnqed.policy.prompts import FORMATS

        form = FORMATS[model.prompt_format]
        self.generator = TransformersGenerator(
            self.model_dir, policy, form, model.max_length, args.device, self.quantization
        )
        self.device: str = args.device
        self.verdicts: dict[tuple[str, tuple[str, ...]], bool] = {}

    def search(
        self, changes: dict[str, object], expansions: int, with_head: bool
    ) -> tuple[list[TheoremResult], dict[str, list[int]]]:
        """Search all theorems; return the results, and by theorem the tokens generated up to each expansion."""
        encoder, settings = self.blocks["encoder"], self.blocks["search"]
        assert isinstance(encoder, EncoderSettings) and isinstance(settings, SearchSettings)
        prover = self.blocks["prover"]
        assert isinstance(prover, ProverSettings)
        settings = settings.model_copy(update=changes)
        scorer = None
        if with_head and self.head is not None:
            from burnqed.value.scorer import load_scorer

            scorer = load_scorer(self.head, self.model_dir, encoder, self.device, self.quantization)
        by_seed = self.generator.tokens_by_seed = {}
        with tempfile.TemporaryDirectory() as folder:
            results = run_search(
                self.theorems, generator=self.generator, scorer=scorer, prover=prover, settings=settings, kind=KIND,
                iteration=0, seed=self.seed, output=Path(folder) / "steps.parquet", key={}, budget=expansions, attempts=1,
            )  # fmt: skip
        spent: dict[str, list[int]] = {}
        for result in results:
            total, sums = 0, []
            for number in range(1, result.expansions + 1):
                seed = derive_seed(self.seed, 0, KIND, result.theorem, 0, number)
                total += by_seed.get(seed, 0) + by_seed.get(derive_seed(seed, "continuation"), 0)
                sums.append(total)
            spent[result.theorem] = sums or [0]
        return results, spent

    def solved(self, results: Sequence[TheoremResult]) -> set[str]:
        """Return the theorems whose proof stands in a fresh prover."""
        by_name: dict[str, Theorem] = {theorem.name: theorem for theorem in self.theorems}
        verify, prover = self.blocks["verify"], self.blocks["prover"]
        assert isinstance(verify, VerifySettings) and isinstance(prover, ProverSettings)
        new = [r for r in results if r.proved and (r.theorem, tuple(r.proof)) not in self.verdicts]
        found = asyncio.run(verify_proofs([(by_name[r.theorem], r.proof) for r in new], prover, verify))
        for result, verdict in zip(new, found, strict=True):
            self.verdicts[result.theorem, tuple(result.proof)] = verdict.ok
        return {r.theorem for r in results if r.proved and self.verdicts[r.theorem, tuple(r.proof)]}


def compare_modes(bench: Bench, expansions: int) -> list[dict[str, Any]]:
    ways: dict[str, dict[str, Outcome]] = {}
    whole = 0
    for mode in MODES:
        results, spent = bench.search({"mode": mode}, expansions, with_head=False)
        solved = bench.solved(results)
        ways[mode] = {
            r.theorem: Outcome(r.theorem in solved, spent[r.theorem][-1], r.stop_reason != "exhausted") for r in results
        }
        if mode == "tactic":  # the fewest tokens per expansion: what its searches that ran to the limit took
            whole = int(statistics.median([spent[r.theorem][-1] for r in results if not r.proved] or [1000]))
    return [row for share in (0.25, 0.5, 1.0) for row in compare(ways, int(whole * share))]


def compare_priorities(bench: Bench, budgets: Sequence[int]) -> list[dict[str, Any]]:
    ways: dict[str, dict[str, Outcome]] = {}
    for priority in PRIORITIES:
        results, _ = bench.search({"mode": "tactic", "priority": priority}, max(budgets), with_head=True)
        solved = bench.solved(results)
        ways[priority] = {r.theorem: Outcome(r.theorem in solved, r.nodes, False) for r in results}
    return [row for budget in budgets for row in compare(ways, budget)]


def show(title: str, unit: str, rows: Sequence[Mapping[str, Any]]) -> None:
    print(f"\n{title}\n| {unit} | way | solved | 95 % interval | against the first | p |\n|---|---|---|---|---|---|")
    for row in rows:
        low, high = row["ci95"]
        against = p = ""
        if "gained" in row:
            d = row["difference"]
            against = f"+{row['gained']} -{row['lost']} ({d['value']:+.1%}, {d['low']:+.1%} to {d['high']:+.1%})"
            p = f"{row['p']:.3f}"
        ended = f", {row['ended_before_budget']} ended before" if row["ended_before_budget"] else ""
        solved = f"{row['solved']} of {row['total']}{ended}"
        print(f"| {row['budget']} | {row['way']} | {solved} | {low:.1%} to {high:.1%} | {against} | {p} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="results folder of a finished run")
    parser.add_argument("--model-dir", type=Path, help="another policy than that of the newest iteration")
    parser.add_argument("--ebm", type=Path, help="another head than that of the newest iteration")
    parser.add_argument("--benchmark", type=Path, help="another theorem index than the run's benchmark")
    parser.add_argument("--max-theorems", type=int, default=0, help="first theorems of it only (default: 0 = all)")
    parser.add_argument("--expansions", type=int, help="expansions of the modes (default: the largest budget)")
    parser.add_argument("--set", action="append", default=[], metavar="BLOCK.KEY=VALUE", help="another setting")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sampling (default: 0)")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads of the model (default: 1)")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"], help="default: cpu")
    parser.add_argument("--only", choices=["modes", "priorities"], help="one of the two comparisons")
    parser.add_argument("--output", type=Path, help="also write the figures as JSON")
    args = parser.parse_args()
    import torch

    torch.set_num_threads(args.threads)
    try:
        bench = Bench(args)
        budgets = bench.blocks["evaluation"].budgets
        figures: dict[str, Any] = {"theorems": len(bench.theorems), "model": str(bench.model_dir)}
        if args.only != "priorities":
            figures["modes"] = compare_modes(bench, args.expansions or max(budgets))
            show("Modes at equal generated tokens per theorem", "tokens", figures["modes"])
        if args.only != "modes":
            if bench.head is None:
                print("\nno energy head in this run: priorities are not compared")
            else:
                figures["priorities"] = compare_priorities(bench, budgets)
                show("Priorities at equal expansions", "expansions", figures["priorities"])
    except UserError as error:
        print(f"search_modes: {error}", file=sys.stderr)
        return 1
    if args.output:
        args.output.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
