"""Theorems with quantifiers: sequents about predicates, relations, exchanged quantifiers, uniqueness."""

from __future__ import annotations

import itertools
import random

from burnqed.data.corpus.draft import Draft, Groups, intro, labels, statement_of, used
from burnqed.data.corpus.sequents import find_proof, random_sequent
from burnqed.data.corpus.terms import Term, plus, show, term, times

PREDICATES = ["P", "Q", "R", "S"]
MAX_STEPS = 14


def _with(formula: Term, argument: str) -> Term:
    """Give every predicate of a formula its argument."""
    if formula.head in PREDICATES:
        return term(formula.head, argument)
    return Term(formula.head, tuple(_with(part, argument) for part in formula.args))


def lifted(rng: random.Random) -> Draft | None:
    """Return a propositional sequent about predicates, its hypotheses under quantifiers."""
    atoms = [Term(name) for name in PREDICATES[: rng.choice([1, 2, 2, 3, 3])]]
    found = random_sequent(rng, atoms, 3)
    if found is None or not found[0] or len(found[2]) > 9:
        return None
    make = rng.choice([_everywhere, _everywhere, _somewhere, _somewhere, _at_point, _nowhere])
    return make(rng, *found)


def _names(formulas: list[Term]) -> list[str]:
    return used(PREDICATES, formulas)


def _everywhere(rng: random.Random, plain: list[Term], goal: Term, proof: list[str]) -> Draft | None:
    """From hypotheses about all numbers the goal about all numbers."""
    x = rng.choice("xxyn")
    groups: Groups = [(_names([*plain, goal]), "Nat → Prop")]
    hypotheses = [term(f"∀ {x}", _with(formula, x)) for formula in plain]
    statement = statement_of(groups, hypotheses, term(f"∀ {x}", _with(goal, x)))
    script = [f"{intro(groups, len(plain))} {x}", *(f"specialize {label} {x}" for label in labels(len(plain)))]
    return Draft("quantifier", "forall", statement, (*script, *proof))


def _at_point(rng: random.Random, plain: list[Term], goal: Term, proof: list[str]) -> Draft | None:
    """The goal at one point from general hypotheses and facts about the point."""
    general = [rng.random() < 0.6 for _ in plain]
    if not any(general):
        return None
    at = rng.choice("aab")
    groups: Groups = [(_names([*plain, goal]), "Nat → Prop"), ([at], "Nat")]
    hypotheses = [
        term("∀ x", _with(formula, "x")) if every else _with(formula, at)
        for every, formula in zip(general, plain, strict=True)
    ]
    script = [intro(groups, len(plain))]
    script += [f"specialize {label} {at}" for label, every in zip(labels(len(plain)), general, strict=True) if every]
    return Draft("quantifier", "instance", statement_of(groups, hypotheses, _with(goal, at)), (*script, *proof))


def _somewhere(rng: random.Random, plain: list[Term], goal: Term, proof: list[str]) -> Draft | None:
    """One hypothesis holds somewhere, the others everywhere; so the goal holds somewhere."""
    x = rng.choice("xxyn")
    chosen, fresh = rng.randrange(len(plain)), len(plain) + 1
    context = tuple(
        (f"h{fresh}" if i == chosen else label, formula)
        for i, (label, formula) in enumerate(zip(labels(len(plain)), plain, strict=True))
    )
    rest = find_proof(context, goal, fresh + 1, 400)
    if rest is None:
        return None
    groups: Groups = [(_names([*plain, goal]), "Nat → Prop")]
    hypotheses = [term(f"{'∃' if i == chosen else '∀'} {x}", _with(formula, x)) for i, formula in enumerate(plain)]
    script = [intro(groups, len(plain)), f"obtain ⟨{x}, h{fresh}⟩ := h{chosen + 1}"]
    script += [f"specialize {label} {x}" for i, label in enumerate(labels(len(plain))) if i != chosen]
    statement = statement_of(groups, hypotheses, term(f"∃ {x}", _with(goal, x)))
    return Draft("quantifier", "exists", statement, (*script, f"refine ⟨{x}, ?_⟩", *rest), 1)


def _nowhere(rng: random.Random, plain: list[Term], goal: Term, proof: list[str]) -> Draft | None:
    """From ``¬∃ x, B x`` and ``A x → B x`` conclude ``∀ x, ¬A x``."""
    x = rng.choice("xxyn")
    if len(plain) != 1:
        return None
    rest = find_proof((("h2", plain[0]),), goal, 3, 400)
    if rest is None:
        return None
    groups: Groups = [(_names([*plain, goal]), "Nat → Prop")]
    hypothesis = term("¬", term(f"∃ {x}", _with(goal, x)))
    statement = statement_of(groups, [hypothesis], term(f"∀ {x}", term("¬", _with(plain[0], x))))
    script = (f"{intro(groups, 1)} {x} h2", "apply h1", f"refine ⟨{x}, ?_⟩", *rest)
    return Draft("quantifier", "not_exists", statement, script, 1)


