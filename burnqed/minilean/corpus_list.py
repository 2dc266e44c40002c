"""Lists of numbers: appending, reversing, and lengths."""

from __future__ import annotations

import random

from burnqed.minilean.corpus_draft import Draft, grouped, intro_line, telescope
from burnqed.minilean.corpus_rewrite import Term, replace, subterms

# ("v", name) | ("nil",) | ("++", a, b) | ("rev", a)
NIL: Term = ("nil",)
LISTS = ["xs", "ys", "zs", "ws"]


def show(term: Term, level: int = 0) -> str:
    """Print with Lean's precedences; `++` is 65 and associates to the left."""
    if term[0] == "v":
        return str(term[1])
    if term == NIL:
        return "[]"
    if term[0] == "rev":
        return f"{show(term[1], 90)}.reverse"
    text = f"{show(term[1], 65)} ++ {show(term[2], 66)}"
    return f"({text})" if level > 65 else text


def _random(rng: random.Random, variables: list[str], size: int) -> Term:
    if size <= 1:
        leaf: Term = ("v", rng.choice(variables)) if rng.random() < 0.85 else NIL
        return ("rev", leaf) if leaf != NIL and rng.random() < 0.2 else leaf
    left = rng.randint(1, size - 1)
    return ("++", _random(rng, variables, left), _random(rng, variables, size - left))


def _moves(term: Term) -> list[tuple[str, Term, Term]]:
    found: list[tuple[str, Term, Term]] = []
    if term[0] == "rev" and term[1][0] == "rev":
        found.append((f"List.reverse_reverse {show(term[1][1], 90)}", term, term[1][1]))
    if term[0] != "++":
        return found
    one, two = term[1], term[2]
    x, y = show(one, 90), show(two, 90)
    if one == NIL and two != NIL:
        found.append((f"List.nil_append {y}", term, two))
    if two == NIL and one != NIL:
        found.append((f"List.append_nil {x}", term, one))
    if one[0] == "++":
        u, v = one[1], one[2]
        text = f"List.append_assoc {show(u, 90)} {show(v, 90)} {y}"
        found.append((text, term, ("++", u, ("++", v, two))))
    if two[0] == "++":
        u, v = two[1], two[2]
        text = f"← List.append_assoc {x} {show(u, 90)} {show(v, 90)}"
        found.append((text, term, ("++", ("++", one, u), v)))
    return found


def appending(rng: random.Random) -> Draft | None:
    """An equation between lists by rewriting with the laws of ``++``."""
    variables = LISTS[: rng.randint(1, 4)]
    left = _random(rng, variables, rng.randint(2, 5))
    if rng.random() < 0.2:
        left = ("rev", ("rev", left))
    right, seen = left, [left]
    moves = []
    for _ in range(rng.choice([1, 2, 2, 3, 4])):
        options = [move for part in subterms(right) for move in _moves(part)]
        if not options:
            return None
        move = rng.choice(options)
        right = replace(right, move[1], move[2])
        if right in seen:
            return None
        seen.append(right)
        moves.append(move)
    one, two = left, right
    for _, old, new in moves:
        if one == two:
            return None
        one, two = replace(one, old, new), replace(two, old, new)
    if one != two:
        return None
    text = f"{show(left)} = {show(right)}"
    groups = grouped({name for name in LISTS if name in text}, dict.fromkeys(LISTS, "List Nat"))
    if not groups:
        return None
    script = (intro_line(groups, 0), *(f"rw [{move}]" for move, _, _ in moves))
    return Draft("append", "list", telescope(groups, [], text), script)


def length(rng: random.Random) -> Draft | None:
    """The length of a chain of appended lists."""
    chain = [rng.choice(LISTS) for _ in range(rng.randint(1, 4))]
    wrapped = [rng.random() < 0.3 for _ in chain]
    leaves: list[Term] = [
        ("rev", ("v", name)) if wrap else ("v", name) for name, wrap in zip(chain, wrapped, strict=True)
    ]
    term = leaves[0]
    for leaf in leaves[1:]:
        term = ("++", term, leaf) if rng.random() < 0.6 else ("++", leaf, term)
    order = chain[:]
    rng.shuffle(order)
    total = " + ".join(f"{name}.length" for name in order)
    text = f"{show(term, 90)}.length = {total}"
    groups = grouped(set(chain), dict.fromkeys(LISTS, "List Nat"))
    reversed_ = sorted({name for name, wrap in zip(chain, wrapped, strict=True) if wrap})
    script = [intro_line(groups, 0)]
    script += ["rw [List.length_append]"] * (len(chain) - 1)
    script += ["rw [List.length_reverse]"] * len(reversed_)
    if len(script) == 1:
        return None
    left_nested = total == " + ".join(_leaf_names(term)) and _is_left_nested(term)
    if not left_nested:
        script.append("omega")
    return Draft("length", "list", telescope(groups, [], text), tuple(script))


def _leaf_names(term: Term) -> list[str]:
    if term[0] == "++":
        return [*_leaf_names(term[1]), *_leaf_names(term[2])]
    return [f"{(term[1] if term[0] == 'rev' else term)[1]}.length"]


def _is_left_nested(term: Term) -> bool:
    return term[0] != "++" or (term[2][0] != "++" and _is_left_nested(term[1]))
