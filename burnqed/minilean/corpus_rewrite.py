"""Equations between natural numbers, proved by a chain of rewrites."""

from __future__ import annotations

import random
from typing import Any

from burnqed.minilean.corpus_draft import Draft, grouped, intro_line, telescope

# ("v", name) | ("n", value) | ("+" | "*", a, b) | ("f", name, argument)
Term = tuple[Any, ...]

VARIABLES = ["a", "b", "c", "d"]


def show(term: Term, level: int = 0) -> str:
    """Print with Lean's precedences: application, then ``*``, then ``+``."""
    if term[0] in ("v", "n"):
        return str(term[1])
    if term[0] == "f":
        text, own = f"{term[1]} {show(term[2], 90)}", 80
    else:
        own = 65 if term[0] == "+" else 70
        text = f"{show(term[1], own)} {term[0]} {show(term[2], own + 1)}"
    return f"({text})" if own < level else text


def names_in(term: Term) -> set[str]:
    """The variables and functions of a term."""
    if term[0] == "v":
        return {str(term[1])}
    found = {str(term[1])} if term[0] == "f" else set()
    for part in term[1:]:
        if isinstance(part, tuple):
            found |= names_in(part)
    return found


def subterms(term: Term) -> list[Term]:
    """All subterms, the term itself first."""
    found = [term]
    for part in term[1:]:
        if isinstance(part, tuple):
            found += subterms(part)
    return found


def replace(term: Term, old: Term, new: Term) -> Term:
    """Replace every occurrence, as ``rw`` does with a closed equation."""
    if term == old:
        return new
    return tuple(replace(p, old, new) if isinstance(p, tuple) else p for p in term)


def random_term(rng: random.Random, variables: list[str], functions: list[str], size: int) -> Term:
    """A random term with ``size`` leaves."""
    if size <= 1:
        leaf: Term = ("v", rng.choice(variables)) if rng.random() < 0.88 else ("n", rng.randint(0, 5))
        return ("f", rng.choice(functions), leaf) if functions and rng.random() < 0.4 else leaf
    if functions and rng.random() < 0.3:
        return ("f", rng.choice(functions), random_term(rng, variables, functions, size))
    left = rng.randint(1, size - 1)
    return (
        rng.choice(["+", "+", "*"]),
        random_term(rng, variables, functions, left),
        random_term(rng, variables, functions, size - left),
    )


ZERO: Term = ("n", 0)
ONE: Term = ("n", 1)


def lemma_instances(term: Term) -> list[tuple[str, Term, Term]]:
    """Rewrites at the root of ``term``: (text for ``rw``, left side, right side)."""
    found: list[tuple[str, Term, Term]] = []
    if term[0] not in ("+", "*"):
        return found
    op, one, two = term
    x, y = show(one, 90), show(two, 90)
    name = "add" if op == "+" else "mul"
    if one != two:
        found.append((f"Nat.{name}_comm {x} {y}", term, (op, two, one)))
    if one[0] == op:
        u, v = one[1], one[2]
        text = f"Nat.{name}_assoc {show(u, 90)} {show(v, 90)} {y}"
        found.append((text, term, (op, u, (op, v, two))))
    if two[0] == op:
        u, v = two[1], two[2]
        text = f"← Nat.{name}_assoc {x} {show(u, 90)} {show(v, 90)}"
        found.append((text, term, (op, (op, one, u), v)))
    if op == "+":
        if two == ZERO:
            found.append((f"Nat.add_zero {x}", term, one))
        if one == ZERO:
            found.append((f"Nat.zero_add {y}", term, two))
        return found
    if two == ZERO:
        found.append((f"Nat.mul_zero {x}", term, ZERO))
    if one == ZERO:
        found.append((f"Nat.zero_mul {y}", term, ZERO))
    if two == ONE:
        found.append((f"Nat.mul_one {x}", term, one))
    if one == ONE:
        found.append((f"Nat.one_mul {y}", term, two))
    if two[0] == "+":
        u, v = two[1], two[2]
        text = f"Nat.mul_add {x} {show(u, 90)} {show(v, 90)}"
        found.append((text, term, ("+", ("*", one, u), ("*", one, v))))
    if one[0] == "+":
        u, v = one[1], one[2]
        text = f"Nat.add_mul {show(u, 90)} {show(v, 90)} {y}"
        found.append((text, term, ("+", ("*", u, two), ("*", v, two))))
    return found


def _has_closed_part(term: Term) -> bool:
    """Whether numerals meet: Lean computes with those when it looks for instances."""
    return any(part[0] in "+*" and part[1][0] == part[2][0] == "n" for part in subterms(term))


def _offset(term: Term) -> tuple[Term | None, int]:
    """``x + 2 + 3`` as (x, 5): `rfl` after `rw` sees through those."""
    if term[0] == "n":
        return None, int(term[1])
    if term[0] == "+" and term[2][0] == "n":
        rest, number = _offset(term[1])
        return rest, number + int(term[2][1])
    return term, 0


def rewriting(rng: random.Random) -> Draft | None:
    """``left = right`` by a chain of ``rw`` with hypotheses and with lemmas of Nat."""
    functions = rng.choice([[], [], ["f"], ["f", "g"]])
    variables = VARIABLES[: rng.randint(2, 4)]
    left = random_term(rng, variables, functions, rng.choice([1, 2, 2, 3, 3, 4]))
    length = rng.choice([1, 1, 2, 2, 3, 3, 4])
    hypotheses: list[tuple[Term, Term]] = []
    moves: list[tuple[str, Term, Term]] = []
    if _has_closed_part(left):
        return None
    right = left
    seen = [left]
    with_lemmas = rng.random() < 0.6
    for _ in range(length):
        options = [move for part in subterms(right) for move in lemma_instances(part)]
        if with_lemmas and options and rng.random() < 0.7:
            move = rng.choice(options)
        else:
            old = rng.choice(subterms(right))
            new = random_term(rng, variables, functions, rng.choice([1, 1, 2]))
            if old[0] == "n" or new[0] == "n" or old == new or _has_closed_part(new):
                return None
            name = f"h{len(hypotheses) + 1}"
            if rng.random() < 0.75:
                hypotheses.append((old, new))
                move = (name, old, new)
            else:
                hypotheses.append((new, old))
                move = (f"← {name}", old, new)
        moves.append(move)
        right = replace(right, move[1], move[2])
        if right in seen or _has_closed_part(right):
            return None
        seen.append(right)
    goal = (left, right)
    proof = []
    for text, old, new in moves:
        if _offset(goal[0]) == _offset(goal[1]):
            return None
        after = (replace(goal[0], old, new), replace(goal[1], old, new))
        if after == goal:
            return None
        goal = after
        proof.append(f"rw [{text}]")
    direct = {(left, right), (right, left)} & set(hypotheses)
    if goal[0] != goal[1] or direct or len(set(hypotheses)) < len(hypotheses):
        return None
    terms = [left, right, *(side for pair in hypotheses for side in pair)]
    used = set().union(*(names_in(term) for term in terms))
    groups = grouped(used, {"f": "Nat → Nat", "g": "Nat → Nat"} | dict.fromkeys(variables, "Nat"))
    if not groups:
        return None
    equations = [f"{show(one)} = {show(two)}" for one, two in hypotheses]
    statement = telescope(groups, equations, f"{show(left)} = {show(right)}")
    script = (intro_line(groups, len(hypotheses)), *proof)
    return Draft("rw", "rewrite", statement, script, hardness=1 if with_lemmas else 0)
