"""Theorems about natural numbers: rewriting, linear arithmetic, induction, existentials."""

from __future__ import annotations

import random

from burnqed.minilean import arith
from burnqed.minilean.corpus_draft import Draft, telescope

# ("v", name) | ("n", value) | ("+" | "*", a, b) | ("f", name, argument)
Term = tuple  # type: ignore[type-arg]

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
        leaf: Term = (
            ("v", rng.choice(variables)) if rng.random() < 0.88 else ("n", rng.randint(0, 5))
        )
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


def _outer(names: set[str], kinds: dict[str, str]) -> list[tuple[list[str], str]]:
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if name in names:
            groups.setdefault(kind, []).append(name)
    return [(group, kind) for kind, group in groups.items()]


def _intro(groups: list[tuple[list[str], str]], hypotheses: int) -> str:
    names = [name for group, _ in groups for name in group]
    return " ".join(["intro", *names, *(f"h{i + 1}" for i in range(hypotheses))])


def rewriting(rng: random.Random) -> Draft | None:
    """``left = right`` by a chain of ``rw`` with hypotheses and with lemmas of Nat."""
    functions = rng.choice([[], [], ["f"], ["f", "g"]])
    variables = VARIABLES[: rng.randint(2, 4)]
    left = random_term(rng, variables, functions, rng.choice([1, 2, 2, 3, 3, 4]))
    length = rng.choice([1, 1, 2, 2, 3, 3, 4])
    hypotheses: list[tuple[Term, Term]] = []
    moves: list[tuple[str, Term, Term]] = []
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
            if old[0] == "n" or new[0] == "n" or old == new:
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
        if right in seen:
            return None
        seen.append(right)
    goal = (left, right)
    proof = []
    for text, old, new in moves:
        if goal[0] == goal[1]:
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
    groups = _outer(used, {"f": "Nat → Nat", "g": "Nat → Nat"} | dict.fromkeys(variables, "Nat"))
    if not groups:
        return None
    equations = [f"{show(one)} = {show(two)}" for one, two in hypotheses]
    statement = telescope(groups, equations, f"{show(left)} = {show(right)}")
    script = (_intro(groups, len(hypotheses)), *proof)
    return Draft("rw", "rewrite", statement, script, hardness=1 if with_lemmas else 0)


# ---- linear arithmetic -----------------------------------------------------------------------

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


def _facts(one: Linear, relation: str, two: Linear, index: dict[str, int]) -> list[arith.Fact]:
    if relation in ("≥", ">"):
        one, two, relation = two, one, {"≥": "≤", ">": "<"}[relation]
    terms: dict[int, int] = {}
    for sign, side in ((1, one), (-1, two)):
        for name, value in side[0].items():
            terms[index[name]] = terms.get(index[name], 0) + sign * value
    coeffs = tuple(sorted(terms.items()))
    const = one[1] - two[1]
    if relation == "≠":
        low = arith.Constraint(coeffs, const + 1, "le")
        high = arith.Constraint(tuple((a, -c) for a, c in coeffs), 1 - const, "le")
        return [arith.Clause(((low,), (high,)))]
    if relation == "=":
        return [arith.Constraint(coeffs, const, "eq")]
    return [arith.Constraint(coeffs, const + (relation == "<"), "le")]


_OPPOSITE = {"≤": ">", "<": "≥", "=": "≠", "≥": "<", ">": "≤", "≠": "="}


