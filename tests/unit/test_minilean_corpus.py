"""The generated corpus: distinct, split cleanly, and every proof checked by the prover."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from burnqed.minilean.classical import theorems as classical_theorems
from burnqed.minilean.corpus import SPLITS, generate, main, tactic_steps
from burnqed.minilean.corpus_draft import CorpusTheorem, canonical_key
from burnqed.minilean.corpus_linear import Linear, linear_consequence
from burnqed.minilean.corpus_prop import Formula, find_proof, show
from burnqed.minilean.engine import Engine, HeartbeatError, ParseError, TacticError
from burnqed.minilean.expr import NAT, PROP, Expr, Pi, const, instantiate1, lit
from burnqed.minilean.kernel import Kernel


@pytest.fixture(scope="module")
def corpus() -> list[CorpusTheorem]:
    return generate(7, 600)


def test_the_corpus_is_a_function_of_its_seed(corpus: list[CorpusTheorem]) -> None:
    assert generate(7, 600) == corpus
    assert {t.statement for t in generate(8, 600)} != {t.statement for t in corpus}


def test_names_and_statements_are_distinct_and_splits_do_not_overlap(
    corpus: list[CorpusTheorem],
) -> None:
    assert len({theorem.name for theorem in corpus}) == len(corpus) > 500
    keys = [canonical_key(theorem.statement) for theorem in corpus]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {canonical_key(t.statement) for t in classical_theorems()}


def test_every_split_is_broad(corpus: list[CorpusTheorem]) -> None:
    families = {theorem.family for theorem in corpus}
    assert len(families) >= 6
    counts = Counter(theorem.split for theorem in corpus)
    assert set(counts) == set(SPLITS)
    assert counts["benchmark"] >= 120
    for split in SPLITS:
        rows = [theorem for theorem in corpus if theorem.split == split]
        assert {theorem.family for theorem in rows} >= families - {"closed"}
        assert {theorem.level for theorem in rows} == {1, 2, 3, 4, 5}
    mean = {split: sum(t.level for t in corpus if t.split == split) / counts[split] for split in SPLITS}
    assert mean["search"] > mean["train"] + 0.3


def test_canonical_key_ignores_names_and_order() -> None:
    same = [
        ("∀ (p q : Prop), p ∧ q → p", "∀ (s t : Prop), s ∧ t → s"),
        ("∀ (p q : Prop), p → ¬q → p", "∀ (q p : Prop), ¬p → q → q"),
        ("∀ (a b : Nat), a ≤ b → b ≤ 3 → a ≤ 3", "∀ (x y : Nat) (h : y ≤ 3) (g : x ≤ y), x ≤ 3"),
        (
            "∀ (P : Nat → Prop), (∀ x, P x) → ∃ y, P y",
            "∀ (Q : Nat → Prop), (∀ n, Q n) → ∃ m, Q m",
        ),
        ("∀ (p : Prop), p → p", "∀ p : Prop, (p → p)"),
        ("∀ (xs : List Nat), xs.reverse.length = xs.length", "∀ (l : List Nat), l.reverse.length = l.length"),
        ("∀ (a : Nat), ∀ (b : Nat), a = b", "∀ (a b : Nat), b = a"),
    ]
    for one, two in same:
        assert canonical_key(one) == canonical_key(two)
    different = [
        ("∀ (p q : Prop), p ∧ q → p", "∀ (p q : Prop), p ∧ q → q"),
        ("∀ (p q : Prop), (p → q) → ¬p ∨ q", "∀ (p q : Prop), p → q → ¬p ∨ q"),
        ("∀ (p q : Prop), (p → q ↔ p) → q", "∀ (p q : Prop), p → (q ↔ p) → q"),
        ("∀ (p q : Prop), p → q", "∀ (p : Prop), p → p"),
        ("∀ (a b : Nat), a ≤ b → a = b", "∀ (a b : Nat), b ≤ a → a ≤ b"),
    ]
    for one, two in different:
        assert canonical_key(one) != canonical_key(two)


def _truth(formula: Formula, values: dict[str, bool]) -> bool:
    kind, *parts = formula
    if kind == "atom":
        return values[parts[0]]
    if kind == "false":
        return False
    found = [_truth(part, values) for part in parts]
    if kind == "not":
        return not found[0]
    one, two = found
    return {"and": one and two, "or": one or two, "imp": not one or two, "iff": one == two}[kind]


def test_the_propositional_prover_proves_only_tautologies() -> None:
    p, q = ("atom", "p"), ("atom", "q")
    small: list[Formula] = [p, q, ("not", p)]
    for kind in ("and", "or", "imp", "iff"):
        small += [(kind, p, q), (kind, q, ("not", p))]
    proved = 0
    for hypothesis, goal in product(small, repeat=2):
        valid = all(
            _truth(goal, values)
            for bits in product([False, True], repeat=2)
            if _truth(hypothesis, values := dict(zip("pq", bits, strict=True)))
        )
        proof = find_proof([hypothesis], goal)
        assert proof is None or valid, (show(hypothesis), show(goal))
        proved += proof is not None
    assert proved > 25
    # True classically, not intuitionistically.
    assert find_proof([("not", ("not", p))], p) is None
    assert find_proof([], ("or", p, ("not", p))) is None


def test_linear_consequences_hold() -> None:
    a: Linear = ({"a": 1}, 0)
    b: Linear = ({"b": 1}, 0)
    zero: Linear = ({}, 0)
    assert linear_consequence([], (zero, "≤", a))
    assert linear_consequence([(a, "<", b)], (a, "≠", b))
    assert not linear_consequence([], (a, "≤", b))
    assert not linear_consequence([(a, "≤", b)], (a, "<", b))


def test_command_line_writes_what_generate_returns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep" / "corpus.jsonl"
    main(["--seed", "3", "--size", "200", "--check", "--out", str(path)])
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [CorpusTheorem(**row) for row in rows] == generate(3, 200)
    assert list(rows[0]) == ["name", "statement", "proof", "family", "level", "split"]
    printed = capsys.readouterr().out
    assert "level 5" in printed
    assert f"{len(rows)} of {len(rows)} proofs replayed, 0 dropped" in printed
    assert [entry.name for entry in path.parent.iterdir()] == ["corpus.jsonl"]


def test_classical_benchmark_has_its_size() -> None:
    rows = classical_theorems()
    assert len(rows) >= 60
    assert len({row.name for row in rows}) == len(rows)
    assert len({canonical_key(row.statement) for row in rows}) == len(rows)
    assert all(row.proof and row.split == "benchmark" for row in rows)


def test_generated_proofs_replay_in_the_prover(corpus: list[CorpusTheorem]) -> None:
    for theorem in corpus[::3]:
        steps = tactic_steps(theorem.statement, theorem.proof)
        assert steps is not None, theorem
        assert [tactic for _, tactic in steps] == theorem.proof
        assert steps[0][0].startswith("⊢ ")


def test_classical_proofs_replay_in_the_prover() -> None:
    for theorem in classical_theorems():
        assert tactic_steps(theorem.statement, theorem.proof) is not None, theorem


def test_incomplete_wrong_and_sorry_scripts_give_no_steps(corpus: list[CorpusTheorem]) -> None:
    for theorem in corpus[:60]:
        assert tactic_steps(theorem.statement, theorem.proof[:-1]) is None
        assert tactic_steps(theorem.statement, [*theorem.proof, "rfl"]) is None
        assert tactic_steps(theorem.statement, ["sorry"]) is None
    assert tactic_steps("∀ (p q : Prop), p → q", ["intro p q h", "exact h"]) is None
    assert tactic_steps("∀ (p : Prop", ["intro p"]) is None


def test_states_are_grouped_as_lean_prints_them() -> None:
    steps = tactic_steps(
        "∀ (p q : Prop), p ∧ q → q ∧ p",
        ["intro p q h1", "obtain ⟨h2, h3⟩ := h1", "constructor", "exact h3", "exact h2"],
    )
    assert steps is not None
    assert [state for state, _ in steps] == [
        "⊢ ∀ (p q : Prop), p ∧ q → q ∧ p",
        "p q : Prop\nh1 : p ∧ q\n⊢ q ∧ p",
        "p q : Prop\nh2 : p\nh3 : q\n⊢ q ∧ p",
        "case left\np q : Prop\nh2 : p\nh3 : q\n⊢ q\n\ncase right\np q : Prop\nh2 : p\nh3 : q\n⊢ p",
        "case right\np q : Prop\nh2 : p\nh3 : q\n⊢ p",
    ]


_SWAPS = {"∧": "∨", "∨": "∧", "≤": "<", "<": "≤", "=": "≤", "+": "*", "p": "q", "q": "p", "a": "b"}


def _mutate(rng: random.Random, statement: str) -> str:
    tokens = re.findall(r"\w+|\S| ", statement)
    for place in rng.sample(range(8, len(tokens)), 2):
        if tokens[place].isdigit():
            tokens[place] = str(rng.randint(0, 5))
        tokens[place] = _SWAPS.get(tokens[place], tokens[place])
    return "".join(tokens)


def _small_truth(kernel: Kernel, statement: Expr) -> bool | None:
    """Truth over Prop and Nat below 3; None when something else is quantified."""
    values: dict[Expr, list[Expr]] = {NAT: [lit(i) for i in range(3)], PROP: [const("True"), const("False")]}
    if not isinstance(statement, Pi):
        return kernel.decide(statement)
    if statement.ty in values:
        found = [_small_truth(kernel, instantiate1(statement.body, value)) for value in values[statement.ty]]
        return None if None in found else all(found)
    if statement.body.lo:
        return None
    premise = kernel.decide(statement.ty)
    return True if premise is False else premise and _small_truth(kernel, statement.body)


def test_no_tactic_proves_a_mutated_statement_that_is_false(corpus: list[CorpusTheorem]) -> None:
    rng = random.Random(11)
    engine = Engine()
    scripts = [tactic for theorem in corpus for tactic in theorem.proof]
    closing = ["omega", "simp_all", "contradiction", "rfl", "decide", "simp", "assumption"]
    closing += ["exact absurd h1 h2", "exact h1", "constructor <;> simp_all"]
    false = proved = 0
    for theorem in rng.choices([t for t in corpus if len(t.statement) > 30], k=300):
        try:
            statement = engine.statement(_mutate(rng, theorem.statement))
        except (ParseError, TacticError):
            continue
        truth = _small_truth(Kernel(engine.env), statement)
        if truth is None:
            continue
        false += truth is False
        states = [engine.start(statement)]
        for tactic in [*theorem.proof, *rng.choices(closing + rng.choices(scripts, k=3), k=4)]:
            try:
                state = engine.step(rng.choice(states[-2:]), tactic)
            except (ParseError, TacticError, HeartbeatError):
                continue
            if state.proof is not None and not state.sorry:
                assert truth, (theorem.statement, tactic)
                proved += 1
                break
            states.append(state)
    assert false > 10
    assert proved > 10
