"""Linear consequences, closed facts and existentials with linear witnesses."""

from __future__ import annotations

import random

from burnqed.minilean.arith import refute
from burnqed.minilean.corpus_draft import Draft, grouped, intro_line, plus, telescope, times
from burnqed.minilean.kernel_arith import Clause, Constraint, Fact

VARIABLES = ["a", "b", "c", "d"]
Linear = tuple[dict[str, int], int]
_RELATIONS = ["≤", "<", "=", "≥", ">"]


def _linear(rng: random.Random, variables: list[str], most: int) -> Linear:
    chosen = rng.sample(variables, rng.randint(1, min(2, len(variables))))
    return {name: rng.randint(1, most) for name in chosen}, rng.choice([0, 0, 1, 2, 3, 5])


def show_linear(linear: Linear) -> str:
    """Print ``2 * a + b + 3``."""
    parts = [name if c == 1 else f"{c} * {name}" for name, c in sorted(linear[0].items())]
    if linear[1] or not parts:
        parts.append(str(linear[1]))
    return " + ".join(parts)


def _facts(one: Linear, relation: str, two: Linear, index: dict[str, int]) -> list[Fact]:
    if relation in ("≥", ">"):
        one, two, relation = two, one, {"≥": "≤", ">": "<"}[relation]
    terms: dict[int, int] = {}
    for sign, side in ((1, one), (-1, two)):
        for name, value in side[0].items():
            terms[index[name]] = terms.get(index[name], 0) + sign * value
    coeffs = tuple(sorted(terms.items()))
    const = one[1] - two[1]
    if relation == "≠":
        low = Constraint(coeffs, const + 1, "le")
        high = Constraint(tuple((a, -c) for a, c in coeffs), 1 - const, "le")
        return [Clause(((low,), (high,)))]
    if relation == "=":
        return [Constraint(coeffs, const, "eq")]
    return [Constraint(coeffs, const + (relation == "<"), "le")]


_OPPOSITE = {"≤": ">", "<": "≥", "=": "≠", "≥": "<", ">": "≤", "≠": "="}


def linear_consequence(hypotheses: list[tuple[Linear, str, Linear]], goal: tuple[Linear, str, Linear]) -> bool:
    """Whether the certificate search proves the goal over the naturals."""
    names = sorted({name for one, _, two in [*hypotheses, goal] for name in one[0] | two[0]})
    index = {name: number for number, name in enumerate(names)}
    facts: list[Fact] = [Constraint(((n, -1),), 0, "le") for n in index.values()]
    for one, relation, two in hypotheses:
        facts += _facts(one, relation, two, index)
    facts += _facts(goal[0], _OPPOSITE[goal[1]], goal[2], index)
    return refute(facts, 300) is not None