def linear_consequence(
    hypotheses: list[tuple[Linear, str, Linear]], goal: tuple[Linear, str, Linear]
) -> bool:
    """Whether the certificate search proves the goal over the naturals."""
    names = sorted({name for one, _, two in [*hypotheses, goal] for name in one[0] | two[0]})
    index = {name: number for number, name in enumerate(names)}
    facts: list[arith.Fact] = [arith.Constraint(((n, -1),), 0, "le") for n in index.values()]
    for one, relation, two in hypotheses:
        facts += _facts(one, relation, two, index)
    facts += _facts(goal[0], _OPPOSITE[goal[1]], goal[2], index)
    return arith.refute(facts, 300) is not None


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
    groups = _outer(used, dict.fromkeys(variables, "Nat"))
    texts = [f"{show_linear(one)} {rel} {show_linear(two)}" for one, rel, two in rows]
    statement = telescope(groups, texts[:-1], texts[-1])
    script = (_intro(groups, len(hypotheses)), "omega")
    return Draft("linear", "linear", statement, script, hardness=len(hypotheses) // 2)


def _needed(
    hypotheses: list[tuple[Linear, str, Linear]], goal: tuple[Linear, str, Linear]
) -> list[tuple[Linear, str, Linear]]:
    for row in list(hypotheses):
        fewer = [other for other in hypotheses if other is not row]
        if linear_consequence(fewer, goal):
            hypotheses = fewer
    return hypotheses


# ---- induction -------------------------------------------------------------------------------


def _plus(text: str, number: int) -> str:
    return f"{text} + {number}" if number else text


def _times(number: int, text: str) -> str:
    return text if number == 1 else f"{number} * {text}"


def induction(rng: random.Random) -> Draft | None:
    """A recursively described function or predicate, and what follows by induction."""
    kind = rng.choice(["closed", "closed", "bound", "bound", "positive", "pred", "twice", "agree"])
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    n = rng.choice(["n", "n", "m", "k"])
    f = rng.choice(["f", "f", "g", "u"])
    omega_both = f"induction {n} with | zero => omega | succ {n} ih => rw [h2]; omega"
    binder = [([f], "Nat → Nat")]
    if kind == "closed":
        value = _plus(_times(step, n), start)
        if rng.random() < 0.4:
            value = f"{start} + {_times(step, n)}" if start else value
        hypotheses = [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {_plus(f'{f} {n}', step)})"]
        goal = f"∀ {n}, {f} {n} = {value}"
        return _inductive(
            binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", omega_both], "closed", 1
        )
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
        goal = f"∀ {n}, {f} {n} {relation} {_plus(_times(slope, n), wanted)}"
        body = f"induction {n} with | zero => omega | succ {n} ih => have h3 := h2 {n}; omega"
        return _inductive(binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", body], "bound", 0)
    if kind == "positive":
        factor = rng.randint(2, 4)
        hypotheses = [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {factor} * {f} {n} + {step})"]
        goal = f"∀ {n}, {f} {n} ≥ {min(start, rng.randint(0, start))}"
        return _inductive(
            binder, hypotheses, goal, [f"intro {f} h1 h2 {n}", omega_both], "grows", 2
        )
    if kind == "pred":
        body = f"induction {n} with | zero => exact h1 | succ {n} ih => exact h2 {n} ih"
        hypotheses = [f"{f} 0", f"(∀ {n}, {f} {n} → {f} ({n} + 1))"]
        if rng.random() < 0.5:
            hypotheses[1] = f"(∀ {n}, {f} {n} → {f} {n} → {f} ({n} + 1))"
            body = body.replace(" ih", " ih ih").replace("succ n ih ih", "succ n ih")
            body = f"induction {n} with | zero => exact h1 | succ {n} ih => exact h2 {n} ih ih"
        goal = f"∀ {n}, {f} {n}"
        return _inductive(
            [([f], "Nat → Prop")], hypotheses, goal, [f"intro {f} h1 h2 {n}", body], "pred", 1
        )
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
        f"(∀ {n}, {f} ({n} + 1) = {_plus(f'{f} {n}', step)})",
        f"(∀ {n}, {other} ({n} + 1) = {_plus(f'{other} {n}', step)})",
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


# ---- closed facts and existentials -----------------------------------------------------------


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
        return Draft(
            "compare", "closed", f"{x} + {z} ≤ {x + z + rng.randint(0, 9)} * {y}", ("decide",)
        )
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
        left = _plus(_times(a, "x"), b)
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
        term = _plus(_times(a, x), b)
        goal = f"∃ y, y {relation} {term}"
        found = _plus(_times(a, x), b + (relation == ">"))
        return Draft(
            "above",
            "witness",
            f"∀ {x}, {goal}".replace(f"∀ {x},", f"∀ ({x} : Nat),"),
            (f"intro {x}", f"refine ⟨{found}, ?_⟩", "omega"),
            1,
        )
    modulus, rest = rng.randint(2, 6), rng.randint(0, 4)
    form = _plus(f"{modulus} * k", rest)
    if kind == "multiple":
        scale, shift = rng.randint(1, 4), rng.randint(0, 4)
        new = scale * rest + shift
        carry, rest2 = divmod(new, modulus)
        goal = f"∃ k, {_plus(_times(scale, x), shift)} = {_plus(f'{modulus} * k', rest2)}"
        found = _plus(_times(scale, "k"), carry)
        statement = f"∀ ({x} : Nat), (∃ k, {x} = {form}) → {goal}"
        if scale == 1 and shift == 0:
            return None
        script = (f"intro {x} h1", "obtain ⟨k, h2⟩ := h1", f"refine ⟨{found}, ?_⟩", "omega")
        return Draft("multiple", "witness", statement, script, 1)
    if kind == "combine":
        y = "c"
        rest_y = rng.randint(0, 4)
        p, q = rng.randint(1, 3), rng.randint(1, 3)
        carry, rest2 = divmod(p * rest + q * rest_y, modulus)
        goal = f"∃ k, {_times(p, x)} + {_times(q, y)} = {_plus(f'{modulus} * k', rest2)}"
        form_y = _plus(f"{modulus} * k", rest_y)
        found = _plus(f"{_times(p, 'i')} + {_times(q, 'j')}", carry)
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
    return Draft(
        "weaken", "witness", statement, (f"intro {x} h1", "obtain ⟨k, h2⟩ := h1", "omega"), 1
    )
