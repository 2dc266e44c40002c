"""Lists: laws of appending and reversing, lengths, membership, recursive functions by induction."""

from __future__ import annotations

import random

from burnqed.data.corpus.draft import Draft, Groups, grouped, intro, statement_of
from burnqed.data.corpus.families.rewriting import Move
from burnqed.data.corpus.terms import MAX, NIL, Term, heads, plus, replace, show, subterms, term, times, total

LISTS = ["xs", "ys", "zs", "ws"]
KINDS = dict.fromkeys(LISTS, "List Nat")
REVERSE_APPEND = "List.reverse_append"  # its arguments are implicit: the first place that fits is rewritten
SPLIT = "induction xs with | nil => ?_ | cons x xs ih => ?_"


def _random(rng: random.Random, variables: list[str], size: int) -> Term:
    if size <= 1:
        leaf = Term(rng.choice(variables)) if rng.random() < 0.85 else NIL
        return term(".reverse", leaf) if leaf != NIL and rng.random() < 0.2 else leaf
    left = rng.randint(1, size - 1)
    value = term("++", _random(rng, variables, left), _random(rng, variables, size - left))
    return term(".reverse", value) if rng.random() < 0.12 else value


def _moves(value: Term) -> list[Move]:
    """Return the rewrites with laws of lists at the root of a term."""
    found: list[Move] = []
    if value.head == ".reverse":
        inner = value.args[0]
        if inner.head == ".reverse":
            found.append((f"List.reverse_reverse {show(inner.args[0], MAX)}", value, inner.args[0]))
        if inner.head == "++":
            one, two = inner.args
            new = term("++", term(".reverse", two), term(".reverse", one))
            found.append((REVERSE_APPEND, value, new))
    if value.head != "++":
        return found
    one, two = value.args
    x, y = show(one, MAX), show(two, MAX)
    if one == NIL and two != NIL:
        found.append((f"List.nil_append {y}", value, two))
    if two == NIL and one != NIL:
        found.append((f"List.append_nil {x}", value, one))
    if one.head == "++":
        u, v = one.args
        found.append((f"List.append_assoc {show(u, MAX)} {show(v, MAX)} {y}", value, term("++", u, term("++", v, two))))
    if two.head == "++":
        u, v = two.args
        found.append(
            (f"← List.append_assoc {x} {show(u, MAX)} {show(v, MAX)}", value, term("++", term("++", one, u), v))
        )
    return found


def _is_reversed_sum(value: Term) -> bool:
    return value.head == ".reverse" and value.args[0].head == "++"


def appending(rng: random.Random) -> Draft | None:
    """Return an equation between lists by rewriting with the laws of ``++`` and ``reverse``."""
    variables = LISTS[: rng.randint(1, 4)]
    left = _random(rng, variables, rng.randint(2, 5))
    if rng.random() < 0.2:
        left = term(".reverse", term(".reverse", left))
    right, seen, moves = left, [left], list[Move]()
    for _ in range(rng.choice([1, 2, 2, 3, 4, 5])):
        # Lean cannot tell the type of an empty list inside an argument.
        options = [move for part in subterms(right) for move in _moves(part) if "[]" not in move[0]]
        if not options:
            return None
        moves.append(rng.choice(options))
        right = replace(right, moves[-1][1], moves[-1][2])
        if right in seen:
            return None
        seen.append(right)
    one, two = left, right
    for text, old, new in moves:
        places = {part for side in (one, two) for part in subterms(side) if _is_reversed_sum(part)}
        if one == two or (text == REVERSE_APPEND and places != {old}):
            return None
        one, two = replace(one, old, new), replace(two, old, new)
    groups = grouped(heads(left) | heads(right), KINDS)
    if one != two or not groups:
        return None
    script = (intro(groups, 0), *(f"rw [{text}]" for text, _, _ in moves))
    return Draft("list", "append", statement_of(groups, [], term("=", left, right)), script)


def length(rng: random.Random) -> Draft | None:
    """Return the length of a chain of appended, reversed and extended lists."""
    chain = [rng.choice(LISTS) for _ in range(rng.randint(1, 4))]
    leaves = [term(".reverse", name) if rng.random() < 0.3 else Term(name) for name in chain]
    value, heads_ = leaves[0], 0
    for leaf in leaves[1:]:
        value = term("++", value, leaf) if rng.random() < 0.6 else term("++", leaf, value)
    if rng.random() < 0.4:
        value, heads_ = term("::", str(rng.randint(0, 9)), value), 1
    rng.shuffle(chain)
    goal = term("=", term(".length", value), plus(total([term(".length", name) for name in chain]), heads_))
    reversed_ = {leaf.args[0].head for leaf in leaves if leaf.args}
    if len(chain) == 1 and not reversed_ and not heads_:
        return None
    script = ["rw [List.length_cons]"] * heads_ + ["rw [List.length_append]"] * (len(chain) - 1)
    script += ["rw [List.length_reverse]"] * len(reversed_)
    groups = grouped(set(chain), KINDS)
    if str(goal.args[1]) == _left_nested(value):
        return None
    return Draft("list", "length", statement_of(groups, [], goal), (intro(groups, 0), *script, "omega"))


