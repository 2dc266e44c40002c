"""How much a better order of expansion could gain on a benchmark: log-probability against the oracle, on the same trees.

Trees are explored far past their first proof, with one set of candidates per state, so that any order can be replayed
on them (`burnqed/search/replay.py`). The oracle expands the states of the shortest proof and nothing else. A theorem whose
tree ends before an order has used its budget counts by what the order had found until then.

Run as: python benchmarks/order_headroom.py --results results/rehearsal/iter_0 --candidates 16 --temperature 1.0
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from pathlib import Path

from burnqed.config import ModelSettings, PolicySettings, ProverSettings, SearchSettings
from burnqed.evaluation.stack import load_blocks, recorded_blocks
from burnqed.policy.backends import load_generator
from burnqed.records.theorems import read_theorem_index
from burnqed.search.plan import SearchPlan
from burnqed.search.replay import RecordedTree, read_recorded, replay
from burnqed.search.run import run_search

BUDGETS = (4, 8, 16)


def shortest_proof(tree: RecordedTree) -> int | None:
    """Return the fewest expansions that reach a proof in an explored tree, None without a proof."""
    depth = {tree.root: 0}
    queue = deque([tree.root])
    while queue:
        state = queue.popleft()
        for tried in tree.tactics.get(state, ()):
            if tried.outcome == "proved":
                return depth[state] + 1
            if tried.next_state is not None and tried.next_state not in depth:
                depth[tried.next_state] = depth[state] + 1
                queue.append(tried.next_state)
    return None


def solved_by_logprob(tree: RecordedTree, plan: SearchPlan) -> bool:
    """Return whether the order by log-probability proves the theorem within the plan's budget."""
    found = replay(tree, plan)
    return found is not None and found.proved


def main() -> int:
    """Explore, replay and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="folder of an iteration: model/ and eval/")
    parser.add_argument("--benchmark", type=Path, help="default: the run's data/benchmarks/benchmark.json")
    parser.add_argument("--theorems", type=int, default=80)
    parser.add_argument("--candidates", type=int, default=16)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--explore", type=int, default=40, help="expansions of each tree")
    parser.add_argument(
        "--output", type=Path, default=Path("headroom.parquet"), help="trees; what is there is not made again"
    )
    args = parser.parse_args()
    blocks, _ = load_blocks(recorded_blocks(args.results), None, [])
    policy, model, prover, search = (blocks[name] for name in ("policy", "model", "prover", "search"))
    assert isinstance(policy, PolicySettings) and isinstance(model, ModelSettings)
    assert isinstance(prover, ProverSettings) and isinstance(search, SearchSettings)
    changes = {
        "candidates": args.candidates, "temperature": args.temperature, "expansions": args.explore,
        "past_proof": args.explore, "batch_expansions": 1, "max_tactics": 10**6,
    }  # fmt: skip
    settings = search.model_copy(update=changes)
    index = args.benchmark or args.results.parent / "data" / "benchmarks" / "benchmark.json"
    theorems = read_theorem_index(index).theorems[: args.theorems]
    if not args.output.exists():
        generator = load_generator(args.results / "model", policy, model, "cpu", "none")
        run_search(
            theorems, generator=generator, scorer=None, prover=prover, settings=settings, kind="main", iteration=0,
            seed=0, output=args.output, key={}, close_backends=True,
        )  # fmt: skip
    trees = read_recorded(args.output)
    print(f"{len(trees)} trees, {args.candidates} candidates, temperature {args.temperature:g}")
    print("order    " + "".join(f"{f'@{budget}':>9}" for budget in BUDGETS))
    lengths = [shortest_proof(tree) for tree in trees]
    oracle = [sum(length is not None and length <= budget for length in lengths) for budget in BUDGETS]
    counts = []
    for budget in BUDGETS:
        plan = SearchPlan.from_settings(
            settings, kind="main", iteration=0, seed=0, with_head=False, budget=budget, past_proof=0
        )
        counts.append(sum(solved_by_logprob(tree, plan) for tree in trees))
    for name, row in (("oracle", oracle), ("logprob", counts)):
        print(f"{name:<9}" + "".join(f"{100 * n / max(1, len(trees)):8.1f}%" for n in row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
