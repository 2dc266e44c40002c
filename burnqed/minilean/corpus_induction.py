"""Recursively described functions and predicates, and what follows by induction."""

from __future__ import annotations

import random

from burnqed.minilean.corpus_draft import Draft, plus, telescope, times

_STEP = "induction {n} with | zero => {zero} | succ {n} ih => {succ}"
_REWRITE = ("omega", "rw [h2]; omega")


def induction(rng: random.Random) -> Draft | None:
    """One theorem of a random kind, or None."""
    kinds = [_closed, _closed, _bound, _bound, _grows, _remainder, _remainder, _predicate, _unroll, _agree]
    n = rng.choice(["n", "n", "m", "k"])
    f = rng.choice(["f", "f", "g", "u"])
    return rng.choice(kinds)(rng, f, n)


def _draft(
    tag: str,
    groups: list[tuple[list[str], str]],
    hypotheses: list[str],
    goal: str,
    n: str,
    cases: tuple[str, str],
    hardness: int = 0,
) -> Draft:
    """``hypotheses → ∀ n, goal`` by one induction on ``n``."""
    statement = telescope(groups, hypotheses, f"∀ {n}, {goal}")
    names = [name for group, _ in groups for name in group]
    labels = [f"h{i + 1}" for i in range(len(hypotheses))]
    step = _STEP.format(n=n, zero=cases[0], succ=cases[1])
    return Draft(tag, "induction", statement, (" ".join(["intro", *names, *labels, n]), step), hardness)


def _sequence(f: str, n: str, start: int, step: str) -> list[str]:
    return [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {step})"]


def _closed(rng: random.Random, f: str, n: str) -> Draft | None:
    """The closed form of an arithmetic progression."""
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    value = plus(times(step, n), start)
    if start and rng.random() < 0.4:
        value = f"{start} + {times(step, n)}"
    hypotheses = _sequence(f, n, start, f"{f} {n} + {step}")
    return _draft("closed", [([f], "Nat → Nat")], hypotheses, f"{f} {n} = {value}", n, _REWRITE)


def _bound(rng: random.Random, f: str, n: str) -> Draft | None:
    """A linear bound of a sequence with bounded steps."""
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    relation, sign = rng.choice([("≤", 1), ("≥", -1)])
    base = max(0, start + sign * rng.randint(0, 3))
    slope = step + sign * rng.randint(0, 2)
    if slope <= 0:
        return None
    hypotheses = [
        f"{f} 0 {rng.choice(['=', relation])} {start}",
        f"(∀ {n}, {f} ({n} + 1) {relation} {f} {n} + {step})",
    ]
    goal = f"{f} {n} {relation} {plus(times(slope, n), base)}"
    cases = ("omega", f"have h3 := h2 {n}; omega")
    return _draft("bound", [([f], "Nat → Nat")], hypotheses, goal, n, cases)


def _grows(rng: random.Random, f: str, n: str) -> Draft | None:
    """A lower bound of a sequence that is multiplied at every step."""
    start, factor, step = rng.randint(1, 9), rng.randint(2, 4), rng.randint(0, 6)
    hypotheses = _sequence(f, n, start, plus(f"{factor} * {f} {n}", step))
    bound = rng.randint(1, start)
    goal = f"{f} {n} ≥ {bound}" if rng.random() < 0.5 else f"{f} {n} ≥ {plus(n, bound)}"
    return _draft("grows", [([f], "Nat → Nat")], hypotheses, goal, n, _REWRITE, 1)


def _remainder(rng: random.Random, f: str, n: str) -> Draft | None:
    """What a sequence with steps divisible by d leaves modulo d."""
    divisor, start, multiple = rng.randint(2, 7), rng.randint(0, 12), rng.randint(1, 3)
    hypotheses = _sequence(f, n, start, f"{f} {n} + {divisor * multiple}")
    goal = f"{f} {n} % {divisor} = {start % divisor}"
    if start % divisor == 0 and rng.random() < 0.6:
        goal = f"{divisor} ∣ {f} {n}"
    return _draft("remainder", [([f], "Nat → Nat")], hypotheses, goal, n, _REWRITE, 1)


def _predicate(rng: random.Random, f: str, n: str) -> Draft | None:
    """The principle itself, for a predicate, possibly with a side condition or a function."""
    p = rng.choice(["P", "P", "Q"])
    kind = rng.choice(["plain", "side", "both", "function"])
    groups = [([p], "Nat → Prop")]
    base, step = f"{p} 0", f"(∀ {n}, {p} {n} → {p} ({n} + 1))"
    if kind == "side":
        limit = rng.randint(0, 9)
        step = f"(∀ {n}, {p} {n} → {n} + {limit} ≥ {limit} → {p} ({n} + 1))"
        return _draft("side", groups, [base, step], f"{p} {n}", n, ("exact h1", f"exact h2 {n} ih (by omega)"), 1)
    if kind == "both":
        shift = rng.randint(2, 4)
        bases = [f"{p} {i}" for i in range(shift)]
        goal = " ∧ ".join(f"{p} {plus(f'({n}', i)})" if i else f"{p} {n}" for i in range(shift))
        hypotheses = [*bases, f"(∀ {n}, {p} {n} → {p} ({n} + {shift}))"]
        names = ", ".join(f"h{i + 1}" for i in range(shift))
        parts = [f"ih{'.2' * i}{'.1' if i < shift - 1 else ''}" for i in range(1, shift)]
        rest = ", ".join([*parts, f"h{shift + 1} {n} ih.1"])
        return _draft("strong", groups, hypotheses, goal, n, (f"exact ⟨{names}⟩", f"exact ⟨{rest}⟩"), 2)
    if kind == "function":
        groups = [([p], "Nat → Prop"), ([f], "Nat → Nat")]
        base, step = f"{p} ({f} 0)", f"(∀ {n}, {p} ({f} {n}) → {p} ({f} ({n} + 1)))"
        return _draft("image", groups, [base, step], f"{p} ({f} {n})", n, ("exact h1", f"exact h2 {n} ih"))
    return _draft("principle", groups, [base, step], f"{p} {n}", n, ("exact h1", f"exact h2 {n} ih"))


def _unroll(rng: random.Random, f: str, n: str) -> Draft | None:
    """A value of a progression, by unrolling."""
    start, step, at = rng.randint(0, 9), rng.randint(1, 6), rng.randint(1, 4)
    hypotheses = _sequence(f, n, start, f"{f} {n} + {step}")
    unrolled = [f"have h{3 + i} := h2 {i}" for i in range(at)]
    statement = telescope([([f], "Nat → Nat")], hypotheses, f"{f} {at} = {start + step * at}")
    return Draft("unroll", "induction", statement, (f"intro {f} h1 h2", *unrolled, "omega"))


def _agree(rng: random.Random, f: str, n: str) -> Draft | None:
    """Two sequences with the same start and step agree."""
    step, factor = rng.randint(1, 6), rng.choice([1, 1, 2, 3])
    hypotheses = [f"{f} 0 = v 0"]
    hypotheses += [f"(∀ {n}, {g} ({n} + 1) = {plus(times(factor, f'{g} {n}'), step)})" for g in (f, "v")]
    cases = ("exact h1", "rw [h2, h3, ih]")
    return _draft("agree", [([f, "v"], "Nat → Nat")], hypotheses, f"{f} {n} = v {n}", n, cases)
