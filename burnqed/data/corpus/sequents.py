"""Propositional sequents: a small intuitionistic prover that writes tactics, and random sequents."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from burnqed.data.corpus.terms import FALSE, Term, term

Context = tuple[tuple[str, Term], ...]
Key = tuple[frozenset[Term], Term]
SPLITTABLE = {"∧": 0, "↔": 0, "∨": 1}  # order in which hypotheses are taken apart
DEPTHS = (0, 1, 2, 4)


def unfold_not(formula: Term) -> Term:
    """Read ``¬a`` as ``a → False``; other formulas stay."""
    return term("→", formula.args[0], FALSE) if formula.head == "¬" else formula


def _chain(formula: Term) -> Iterator[tuple[list[Term], Term]]:
    """Yield the ways to read a hypothesis as premises and conclusion, with at least one premise."""
    premises: list[Term] = []
    formula = unfold_not(formula)
    while formula.head == "→":
        premises.append(formula.args[0])
        formula = unfold_not(formula.args[1])
        yield list(premises), formula


def _sides(formula: Term) -> tuple[Term, Term]:
    """Return the two parts of a conjunction or an equivalence."""
    one, two = formula.args
    return (one, two) if formula.head != "↔" else (term("→", one, two), term("→", two, one))


class Prover:
    """Depth-limited backward search in the style of a person: invertible steps first."""

    def __init__(self, budget: int) -> None:
        self.budget = budget

    def prove(
        self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key] = frozenset()
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
        if FALSE in known or any(term("¬", formula) in known for formula in known):
            return ["contradiction"]
        if goal.head in ("→", "¬"):
            premise, conclusion = unfold_not(goal).args
            rest = self.prove((*context, (f"h{fresh}", premise)), conclusion, fresh + 1, depth)
            return None if rest is None else [f"intro h{fresh}", *rest]
        key = (frozenset(known), goal)
        if key in seen:
            return None
        if any(formula.head in SPLITTABLE for formula in known):
            return self._take_apart(context, goal, fresh, depth)
        return self._choose(context, goal, fresh, depth, seen | {key})

    def _take_apart(self, context: Context, goal: Term, fresh: int, depth: int) -> list[str] | None:
        name, formula = min(
            (item for item in context if item[1].head in SPLITTABLE), key=lambda item: SPLITTABLE[item[1].head]
        )
        others = tuple(item for item in context if item[0] != name)
        left, right = f"h{fresh}", f"h{fresh + 1}"
        if formula.head == "∨":
            cases = [
                self.prove((*others, (label, part)), goal, fresh + 2, depth)
                for label, part in zip((left, right), formula.args, strict=True)
            ]
            if cases[0] is None or cases[1] is None:
                return None
            return [f"rcases {name} with {left} | {right}", *cases[0], *cases[1]]
        one, two = _sides(formula)
        rest = self.prove((*others, (left, one), (right, two)), goal, fresh + 2, depth)
        return None if rest is None else [f"obtain ⟨{left}, {right}⟩ := {name}", *rest]

    def _choose(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        if goal.head in ("∧", "↔"):
            return self._both(context, goal, fresh, depth, seen)
        known = {formula: name for name, formula in context}
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                if conclusion == goal and all(premise in known for premise in premises):
                    return [f"exact {name} {' '.join(known[premise] for premise in premises)}"]
        if depth <= 0:
            return None
        return (
            self._side(context, goal, fresh, depth, seen)
            or self._forward(context, goal, fresh, depth, seen)
            or self._backward(context, goal, fresh, depth, seen)
            or self._absurd(context, goal, fresh, depth, seen)
        )

    def _both(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        known = {formula: name for name, formula in context}
        one, two = _sides(goal)
        if goal.head == "∧" and one in known and two in known:
            return [f"exact ⟨{known[one]}, {known[two]}⟩"]
        first = self.prove(context, one, fresh, depth, seen)
        second = None if first is None else self.prove(context, two, fresh, depth, seen)
        return None if first is None or second is None else ["constructor", *first, *second]

    def _side(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        if goal.head == "∨":
            for side, tactic in zip(goal.args, ("left", "right"), strict=True):
                rest = self.prove(context, side, fresh, depth - 1, seen)
                if rest is not None:
                    return [tactic, *rest]
        return None

    def _forward(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        known = {formula: name for name, formula in context}
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                ready = all(premise in known for premise in premises)
                if ready and conclusion not in known and conclusion.head not in ("→", "¬"):
                    rest = self.prove((*context, (f"h{fresh}", conclusion)), goal, fresh + 1, depth - 1, seen)
                    if rest is not None:
                        return [f"have h{fresh} := {name} {' '.join(known[p] for p in premises)}", *rest]
        return None

    def _backward(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        for name, formula in context:
            for premises, conclusion in _chain(formula):
                if conclusion == goal:
                    proofs = [self.prove(context, premise, fresh, depth - 1, seen) for premise in premises]
                    if None not in proofs:
                        return [f"apply {name}", *(step for proof in proofs if proof for step in proof)]
        return None

    def _absurd(self, context: Context, goal: Term, fresh: int, depth: int, seen: frozenset[Key]) -> list[str] | None:
        if goal == FALSE or not any(c == FALSE for _, f in context for _, c in _chain(f)):
            return None
        rest = self.prove(context, FALSE, fresh, depth - 1, seen)
        return None if rest is None else ["exfalso", *rest]


CONNECTIVES = ("∧", "∨", "→", "↔", "¬")


def holds(formula: Term, true: frozenset[Term]) -> bool:
    """Return the truth value of a formula when exactly the atoms in ``true`` hold."""
    if formula.head == "¬":
        return not holds(formula.args[0], true)
    if formula.head not in CONNECTIVES:
        return formula in true
    one, two = (holds(part, true) for part in formula.args)
    return {"∧": one and two, "∨": one or two, "→": not one or two, "↔": one == two}[formula.head]


def is_valid(hypotheses: list[Term], goal: Term, atoms: list[Term]) -> bool:
    """Return whether the goal follows classically, by trying all truth values of the atoms."""
    for size in range(len(atoms) + 1):
        for chosen in combinations(atoms, size):
            true = frozenset(chosen)
            if not holds(goal, true) and all(holds(hypothesis, true) for hypothesis in hypotheses):
                return False
    return True


def find_proof(context: Context, goal: Term, fresh: int, budget: int = 600) -> list[str] | None:
    """Prove ``goal`` from named hypotheses, shallow proofs first; None when the budget ends."""
    for depth in DEPTHS:
        found = Prover(budget).prove(context, goal, fresh, depth)
        if found is not None:
            return found
    return None


def numbered(hypotheses: list[Term], first: int = 1) -> Context:
    """Name the hypotheses h1, h2, ... from ``first``."""
    return tuple((f"h{first + i}", formula) for i, formula in enumerate(hypotheses))


def random_formula(rng: random.Random, atoms: list[Term], leaves: int) -> Term:
    """Return a random formula with the given number of atom occurrences."""
    if leaves <= 1:
        atom = rng.choice(atoms)
        return term("¬", atom) if rng.random() < 0.15 else atom
    kind = rng.choices(["∧", "∨", "→", "↔", "¬"], [5, 4, 6, 1, 1.2])[0]
    if kind == "¬":
        return term("¬", random_formula(rng, atoms, leaves))
    left = rng.randint(1, leaves - 1)
    one, two = random_formula(rng, atoms, left), random_formula(rng, atoms, leaves - left)
    return one if one == two else term(kind, one, two)


def random_sequent(rng: random.Random, atoms: list[Term], most: int) -> tuple[list[Term], Term, list[str]] | None:
    """Return a provable sequent with its proof, or None when the dice gave an unprovable or dull one.

    The proof starts after ``intro``, with hypotheses h1, h2, ...
    """
    count = rng.randint(0, most)
    hypotheses = [random_formula(rng, atoms, rng.choice([1, 2, 2, 3, 3, 4, 5])) for _ in range(count)]
    goal = random_formula(rng, atoms, rng.choice([1, 2, 2, 3, 4, 5] if count else [3, 4, 5, 6, 7]))
    while goal.head in ("→", "¬"):
        premise, conclusion = unfold_not(goal).args
        hypotheses, goal = [*hypotheses, premise], conclusion
    if goal == FALSE and hypotheses:
        goal = term("¬", hypotheses.pop())
    if len(set(hypotheses)) < len(hypotheses) or goal in hypotheses or not hypotheses:
        return None
    if not is_valid(hypotheses, goal, atoms):
        return None
    proof = find_proof(numbered(hypotheses), goal, len(hypotheses) + 1)
    if proof is None:
        return None
    for index in reversed(range(len(hypotheses))):
        fewer = hypotheses[:index] + hypotheses[index + 1 :]
        if rng.random() < 0.8:
            shorter = find_proof(numbered(fewer), goal, len(fewer) + 1)
            if shorter is not None:
                hypotheses, proof = fewer, shorter
    return (hypotheses, goal, proof) if len(proof) > 1 else None
