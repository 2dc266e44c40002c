"""When two statements are the same: keys that do not see names, order of hypotheses, or numerals.

Both keys are invariants: statements that differ only in what a key ignores always share it. The
converse is not promised, so a theorem may be left out for a likeness that is none; never the
other way round.
"""

from __future__ import annotations

import re
from hashlib import blake2b

TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_']*|\.[A-Za-z]\w*|[0-9]+|:=|=>|\+\+|::|&&|\|\||==|\S")
OPENING, CLOSING = "([{⟨", ")]}⟩"
BINDERS = ("∀", "∃", "fun", "λ")
# Choices that make another theorem of the same kind: the lemma behind `+` or `*`, the order relation.
CLASSES = {"*": "+", "<": "≤", "/": "%", "||": "&&"}
CONNECTIVES = ("∧", "∨", "→", "↔", "¬", ",")
Tokens = list[str]


def statement_key(statement: str) -> str:
    """Return a text that is equal for statements that differ in names and order of hypotheses only."""
    return _invariant(*_telescope(TOKEN.findall(statement)))


def skeleton(statement: str) -> str:
    """Return the key of the statement without its numerals and the choice among like operators."""
    variables, hypotheses, goal = _telescope(TOKEN.findall(statement))
    return _invariant(variables, [_abstract(h) for h in hypotheses], _abstract(goal))


def _abstract(tokens: Tokens) -> Tokens:
    """Replace numerals by ``#``, drop coefficients and sums with a numeral, join like operators."""
    tokens = _turned(tokens)
    tokens = ["#" if token.isdigit() else CLASSES.get(token, token) for token in tokens]
    kept: Tokens = []
    position = 0
    while position < len(tokens):
        pair = tokens[position : position + 2]
        after = tokens[position + 2 : position + 3]
        if pair == ["#", "+"] or (pair == ["+", "#"] and after != [")"]):
            position += 2
            continue
        kept.append(tokens[position])
        position += 1
    return _unwrapped(kept)


def _turned(tokens: Tokens) -> Tokens:
    """Write ``a ≥ b`` and ``a > b`` as ``b ≤ a``."""
    for position, token in enumerate(tokens):
        if token in ("≥", ">"):
            start, end = _operand(tokens, position, -1), _operand(tokens, position, 1)
            left, right = tokens[start + 1 : position], tokens[position + 1 : end]
            return [*tokens[: start + 1], *right, "≤", *_turned([*left, *tokens[end:]])]
    return tokens


def _operand(tokens: Tokens, position: int, step: int) -> int:
    """Return the position just outside the operand of a relation, to its left (step -1) or right (1)."""
    opening, closing = (OPENING, CLOSING) if step > 0 else (CLOSING, OPENING)
    depth = 0
    while 0 <= (position := position + step) < len(tokens):
        token = tokens[position]
        if depth == 0 and (token in closing or token in CONNECTIVES):
            break
        depth += (token in opening) - (token in closing)
    return position


def _unwrapped(tokens: Tokens) -> Tokens:
    """Remove parentheses around a single token."""
    kept: Tokens = []
    for token in tokens:
        kept.append(token)
        while len(kept) >= 3 and kept[-1] == ")" and kept[-3] == "(":
            kept[-3:] = [kept[-2]]
    return kept


def _closing(tokens: Tokens, start: int) -> int:
    """Return the position of the bracket that closes the one at ``start``, or -1."""
    depth = 0
    for position in range(start, len(tokens)):
        depth += (tokens[position] in OPENING) - (tokens[position] in CLOSING)
        if depth == 0:
            return position
    return -1


def _strip(tokens: Tokens) -> Tokens:
    while tokens and tokens[0] == "(" and _closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _premises(tokens: Tokens) -> list[Tokens]:
    """Split at the arrows outside brackets and binders; one part when an ``↔`` stands there."""
    parts: list[Tokens] = [[]]
    depth = 0
    for position, token in enumerate(tokens):
        if depth == 0 and token == "↔":
            return [tokens]
        if depth == 0 and token in BINDERS:
            parts[-1] += tokens[position:]
            break
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0 and token == "→":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _binder(tokens: Tokens, position: int) -> tuple[list[tuple[str, Tokens]], int]:
    """Read binders up to their comma; return names with their types, and the position after it."""
    found: list[tuple[str, Tokens]] = []
    bare: list[str] = []
    while tokens[position] not in (",", "=>"):
        if tokens[position] in OPENING:
            close = _closing(tokens, position)
            group = tokens[position + 1 : close]
            colon = group.index(":") if ":" in group else len(group)
            found += [(name, group[colon + 1 :]) for name in group[:colon]]
            position = close + 1
        elif tokens[position] == ":":
            end = min(i for i in range(position, len(tokens)) if tokens[i] in (",", "=>"))
            found += [(name, tokens[position + 1 : end]) for name in bare]
            return found, end + 1
        else:
            bare.append(tokens[position])
            position += 1
    return found + [(name, []) for name in bare], position + 1


def _telescope(tokens: Tokens) -> tuple[list[str], list[Tokens], Tokens]:
    """Return the outer variables, the hypotheses and the goal, bound variables renamed in each."""
    variables: list[str] = []
    hypotheses: list[Tokens] = []
    while True:
        *premises, tokens = [_strip(part) for part in _premises(_strip(tokens))]
        hypotheses += premises
        if not tokens or tokens[0] != "∀":
            break
        names, position = _binder(tokens, 1)
        variables += [name for name, _ in names]
        tokens = tokens[position:]
    return variables, [_renamed(h) for h in hypotheses], _renamed(tokens)


def _renamed(tokens: Tokens) -> Tokens:
    """Rename bound variables by order of binding; a binder reaches to the end of its brackets.

    Types of bound variables are left out.
    """
    scopes: list[dict[str, str]] = [{}]
    written: Tokens = []
    count = position = 0
    while position < len(tokens):
        token = tokens[position]
        if token in BINDERS:
            names, position = _binder(tokens, position + 1)
            for name, _ in names:
                scopes[-1] = scopes[-1] | {name: f"${count}"}
                count += 1
            written += [token, *(scopes[-1][name] for name, _ in names), ","]
            continue
        if token in OPENING:
            scopes.append(scopes[-1])
        elif token in CLOSING and len(scopes) > 1:
            scopes.pop()
        written.append(scopes[-1].get(token, token))
        position += 1
    return written


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _coloured(tokens: Tokens, colours: dict[str, str], own: str = "") -> str:
    return " ".join("@" if token == own else colours.get(token, token) for token in tokens)


def _invariant(variables: list[str], hypotheses: list[Tokens], goal: Tokens) -> str:
    """Colour variables by where they occur until the colours settle, then write the parts with them."""
    present = {token for part in [*hypotheses, goal] for token in part}
    colours = {name: "v" for name in variables if name in present}
    holding = {name: [part for part in hypotheses if name in part] for name in colours}
    kinds = 0
    while len(set(colours.values())) > kinds:
        kinds = len(set(colours.values()))
        colours = {
            name: _digest(
                colours[name]
                + "|".join(sorted(_coloured(part, colours, name) for part in holding[name]))
                + "⊢"
                + _coloured(goal, colours, name)
            )
            for name in colours
        }
    texts = sorted({_coloured(part, colours) for part in hypotheses})
    return _digest(" ; ".join([*texts, "⊢", _coloured(goal, colours)]))