def relation(rng: random.Random) -> Draft | None:
    """Return a path through facts about a relation that is symmetric, transitive or both."""
    symmetric = rng.random() < 0.7
    points = rng.sample("abcde", 5)
    length = rng.choice([1, 2, 2, 3, 4]) if symmetric else rng.choice([2, 3, 4])
    path = points[: length + 1]
    flips = [symmetric and rng.random() < 0.5 for _ in range(length)]
    if symmetric and not any(flips):
        return None
    ends = [rng.sample(path, 2) for _ in range(rng.choice([0, 0, 1, 2]))]
    extra = [(one, two) for one, two in ends]
    steps = list(itertools.pairwise(path))
    edges = [(two, one) if flip else (one, two) for (one, two), flip in zip(steps, flips, strict=True)]
    facts = list(dict.fromkeys([*edges, *extra]))
    if any((one, two) in facts and abs(path.index(one) - path.index(two)) > 1 for one, two in extra):
        return None
    rng.shuffle(facts)
    rules = [term("∀ x y", term("→", term("R", "x", "y"), term("R", "y", "x")))] if symmetric else []
    if length > 1:
        chain = term("→", term("R", "x", "y"), term("→", term("R", "y", "z"), term("R", "x", "z")))
        rules.append(term("∀ x y z", chain))
    name = {fact: f"h{len(rules) + 1 + i}" for i, fact in enumerate(facts)}
    groups: Groups = [(["R"], "Nat → Nat → Prop"), (sorted(path), "Nat")]
    hypotheses = [*rules, *(term("R", *fact) for fact in facts)]
    script = [intro(groups, len(hypotheses)), *_along(path, flips, name, f"h{len(rules)}", len(hypotheses) + 1)]
    return Draft("relation", "path", statement_of(groups, hypotheses, term("R", path[0], path[-1])), tuple(script), 1)


def _along(
    path: list[str], flips: list[bool], name: dict[tuple[str, str], str], transitive: str, fresh: int
) -> list[str]:
    """Return the steps that turn facts round and join them, from the start of the path."""
    steps, current = [], ""
    for index, flip in enumerate(flips):
        one, two = path[index], path[index + 1]
        last = index == len(flips) - 1
        fact = name[two, one] if flip else name[one, two]
        if flip:
            turned = f"h1 {two} {one} {fact}"
            if last and not current:
                return [f"exact {turned}"]
            steps.append(f"have h{fresh} := {turned}")
            fact, fresh = f"h{fresh}", fresh + 1
        if not current:
            current = fact
            continue
        joined = f"{transitive} {path[0]} {one} {two} {current} {fact}"
        steps.append(f"exact {joined}" if last else f"have h{fresh} := {joined}")
        current, fresh = f"h{fresh}", fresh + 1
    return steps


