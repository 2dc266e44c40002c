"""The generated corpus: distinct, split without likeness, true where a judge of our own can say so."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations, product
from statistics import median
from types import SimpleNamespace

import pytest

from burnqed.data.corpus import classical
from burnqed.data.corpus.draft import CorpusTheorem
from burnqed.data.corpus.families import cases, mazes
from burnqed.data.corpus.generate import FAMILIES, SPLITS, generate
from burnqed.data.corpus.keys import skeleton, statement_key
from burnqed.data.corpus.replay import batch_file, read_messages
from burnqed.data.corpus.sequents import find_proof, numbered
from burnqed.data.corpus.terms import Term, show, term


@pytest.fixture(scope="module")
def corpus() -> list[CorpusTheorem]:
    return generate(7, 1500)


def test_the_corpus_is_a_function_of_its_seed() -> None:
    assert generate(7, 200) == generate(7, 200)
    assert {t.statement for t in generate(8, 200)} != {t.statement for t in generate(7, 200)}


def test_names_and_statements_are_distinct(corpus: list[CorpusTheorem]) -> None:
    assert len({theorem.name for theorem in corpus}) == len(corpus) > 1300
    keys = [statement_key(theorem.statement) for theorem in corpus]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {statement_key(t.statement) for t in classical.theorems()}
    assert all(re.fullmatch(r"\w+", theorem.name) for theorem in corpus)


def test_benchmarks_share_no_skeleton_with_the_training_side(corpus: list[CorpusTheorem]) -> None:
    assert all(theorem.skeleton == skeleton(theorem.statement) for theorem in corpus[::7])
    held_out = {t.skeleton for t in corpus if t.split == "benchmark"}
    assert not held_out & {t.skeleton for t in corpus if t.split != "benchmark"}
    assert not {t.skeleton for t in classical.theorems()} & {t.skeleton for t in corpus}
    assert len(held_out) > 0.8 * sum(t.split == "benchmark" for t in corpus)


def test_every_split_is_broad_and_graded(corpus: list[CorpusTheorem]) -> None:
    counts = Counter(theorem.split for theorem in corpus)
    assert set(counts) == set(SPLITS)
    assert counts["benchmark"] >= 0.1 * len(corpus)
    for split in SPLITS:
        rows = [theorem for theorem in corpus if theorem.split == split]
        assert len({theorem.family for theorem in rows}) >= 25
        assert {theorem.level for theorem in rows} >= {2, 3, 4, 5}
    mean = {split: sum(t.level for t in corpus if t.split == split) / counts[split] for split in SPLITS}
    assert mean["search"] > mean["train"] + 0.3


def test_proofs_are_deep(corpus: list[CorpusTheorem]) -> None:
    steps = [len(theorem.proof) for theorem in corpus]
    assert median(steps) >= 5
    assert (min(steps), max(steps)) == (1, 14)
    assert sum(n >= 8 for n in steps) > 0.12 * len(steps)
    assert max(len(theorem.statement) for theorem in corpus) < 500


def test_every_family_yields() -> None:
    for family in FAMILIES:
        rng = random.Random(3)
        drafts = [draft for draft in (family(rng) for _ in range(400)) if draft is not None]
        assert drafts, family.__name__
        assert all(draft.proof and draft.statement for draft in drafts)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("∀ (p q : Prop), p ∧ q → p", "∀ (s t : Prop), s ∧ t → s"),
        ("∀ (p q : Prop), p → ¬q → p", "∀ (q p : Prop), ¬p → q → q"),
        ("∀ (a b : Nat), a ≤ b → b ≤ 3 → a ≤ 3", "∀ (x y : Nat), y ≤ 3 → x ≤ y → x ≤ 3"),
        ("∀ (P : Nat → Prop), (∀ x, P x) → ∃ y, P y", "∀ (Q : Nat → Prop), (∀ n, Q n) → ∃ m, Q m"),
        ("∀ (p : Prop), p → p", "∀ p : Prop, (p → p)"),
        ("∀ (xs : List Nat), xs.reverse.length = xs.length", "∀ (l : List Nat), l.reverse.length = l.length"),
        ("∀ (a : Nat), ∀ (b : Nat), a = b", "∀ (a b : Nat), b = a"),
        (
            "∀ (f : Nat → Nat), f 0 = 1 → (∀ n, f (n + 1) = f n + 1) → ∀ n, f n = n + 1",
            "∀ (g : Nat → Nat), (∀ m, g (m + 1) = g m + 1) → g 0 = 1 → ∀ k, g k = k + 1",
        ),
    ],
)
def test_keys_ignore_names_and_order(one: str, two: str) -> None:
    assert statement_key(one) == statement_key(two)
    assert skeleton(one) == skeleton(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("∀ (p q : Prop), p ∧ q → p", "∀ (p q : Prop), p ∧ q → q"),
        ("∀ (p q : Prop), (p → q) → ¬p ∨ q", "∀ (p q : Prop), p → q → ¬p ∨ q"),
        ("∀ (p q : Prop), (p → q ↔ p) → q", "∀ (p q : Prop), p → (q ↔ p) → q"),
        ("∀ (p q : Prop), p → q", "∀ (p : Prop), p → p"),
        ("∀ (a b : Nat), a ≤ b → a = b", "∀ (a b : Nat), b ≤ a → a ≤ b"),
        ("∀ (P : Nat → Prop), (∃ x, P x) → P 0", "∀ (P : Nat → Prop), (∀ x, P x) → P 0"),
    ],
)
def test_keys_tell_statements_apart(one: str, two: str) -> None:
    assert statement_key(one) != statement_key(two)
    assert skeleton(one) != skeleton(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("∀ (a b : Nat), 3 * a + 2 ≤ b → a < b", "∀ (x y : Nat), x ≤ 2 * y → y ≥ x + 7"),
        ("∀ (a b : Nat), a + b = b + a", "∀ (a b : Nat), a * b = b * a"),
        ("∀ n, P 3 → P (n + 2)", "∀ n, P 0 → P (n + 9)"),
        ("∃ x : Nat, 3 * x + 1 = 7", "∃ y : Nat, y + 4 = 5"),
    ],
)
def test_skeletons_ignore_numerals_and_the_choice_among_like_operators(one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)
    assert statement_key(one) != statement_key(two)


def test_keys_do_not_depend_on_how_variables_are_named_or_ordered(corpus: list[CorpusTheorem]) -> None:
    for theorem in corpus[:200]:
        found = re.match(r"∀ \((\w+(?: \w+)+) : (Prop)\), ", theorem.statement)
        if found is None:
            continue
        names = found[1].split()
        for order in list(permutations(names))[:6]:
            renaming = dict(zip(names, order, strict=True))
            renamed = re.sub(r"\b\w+\b", lambda m, r=renaming: r.get(m[0], m[0]), theorem.statement)
            assert statement_key(renamed) == statement_key(theorem.statement)


def test_terms_print_with_leans_precedences() -> None:
    p, q, r = Term("p"), Term("q"), Term("r")
    assert show(term("→", term("→", p, q), term("∧", q, term("∨", p, r)))) == "(p → q) → q ∧ (p ∨ r)"
    assert show(term("¬", term("∧", p, q))) == "¬(p ∧ q)"
    assert show(term("*", term("+", "a", "b"), term("f", term("+", "a", "1")))) == "(a + b) * f (a + 1)"
    assert show(term("-", "a", term("-", "b", "c"))) == "a - (b - c)"
    assert show(term(".length", term("++", "xs", term(".reverse", "ys")))) == "(xs ++ ys.reverse).length"
    assert show(term("→", term("∀ x", term("P", "x")), term("∃ y", term("P", "y")))) == "(∀ x, P x) → ∃ y, P y"


def _truth(formula: Term, values: dict[str, bool]) -> bool:
    if formula.head == "¬":
        return not _truth(formula.args[0], values)
    if not formula.args:
        return values.get(formula.head, False)
    one, two = (_truth(part, values) for part in formula.args)
    return {"∧": one and two, "∨": one or two, "→": not one or two, "↔": one == two}[formula.head]


def test_the_propositional_prover_proves_only_tautologies() -> None:
    p, q = Term("p"), Term("q")
    small = [p, q, term("¬", p)]
    for kind in "∧∨→↔":
        small += [term(kind, p, q), term(kind, q, term("¬", p))]
    proved = 0
    for hypothesis, goal in product(small, repeat=2):
        valid = all(
            _truth(goal, values)
            for bits in product([False, True], repeat=2)
            if _truth(hypothesis, values := dict(zip("pq", bits, strict=True)))
        )
        proof = find_proof(numbered([hypothesis]), goal, 2)
        assert proof is None or valid, (show(hypothesis), show(goal))
        proved += proof is not None
    assert proved > 25
    # True classically, not intuitionistically.
    assert find_proof(numbered([term("¬", term("¬", p))]), p, 2) is None
    assert find_proof((), term("∨", p, term("¬", p)), 1) is None


def test_boolean_identities_hold_for_all_values() -> None:
    rng = random.Random(1)
    drafts = [draft for draft in (cases.boolean(rng) for _ in range(3000)) if draft is not None]
    assert len(drafts) > 20
    for draft in drafts:
        body = draft.statement.partition(", ")[2].replace("&&", "and").replace("||", "or").replace("!", " not ")
        left, right = (part.strip() for part in body.split("="))
        for row in product([False, True], repeat=3):
            names = dict(zip("abc", row, strict=True)) | {"true": True, "false": False}
            assert eval(left, {}, names) == eval(right, {}, names), draft.statement


def test_the_shortest_derivation_is_found() -> None:
    rules = [mazes.Rule((), "p"), mazes.Rule(("p",), "q"), mazes.Rule(("q",), "r"), mazes.Rule(("q", "r"), "s")]
    best = mazes.shortest([*rules, mazes.Rule(("t",), "s"), mazes.Rule(("s",), "t")])
    assert {atom: size for atom, (size, _) in best.items()} == {"p": 1, "q": 2, "r": 3, "s": 6, "t": 7}
    assert best["s"][1] == rules[3]


def test_classical_benchmark() -> None:
    rows = classical.theorems()
    assert len(rows) >= 100
    assert len({row.name for row in rows}) == len(rows)
    assert len({statement_key(row.statement) for row in rows}) == len(rows)
    assert all(row.proof and row.header == "" for row in rows)


def _message(line: int, text: str, severity: str = "information") -> SimpleNamespace:
    return SimpleNamespace(line=line, severity=severity, text=text)


def test_a_file_traces_each_state_and_messages_find_their_theorem() -> None:
    theorems = [
        SimpleNamespace(statement="∀ (p : Prop), p → p", header="def two := 2", proof=["intro p h", "exact h"]),
        SimpleNamespace(statement="a ≤ c", header="def two := 2", proof=["calc a ≤ b := h\n  _ ≤ c := g"]),
    ]
    text, places = batch_file(theorems)
    lines = text.split("\n")
    assert lines[:4] == ["def two := 2", "", "theorem t0 : ∀ (p : Prop), p → p := by", "  trace_state"]
    assert "    _ ≤ c := g" in lines
    traced = [_message(4, "⊢ ∀ (p : Prop), p → p"), _message(6, "p : Prop\nh : p\n⊢ p")]
    late = [_message(10, "⊢ a ≤ c")]
    one, two = read_messages(places, [*late, *traced])
    assert one.states == ("⊢ ∀ (p : Prop), p → p", "p : Prop\nh : p\n⊢ p")
    assert two.states == ("⊢ a ≤ c",)
    one, two = read_messages(places, [*traced, *late, _message(11, "Type mismatch", "error")])
    assert not one.problem
    assert two.problem == "line 3 of the proof: Type mismatch"
    assert read_messages(places, traced)[1].problem == "not every tactic was reached"
    sorry = _message(3, "declaration uses `sorry`", "warning")
    assert "sorry" in read_messages(places, [*traced, *late, sorry])[0].problem