def _left_nested(value: Term) -> str:
    """Return the sum of lengths that rewriting arrives at, as text."""
    if value.head == "::":
        return f"{_left_nested(value.args[1])} + 1"
    if value.head == "++":
        one, two = (_left_nested(part) for part in value.args)
        return f"{one} + {two}" if "+" not in two else f"{one} + ({two})"
    return f"{(value.args[0] if value.args else value).head}.length"


def recursion(rng: random.Random) -> Draft | None:
    """Return what holds of a function described by recursion on a list."""
    return rng.choice([_additive, _additive, _weight, _accumulator, _mapped, _predicate, _counted])(rng)


def _function(f: str, start: str, step: Term | str) -> list[str]:
    return [f"{f} [] = {start}", f"(∀ x xs, {f} (x :: xs) = {step})"]


def _one(rng: random.Random) -> Term:
    """The contribution of one element."""
    scale, shift = rng.choice([0, 1, 1, 2, 3]), rng.randint(0, 3)
    if scale == 0:
        return Term(str(shift + 1))
    value = plus(times(scale, "x"), shift)
    return value if rng.random() < 0.8 else term("*", "x", "x")


def _additive(rng: random.Random) -> Draft | None:
    """A sum over a list splits at ``++``."""
    f, one = rng.choice("fgs"), _one(rng)
    step = term("+", one, term(f, "xs")) if rng.random() < 0.5 else term("+", term(f, "xs"), one)
    goal = f"{f} (xs ++ ys) = " + rng.choice([f"{f} xs + {f} ys", f"{f} ys + {f} xs"])
    script = (
        f"intro {f} h1 h2 xs ys", SPLIT, "rw [List.nil_append]", "rw [h1]", "omega",
        "rw [List.cons_append]", "rw [h2]", "rw [h2]", "rw [ih]", "omega",
    )  # fmt: skip
    groups: Groups = [([f], "List Nat → Nat")]
    return Draft("listrec", "additive", statement_of(groups, _function(f, "0", step), f"∀ xs ys, {goal}"), script, 1)


def _weight(rng: random.Random) -> Draft | None:
    """A list function compared with the length."""
    f, constant = rng.choice("fgs"), rng.randint(1, 5)
    start = rng.randint(0, 4)
    goal = term("=", term(f, "xs"), plus(times(constant, "xs.length"), start))
    groups: Groups = [([f], "List Nat → Nat")]
    hypotheses = _function(f, str(start), f"{f} xs + {constant}")
    if rng.random() < 0.4:
        hypotheses = _function(f, str(start), f"{f} xs + x + {constant}")
        goal = term("≥", term(f, "xs"), plus(times(constant, "xs.length"), rng.randint(0, start)))
    script = (
        f"intro {f} h1 h2 xs", SPLIT, "rw [List.length_nil]", "omega", "rw [List.length_cons]", "rw [h2]", "omega",
    )  # fmt: skip
    return Draft("listrec", "length", statement_of(groups, hypotheses, Term("∀ xs", (goal,))), script, 1)


def _accumulator(rng: random.Random) -> Draft | None:
    """A function with an accumulator against one without."""
    f, g = rng.sample(["f", "g", "s"], 2)
    one = _one(rng)
    hypotheses = [
        *_function(f, "0", term("+", one, term(f, "xs"))),
        f"(∀ a, {g} [] a = a)",
        f"(∀ x xs a, {g} (x :: xs) a = {g} xs (a + {show(one, 66)}))",
    ]
    goal = f"{g} xs a = " + rng.choice([f"a + {f} xs", f"{f} xs + a"])
    split = "induction xs generalizing a with | nil => ?_ | cons x xs ih => ?_"
    script = (
        f"intro {f} {g} h1 h2 h3 h4 xs a", split, "rw [h3]", "rw [h1]", "omega",
        "rw [h4]", "rw [h2]", "rw [ih]", "omega",
    )  # fmt: skip
    groups: Groups = [([f], "List Nat → Nat"), ([g], "List Nat → Nat → Nat")]
    return Draft("listrec", "accumulator", statement_of(groups, hypotheses, f"∀ xs a, {goal}"), script, 2)


def _mapped(rng: random.Random) -> Draft | None:
    """A function that changes every element, by recursion: length, append."""
    m = rng.choice("mgk")
    shift, scale = rng.randint(0, 4), rng.randint(1, 3)
    value = plus(times(scale, "x"), shift)
    if value == Term("x"):
        return None
    hypotheses = _function(m, "[]", f"({value}) :: {m} xs" if value.args else f"{value} :: {m} xs")
    groups: Groups = [([m], "List Nat → List Nat")]
    script: tuple[str, ...]
    if rng.random() < 0.5:
        script = (
            f"intro {m} h1 h2 xs", SPLIT, "rw [h1]", "rw [h2]", "rw [List.length_cons]", "rw [List.length_cons]",
            "rw [ih]",
        )  # fmt: skip
        return Draft(
            "listrec", "map", statement_of(groups, hypotheses, f"∀ xs, ({m} xs).length = xs.length"), script, 1
        )
    script = (
        f"intro {m} h1 h2 xs ys", SPLIT, "rw [List.nil_append]", "rw [h1]", "rw [List.nil_append]",
        "rw [List.cons_append]", "rw [h2]", "rw [h2]", "rw [ih]", "rw [List.cons_append]",
    )  # fmt: skip
    goal = f"∀ xs ys, {m} (xs ++ ys) = {m} xs ++ {m} ys"
    return Draft("listrec", "map", statement_of(groups, hypotheses, goal), script, 1)


