"""Propositional theorems: random sequents and a small intuitionistic prover that writes tactics."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from burnqed.minilean.corpus_draft import Draft, telescope

# ("atom", text) | ("false",) | ("not", a) | ("and" | "or" | "imp" | "iff", a, b)
Formula = tuple[Any, ...]
Context = tuple[tuple[str, Formula], ...]

_INFIX = {"and": ("∧", 35), "or": ("∨", 30), "imp": ("→", 25), "iff": ("↔", 20)}
FALSE: Formula = ("false",)


def show(formula: Formula, level: int = 0) -> str:
    """Print with Lean's precedences; parenthesised when it binds weaker than ``level``."""
    kind = formula[0]
    if kind == "atom":
        text = str(formula[1])
        return f"({text})" if level > 50 and not text.isidentifier() else text
    if kind == "false":
        return "False"
    if kind == "not":
        text, own = "¬" + show(formula[1], 40), 40
        if formula[1][0] == "atom" and not formula[1][1].isidentifier():
            text = f"¬{formula[1][1]}"
    else:
        symbol, own = _INFIX[kind]
        left = own + 1
        right = own + 1 if kind == "iff" else own
        text = f"{show(formula[1], left)} {symbol} {show(formula[2], right)}"
    return f"({text})" if own < level else text


def _unfold(formula: Formula) -> Formula:
    return ("imp", formula[1], FALSE) if formula[0] == "not" else formula


def _chain(formula: Formula) -> Iterator[tuple[list[Formula], Formula]]:
    """The ways to read a hypothesis as premises and conclusion, with at least one premise."""
    premises: list[Formula] = []
    formula = _unfold(formula)
    while formula[0] == "imp":
        premises.append(formula[1])
        formula = _unfold(formula[2])
        yield list(premises), formula


class Prover:
    """Depth-limited backward search in the style of a person: invertible steps first."""

    def __init__(self, budget: int) -> None:
        self.budget = budget

    def prove(
        self, context: Context, goal: Formula, fresh: int, depth: int, seen: frozenset[object]
    ) -> list[str] | None:
        """Return tactics that close ``goal``, or None; ``depth`` bounds the non-invertible steps.

        ``fresh`` numbers the next hypothesis, ``h{fresh}``.
        """
        self.budget -= 1
        if self.budget < 0:
            return None
        known = {formula: name for name, formula in context}
        if goal in known:
            return [f"exact {known[goal]}"]
        if FALSE in known or any(("not", formula) in known for formula in known):
            return ["contradiction"]
        if goal[0] in ("imp", "not"):
            inner = _unfold(goal)
            rest = self.prove((*context, (f"h{fresh}", inner[1])), inner[2], fresh + 1, depth, frozenset())
            return None if rest is None else [f"intro h{fresh}", *rest]
        key = (frozenset(known), goal)
        if key in seen:
            return None
        seen = seen | {key}
        return (
            self._split_context(context, goal, fresh, depth)
            if any(formula[0] in ("and", "iff", "or") for _, formula in context)
            else self._choose(context, goal, fresh, depth, seen)
        )

    def _split_context(self, context: Context, goal: Formula, fresh: int, depth: int) -> list[str] | None:
        order = {"and": 0, "iff": 0, "or": 1}
        name, formula = min((item for item in context if item[1][0] in order), key=lambda item: order[item[1][0]])
        others = tuple(item for item in context if item[0] != name)
        left, right = f"h{fresh}", f"h{fresh + 1}"
        if formula[0] == "or":
            first = self.prove((*others, (left, formula[1])), goal, fresh + 2, depth, frozenset())
            if first is None:
                return None
            second = self.prove((*others, (right, formula[2])), goal, fresh + 2, depth, frozenset())
            if second is None:
                return None
            return [f"rcases {name} with {left} | {right}", *first, *second]
        one, two = formula[1], formula[2]
        if formula[0] == "iff":
            one, two = ("imp", one, two), ("imp", two, one)
        rest = self.prove((*others, (left, one), (right, two)), goal, fresh + 2, depth, frozenset())
        return None if rest is None else [f"obtain ⟨{left}, {right}⟩ := {name}", *rest]

    def _choose(
        self, context: Context, goal: Formula, fresh: int, depth: int, seen: frozenset[object]
    ) -> list[str] | None:
        known = {formula: name for name, formula in context}
        if goal[0] in ("and", "iff"):
            one, two = goal[1], goal[2]
            if goal[0] == "iff":
                one, two = ("imp", one, two), ("imp", two, one)
            elif one in known and two in known:
                return [f"exact ⟨{known[one]}, {known[two]}⟩"]
            first = self.prove(context, one, fresh, depth, seen)
            second = None if first is None else self.prove(context, two, fresh, depth, seen)
            return None if first is None or second is None else ["constructor", *first, *second]
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                if conclusion == goal and all(premise in known for premise in premises):
                    return [f"exact {name} {' '.join(known[premise] for premise in premises)}"]
        if depth <= 0:
            return None
        if goal[0] == "or":
            for side, tactic in ((goal[1], "left"), (goal[2], "right")):
                rest = self.prove(context, side, fresh, depth - 1, seen)
                if rest is not None:
                    return [tactic, *rest]
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                ready = all(premise in known for premise in premises)
                if ready and conclusion not in known and conclusion[0] not in ("imp", "not"):
                    used = " ".join(known[premise] for premise in premises)
                    added = (*context, (f"h{fresh}", conclusion))
                    rest = self.prove(added, goal, fresh + 1, depth - 1, seen)
                    if rest is not None:
                        return [f"have h{fresh} := {name} {used}", *rest]
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                if conclusion == goal:
                    steps: list[str] | None = [f"apply {name}"]
                    for premise in premises:
                        found = self.prove(context, premise, fresh, depth - 1, seen)
                        if found is None:
                            steps = None
                            break
                        assert steps is not None
                        steps += found
                    if steps is not None:
                        return steps
        refutable = any(c == FALSE for _, f in context for _, c in _chain(f))
        if goal != FALSE and refutable:
            rest = self.prove(context, FALSE, fresh, depth - 1, seen)
            if rest is not None:
                return ["exfalso", *rest]
        return None


