"""Recursively described functions and predicates, and what follows by induction."""

from __future__ import annotations

import random

from burnqed.minilean.corpus_draft import Draft, plus, telescope, times


def induction(rng: random.Random) -> Draft | None:
    """A recursively described function or predicate, and what follows by induction."""
    kind = rng.choice(["closed", "closed", "bound", "bound", "positive", "pred", "twice", "agree"])
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    n = rng.choice(["n", "n", "m", "k"])
    f = rng.choice(["f", "f", "g", "u"])
    omega_both = f"induction {n} with | zero => omega | succ {n} ih => rw [h2]; omega"
    binder = [([f], "Nat → Nat")]
    if kind == "closed":
        value = plus(times(step, n), start)
        if rng.random() < 0.4:
            value = f"{start} + {times(step, n)}" if start else value
        hypotheses = [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {plus(f'{f} {n}', step)})"]
        goal = f"∀ {n}, {f} {n} = {value}"
        return _inductive(binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", omega_both], "closed", 1)
    if kind == "bound":
        relation = rng.choice(["≤", "≥"])
        slack = rng.randint(0, 3)
        grow = rng.randint(0, 2)
        low = relation == "≥"
        wanted = max(0, start - slack) if low else start + slack
        slope = max(0, step - grow) if low else step + grow
        hypotheses = [
            f"{f} 0 {rng.choice(['=', relation])} {start}",
            f"(∀ {n}, {f} ({n} + 1) {relation} {f} {n} + {step})",
        ]
        if slope == 0:
            return None
        goal = f"∀ {n}, {f} {n} {relation} {plus(times(slope, n), wanted)}"
        body = f"induction {n} with | zero => omega | succ {n} ih => have h3 := h2 {n}; omega"
        return _inductive(binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", body], "bound", 0)
    if kind == "positive":
        factor = rng.randint(2, 4)
        hypotheses = [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {factor} * {f} {n} + {step})"]
        goal = f"∀ {n}, {f} {n} ≥ {min(start, rng.randint(0, start))}"
        return _inductive(binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", omega_both], "grows", 2)
    if kind == "pred":
        body = f"induction {n} with | zero => exact h1 | succ {n} ih => exact h2 {n} ih"
        hypotheses = [f"{f} 0", f"(∀ {n}, {f} {n} → {f} ({n} + 1))"]
        if rng.random() < 0.5:
            hypotheses[1] = f"(∀ {n}, {f} {n} → {f} {n} → {f} ({n} + 1))"
            body = body.replace(" ih", " ih ih").replace("succ n ih ih", "succ n ih")
            body = f"induction {n} with | zero => exact h1 | succ {n} ih => exact h2 {n} ih ih"
        goal = f"∀ {n}, {f} {n}"
        return _inductive([([f], "Nat → Prop")], hypotheses, goal, [f"intro {f} h1 h2 {n}", body], "pred", 1)
    if kind == "twice":
        hypotheses = [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {f} {n} + {step})"]
        at = rng.randint(1, 4)
        value = start + step * at
        rewrites = [f"have h{3 + i} := h2 {i}" for i in range(at)]
        goal = f"{f} {at} = {value}"
        script = [f"intro {f} h1 h2", *rewrites, "omega"]
        statement = telescope(binder, hypotheses, goal)
        return Draft("unroll", "induction", statement, tuple(script))
    other = "v" if f != "v" else "w"
    hypotheses = [
        f"{f} 0 = {other} 0",
        f"(∀ {n}, {f} ({n} + 1) = {plus(f'{f} {n}', step)})",
        f"(∀ {n}, {other} ({n} + 1) = {plus(f'{other} {n}', step)})",
    ]
    goal = f"∀ {n}, {f} {n} = {other} {n}"
    body = f"induction {n} with | zero => exact h1 | succ {n} ih => rw [h2, h3, ih]"
    script = [f"intro {f} {other} h1 h2 h3 {n}", body]
    return _inductive([([f, other], "Nat → Nat")], hypotheses, goal, script, "agree", 0)


def _inductive(
    groups: list[tuple[list[str], str]],
    hypotheses: list[str],
    goal: str,
    script: list[str],
    tag: str,
    hardness: int,
) -> Draft:
    return Draft(tag, "induction", telescope(groups, hypotheses, goal), tuple(script), hardness)
