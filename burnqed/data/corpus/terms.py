"""Lean terms and formulas as trees: printing with Lean's precedences, parts, replacement."""

from __future__ import annotations

from dataclasses import dataclass

MAX = 1024
# Symbol -> (own precedence, left operand's, right operand's), as in Lean's own notation.
INFIX = {
    "↔": (20, 21, 21),
    "→": (25, 26, 25),
    "∨": (30, 31, 30),
    "||": (30, 30, 31),
    "∧": (35, 36, 35),
    "&&": (35, 35, 36),
    **dict.fromkeys(("=", "≠", "≤", "<", "≥", ">", "∣", "∈", "=="), (50, 51, 51)),
    "+": (65, 65, 66),
    "-": (65, 65, 66),
    "++": (65, 65, 66),
    "::": (67, 68, 67),
    "*": (70, 70, 71),
    "/": (70, 70, 71),
    "%": (70, 70, 71),
    "^": (75, 76, 75),
    "∘": (90, 91, 90),
}
PREFIX = {"¬": 40, "!": 40}
QUANTIFIERS = ("∀", "∃")


@dataclass(frozen=True, slots=True)
class Term:
    """A head with its arguments.

    The head is a name, a numeral, an operator of ``INFIX`` or ``PREFIX``, a projection such as
    ``.length`` (printed after its first argument), or a quantifier with its binders, ``∀ x y``,
    whose argument is the body.
    """

    head: str
    args: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return show(self)


def term(head: str, *args: Term | str) -> Term:
    """Build a term; texts among ``args`` are names or numerals."""
    return Term(head, tuple(a if isinstance(a, Term) else Term(a) for a in args))


FALSE = Term("False")
NIL = Term("[]")


def show(value: Term, level: int = 0) -> str:
    """Print a term, in parentheses when it binds weaker than ``level``."""
    text, own = _printed(value)
    return f"({text})" if own < level else text


def _printed(value: Term) -> tuple[str, int]:
    head, args = value.head, value.args
    if not args:
        return head, MAX
    if head in INFIX and len(args) == 2:
        own, left, right = INFIX[head]
        return f"{show(args[0], left)} {head} {show(args[1], right)}", own
    if head in PREFIX:
        return head + show(args[0], PREFIX[head]), PREFIX[head]
    if head[0] in QUANTIFIERS:
        return f"{head}, {show(args[0])}", 25
    if head[0] == ".":
        return " ".join([show(args[0], MAX) + head, *(show(a, MAX) for a in args[1:])]), MAX - (len(args) > 1)
    return " ".join([head, *(show(a, MAX) for a in args)]), MAX - 1


def subterms(value: Term) -> list[Term]:
    """Return all subterms, the term itself first."""
    found = [value]
    for part in value.args:
        found += subterms(part)
    return found


def replace(value: Term, old: Term, new: Term) -> Term:
    """Replace every occurrence, as ``rw`` does with a closed equation."""
    if value == old:
        return new
    return Term(value.head, tuple(replace(part, old, new) for part in value.args))


def heads(value: Term) -> set[str]:
    """Return the heads of all subterms."""
    return {part.head for part in subterms(value)}


def is_numeral(value: Term) -> bool:
    """Return whether the term is a numeral."""
    return value.head.isdigit()


def plus(value: Term | str, number: int) -> Term:
    """Return ``value + number``, without a zero."""
    base = value if isinstance(value, Term) else Term(value)
    return term("+", base, str(number)) if number else base


def times(number: int, value: Term | str) -> Term:
    """Return ``number * value``, without a one."""
    base = value if isinstance(value, Term) else Term(value)
    return base if number == 1 else term("*", str(number), base)


def total(parts: list[Term]) -> Term:
    """Return the sum of the parts, nested to the left; 0 of none."""
    if not parts:
        return Term("0")
    result = parts[0]
    for part in parts[1:]:
        result = term("+", result, part)
    return result


def conjunction(parts: list[Term]) -> Term:
    """Return the parts joined by ``∧``, nested to the right; there is at least one."""
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = term("∧", part, result)
    return result
