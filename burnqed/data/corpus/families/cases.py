"""Case distinctions: Boolean identities, optional values, pairs, zero and successor."""

from __future__ import annotations

import random
from itertools import product

from burnqed.data.corpus.draft import Draft, Groups, statement_of
from burnqed.data.corpus.terms import Term, heads, term

NAMES = ["a", "b", "c"]


def _expression(rng: random.Random, names: list[str], leaves: int) -> Term:
    if leaves <= 1:
        value = Term(rng.choice(names)) if rng.random() < 0.92 else Term(rng.choice(["true", "false"]))
        return term("!", value) if rng.random() < 0.25 else value
    if rng.random() < 0.15:
        return term("!", _expression(rng, names, leaves))
    left = rng.randint(1, leaves - 1)
    return term(rng.choice(["&&", "||"]), _expression(rng, names, left), _expression(rng, names, leaves - left))


def evaluate(value: Term, values: dict[str, bool]) -> bool:
    """Return the truth value of a Boolean expression."""
    if value.head == "!":
        return not evaluate(value.args[0], values)
    if value.head == "&&":
        return evaluate(value.args[0], values) and evaluate(value.args[1], values)
    if value.head == "||":
        return evaluate(value.args[0], values) or evaluate(value.args[1], values)
    return values.get(value.head, value.head == "true")


def _rows(names: list[str]) -> list[dict[str, bool]]:
    return [dict(zip(names, row, strict=True)) for row in product([False, True], repeat=len(names))]


def boolean(rng: random.Random) -> Draft | None:
    """Return an identity between Boolean expressions, by cases on each variable."""
    names = NAMES[: rng.choice([1, 2, 2, 3])]
    left = _expression(rng, names, rng.randint(2, 4))
    right = _expression(rng, names, rng.randint(1, 4))
    present = [name for name in names if name in heads(left) | heads(right)]
    if left == right or len(present) != len(names):
        return None
    if any(evaluate(left, row) != evaluate(right, row) for row in _rows(names)):
        return None
    groups: Groups = [(names, "Bool")]
    script = [f"intro {' '.join(names)}", *_split_all(names)]
    return Draft("bool", "identity", statement_of(groups, [], term("=", left, right)), tuple(script), 1)


def _split_all(names: list[str]) -> list[str]:
    """Return the steps that split on every variable; the third and later ones in one go."""
    if not names:
        return ["rfl"]
    if len(names) == 1:
        return [f"cases {names[0]}", "rfl", "rfl"]
    if len(names) == 3:
        inner = [f"cases {names[1]}", *[f"cases {names[2]} <;> rfl"] * 2]
    else:
        inner = _split_all(names[1:])
    return [f"cases {names[0]}", *inner, *inner]


def boolean_consequence(rng: random.Random) -> Draft | None:
    """Return an equation that follows from equations between Boolean expressions."""
    names = NAMES[: rng.choice([2, 2, 3])]
    given = [(_expression(rng, names, rng.choice([1, 2, 2])), rng.random() < 0.6) for _ in range(rng.randint(1, 2))]
    goal, value = _expression(rng, names, rng.choice([1, 1, 2])), rng.random() < 0.5
    rows = [row for row in _rows(names) if all(evaluate(part, row) == wanted for part, wanted in given)]
    if not 1 <= len(rows) < 2 ** len(names) or any(evaluate(goal, row) != value for row in rows):
        return None
    if {"true", "false"} & set().union(*(heads(v) for v in [goal, *(part for part, _ in given)])):
        return None
    present = [name for name in names if any(name in heads(v) for v in [goal, *(part for part, _ in given)])]
    if len(present) != len(names) or (goal, value) in given or len({part for part, _ in given}) < len(given):
        return None
    hypotheses = [term("=", part, str(wanted).lower()) for part, wanted in given]
    script = [f"intro {' '.join(names)} {' '.join(f'h{i + 1}' for i in range(len(given)))}"]
    script += _refute(names, {}, given, goal, value)
    if len(script) > 14:
        return None
    statement = statement_of([(names, "Bool")], hypotheses, term("=", goal, str(value).lower()))
    return Draft("bool", "consequence", statement, tuple(script), 1)


def _refute(
    names: list[str], known: dict[str, bool], given: list[tuple[Term, bool]], goal: Term, value: bool
) -> list[str]:
    """Return the steps that split until a hypothesis is false or the goal computes."""
    rest = [name for name in names if name not in known]
    rows = [known | dict(zip(rest, row, strict=True)) for row in product([False, True], repeat=len(rest))]
    for number, (part, wanted) in enumerate(given):
        if not rest and evaluate(part, rows[0]) != wanted:
            return [f"exact absurd h{number + 1} (by decide)"]
    if not rest:
        return ["rfl"]
    name, *_ = rest
    return [
        f"cases {name}",
        *_refute(names, known | {name: False}, given, goal, value),
        *_refute(names, known | {name: True}, given, goal, value),
    ]


