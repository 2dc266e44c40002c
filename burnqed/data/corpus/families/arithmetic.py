"""Arithmetic of Nat: linear consequences, order chains, minima, witnesses, bounded cases, closed facts."""

from __future__ import annotations

import random
from fractions import Fraction

from burnqed.data.corpus.draft import Draft, Groups, grouped, intro, labels, statement_of
from burnqed.data.corpus.terms import MAX, Term, conjunction, plus, show, term, times, total

VARIABLES = ["a", "b", "c", "d"]
Linear = dict[str, int]  # coefficients, the constant under ""


def show_linear(linear: Linear) -> Term:
    """Return ``2 * a + b + 3`` for coefficients that are not negative."""
    parts = [times(value, name) for name, value in sorted(linear.items()) if name and value]
    constant = linear.get("", 0)
    return total([*parts, Term(str(constant))] if constant or not parts else parts)


def _sides(row: Linear, rng: random.Random) -> tuple[Linear, Linear]:
    """Write ``row >= 0`` as ``right <= left`` with natural coefficients, sometimes with a term on both sides."""
    left = {name: value for name, value in row.items() if value > 0}
    right = {name: -value for name, value in row.items() if value < 0}
    if rng.random() < 0.3:
        name = rng.choice(VARIABLES[:3])
        left[name], right[name] = left.get(name, 0) + 1, right.get(name, 0) + 1
    return left, right


def _row(rng: random.Random, variables: list[str]) -> Linear:
    chosen = rng.sample(variables, rng.randint(1, min(3, len(variables))))
    row = {name: rng.choice([-3, -2, -1, -1, 1, 1, 2, 3]) for name in chosen}
    return row | {"": rng.choice([-4, -2, -1, 0, 0, 1, 2, 5])}


def _combined(rows: list[Linear], weights: list[int], slack: Linear) -> Linear:
    result = dict(slack)
    for row, weight in zip(rows, weights, strict=True):
        for name, value in row.items():
            result[name] = result.get(name, 0) + weight * value
    return result


def _inequality(row: Linear, rng: random.Random) -> Term:
    """State ``row >= 0`` in one of the ways an order can be written."""
    left, right = _sides(row, rng)
    strict = right.get("", 0) >= 1 and rng.random() < 0.4
    if strict:
        right = right | {"": right[""] - 1}
    one, two = show_linear(right), show_linear(left)
    if rng.random() < 0.5:
        return term("<" if strict else "≤", one, two)
    return term(">" if strict else "≥", two, one)