# Hypothesis, goal and steps; {k} and {m} are numerals.
EXCHANGES: list[tuple[str, str, tuple[str, ...]]] = [
    ("(∃ x, ∀ y, R x y)", "∀ y, ∃ x, R x y", ("intro R h1 y", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, h2 y⟩")),
    ("(∀ x y, R x y)", "∀ y x, R x y", ("intro R h1 y x", "exact h1 x y")),
    ("(∃ x y, R x y)", "∃ y x, R x y", ("intro R h1", "obtain ⟨x, y, h2⟩ := h1", "exact ⟨y, x, h2⟩")),
    ("(∀ x y, R x y)", "∀ x, R x x", ("intro R h1 x", "exact h1 x x")),
    ("(∃ x, R x x)", "∃ x y, R x y", ("intro R h1", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, x, h2⟩")),
    ("(∀ x, ∃ y, R x y)", "∃ y, R {k} y", ("intro R h1", "exact h1 {k}")),
    ("(∀ x y, R x y)", "R {k} {m}", ("intro R h1", "exact h1 {k} {m}")),
    ("(∃ x, ∀ y, R x y)", "∃ x, R x {k}", ("intro R h1", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, h2 {k}⟩")),
    ("(¬∃ x, ∃ y, R x y)", "∀ x y, ¬R x y", ("intro R h1 x y h2", "apply h1", "exact ⟨x, y, h2⟩")),
    ("(∀ x, ¬R x {k})", "¬∃ x, R x {k}", ("intro R h1 h2", "obtain ⟨x, h3⟩ := h2", "exact h1 x h3")),
    ("(∃ x, ¬R x {k})", "¬∀ x, R x {k}", ("intro R h1 h2", "obtain ⟨x, h3⟩ := h1", "exact h3 (h2 x)")),
    ("R {k} {m}", "∃ x, R x {m}", ("intro R h1", "exact ⟨{k}, h1⟩")),
    ("R {k} {m}", "∃ x y, R x y", ("intro R h1", "exact ⟨{k}, {m}, h1⟩")),
    (
        "(∀ x, ∃ y, R x y)",
        "∃ y z, R {k} y ∧ R y z",
        ("intro R h1", "obtain ⟨y, h2⟩ := h1 {k}", "obtain ⟨z, h3⟩ := h1 y", "exact ⟨y, z, h2, h3⟩"),
    ),
    (
        "(∃ x, ∀ y, R x y)",
        "∀ y z, ∃ x, R x y ∧ R x z",
        ("intro R h1 y z", "obtain ⟨x, h2⟩ := h1", "refine ⟨x, ?_, ?_⟩", "exact h2 y", "exact h2 z"),
    ),
]


def exchange(rng: random.Random) -> Draft | None:
    """Return quantifiers over a relation exchanged, instantiated or negated."""
    hypothesis, goal, proof = rng.choice(EXCHANGES)
    fill = {"k": str(rng.randint(0, 9)), "m": str(rng.randint(0, 9))}
    statement = statement_of([(["R"], "Nat → Nat → Prop")], [hypothesis.format(**fill)], goal.format(**fill))
    return Draft("quantifier", "exchange", statement, tuple(step.format(**fill) for step in proof))


def unique(rng: random.Random) -> Draft | None:
    """Return that a linear equation has one solution, or that a predicate with two rules has one."""
    make = rng.choice([_unique_number, _unique_number, _unique_value, _unique_pair])
    return make(rng)


def _unique_number(rng: random.Random) -> Draft | None:
    scale, shift, solution = rng.randint(1, 9), rng.randint(0, 9), rng.randint(0, 9)
    left = plus(times(scale, "x"), shift)
    value = str(scale * solution + shift)
    other = rng.choice([left, term("+", str(shift), times(scale, "x"))])
    holds = term("=", other, value)
    if rng.random() < 0.4:
        holds = term("∧", holds, term("≤", "x", str(solution + rng.randint(0, 4))))
    if other == Term("x"):
        return None
    renamed = show(_renamed(holds, "x", "y"), 26)
    statement = f"∃ x : Nat, ({holds}) ∧ ∀ y, {renamed} → y = x"
    script = (f"refine ⟨{solution}, ?_, ?_⟩", rng.choice(["omega", "decide"]), "intro y h1", "omega")
    return Draft("unique", "number", statement, script, 1)


def _renamed(value: Term, old: str, new: str) -> Term:
    head = new if value.head == old else value.head
    return Term(head, tuple(_renamed(part, old, new) for part in value.args))


def _unique_value(rng: random.Random) -> Draft | None:
    """Two solutions are equal when all solutions equal one number."""
    length = rng.randint(1, 3)
    names = ["P", "Q", "R"][:length]
    known = str(rng.randint(0, 9))
    hypotheses = [term("∀ x", term("→", term(one, "x"), term(two, "x"))) for one, two in itertools.pairwise(names)]
    hypotheses.append(term("∀ x", term("→", term(names[-1], "x"), term("=", "x", known))))
    goal = Term("∀ a b", (term("→", term("P", "a"), term("→", term("P", "b"), term("=", "a", "b"))),))
    groups: Groups = [(names, "Nat → Prop")]
    first, second = f"h{length + 1}", f"h{length + 2}"
    script = [f"{intro(groups, length)} a b {first} {second}"]
    script += [f"rw [h{length} a]", f"rw [h{length} b]"]
    for point in (second, first):
        script += [f"apply h{i}" for i in reversed(range(1, length))] + [f"exact {point}"]
    return Draft("unique", "value", statement_of(groups, hypotheses, goal), tuple(script), 1)


def _unique_pair(rng: random.Random) -> Draft | None:
    """A sum and a difference determine both numbers."""
    one, two = rng.randint(0, 9), rng.randint(0, 9)
    scale = rng.randint(1, 4)
    equations = (
        f"x + {times(scale, 'y')} = {one + scale * two} ∧ x + {times(scale + 1, 'y')} = {one + scale * two + two}"
    )
    value = rng.choice([f"x = {one} ∧ y = {two}", f"y = {two} ∧ x = {one}"])
    script = ("intro x y h1", "obtain ⟨h2, h3⟩ := h1", "constructor", "omega", "omega")
    return Draft("unique", "pair", f"∀ (x y : Nat), {equations} → {value}", script)