def iterate(rng: random.Random) -> Draft | None:
    """Return that a predicate of all Booleans, or of a Boolean function's values, holds."""
    count = rng.randint(1, 2)
    names = NAMES[:count]
    rows = [" ".join(str(row[name]).lower() for name in names) for row in _rows(names)]
    order = list(range(len(rows)))
    rng.shuffle(order)
    image = rng.random() < 0.4
    points = [f"(f {row})" if image else row for row in rows]
    hypotheses = [f"P {points[i]}" for i in order]
    label = {i: f"h{place + 1}" for place, i in enumerate(order)}
    arrow = " → ".join(["Bool"] * count)
    groups: Groups = [(["f"], f"{arrow} → Bool")] if image else []
    groups.append((["P"], "Bool → Prop" if image else f"{arrow} → Prop"))
    args = " ".join(names)
    goal = f"∀ {args}, P {f'(f {args})' if image else args}"
    functions = "f P" if image else "P"
    script = [f"intro {functions} {' '.join(f'h{i + 1}' for i in range(len(rows)))} {args}", f"cases {names[0]}"]
    half = len(rows) // 2
    for side in (range(half), range(half, len(rows))):
        script += [f"cases {names[1]}"] if count == 2 else []
        script += [f"exact {label[i]}" for i in side]
    return Draft("bool", "all", statement_of(groups, hypotheses, goal), tuple(script), 1)


def option(rng: random.Random) -> Draft | None:
    """Return a fact about an optional value, by its two cases."""
    value = rng.randint(0, 9)
    predicate = rng.choice(["P", "Q"])
    kind = rng.choice(["all", "some", "map", "default", "disjunction"])
    o = rng.choice(["o", "x"])
    steps: tuple[str, ...]
    groups: Groups = [([predicate], "Option Nat → Prop")]
    if kind == "all":
        given = [f"{predicate} none", f"(∀ n, {predicate} (some n))"]
        swapped = rng.random() < 0.5
        one, two = ("h2", "h1 n") if swapped else ("h1", "h2 n")
        steps = (
            f"intro {predicate} h1 h2 {o}",
            f"cases {o} with | none => ?_ | some n => ?_",
            f"exact {one}",
            f"exact {two}",
        )
        return Draft(
            "option", kind, statement_of(groups, given[::-1] if swapped else given, f"∀ {o}, {predicate} {o}"), steps
        )
    if kind == "some":
        steps = (f"intro {o} n h1 h2", "rw [h1] at h2", "contradiction")
        return Draft("option", kind, f"∀ ({o} : Option Nat) (n : Nat), {o} = some n → {o} = none → n = {value}", steps)
    if kind == "map":
        steps = (f"intro f g {o}", f"cases {o} with | none => ?_ | some n => ?_", "rfl", "rfl")
        goal = f"Option.map f (Option.map g {o}) = Option.map (fun n => f (g n)) {o}"
        if rng.random() < 0.5:
            goal = f"Option.map (fun n => f (g n) + {value}) {o} = Option.map (fun n => n + {value}) (Option.map (fun n => f (g n)) {o})"
        return Draft("option", kind, f"∀ (f g : Nat → Nat) ({o} : Option Nat), {goal}", steps)
    if kind == "default":
        steps = (f"intro {o} h1", f"cases {o} with | none => ?_ | some n => ?_", "contradiction", "exact ⟨n, rfl⟩")
        return Draft("option", kind, f"∀ ({o} : Option Nat), {o} ≠ none → ∃ n, {o} = some n", steps)
    steps = (f"intro {o}", f"cases {o} with | none => ?_ | some n => ?_", "left", "rfl", "right", "exact ⟨n, rfl⟩")
    return Draft("option", kind, f"∀ ({o} : Option Nat), {o} = none ∨ ∃ n, {o} = some n", steps)


def zero_or_successor(rng: random.Random) -> Draft | None:
    """Return a statement for all numbers from its first cases and a general one."""
    depth = rng.randint(1, 3)
    extra = rng.choice(["none", "function", "weak"])
    predicate, f = rng.choice(["P", "Q"]), "f"

    def at(value: str) -> str:
        inner = f"({value})" if " " in value else value
        return f"{predicate} ({f} {inner})" if extra == "function" else f"{predicate} {inner}"

    facts = [at(str(i)) for i in range(depth)]
    rest = f"(∀ n, {at(f'n + {depth}')})" if extra != "weak" else f"(∀ n, n ≥ {depth} → {at('n')})"
    hypotheses = [*facts, rest]
    order = list(range(depth + 1))
    rng.shuffle(order)
    name = {i: f"h{place + 1}" for place, i in enumerate(order)}
    groups: Groups = [([f], "Nat → Nat")] if extra == "function" else []
    groups.append(([predicate], "Nat → Prop"))
    functions = " ".join(name_ for group, _ in groups for name_ in group)
    script = [f"intro {functions} {' '.join(f'h{i + 1}' for i in range(depth + 1))} n"]
    for i in range(depth):
        script += ["cases n with | zero => ?_ | succ n => ?_", f"exact {name[i]}"]
    script += [f"exact {name[depth]} n"] if extra != "weak" else [f"apply {name[depth]}", "omega"]
    return Draft(
        "natcases", extra, statement_of(groups, [hypotheses[i] for i in order], f"∀ n, {at('n')}"), tuple(script), 1
    )