def linear(rng: random.Random) -> Draft | None:
    """Return a linear consequence of linear hypotheses, by `omega`.

    The conclusion is a sum of the hypotheses with positive weights, so it holds, divided by what divides it.
    """
    variables = VARIABLES[: rng.randint(1, 4)]
    rows = [_row(rng, variables) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
    weights = [rng.choice([1, 1, 1, 2, 3]) for _ in rows]
    slack = {rng.choice(variables): rng.choice([0, 0, 1])} | {"": rng.choice([0, 0, 1, 2])}
    goal_row = _combined(rows, weights, slack)
    divisor = rng.choice([1, 2, 3])
    if all(value % divisor == 0 for name, value in goal_row.items() if name):
        goal_row = {name: value // divisor for name, value in goal_row.items()}
    if not any(value < 0 for value in goal_row.values()) or any(not any(row.get(n) for n in variables) for row in rows):
        return None
    hypotheses = [_inequality(row, rng) for row in rows]
    goal = _inequality(goal_row, rng)
    if goal in hypotheses or len(set(hypotheses)) < len(hypotheses):
        return None
    joined = [conjunction(hypotheses)] if len(rows) > 1 and rng.random() < 0.3 else hypotheses
    groups = grouped(_letters([*hypotheses, goal]), dict.fromkeys(VARIABLES, "Nat"))
    return Draft(
        "linear", "order", statement_of(groups, joined, goal), (intro(groups, len(joined)), "omega"), len(rows) // 2
    )


def _letters(terms: list[Term]) -> set[str]:
    text = " ".join(str(value) for value in terms)
    return {name for name in VARIABLES if name in text}


def system(rng: random.Random) -> Draft | None:
    """Return the solution of two linear equations, each unknown on its own."""
    values = {name: rng.randint(0, 9) for name in rng.sample(["a", "b", "c"], rng.choice([2, 2, 3]))}
    rows = [{name: rng.randint(0, 3) for name in values} for _ in values]
    if not _regular([[row[name] for name in values] for row in rows]):
        return None
    hypotheses = [
        term("=", show_linear(row), str(sum(row[name] * value for name, value in values.items()))) for row in rows
    ]
    parts = [term("=", name, str(value)) for name, value in values.items()]
    groups = grouped(values, dict.fromkeys(VARIABLES, "Nat"))
    if len(set(hypotheses)) < len(hypotheses) or set(parts) & set(hypotheses):
        return None
    steps = [step for _ in parts[1:] for step in ("constructor", "omega")]
    script = (intro(groups, len(hypotheses)), *steps, "omega")
    return Draft("linear", "system", statement_of(groups, hypotheses, conjunction(parts)), script, 1)


def _regular(matrix: list[list[int]]) -> bool:
    rows = [[Fraction(value) for value in row] for row in matrix]
    for column in range(len(rows)):
        pivot = next((i for i in range(column, len(rows)) if rows[i][column]), None)
        if pivot is None:
            return False
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, len(rows)):
            factor = rows[i][column] / rows[column][column]
            rows[i] = [one - factor * two for one, two in zip(rows[i], rows[column], strict=True)]
    return True


def order_chain(rng: random.Random) -> Draft | None:
    """Return a chain of orders between opaque values, by transitivity or `calc`, with facts off the chain."""
    length = rng.randint(2, 5)
    points = rng.sample(["a", "b", "c", "d", "x", "y"], min(6, length + 1 + rng.randint(0, 1)))
    path, others = points[: length + 1], points[length + 1 :]
    links = [rng.choice(["≤", "≤", "<", "="]) for _ in range(length)]
    if links[-1] == "=":
        return None
    facts = [term(link, one, two) for link, one, two in zip(links, path, path[1:], strict=False)]
    extra = [term(rng.choice("≤<"), rng.choice(path[1:]), other) for other in others]
    order = [*facts, *extra]
    rng.shuffle(order)
    name = {fact: f"h{i + 1}" for i, fact in enumerate(order)}
    goal = term("<" if "<" in links else "≤", path[0], path[-1])
    groups: Groups = [(sorted(points), "Nat")]
    statement = statement_of(groups, order, goal)
    head = intro(groups, len(order))
    if rng.random() < 0.4:
        lines = [f"calc {path[0]} {links[0]} {path[1]} := {name[facts[0]]}"]
        lines += [
            f"  _ {link} {point} := {name[f]}" for link, point, f in zip(links[1:], path[2:], facts[1:], strict=True)
        ]
        return Draft("order", "calc", statement, (head, "\n".join(lines)), length - 1)
    return Draft("order", "chain", statement, (head, *_transitive(links, [name[f] for f in facts])), 1)


def _transitive(links: list[str], names: list[str]) -> list[str]:
    """Return steps that shorten the goal from its left end, link by link; the last link is no equation."""
    steps = []
    for i, link in enumerate(links[:-1]):
        if link == "=":
            steps.append(f"rw [{names[i]}]")
        elif "<" not in links[i:]:
            steps.append(f"apply Nat.le_trans {names[i]}")
        elif link == "≤":
            steps.append(f"apply Nat.lt_of_le_of_lt {names[i]}")
        else:
            steps.append(f"apply {'Nat.lt_trans' if '<' in links[i + 1 :] else 'Nat.lt_of_lt_of_le'} {names[i]}")
    return [*steps, f"exact {names[-1]}"]


def extremum(rng: random.Random) -> Draft | None:
    """Return a fact about a minimum or a maximum."""
    op = rng.choice(["min", "max"])
    one, two = plus(times(rng.choice([1, 1, 2]), "a"), rng.randint(0, 3)), plus("b", rng.randint(0, 3))
    return rng.choice([_extremum_bounds, _extremum_is_one, _extremum_shifts, _extremum_of_bounded])(rng, op, one, two)


def _extremum_bounds(rng: random.Random, op: str, one: Term, two: Term) -> Draft:
    goal = conjunction([term("≤" if op == "min" else "≥", term(op, one, two), side) for side in (one, two)])
    steps = ("intro a b", "constructor", "omega", "omega")
    return Draft("extremum", "bound", statement_of([(["a", "b"], "Nat")], [], goal), steps)


def _extremum_is_one(rng: random.Random, op: str, one: Term, two: Term) -> Draft:
    goal = term("∨", *(term("=", term(op, one, two), side) for side in (one, two)))
    sides = ("left", "right") if op == "min" else ("right", "left")
    steps = [f"rcases Nat.le_total {show(one, MAX)} {show(two, MAX)} with h1 | h1"]
    steps += [step for side in sides for step in (side, "omega")]
    return Draft("extremum", "choice", statement_of([(["a", "b"], "Nat")], [], goal), ("intro a b", *steps), 1)


def _extremum_shifts(rng: random.Random, op: str, one: Term, two: Term) -> Draft:
    shift = str(rng.randint(1, 4))
    goal = term("=", term("+", term(op, one, two), shift), term(op, term("+", one, shift), term("+", two, shift)))
    return Draft("extremum", "shift", statement_of([(["a", "b"], "Nat")], [], goal), ("intro a b", "omega"), 1)


def _extremum_of_bounded(rng: random.Random, op: str, one: Term, two: Term) -> Draft:
    """A bound of both sides bounds the one that is taken, by deciding the order first."""
    relation = "≤" if op == "max" else "≥"
    hypotheses = [term(relation, one, "c"), term(relation, two, "c")]
    rng.shuffle(hypotheses)
    steps = ["intro a b c h1 h2", f"rcases Nat.le_total {show(one, MAX)} {show(two, MAX)} with h3 | h3"]
    winners = ((two, "right"), (one, "left")) if op == "max" else ((one, "left"), (two, "right"))
    for winner, side in winners:
        place = hypotheses.index(term(relation, winner, "c")) + 1
        steps += [f"rw [Nat.{op}_eq_{side} h3]", f"exact h{place}"]
    statement = statement_of([(["a", "b", "c"], "Nat")], hypotheses, term(relation, term(op, one, two), "c"))
    return Draft("extremum", "both", statement, tuple(steps), 1)


def bounded(rng: random.Random) -> Draft | None:
    """Return a statement about the few numbers below a bound, case by case."""
    bound = rng.randint(2, 4)
    start = rng.choice([0, 0, 1, 2])
    values = [str(start + i) for i in range(bound)]
    predicate = rng.choice(["P", "P", "Q"])
    scale = rng.choice([1, 1, 2, 3])
    hypotheses = [term(predicate, str(scale * int(value))) for value in values]
    order = list(range(bound))
    rng.shuffle(order)
    given = [hypotheses[i] for i in order]
    name = {i: f"h{place + 1}" for place, i in enumerate(order)}
    conditions = [term("<", "n", str(start + bound))]
    if start:
        conditions.insert(0, term("≤", str(start), "n"))
    goal: Term = term(predicate, times(scale, "n"))
    for condition in reversed(conditions):
        goal = term("→", condition, goal)
    fresh = bound + len(conditions) + 1
    cases = " ∨ ".join(f"n = {value}" for value in values)
    script = [f"intro {predicate} {' '.join(labels(bound))} n {' '.join(labels(len(conditions), bound + 1))}"]
    script += [f"have h{fresh} : {cases} := by omega", f"rcases h{fresh} with {' | '.join([f'h{fresh}'] * bound)}"]
    for i in range(bound):
        script += [f"rw [h{fresh}]", f"exact {name[i]}"]
    groups: Groups = [([predicate], "Nat → Prop")]
    return Draft("bounded", "cases", statement_of(groups, given, term("∀ n", goal)), tuple(script), 1)


def closed(rng: random.Random) -> Draft | None:
    """Return a true statement about numerals, by ``rfl`` or ``decide``."""
    x, y, z = rng.randint(0, 12), rng.randint(1, 12), rng.randint(0, 9)
    values: list[tuple[str, int]] = [
        (f"{x} * {y} + {z}", x * y + z),
        (f"{x} + {y} * {z}", x + y * z),
        (f"({x} + {z}) * {y}", (x + z) * y),
        (f"({x} * {y} + {z}) % {y}", (x * y + z) % y),
        (f"({x} * {y} + {z}) / {y}", (x * y + z) // y),
        (f"{x} ^ 2 + {z}", x * x + z),
    ]
    parts = []
    for text, value in rng.sample(values, rng.choice([1, 1, 2, 3])):
        relation = rng.choice(["=", "=", "≤", "<", "≠"])
        shift = 0 if relation == "=" else rng.randint(1, 9)
        parts.append(f"{text} {relation} {value + shift}")
    steps = [step for _ in parts[1:] for step in ("constructor", "decide")]
    return Draft("closed", "eval", " ∧ ".join(parts), (*steps, "decide"))


def witness(rng: random.Random) -> Draft | None:
    """Return an existential statement about numbers whose witness has to be found."""
    make = rng.choice([_number, _above, _multiple, _multiple, _combination, _combination, _pair, _between])
    return make(rng)


def _number(rng: random.Random) -> Draft | None:
    scale, shift, target = rng.randint(1, 9), rng.randint(0, 9), rng.randint(0, 9)
    parts = [term(rng.choice(["=", "≥"]), plus(times(scale, "x"), shift), str(scale * target + shift))]
    if rng.random() < 0.7:
        parts.append(term(rng.choice(["≤", "<"]), "x", str(target + rng.randint(1, 3))))
    if rng.random() < 0.3:
        parts.append(term("=", term("%", "x", "2"), str(target % 2)))
    if len(parts) == 1 and parts[0].args[0] == Term("x"):
        return None
    steps = [f"refine ⟨{target}, ?_⟩", *(step for _ in parts[1:] for step in ("constructor", "decide")), "decide"]
    return Draft("witness", "number", f"∃ x : Nat, {conjunction(parts)}", tuple(steps), 1)


def _above(rng: random.Random) -> Draft | None:
    variables = ["m", "n"][: rng.randint(1, 2)]
    parts, found = [], []
    for name in variables:
        scale, shift = rng.randint(1, 4), rng.randint(0, 5)
        parts.append(term(rng.choice(">≥"), "y", plus(times(scale, name), shift)))
        found.append(plus(times(scale, name), shift + 1))
    groups: Groups = [(variables, "Nat")]
    steps = [intro(groups, 0), f"refine ⟨{total(found)}, ?_⟩"]
    steps += [step for _ in parts[1:] for step in ("constructor", "omega")]
    goal = Term("∃ y", (conjunction(parts),))
    return Draft("witness", "above", statement_of(groups, [], goal), (*steps, "omega"), 1)


def _multiple(rng: random.Random) -> Draft | None:
    modulus, rest = rng.randint(2, 6), rng.randint(0, 4)
    scale, shift = rng.randint(1, 4), rng.randint(0, 4)
    if scale == 1 and shift == 0:
        return None
    carry, left_over = divmod(scale * rest + shift, modulus)
    x = rng.choice("nmab")
    goal = Term("∃ k", (term("=", plus(times(scale, x), shift), plus(times(modulus, "k"), left_over)),))
    given = Term("∃ k", (term("=", x, plus(times(modulus, "k"), rest)),))
    found = plus(times(scale, "k"), carry)
    steps = (f"intro {x} h1", "obtain ⟨k, h2⟩ := h1", f"refine ⟨{found}, ?_⟩", "omega")
    return Draft("witness", "multiple", statement_of([([x], "Nat")], [given], goal), steps, 1)


def _combination(rng: random.Random) -> Draft | None:
    """A combination of two or three numbers in residue classes."""
    modulus = rng.randint(2, 6)
    names = ["a", "b", "c"][: rng.choice([2, 2, 3])]
    rests = [rng.randint(0, min(4, modulus)) for _ in names]
    scales = [rng.randint(1, 3) for _ in names]
    carry, left_over = divmod(sum(p * rest for p, rest in zip(scales, rests, strict=True)), modulus)
    inner = ["i", "j", "k"][: len(names)]
    given = [
        Term("∃ k", (term("=", name, plus(times(modulus, "k"), rest)),))
        for name, rest in zip(names, rests, strict=True)
    ]
    count = len(names)
    steps = [f"intro {' '.join(names)} {' '.join(labels(count))}"]
    steps += [f"obtain ⟨{k}, h{count + 1 + i}⟩ := h{i + 1}" for i, k in enumerate(inner)]
    found = plus(total([times(p, k) for p, k in zip(scales, inner, strict=True)]), carry)
    left = total([times(p, name) for p, name in zip(scales, names, strict=True)])
    goal = Term("∃ k", (term("=", left, plus(times(modulus, "k"), left_over)),))
    script = (*steps, f"refine ⟨{found}, ?_⟩", "omega")
    return Draft("witness", "combination", statement_of([(names, "Nat")], given, goal), script, 1)


def _pair(rng: random.Random) -> Draft | None:
    """Two numbers that solve equations."""
    x, y, scale = rng.randint(0, 7), rng.randint(0, 7), rng.randint(2, 5)
    parts = [
        term("=", term("+", "x", "y"), str(x + y)),
        term("=", term("+", "x", times(scale, "y")), str(x + scale * y)),
    ]
    if rng.random() < 0.4:
        parts.append(term("≤", rng.choice("xy"), str(max(x, y))))
    rng.shuffle(parts)
    steps = [f"refine ⟨{x}, {y}, ?_⟩", *(step for _ in parts[1:] for step in ("constructor", "decide")), "decide"]
    return Draft("witness", "pair", f"∃ x y : Nat, {conjunction(parts)}", tuple(steps), 2)


def _between(rng: random.Random) -> Draft | None:
    """A number between two others that are far enough apart."""
    gap = rng.randint(2, 6)
    offset = rng.randint(1, gap - 1)
    sides = [term("<", "a", "x"), term("<", "x", "b")]
    rng.shuffle(sides)
    goal = Term("∃ x", (conjunction(sides),))
    given = term("≤", term("+", "a", str(gap)), "b")
    steps = ("intro a b h1", f"refine ⟨a + {offset}, ?_⟩", "constructor", "omega", "omega")
    return Draft("witness", "between", statement_of([(["a", "b"], "Nat")], [given], goal), steps, 1)