def linear(rng: random.Random) -> Draft | None:
    """Linear hypotheses with a linear consequence that `omega` finds."""
    variables = VARIABLES[: rng.randint(1, 4)]
    count = rng.choice([0, 1, 1, 2, 2, 3])
    most = rng.choice([1, 1, 2, 3])

    def relation() -> tuple[Linear, str, Linear]:
        return _linear(rng, variables, most), rng.choice(_RELATIONS), _linear(rng, variables, most)

    hypotheses = [relation() for _ in range(count)]
    goal = relation()
    if goal[1] == "=" and rng.random() < 0.5:
        goal = (goal[0], "≠", goal[2])
    if goal in hypotheses or goal[0] == goal[2] or any(h[0] == h[2] for h in hypotheses):
        return None
    if not linear_consequence(hypotheses, goal):
        return None
    hypotheses = _needed(hypotheses, goal)
    rows = [*hypotheses, goal]
    used = {name for one, _, two in rows for name in one[0] | two[0]}
    groups = grouped(used, dict.fromkeys(variables, "Nat"))
    texts = [f"{show_linear(one)} {rel} {show_linear(two)}" for one, rel, two in rows]
    statement = telescope(groups, texts[:-1], texts[-1])
    script = (intro_line(groups, len(hypotheses)), "omega")
    return Draft("linear", "linear", statement, script, hardness=len(hypotheses) // 2)


def _needed(
    hypotheses: list[tuple[Linear, str, Linear]], goal: tuple[Linear, str, Linear]
) -> list[tuple[Linear, str, Linear]]:
    for row in list(hypotheses):
        fewer = [other for other in hypotheses if other is not row]
        if linear_consequence(fewer, goal):
            hypotheses = fewer
    return hypotheses


def closed_fact(rng: random.Random) -> Draft | None:
    """A true statement about numerals, by ``rfl`` or ``decide``."""
    x, y, z = rng.randint(0, 12), rng.randint(1, 12), rng.randint(0, 9)
    kind = rng.choice(["eq", "eq", "mod", "le", "not", "ne", "and"])
    if kind == "eq":
        text, value = rng.choice(
            [
                (f"{x} * {y} + {z}", x * y + z),
                (f"{x} + {y} * {z}", x + y * z),
                (f"({x} + {z}) * {y}", (x + z) * y),
            ]
        )
        return Draft("eval", "closed", f"{text} = {value}", (rng.choice(["rfl", "decide"]),))
    if kind == "mod":
        sign, value = rng.choice([("%", (x * y + z) % y), ("/", (x * y + z) // y)])
        return Draft("eval", "closed", f"({x} * {y} + {z}) {sign} {y} = {value}", ("rfl",))
    if kind == "le":
        return Draft("compare", "closed", f"{x} + {z} ≤ {x + z + rng.randint(0, 9)} * {y}", ("decide",))
    if kind == "not":
        return Draft("compare", "closed", f"¬{x + y} * {z + 1} < {x + y}", ("decide",))
    if kind == "ne":
        return Draft("compare", "closed", f"{x} + {y} ≠ {x}", ("decide",))
    statement = f"{x} + {y} = {x + y} ∧ {z} < {z + y}"
    return Draft("compare", "closed", statement, ("constructor", "rfl", "decide"))


def witness(rng: random.Random) -> Draft | None:
    """Existential statements with a linear witness."""
    kind = rng.choice(["number", "above", "multiple", "multiple", "combine", "combine", "weaken"])
    a, b = rng.randint(1, 9), rng.randint(0, 9)
    x = rng.choice(["n", "m", "a", "b"])
    if kind == "number":
        target = rng.randint(0, 9)
        left = plus(times(a, "x"), b)
        if rng.random() < 0.5:
            relation = rng.choice(["≥", ">"])
            statement = f"∃ x : Nat, {left} {relation} {a * target + b - (relation == '>')}"
            if "- " in statement or a * target + b - 1 < 0:
                return None
            return Draft("exists", "witness", statement, (f"refine ⟨{target}, ?_⟩", "decide"))
        return Draft(
            "exists",
            "witness",
            f"∃ x : Nat, {left} = {a * target + b}",
            (f"exact ⟨{target}, rfl⟩",),
        )
    if kind == "above":
        relation = rng.choice([">", "≥", "="])
        term = plus(times(a, x), b)
        goal = f"∃ y, y {relation} {term}"
        found = plus(times(a, x), b + (relation == ">"))
        return Draft(
            "above",
            "witness",
            f"∀ {x}, {goal}".replace(f"∀ {x},", f"∀ ({x} : Nat),"),
            (f"intro {x}", f"refine ⟨{found}, ?_⟩", "omega"),
            1,
        )
    modulus, rest = rng.randint(2, 6), rng.randint(0, 4)
    form = plus(f"{modulus} * k", rest)
    if kind == "multiple":
        scale, shift = rng.randint(1, 4), rng.randint(0, 4)
        new = scale * rest + shift
        carry, rest2 = divmod(new, modulus)
        goal = f"∃ k, {plus(times(scale, x), shift)} = {plus(f'{modulus} * k', rest2)}"
        found = plus(times(scale, "k"), carry)
        statement = f"∀ ({x} : Nat), (∃ k, {x} = {form}) → {goal}"
        if scale == 1 and shift == 0:
            return None
        steps = (f"intro {x} h1", "obtain ⟨k, h2⟩ := h1", f"refine ⟨{found}, ?_⟩", "omega")
        return Draft("multiple", "witness", statement, steps, 1)
    if kind == "combine":
        y = "c"
        rest_y = rng.randint(0, 4)
        p, q = rng.randint(1, 3), rng.randint(1, 3)
        carry, rest2 = divmod(p * rest + q * rest_y, modulus)
        goal = f"∃ k, {times(p, x)} + {times(q, y)} = {plus(f'{modulus} * k', rest2)}"
        form_y = plus(f"{modulus} * k", rest_y)
        found = plus(f"{times(p, 'i')} + {times(q, 'j')}", carry)
        statement = f"∀ ({x} {y} : Nat), (∃ k, {x} = {form}) → (∃ k, {y} = {form_y}) → {goal}"
        script = (
            f"intro {x} {y} h1 h2",
            "obtain ⟨i, h3⟩ := h1",
            "obtain ⟨j, h4⟩ := h2",
            f"refine ⟨{found}, ?_⟩",
            "omega",
        )
        return Draft("combine", "witness", statement, script, 1)
    more = rng.randint(0, 3)
    statement = f"∀ ({x} : Nat), (∃ k, {x} = k + {a + more}) → {x} ≥ {a}"
    return Draft("weaken", "witness", statement, (f"intro {x} h1", "obtain ⟨k, h2⟩ := h1", "omega"), 1)
