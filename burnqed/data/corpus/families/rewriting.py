"""Equations between natural numbers, proved by a chain of rewrites."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from burnqed.data.corpus.draft import Draft, grouped, intro, statement_of
from burnqed.data.corpus.terms import MAX, Term, heads, is_numeral, replace, show, subterms, term

VARIABLES = ["a", "b", "c", "d"]
FUNCTIONS = ["f", "g"]
ZERO, ONE = Term("0"), Term("1")
Move = tuple[str, Term, Term]  # text for `rw`, left side, right side


def random_term(rng: random.Random, variables: list[str], functions: list[str], size: int) -> Term:
    """Return a random term with ``size`` leaves."""
    if size <= 1:
        leaf = Term(rng.choice(variables)) if rng.random() < 0.88 else Term(str(rng.randint(0, 5)))
        return term(rng.choice(functions), leaf) if functions and rng.random() < 0.4 else leaf
    if functions and rng.random() < 0.3:
        return term(rng.choice(functions), random_term(rng, variables, functions, size))
    left = rng.randint(1, size - 1)
    return term(
        rng.choice(["+", "+", "*"]),
        random_term(rng, variables, functions, left),
        random_term(rng, variables, functions, size - left),
    )


def lemma_moves(value: Term) -> list[Move]:
    """Return the rewrites with laws of Nat at the root of a term."""
    if value.head not in ("+", "*") or len(value.args) != 2:
        return []
    op, (one, two) = value.head, value.args
    x, y = show(one, MAX), show(two, MAX)
    name = "add" if op == "+" else "mul"
    found: list[Move] = []
    if one != two:
        found.append((f"Nat.{name}_comm {x} {y}", value, term(op, two, one)))
    if one.head == op:
        u, v = one.args
        found.append((f"Nat.{name}_assoc {show(u, MAX)} {show(v, MAX)} {y}", value, term(op, u, term(op, v, two))))
    if two.head == op:
        u, v = two.args
        found.append((f"← Nat.{name}_assoc {x} {show(u, MAX)} {show(v, MAX)}", value, term(op, term(op, one, u), v)))
    return found + _unit_moves(value, x, y) + (_distribute(value, x, y) if op == "*" else [])


def _unit_moves(value: Term, x: str, y: str) -> list[Move]:
    one, two = value.args
    laws = {
        ("+", "right", ZERO): (f"Nat.add_zero {x}", one),
        ("+", "left", ZERO): (f"Nat.zero_add {y}", two),
        ("*", "right", ZERO): (f"Nat.mul_zero {x}", ZERO),
        ("*", "left", ZERO): (f"Nat.zero_mul {y}", ZERO),
        ("*", "right", ONE): (f"Nat.mul_one {x}", one),
        ("*", "left", ONE): (f"Nat.one_mul {y}", two),
    }
    hits = [laws.get((value.head, "right", two)), laws.get((value.head, "left", one))]
    return [(hit[0], value, hit[1]) for hit in hits if hit is not None]


def _distribute(value: Term, x: str, y: str) -> list[Move]:
    one, two = value.args
    found: list[Move] = []
    if two.head == "+":
        u, v = two.args
        text = f"Nat.mul_add {x} {show(u, MAX)} {show(v, MAX)}"
        found.append((text, value, term("+", term("*", one, u), term("*", one, v))))
    if one.head == "+":
        u, v = one.args
        text = f"Nat.add_mul {show(u, MAX)} {show(v, MAX)} {y}"
        found.append((text, value, term("+", term("*", u, two), term("*", v, two))))
    return found


def computes(value: Term) -> bool:
    """Return whether numerals meet in a term: Lean computes with those when it looks for instances."""
    return any(part.head in ("+", "*") and all(is_numeral(p) for p in part.args) for part in subterms(value))


def offset(value: Term) -> tuple[Term | None, int]:
    """Return ``x + 2 + 3`` as (x, 5): the `rfl` after `rw` sees through those."""
    if is_numeral(value):
        return None, int(value.head)
    if value.head == "+" and is_numeral(value.args[1]):
        rest, number = offset(value.args[0])
        return rest, number + int(value.args[1].head)
    return value, 0


def replay(left: Term, right: Term, moves: list[Move]) -> list[str] | None:
    """Return the steps that turn ``left = right`` into an identity, or None when they do not, or too early."""
    proof = []
    for text, old, new in moves:
        after = (replace(left, old, new), replace(right, old, new))
        if offset(left) == offset(right) or after == (left, right):
            return None
        left, right = after
        proof.append(f"rw [{text}]")
    return proof if left == right else None


@dataclass
class _Chain:
    """A chain of rewrites in the making."""

    right: Term
    hypotheses: list[tuple[Term, Term]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    def by_hypothesis(self, rng: random.Random, old: Term, new: Term) -> Move | None:
        """Return the rewrite of ``old`` to ``new`` with a new hypothesis, in either direction."""
        if is_numeral(old) or is_numeral(new) or old == new or computes(new):
            return None
        name = f"h{len(self.hypotheses) + 1}"
        forward = rng.random() < 0.75
        self.hypotheses.append((old, new) if forward else (new, old))
        return (name if forward else f"← {name}", old, new)


def rewriting(rng: random.Random) -> Draft | None:
    """Return ``left = right`` by a chain of ``rw`` with hypotheses and laws of Nat."""
    functions = rng.choice([[], [], ["f"], ["f", "g"]])
    variables = VARIABLES[: rng.randint(2, 4)]
    left = random_term(rng, variables, functions, rng.choice([1, 2, 2, 3, 3, 4]))
    if computes(left):
        return None
    chain = _extend(rng, left, variables, functions, rng.random() < 0.6)
    if chain is None:
        return None
    proof = replay(left, chain.right, chain.moves)
    direct = {(left, chain.right), (chain.right, left)} & set(chain.hypotheses)
    if proof is None or direct or len(set(chain.hypotheses)) < len(chain.hypotheses):
        return None
    extra = _distractors(rng, chain, variables, functions)
    return _draft(left, chain, extra, proof)


def _extend(rng: random.Random, left: Term, variables: list[str], functions: list[str], laws: bool) -> _Chain | None:
    chain, seen = _Chain(left), [left]
    for _ in range(rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 6])):
        options = [move for part in subterms(chain.right) for move in lemma_moves(part)]
        move: Move | None
        if laws and options and rng.random() < 0.7:
            move = rng.choice(options)
        else:
            new = random_term(rng, variables, functions, rng.choice([1, 1, 2]))
            move = chain.by_hypothesis(rng, rng.choice(subterms(chain.right)), new)
        if move is None:
            return None
        chain.moves.append(move)
        chain.right = replace(chain.right, move[1], move[2])
        if chain.right in seen or computes(chain.right):
            return None
        seen.append(chain.right)
    return chain


def _distractors(
    rng: random.Random, chain: _Chain, variables: list[str], functions: list[str]
) -> list[tuple[Term, Term]]:
    """Return equations that rewrite something on the way to somewhere else."""
    if not chain.hypotheses or rng.random() < 0.5:
        return []
    found = []
    for _ in range(rng.randint(1, 2)):
        old = rng.choice([side for pair in chain.hypotheses for side in pair])
        new = random_term(rng, variables, functions, rng.choice([1, 2]))
        if old != new and not computes(new) and not is_numeral(new):
            found.append((old, new))
    return [pair for pair in dict.fromkeys(found) if pair not in chain.hypotheses]


def _draft(left: Term, chain: _Chain, extra: list[tuple[Term, Term]], proof: list[str]) -> Draft | None:
    pairs = [*chain.hypotheses, *extra]
    names = {"f": "Nat → Nat", "g": "Nat → Nat"} | dict.fromkeys(VARIABLES, "Nat")
    present: set[str] = set()
    for value in [left, chain.right, *(side for pair in pairs for side in pair)]:
        present |= heads(value)
    groups = grouped(present, names)
    if not groups:
        return None
    hypotheses = [term("=", one, two) for one, two in pairs]
    script = (intro(groups, len(hypotheses)), *proof)
    statement = statement_of(groups, hypotheses, term("=", left, chain.right))
    return Draft("rewrite", "rw", statement, script, 1 + bool(extra))