def find_proof(hypotheses: list[Formula], goal: Formula, first: int = 1, budget: int = 600) -> list[str] | None:
    """Prove ``hypotheses ⊢ goal`` with hypotheses named h1, h2, ..; shallow proofs first.

    ``first`` is the number of the first hypothesis. The script starts after ``intro``.
    """
    context = tuple((f"h{first + i}", formula) for i, formula in enumerate(hypotheses))
    for depth in (0, 1, 2, 4):
        found = Prover(budget).prove(context, goal, first + len(hypotheses), depth, frozenset())
        if found is not None:
            return found
    return None


def random_formula(rng: random.Random, atoms: list[str], leaves: int) -> Formula:
    """A random formula with the given number of atom occurrences."""
    if leaves <= 1:
        atom: Formula = ("atom", rng.choice(atoms))
        return ("not", atom) if rng.random() < 0.15 else atom
    left = rng.randint(1, leaves - 1)
    kind = rng.choices(["and", "or", "imp", "iff", "not"], [5, 4, 6, 1, 1.2])[0]
    if kind == "not":
        return ("not", random_formula(rng, atoms, leaves))
    one, two = random_formula(rng, atoms, left), random_formula(rng, atoms, leaves - left)
    return one if one == two else (kind, one, two)


def random_sequent(rng: random.Random, atoms: list[str], most: int) -> tuple[list[Formula], Formula, list[str]] | None:
    """A provable sequent with its proof, or None when the dice gave an unprovable or dull one."""
    count = rng.randint(0, most)
    hypotheses = [random_formula(rng, atoms, rng.choice([1, 2, 2, 3, 3, 4])) for _ in range(count)]
    goal = random_formula(rng, atoms, rng.choice([1, 2, 2, 3, 4] if count else [3, 4, 5, 6]))
    while goal[0] in ("imp", "not"):
        inner = _unfold(goal)
        hypotheses, goal = [*hypotheses, inner[1]], inner[2]
    if goal == FALSE and hypotheses:
        goal = ("not", hypotheses.pop())
    if len(set(hypotheses)) < len(hypotheses) or goal in hypotheses or not hypotheses:
        return None
    proof = find_proof(hypotheses, goal)
    if proof is None:
        return None
    for index in reversed(range(len(hypotheses))):
        fewer = hypotheses[:index] + hypotheses[index + 1 :]
        if rng.random() < 0.8:
            shorter = find_proof(fewer, goal)
            if shorter is not None:
                hypotheses, proof = fewer, shorter
    return (hypotheses, goal, proof) if len(proof) > 1 else None


def _used(atoms: list[str], formulas: list[Formula]) -> list[str]:
    words = set(re.findall(r"\w+", " ".join(show(formula) for formula in formulas)))
    return [atom for atom in atoms if atom in words]


def propositional(rng: random.Random) -> Draft | None:
    """One random propositional theorem, or None."""
    atoms = ["p", "q", "r", "s"][: rng.choice([2, 2, 3, 3, 4])]
    sequent = random_sequent(rng, atoms, rng.choice([1, 2, 2, 3, 4]))
    if sequent is None:
        return None
    hypotheses, goal, proof = sequent
    used = _used(atoms, [*hypotheses, goal])
    statement = telescope([(used, "Prop")], [show(h, 26) for h in hypotheses], show(goal, 25))
    names = [f"h{i + 1}" for i in range(len(hypotheses))]
    proof = [" ".join(["intro", *used, *names]), *proof]
    if len(proof) > 14:
        return None
    return Draft(goal[0], "prop", statement, tuple(proof))
