"""One theorem's search, on the counting game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from search_toys import (
    TACTICS,
    Goals,
    ToyCandidate,
    ToyContinuation,
    ToyPolicy,
    ToyPool,
    ToySession,
    ToyValue,
    ToyWriter,
    play,
    show,
)

from burnqed.config import SearchSettings
from burnqed.files import UserError
from burnqed.records.theorems import Theorem
from burnqed.search.engine import SearchRecord, TheoremSearch
from burnqed.search.frontier import Priority, Ranking
from burnqed.search.plan import SearchPlan
from burnqed.search.tree import path_score
from burnqed.seeds import derive_seed

PRIORITIES: list[Priority] = ["logprob", "energy", "weighted", "hybrid", "tuned"]
PLAN = SearchPlan("main", 1, 7, expansions=40, candidates=5, temperature=1.0, ranking=Ranking(), batch_expansions=4)


def search(
    start: int,
    plan: SearchPlan,
    *,
    policy: ToyPolicy | None = None,
    value: ToyValue | None = None,
    timing: int = 0,
    attempt: int = 0,
) -> tuple[SearchRecord, ToySession]:
    async def run() -> tuple[SearchRecord, ToySession]:
        pool = ToyPool(timing=timing)
        theorem = Theorem(f"count_{start}", str(start))
        session = await pool.open(theorem)
        generator = policy or ToyPolicy(timing)
        return await TheoremSearch(theorem, attempt, session, generator, value, plan).run(), session

    return asyncio.run(run())


def rows(record: SearchRecord, limit: int = 10**9, without: Sequence[str] = ()) -> list[dict[str, object]]:
    names = [name for name in record.columns if name not in without]
    columns = zip(*(record.columns[name] for name in names), strict=True)
    found = [dict(zip(names, values, strict=True)) for values in columns]
    return [row for row in found if row["expansion"] <= limit]


def with_priority(priority: Priority, **changes: object) -> SearchPlan:
    return replace(PLAN, ranking=Ranking(priority), **changes)


def check_proof(record: SearchRecord, start: int) -> None:
    goals: Goals = (start,)
    for number, tactic in enumerate(record.result.proof):
        after = play(goals, tactic)
        assert isinstance(after, tuple)
        assert bool(after) == (number < len(record.result.proof) - 1)
        goals = after


@pytest.mark.parametrize("priority", PRIORITIES)
@pytest.mark.parametrize(
    ("batch", "continuations", "resample"),
    [(1, 0, 0), (4, 0, 0), (5, 0, 0), (1, 5, 0), (4, 2, 0), (3, 0, 2), (4, 2, 9)],
)
def test_a_smaller_budget_is_a_prefix_of_a_larger_one(
    priority: Priority, batch: int, continuations: int, resample: int
) -> None:
    solved = unsolved = 0
    for start in (3, 4, 6, 900):
        plan = with_priority(
            priority, batch_expansions=batch, expansions=20, continuations=continuations, resample=resample
        )
        if resample:  # few candidates, so that the queue runs empty
            plan = replace(plan, candidates=2, continuations=min(continuations, 1))
        large, _ = search(start, plan, policy=ToyWriter(), value=ToyValue())
        solved += large.result.proved
        unsolved += not large.result.proved
        for budget in range(1, plan.expansions + 1):
            small, _ = search(
                start, replace(plan, expansions=budget), policy=ToyWriter(budget), value=ToyValue(), timing=budget
            )
            assert small.result.proved == (large.result.proved and large.result.nodes <= budget)
            proof_columns = () if small.result.proved else ("on_proof_path", "remaining_steps")
            assert rows(small, without=proof_columns) == rows(large, budget, without=proof_columns)
            if small.result.proved:
                assert small.result == large.result
    assert solved
    assert unsolved


@pytest.mark.parametrize("priority", PRIORITIES)
@pytest.mark.parametrize("continuations", [0, 2, 5])
def test_the_record_does_not_depend_on_timing(priority: Priority, continuations: int) -> None:
    plan = with_priority(priority, continuations=continuations)
    for start in (6, 17):
        found = [
            search(start, plan, policy=ToyWriter(timing), value=ToyValue(), timing=timing)[0] for timing in range(5)
        ]
        assert all(rows(record) == rows(found[0]) and record.result == found[0].result for record in found)


def test_attempts_and_theorems_have_their_own_seeds() -> None:
    first, second = (search(17, PLAN, attempt=attempt)[0] for attempt in (0, 1))
    assert [row["tactic"] for row in rows(first)] != [row["tactic"] for row in rows(second)]
    seeds = {row["seed"] for record in (first, second) for row in rows(record)}
    assert len(seeds) == first.result.expansions + second.result.expansions
    assert rows(first)[0]["seed"] == derive_seed(7, "main", 1, "count_17", 0, "⊢ 17", 1)
    assert all(0 <= derive_seed(part) < 2**63 for part in range(100))


@pytest.mark.parametrize("kind", ["main", "eval"])
def test_a_state_has_the_same_candidates_whatever_the_order(kind: str) -> None:
    seen: dict[str, set[tuple[object, ...]]] = {}
    for priority in PRIORITIES:
        for batch in (1, 4):
            plan = replace(with_priority(priority, batch_expansions=batch), kind=kind)
            record, _ = search(31, plan, value=ToyValue())
            tried: dict[str, list[object]] = {}
            for row in rows(record):
                tried.setdefault(str(row["state"]), []).append(row["tactic"])
            for state, tactics in tried.items():
                seen.setdefault(state, set()).add(tuple(tactics))
    assert len(seen) > 20
    assert all(len(tactics) == 1 for tactics in seen.values())


def test_evaluations_of_two_iterations_draw_the_same_candidates_and_searches_for_data_do_not() -> None:
    for kind, same in (("eval", True), ("main", False)):
        first, second = (
            [(row["state"], row["tactic"]) for row in rows(search(31, replace(PLAN, kind=kind, iteration=i))[0])]
            for i in (0, 1)
        )
        assert (first == second) == same


def test_the_search_goes_past_the_first_proof_when_asked() -> None:
    more = 0
    for start in range(3, 30):
        for batch in (1, 4):
            plan = replace(PLAN, batch_expansions=batch)
            plain, _ = search(start, plan)
            past, session = search(start, replace(plan, past_proof=7))
            hidden = ("on_proof_path", "remaining_steps")
            assert rows(past, plain.result.expansions, hidden) == rows(plain, without=hidden)
            assert (past.result.proof, past.result.nodes, past.result.proved) == (
                plain.result.proof,
                plain.result.nodes,
                plain.result.proved,
            )
            if plain.result.proved:
                assert past.result.stop_reason == "proved"
                assert past.result.expansions <= plain.result.nodes + 7
                assert sum(bool(row["on_proof_path"]) for row in rows(past)) == len(past.result.proof)
                more += past.result.expansions > plain.result.expansions
            assert len(session.states) <= 1 + sum(row["outcome"] == "ok" for row in rows(past))
    assert more > 20


@pytest.mark.parametrize("priority", PRIORITIES)
def test_the_order_of_expansion_is_best_first(priority: Priority) -> None:
    """Against a plain list that is sorted anew before each expansion."""
    value = ToyValue()
    for start in (13, 22, 31):
        plan = with_priority(priority, batch_expansions=1)
        record, _ = search(start, plan, value=value)
        policy = ToyPolicy()
        goal = show((start,))
        known: dict[str, dict[str, float]] = {goal: {"order": 0, "path": 0, "sum": 0.0}}
        states, waiting, expected = {goal: (start,)}, [goal], []
        depth = {goal: 0}
        proved = False

        def normalised(text: str, known: dict[str, dict[str, float]] = known) -> float:
            return path_score(known[text]["sum"], int(known[text]["path"]), 0.5)

        def score(text: str, turn: int, goal: str = goal) -> float:
            energy = value.energy(text, goal)
            if priority == "weighted":
                return 0.5 * normalised(text) - energy
            if priority == "tuned":
                return normalised(text) - energy
            by_energy = priority == "energy" or (priority == "hybrid" and turn % 2 == 1)
            return -energy if by_energy else normalised(text)

        while waiting and len(expected) < plan.expansions and not proved:
            turn = len(expected)
            best = min(waiting, key=lambda text: (-score(text, turn), known[text]["order"]))
            waiting.remove(best)
            expected.append(best)
            seed = derive_seed(7, "main", 1, f"count_{start}", 0, best, 1)
            for candidate in policy.propose(best, 5, 1.0, seed):
                after = play(states[best], candidate.tactic)
                total = round(known[best]["sum"] + candidate.logprob, 6)
                if after == ():
                    proved = True
                elif isinstance(after, tuple):
                    text = show(after)
                    if text not in known:
                        known[text] = {"order": len(known), "path": depth[best] + 1, "sum": total}
                        depth[text] = depth[best] + 1
                        states[text] = after
                        waiting.append(text)
                    elif text in waiting and path_score(total, depth[best] + 1, 0.5) > normalised(text):
                        known[text]["sum"], known[text]["path"] = total, depth[best] + 1
        by_expansion = {row["expansion"]: row["state"] for row in rows(record)}
        assert [by_expansion[number] for number in sorted(by_expansion)] == expected
        assert record.result.proved == proved


def test_proofs_hold_and_their_rows_form_a_chain() -> None:
    proved = 0
    for start in range(3, 40):
        record, _ = search(start, PLAN)
        path = [row for row in rows(record) if row["on_proof_path"]]
        if not record.result.proved:
            assert not path
            assert not record.result.proof
            continue
        proved += 1
        check_proof(record, start)
        assert [row["tactic"] for row in path] == record.result.proof
        assert [row["remaining_steps"] for row in path] == list(range(len(path), 0, -1))
        assert [row["depth"] for row in path] == list(range(len(path)))
        assert [row["parent_step"] for row in path] == [-1, *(row["step"] for row in path[:-1])]
        assert path[0]["state"] == path[0]["goal"] == f"⊢ {start}"
        assert [row["state"] for row in path[1:]] == [row["next_state"] for row in path[:-1]]
        assert path[-1]["outcome"] == "proved"
        assert path[-1]["expansion"] == record.result.nodes == record.result.expansions
        assert all(row["remaining_steps"] is None for row in rows(record) if not row["on_proof_path"])
    assert 5 < proved < 37


def test_outcomes_are_those_of_the_game_and_known_states_are_duplicates() -> None:
    record, session = search(60, replace(PLAN, expansions=60))
    seen = {"⊢ 60"}
    for row in rows(record):
        goals = tuple(int(line[2:]) for line in str(row["state"]).split("\n\n"))
        after = play(goals, str(row["tactic"]))
        if isinstance(after, str):
            assert (row["outcome"], row["next_state"]) == (after, None)
        else:
            text = show(after)
            assert (row["outcome"], row["next_state"]) == ("duplicate" if text in seen else "ok", text)
            seen.add(text)
    assert {row["outcome"] for row in rows(record)} == {"ok", "error", "duplicate", "timeout", "crash"}
    assert len(set(session.tried)) == len(session.tried), "a tactic was tried twice on one state"
    expanded = {(row["expansion"], row["state"]) for row in rows(record)}
    assert len({state for _, state in expanded}) == len(expanded), "a state was expanded twice"


class Script(ToyPolicy):
    """Proposes what a table says."""

    def __init__(self, table: dict[str, list[tuple[str, float]]]) -> None:
        super().__init__()
        self.table = table

    def propose(self, state: str, n: int, temperature: float, seed: int) -> list[ToyCandidate]:
        return [ToyCandidate(*item) for item in self.table.get(state, [])]


def test_cycles_end_the_search() -> None:
    policy = Script({"⊢ 2": [("add 1", -1.0), ("noop", -1.0)], "⊢ 3": [("sub 1", -1.0), ("noop", -0.1)]})
    record, session = search(2, PLAN, policy=policy)
    assert (record.result.stop_reason, record.result.expansions) == ("exhausted", 2)
    assert [row["outcome"] for row in rows(record)] == ["ok", "duplicate", "duplicate", "duplicate"]
    assert list(session.states) == [0]


def test_a_likelier_path_to_a_waiting_state_moves_it_forward() -> None:
    policy = Script(
        {
            "⊢ 9": [("sub 3", -4.0), ("sub 1", -1.0), ("sub 2", -2.0)],  # 6 is found at once, but unlikely
            "⊢ 8": [("sub 2", -0.1)],  # ... and again, likely
        }
    )
    record, _ = search(9, replace(PLAN, batch_expansions=1), policy=policy)
    assert [states for states, _ in policy.calls] == [["⊢ 9"], ["⊢ 8"], ["⊢ 6"], ["⊢ 7"]]
    assert rows(record)[-1]["outcome"] == "duplicate"


def test_a_proved_child_is_never_scored_and_ends_the_search() -> None:
    class Blind(ToyValue):
        @staticmethod
        def energy(state: str, goal: str) -> float:
            return -100.0  # every live state looks better than any proof could

    policy = Script({"⊢ 2": [("sub 1", -0.1), ("sub 2", -9.0), ("add 1", -0.1)], "⊢ 3": [("sub 3", -1.0)]})
    value = Blind()
    for priority in PRIORITIES:
        record, _ = search(2, with_priority(priority), policy=policy, value=value)
        assert record.result.proof == ["sub 2"]
        assert (record.result.expansions, record.result.nodes) == (1, 1)
        assert [row["outcome"] for row in rows(record)] == ["ok", "proved", "ok"]
    assert all(state for call in value.calls for state in call)


def test_a_proof_on_the_step_that_crosses_a_limit_counts() -> None:
    policy = Script({"⊢ 4": [("sub 1", -1.0)], "⊢ 3": [("sub 1", -1.0), ("sub 3", -2.0)], "⊢ 2": [("sub 2", -1.0)]})
    for plan in (
        replace(PLAN, expansions=2),
        replace(PLAN, max_tactics=2),
        replace(PLAN, max_depth=2),
    ):
        record, _ = search(4, plan, policy=policy)
        assert record.result.proof == ["sub 1", "sub 3"]
        assert record.result.stop_reason == "proved"
    for changes, reason in (
        ({"expansions": 1}, "expansions"),
        ({"max_tactics": 1}, "tactics"),
        ({"max_depth": 1}, "depth"),
    ):
        record, _ = search(4, replace(PLAN, **changes), policy=policy)
        assert (record.result.proved, record.result.stop_reason) == (False, reason)


def test_the_first_proof_in_order_is_kept_whatever_finishes_first() -> None:
    policy = Script(
        {
            "⊢ 7": [("sub 1", -1.0), ("sub 2", -1.0), ("sub 3", -1.0)],
            "⊢ 6": [("half", -1.0), ("add 1", -2.0)],
            "⊢ 5": [("nonsense", -1.0), ("sub 5", -2.0), ("noop", -3.0), ("sub 5 ", -4.0)],
            "⊢ 4": [("sub 4", -1.0)],
        }
    )
    for timing in range(20):
        record, _ = search(7, PLAN, policy=policy, timing=timing)
        assert record.result.proof == ["sub 2", "sub 5"]
        assert (record.result.nodes, record.result.expansions, record.result.tactics) == (3, 3, 9)
        assert [row["outcome"] for row in rows(record)][-4:] == ["error", "proved", "duplicate", "proved"]
        assert sum(row["on_proof_path"] for row in rows(record)) == 2


def test_depth_limit() -> None:
    only = ToyPolicy(tactics=["sub 1"])
    for depth in (5, 6, 7):
        record, _ = search(6, replace(PLAN, max_depth=depth), policy=only)
        assert record.result.proved == (depth >= 6)
        assert max(row["depth"] for row in rows(record)) == min(depth, 6) - 1


def test_a_state_beyond_the_depth_limit_may_be_found_again_on_a_shorter_path() -> None:
    policy = Script(
        {
            "⊢ 9": [("add 1", -0.1), ("sub 3", -50.0)],
            "⊢ 10": [("half", -0.1)],
            "⊢ 5": [("add 1", -0.1)],  # 6 at depth 3: too deep to expand
            "⊢ 6": [("half", -1.0)],  # 6 at depth 1
            "⊢ 3": [("sub 3", -1.0)],
        }
    )
    record, _ = search(9, replace(PLAN, max_depth=3, batch_expansions=1), policy=policy)
    assert record.result.proof == ["sub 3", "half", "sub 3"]


def test_dead_states_are_dropped_in_the_prover() -> None:
    record, session = search(900, replace(PLAN, expansions=100))
    assert record.result.stop_reason == "expansions"
    fresh = [row for row in rows(record) if row["outcome"] == "ok"]
    expanded = {row["state"] for row in rows(record)}
    waiting = {row["next_state"] for row in fresh} - expanded
    assert {show(goals) for number, goals in session.states.items() if number} <= waiting
    assert session.made > len(session.states)


def test_probes_are_tried_after_the_candidates_and_never_outrank_them() -> None:
    policy = Script({"⊢ 8": [("sub 1", -1.0), ("sub 2", -3.0)], "⊢ 7": [], "⊢ 4": []})
    plan = replace(PLAN, batch_expansions=1, expansions=4, probe_tactics=("half", "sub 1"))
    record, _ = search(8, plan, policy=policy)
    assert [(row["tactic"], row["logprob"], row["cumulative_logprob"]) for row in rows(record, 1)] == [
        ("sub 1", -1.0, -1.0),
        ("sub 2", -3.0, -3.0),
        ("half", None, -3.0),
    ]
    assert [states[0] for states, _ in policy.calls] == ["⊢ 8", "⊢ 7", "⊢ 6", "⊢ 4"]
    assert [(row["tactic"], row["outcome"]) for row in rows(record) if row["state"] == "⊢ 7"] == [
        ("half", "error"),
        ("sub 1", "duplicate"),
    ]


def test_text_that_cannot_be_stored_is_not_tried() -> None:
    policy = Script({"⊢ 2": [("sub \ud800", -1.0), ("sub 2", -2.0)]})
    record, _ = search(2, PLAN, policy=policy)
    assert [row["tactic"] for row in rows(record)] == ["sub 2"]


def test_energies_are_recorded_for_every_way_into_a_state() -> None:
    value = ToyValue()
    record, _ = search(40, with_priority("hybrid"), value=value)
    recorded = [row for row in rows(record) if row["next_state"] not in (None, "⊢ 40")]
    assert any(row["outcome"] == "duplicate" for row in recorded)
    assert all(row["energy"] == value.energy(str(row["next_state"]), "⊢ 40") for row in recorded)
    scored = [state for call in value.calls for state in call]
    assert len(scored) == len(set(scored))


def test_a_search_by_log_probability_scores_nothing_and_finds_the_same() -> None:
    value = ToyValue()
    record, _ = search(40, with_priority("logprob"), value=value)
    assert value.calls == []
    without, _ = search(40, with_priority("logprob"))
    assert record.columns == without.columns and record.result == without.result


def test_the_time_limit_ends_the_search() -> None:
    record, _ = search(50, replace(PLAN, max_seconds=1e-9))
    assert (record.result.stop_reason, record.result.expansions) == ("seconds", 0)


def test_plan_follows_head_and_kind() -> None:
    settings = SearchSettings(
        candidates=3, candidates_with_head=9, temperature=0.0, temperature_with_head=0.7, resample=5
    )

    def plan(kind: str, with_head: bool, budget: int | None = None) -> SearchPlan:
        return SearchPlan.from_settings(settings, kind=kind, iteration=0, seed=0, with_head=with_head, budget=budget)

    assert (plan("main", False).candidates, plan("main", True).candidates) == (3, 9)
    assert (plan("main", False).temperature, plan("main", True).temperature, plan("noisy", False).temperature) == (
        0.0,
        0.7,
        1.2,
    )
    # at temperature 0 the same would come again; along known proofs nothing is queued
    assert [plan(kind, head).resample for kind, head in (("main", False), ("main", True), ("negatives", True))] == [
        0,
        5,
        0,
    ]
    assert (plan("main", False).ranking.priority, plan("main", True).ranking.priority) == ("logprob", "hybrid")
    assert (plan("main", False).expansions, plan("main", False, 17).expansions) == (settings.expansions, 17)


@pytest.mark.parametrize(("mode", "continuations"), [("tactic", 0), ("mixed", 4), ("continuation", 7)])
def test_modes_need_a_policy_that_can_do_them(mode: str, continuations: int) -> None:
    settings = SearchSettings.model_validate({"mode": mode, "candidates": 7})
    plan = SearchPlan.from_settings(settings, kind="main", iteration=0, seed=0, with_head=False)
    assert plan.continuations == continuations
    plan.check_policy(ToyWriter())
    if continuations:
        with pytest.raises(UserError, match=r"search\.mode"):
            plan.check_policy(ToyPolicy())
        with pytest.raises(UserError, match=r"search\.mode"):
            search(3, replace(PLAN, continuations=2))


def test_toy_tactics_cover_all_outcomes() -> None:
    assert {play((3, 4), tactic) for tactic in TACTICS} >= {"error", "crash", "timeout", (4,), (3, 4)}


def writer(table: dict[str, list[str]], tactics: dict[str, list[tuple[str, float]]] | None = None) -> ToyWriter:
    """Return a policy whose continuations (and tactics) a table gives; each step costs 1."""

    class Table(ToyWriter):
        async def continue_proofs(
            self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
        ) -> list[list[ToyContinuation]]:
            self.calls.append((list(states), list(seeds)))
            texts = [[text.split("; ") for text in table.get(state, [])] for state in states]
            return [[ToyContinuation([(step, -1.0) for step in text]) for text in group] for group in texts]

        def propose(self, state: str, n: int, temperature: float, seed: int) -> list[ToyCandidate]:
            return [ToyCandidate(*item) for item in (tactics or {}).get(state, [])]

    return Table()


def test_continuations_share_their_beginnings_and_leave_nodes_on_the_way() -> None:
    policy = writer(
        {"⊢ 9": ["sub 1; half; sub 1; sub 3", "sub 1; half; half; nonsense; half", "sub 2; boom", "sub 1; half"]}
    )
    record, session = search(9, replace(PLAN, expansions=1, continuations=5), policy=policy)
    assert [(row["state"], row["tactic"], row["outcome"], row["depth"]) for row in rows(record)] == [
        ("⊢ 9", "sub 1", "ok", 0),
        ("⊢ 8", "half", "ok", 1),
        ("⊢ 4", "sub 1", "ok", 2),
        ("⊢ 3", "sub 3", "proved", 3),
        ("⊢ 4", "half", "ok", 2),
        ("⊢ 2", "nonsense", "error", 3),
        ("⊢ 9", "sub 2", "ok", 0),
        ("⊢ 7", "boom", "crash", 1),
    ]
    assert len(session.tried) == len(set(session.tried)) == 8
    assert record.result.proof == ["sub 1", "half", "sub 1", "sub 3"]
    assert [row["cumulative_logprob"] for row in rows(record)] == [-1.0, -2.0, -3.0, -4.0, -3.0, -4.0, -1.0, -2.0]
    assert [row["parent_step"] for row in rows(record)] == [-1, 0, 1, 2, 1, 4, -1, 6]


def test_states_on_the_way_are_expanded_later_without_trying_anything_twice() -> None:
    policy = writer(
        {"⊢ 9": ["sub 1; sub 1; nonsense"], "⊢ 8": ["sub 1; sub 1"], "⊢ 7": ["sub 1; sub 3", "nonsense", "sub 2"]}
    )
    record, _ = search(9, replace(PLAN, batch_expansions=1, continuations=5), policy=policy)
    tried = [(row["state"], row["tactic"]) for row in rows(record)]
    assert tried == [
        ("⊢ 9", "sub 1"),
        ("⊢ 8", "sub 1"),
        ("⊢ 7", "nonsense"),
        ("⊢ 7", "sub 1"),  # by the expansion of 8, along the step to 7 that is known
        ("⊢ 6", "sub 3"),
        ("⊢ 7", "sub 2"),
    ]
    assert len(set(tried)) == len(tried)


def test_mixed_mode_tries_both_and_proofs_hold() -> None:
    proved = 0
    for start in range(3, 30):
        record, session = search(start, replace(PLAN, continuations=3, expansions=10), policy=ToyWriter())
        check = [(row["state"], row["tactic"]) for row in rows(record)]
        assert len(set(check)) == len(check)
        path = [row for row in rows(record) if row["on_proof_path"]]
        assert [row["tactic"] for row in path] == record.result.proof
        assert [row["remaining_steps"] for row in path] == list(range(len(path), 0, -1))
        if record.result.proved:
            proved += 1
            check_proof(record, start)
        assert len(session.states) <= 1 + sum(row["outcome"] == "ok" for row in rows(record))
    assert proved > 5


@pytest.mark.parametrize("continuations", [0, 1])
def test_states_are_sampled_again_when_no_new_one_is_left(continuations: int) -> None:
    plan = replace(PLAN, candidates=2 - continuations, continuations=continuations, expansions=30, batch_expansions=2)
    more = 0
    for start in range(5, 25):
        plain, _ = search(start, plan, policy=ToyWriter())
        policy = ToyWriter()
        again, session = search(start, replace(plan, resample=2), policy=policy)
        hidden = ("on_proof_path", "remaining_steps")
        assert rows(again, plain.result.expansions, hidden) == rows(plain, without=hidden)
        tried = [(row["state"], row["tactic"]) for row in rows(again)]
        assert len(set(tried)) == len(tried)
        asked = [state for states, _ in policy.calls for state in states]
        assert max(asked.count(state) for state in asked) <= 3
        rounds = [asked[:place].count(state) for place, state in enumerate(asked)]
        assert again.result.stop_reason != "exhausted" or max(rounds) == 2
        if plain.result.stop_reason == "exhausted":
            assert again.result.expansions > plain.result.expansions
            more += again.result.proved
            check_proof(again, start)
        if not again.result.proved:
            live = {row["next_state"] for row in rows(again) if row["outcome"] == "ok"}
            often = {state for state in asked[1:] if asked.count(state) == 3}
            assert len(session.states) <= 1 + len(live - often)  # what has been sampled often enough is dropped
    assert more