def _predicate(rng: random.Random) -> Draft | None:
    """A predicate of lists that appending and extending keep."""
    p = rng.choice("PQ")
    groups: Groups = [([p], "List Nat → Prop")]
    if rng.random() < 0.5:
        hypotheses = [f"{p} []", f"(∀ x xs, {p} xs → {p} (x :: xs))"]
        closing = ["apply h2", "exact ih"] if rng.random() < 0.5 else ["exact h2 x xs ih"]
        script = [f"intro {p} h1 h2 xs", SPLIT, "exact h1", *closing]
        if rng.random() < 0.5:
            return Draft("listrec", "predicate", statement_of(groups, hypotheses, f"∀ xs, {p} xs"), tuple(script))
        script = [
            f"intro {p} h1 h2 xs ys h3", SPLIT, "rw [List.nil_append]", "exact h3", "rw [List.cons_append]", *closing,
        ]  # fmt: skip
        if "exact ih" not in closing:
            script[-1:] = ["apply h2", "exact ih"]
        goal = f"∀ xs ys, {p} ys → {p} (xs ++ ys)"
        return Draft("listrec", "predicate", statement_of(groups, hypotheses, goal), tuple(script), 1)
    items = [str(rng.randint(0, 9)) for _ in range(rng.randint(2, 4))]
    hypotheses = [f"{p} []", *(f"(∀ xs, {p} xs → {p} ({item} :: xs))" for item in dict.fromkeys(items))]
    order = list(range(len(hypotheses)))
    rng.shuffle(order)
    name = {hypotheses[i]: f"h{place + 1}" for place, i in enumerate(order)}
    steps = [f"apply {name[f'(∀ xs, {p} xs → {p} ({item} :: xs))']}" for item in items]
    script = [f"intro {p} {' '.join(f'h{i + 1}' for i in range(len(order)))}", *steps, f"exact {name[hypotheses[0]]}"]
    statement = statement_of(groups, [hypotheses[i] for i in order], f"{p} [{', '.join(items)}]")
    return Draft("listrec", "build", statement, tuple(script))


def _counted(rng: random.Random) -> Draft | None:
    """A function of reversed lists, through what it does to ``++``."""
    f = rng.choice("fgs")
    hypotheses = [f"{f} [] = 0", f"(∀ xs ys, {f} (xs ++ ys) = {f} xs + {f} ys)"]
    hypotheses.append(f"(∀ x, {f} [x] = {rng.choice(['x', '1', str(rng.randint(2, 9)), f'x + {rng.randint(1, 9)}'])})")
    names = rng.sample(LISTS, rng.randint(2, 4))
    value = Term(names[0])
    for name in names[1:]:
        value = term("++", value, name) if rng.random() < 0.5 else term("++", name, value)
    order = names[:]
    rng.shuffle(order)
    goal = term("=", term(f, value), total([term(f, name) for name in order]))
    groups: Groups = [([f], "List Nat → Nat"), (sorted(names), "List Nat")]
    script = (intro(groups, 3), *["rw [h2]"] * (len(names) - 1), "omega")
    if str(goal.args[1]) == _nested(f, value):
        return None
    return Draft("listrec", "measure", statement_of(groups, hypotheses, goal), script, 1)


def _nested(f: str, value: Term) -> str:
    if value.head != "++":
        return f"{f} {value.head}"
    one, two = (_nested(f, part) for part in value.args)
    return f"{one} + {two}" if "+" not in two else f"{one} + ({two})"


def membership(rng: random.Random) -> Draft | None:
    """Return that an element is in a list built from others, by the sides that lead to it."""
    names = rng.sample(LISTS, rng.randint(2, 4))
    value = Term(names[0])
    for name in names[1:]:
        value = term("++", value, name) if rng.random() < 0.5 else term("++", name, value)
        if rng.random() < 0.3:
            value = term("::", rng.choice("bc"), value)
    target = rng.choice(names)
    steps, rest = list[str](), value
    while rest.args:
        side = 1 if rest.head == "::" or target in heads(rest.args[1]) else 0
        steps += [f"rw [{'List.mem_append' if rest.head == '++' else 'List.mem_cons'}]", ("left", "right")[side]]
        rest = rest.args[side]
    groups: Groups = [(["a", *(b for b in "bc" if b in heads(value))], "Nat"), (sorted(names), "List Nat")]
    statement = statement_of(groups, [term("∈", "a", target)], term("∈", "a", value))
    return Draft("member", "append", statement, (intro(groups, 1), *steps, "exact h1"), 1)
