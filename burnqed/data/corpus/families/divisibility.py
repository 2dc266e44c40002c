"""Divisibility and parity: sums, products and chains of divisors, even and odd numbers."""

from __future__ import annotations

import itertools
import random

from burnqed.data.corpus.draft import Draft, Groups, grouped, intro, statement_of
from burnqed.data.corpus.terms import Term, heads, plus, term, times, total


def _product_sum(rng: random.Random, size: int, bases: str) -> Term:
    """Return a term made of multiples of the base variables."""
    if size <= 1:
        return Term(rng.choice(bases))
    kind = rng.choice(["add", "add", "left", "right"])
    if kind == "add":
        left = rng.randint(1, size - 1)
        return term("+", _product_sum(rng, left, bases), _product_sum(rng, size - left, bases))
    inner, other = _product_sum(rng, size - 1, bases), rng.choice(["d", "e", str(rng.randint(2, 9))])
    return term("*", inner, other) if kind == "right" else term("*", other, inner)


def _steps(value: Term, facts: dict[str, list[str]]) -> list[str]:
    """Return tactics that prove ``x ∣ value`` from proofs of ``x ∣ a`` for its variables."""
    if not value.args:
        return facts[value.head]
    one, two = value.args
    if value.head == "+":
        return ["apply Nat.dvd_add", *_steps(one, facts), *_steps(two, facts)]
    if heads(one) & set(facts):
        return ["apply Nat.dvd_mul_right_of_dvd", *_steps(one, facts)]
    return ["apply Nat.dvd_mul_left_of_dvd", *_steps(two, facts)]


def combination(rng: random.Random) -> Draft | None:
    """Return that a divisor of some numbers divides a term made of their multiples."""
    bases = "abc"[: rng.choice([1, 2, 2, 3])]
    value = _product_sum(rng, rng.randint(2, 5), bases)
    names = [name for name in bases if name in heads(value)]
    divisor = rng.choice(["x", "x", "n", str(rng.randint(2, 9))])
    groups = grouped(heads(value) | {divisor}, dict.fromkeys("xnabcde", "Nat"))
    hypotheses, facts = list[Term](), dict[str, list[str]]()
    for name in names:
        if rng.random() < 0.25 and "y" not in str(hypotheses):
            facts[name] = [f"apply Nat.dvd_trans h{len(hypotheses) + 1}", f"exact h{len(hypotheses) + 2}"]
            hypotheses += [term("∣", divisor, "y"), term("∣", "y", name)]
        else:
            facts[name] = [f"exact h{len(hypotheses) + 1}"]
            hypotheses.append(term("∣", divisor, name))
    if "y" in str(hypotheses):
        groups[0][0].append("y")
    script = (intro(groups, len(hypotheses)), *_steps(value, facts))
    return Draft("divides", "combination", statement_of(groups, hypotheses, term("∣", divisor, value)), script)


def chain(rng: random.Random) -> Draft | None:
    """Return a chain of divisors, in any order, with facts off the chain."""
    length = rng.randint(2, 5)
    names = rng.sample(list("abcdmnx"), length + 2)
    path, other = names[: length + 1], names[-1]
    facts = list(itertools.pairwise(path))
    extra = [(rng.choice(path[1:]), other)] if rng.random() < 0.5 else []
    order = [*facts, *extra]
    rng.shuffle(order)
    label = {fact: f"h{i + 1}" for i, fact in enumerate(order)}
    groups: Groups = [(sorted(path + [other] * bool(extra)), "Nat")]
    steps = [f"apply Nat.dvd_trans {label[fact]}" for fact in facts[:-1]]
    script = (intro(groups, len(order)), *steps, f"exact {label[facts[-1]]}")
    hypotheses = [term("∣", *fact) for fact in order]
    return Draft("divides", "chain", statement_of(groups, hypotheses, term("∣", path[0], path[-1])), script, 1)


