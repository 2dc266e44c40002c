"""Propositional theorems: random sequents, equivalence chains, and case splits on several disjunctions."""

from __future__ import annotations

import itertools
import random

from burnqed.data.corpus.draft import Draft, intro, statement_of, used
from burnqed.data.corpus.sequents import find_proof, is_valid, numbered, random_formula, random_sequent
from burnqed.data.corpus.terms import Term, conjunction, term

MAX_STEPS = 14
BUDGET = 100  # steps of the prover where most tries fail
ATOMS = ["p", "q", "r", "s", "t"]


def sequent(rng: random.Random) -> Draft | None:
    """Return a random propositional theorem; longer proofs are preferred."""
    names = ATOMS[: rng.choice([2, 2, 3, 3, 4, 4, 5])]
    found = random_sequent(rng, [Term(name) for name in names], rng.choice([1, 2, 2, 3, 4]))
    if found is None:
        return None
    hypotheses, goal, proof = found
    if len(proof) >= MAX_STEPS or (len(proof) < 4 and rng.random() < 0.6):
        return None
    return _draft("prop", goal.head if goal.args else "atom", names, hypotheses, goal, proof)


def _draft(
    family: str, tag: str, names: list[str], hypotheses: list[Term], goal: Term, proof: list[str], hardness: int = 0
) -> Draft:
    groups = [(used(names, [*hypotheses, goal]), "Prop")]
    script = (intro(groups, len(hypotheses)), *proof)
    tag = {"∧": "and", "∨": "or", "↔": "iff", "¬": "not"}.get(tag, tag)
    return Draft(family, tag, statement_of(groups, hypotheses, goal), script, hardness)


def equivalences(rng: random.Random) -> Draft | None:
    """Return a path through equivalences, by rewriting or in both directions, with some off the path."""
    length = rng.randint(2, 5)
    names = list("pqrstuvw")
    rng.shuffle(names)
    path = [Term(name) for name in names[: length + 1]]
    links = [(one, two) if rng.random() < 0.6 else (two, one) for one, two in itertools.pairwise(path)]
    extra = [Term(name) for name in names[length + 1 : length + 1 + rng.randint(0, 2)]]
    links += [(rng.choice(path), atom) for atom in extra]
    order = list(range(len(links)))
    rng.shuffle(order)
    name = {link: f"h{place + 1}" for place, link in enumerate(order)}
    hypotheses = [term("↔", *links[link]) for link in order]
    forward = [links[i] == (path[i], path[i + 1]) for i in range(length)]
    kind = rng.choice(["rewrite", "forward", "back"])
    variables = sorted({atom.head for atom in path + extra})
    if kind == "rewrite":
        proof = [f"rw [{'' if forward[i] else '← '}{name[i]}]" for i in range(length)]
        return _draft("iff", "rw", variables, hypotheses, term("↔", path[0], path[-1]), proof)
    start = f"h{len(links) + 1}"
    goal = path[-1]
    hypotheses.append(path[0])
    if kind == "back":
        proof = [f"apply {name[i]}.{'mp' if forward[i] else 'mpr'}" for i in reversed(range(length))]
        return _draft("iff", "apply", variables, hypotheses, goal, [*proof, f"exact {start}"])
    proof = [f"rw [{'' if forward[i] else '← '}{name[i]}] at {start}" for i in range(length)]
    return _draft("iff", "at", variables, hypotheses, goal, [*proof, f"exact {start}"])


def splits(rng: random.Random) -> Draft | None:
    """Return a theorem that needs several disjunctions taken apart, each case closed in its own way."""
    atoms = [Term(name) for name in rng.sample(ATOMS, rng.randint(3, 5))]
    goal_atoms = rng.sample(atoms, rng.randint(1, 2))
    goal = goal_atoms[0] if len(goal_atoms) == 1 else term(rng.choice(["∧", "∨"]), *goal_atoms)
    hypotheses = []
    for _ in range(rng.randint(1, 2)):
        one, two = rng.sample(atoms, 2)
        hypotheses.append(term("∨", one, rng.choice([two, term("∧", two, rng.choice(atoms))])))
    for atom in atoms:
        if atom not in goal_atoms and rng.random() < 0.9:
            hypotheses.append(term("→", atom, rng.choice([rng.choice(atoms), conjunction(goal_atoms)])))
    rng.shuffle(hypotheses)
    if len(set(hypotheses)) < len(hypotheses) or any(h.args[0] == h.args[1] for h in hypotheses):
        return None
    proof = find_proof(numbered(hypotheses), goal, len(hypotheses) + 1)
    if proof is None or not 4 <= len(proof) < MAX_STEPS or not any("rcases" in step for step in proof):
        return None
    return _draft("split", "cases", ATOMS, hypotheses, goal, proof)


def excluded_middle(rng: random.Random) -> Draft | None:
    """Return a theorem that holds classically only, by cases on one atom."""
    names = ATOMS[: rng.choice([2, 2, 3])]
    atoms = [Term(name) for name in names]
    found = _needs_cases(rng, atoms)
    if found is None:
        return None
    hypotheses, goal, atom, proof = found
    count = len(hypotheses)
    script = [f"rcases Classical.em {atom} with h{count + 1} | h{count + 2}", *proof]
    return _draft("classical", "em", names, hypotheses, goal, script, 1)


def _needs_cases(rng: random.Random, atoms: list[Term]) -> tuple[list[Term], Term, Term, list[str]] | None:
    """Return hypotheses, goal, the atom to decide and the proof of both cases; None without luck."""
    hypotheses = [random_formula(rng, atoms, rng.choice([1, 2, 3])) for _ in range(rng.randint(0, 2))]
    goal = random_formula(rng, atoms, rng.choice([2, 3, 3, 4]))
    if goal.head in ("→", "¬") or goal in hypotheses or len(set(hypotheses)) < len(hypotheses):
        return None
    if not is_valid(hypotheses, goal, atoms):
        return None
    context, fresh = numbered(hypotheses), len(hypotheses) + 1
    if find_proof(context, goal, fresh, BUDGET) is not None:
        return None
    for atom in atoms:
        one = find_proof((*context, (f"h{fresh}", atom)), goal, fresh + 2, BUDGET)
        two = one and find_proof((*context, (f"h{fresh + 1}", term("¬", atom))), goal, fresh + 2, BUDGET)
        if one and two and len(one) + len(two) < MAX_STEPS - 1:
            return hypotheses, goal, atom, [*one, *two]
    return None