def literal(rng: random.Random) -> Draft | None:
    """Return a fact about divisors that are numerals, by `omega`."""
    divisor = rng.randint(2, 6)
    names = ["a", "b", "c"][: rng.randint(1, 3)]
    scales = [divisor * rng.randint(1, 3) if rng.random() < 0.5 else rng.randint(1, 3) for _ in names]
    given = [term("∣", str(divisor), name) for name, p in zip(names, scales, strict=True) if p % divisor]
    shift = rng.choice([0, divisor, rng.randint(1, 9)])
    value = plus(total([times(p, name) for p, name in zip(scales, names, strict=True)]), shift)
    groups: Groups = [(names, "Nat")]
    goal = term("∣", str(divisor), value)
    if shift % divisor:
        goal = rng.choice([term("¬", goal), term("=", term("%", value, str(divisor)), str(shift % divisor))])
    if len(names) == 1 and scales[0] == 1 and not shift:
        return None
    return Draft("divides", "literal", statement_of(groups, given, goal), (intro(groups, len(given)), "omega"), 1)


def parity(rng: random.Random) -> Draft | None:
    """Return a case distinction on remainders, or what products and sums of even and odd numbers are."""
    make = rng.choice([_remainder_cases, _product, _consecutive])
    return make(rng)


def _remainder_cases(rng: random.Random) -> Draft | None:
    """A term's remainder, by cases on the remainder of its variable."""
    modulus = rng.choice([2, 2, 3, 3, 4])
    scale, shift = rng.randint(1, 5), rng.randint(0, 5)
    value = term("%", plus(times(scale, "n"), shift), str(modulus))
    outcomes = sorted({(scale * r + shift) % modulus for r in range(modulus)})
    rng.shuffle(outcomes)
    if len(outcomes) == modulus == 2 and scale == 1 and shift == 0:
        return None
    parts = [term("=", value, str(rest)) for rest in outcomes]
    goal = parts[-1]
    for part in reversed(parts[:-1]):
        goal = term("∨", part, goal)
    cases = " ∨ ".join(f"n % {modulus} = {r}" for r in range(modulus))
    script = ["intro n", f"have h1 : {cases} := by omega", f"rcases h1 with {' | '.join(['h1'] * modulus)}"]
    for rest in range(modulus):
        place = outcomes.index((scale * rest + shift) % modulus)
        side = ["right"] * place + ["left"] * (place < len(outcomes) - 1)
        script += [*side, "omega"]
    if len(script) > 14:
        return None
    return Draft("parity", "remainders", statement_of([(["n"], "Nat")], [], goal), tuple(script), 1)


def _product(rng: random.Random) -> Draft | None:
    """A multiple of a number in a residue class 0."""
    modulus = rng.randint(2, 7)
    left = rng.random() < 0.5
    y = rng.choice("mnb")
    given = Term("∃ k", (term("=", "a", times(modulus, "k")),))
    value = term("*", "a", y) if left else term("*", y, "a")
    goal = Term("∃ k", (term("=", value, times(modulus, "k")),))
    steps = [f"intro a {y} h1", "obtain ⟨k, h2⟩ := h1"]
    if left:
        steps += [f"refine ⟨k * {y}, ?_⟩", "rw [h2]", "rw [Nat.mul_assoc]"]
    else:
        steps += [f"refine ⟨{y} * k, ?_⟩", "rw [h2]", "rw [Nat.mul_left_comm]"]
    return Draft("parity", "product", statement_of([(["a", y], "Nat")], [given], goal), tuple(steps), 1)


def _consecutive(rng: random.Random) -> Draft | None:
    """One of some numbers in a row is a multiple."""
    modulus = rng.choice([2, 2, 3, 3, 4])
    steps_ = [rng.randint(0, 2) * modulus + i for i in range(modulus)]
    rng.shuffle(steps_)
    parts = [term("∣", str(modulus), plus("n", i)) for i in steps_]
    goal = parts[-1]
    for part in reversed(parts[:-1]):
        goal = term("∨", part, goal)
    cases = " ∨ ".join(f"n % {modulus} = {r}" for r in range(modulus))
    script = ["intro n", f"have h1 : {cases} := by omega", f"rcases h1 with {' | '.join(['h1'] * modulus)}"]
    for rest in range(modulus):
        place = next(i for i, shift in enumerate(steps_) if (rest + shift) % modulus == 0)
        script += [*["right"] * place, *["left"] * (place < modulus - 1), "omega"]
    if len(script) > 15:
        return None
    return Draft("parity", "consecutive", statement_of([(["n"], "Nat")], [], goal), tuple(script), 1)
