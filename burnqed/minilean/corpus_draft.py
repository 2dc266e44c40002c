"""What every corpus family shares: the draft of a theorem and its canonical key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations, product

TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_']*|[0-9]+|:=|=>|\S")
VALUE_TYPES = ("Prop", "Nat", "Int", "Bool", "List Nat")
MAX_RENAMINGS = 720


@dataclass(frozen=True)
class Draft:
    """A statement with a tactic script; ``hardness`` is added to the length when it is graded."""

    tag: str
    family: str
    statement: str
    proof: tuple[str, ...]
    hardness: int = 0


@dataclass(frozen=True)
class CorpusTheorem:
    """A theorem with a script of tactics, each of which acts on the first goal."""

    name: str
    statement: str
    proof: list[str]
    family: str
    level: int
    split: str


def level_of(draft: Draft) -> int:
    """Difficulty 1-5 from the number of steps, inner ones too, and the family's estimate."""
    inner = sum(tactic.count("; ") + tactic.count(" => ") for tactic in draft.proof)
    steps = len(draft.proof) + inner + draft.hardness
    for level, most in enumerate((2, 3, 5, 8), 1):
        if steps <= most:
            return level
    return 5


def telescope(groups: list[tuple[list[str], str]], hypotheses: list[str], goal: str) -> str:
    """Write ``∀ (p q : Prop) .., h → .. → goal``; parts are printed already, hypotheses in parens
    where they need them.
    """
    binders = " ".join(f"({' '.join(names)} : {kind})" for names, kind in groups if names)
    body = " → ".join([*hypotheses, goal])
    return f"∀ {binders}, {body}" if binders else body


def grouped(names: set[str], kinds: dict[str, str]) -> list[tuple[list[str], str]]:
    """The variables among ``names`` as binder groups; ``kinds`` maps each to its type."""
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if name in names:
            groups.setdefault(kind, []).append(name)
    return [(group, kind) for kind, group in groups.items()]


def intro_line(groups: list[tuple[list[str], str]], hypotheses: int) -> str:
    """``intro`` of all variables, then of the hypotheses h1, h2, ..."""
    names = [name for group, _ in groups for name in group]
    return " ".join(["intro", *names, *(f"h{i + 1}" for i in range(hypotheses))])


def plus(text: str, number: int) -> str:
    """``text + number``, without a zero."""
    return f"{text} + {number}" if number else text


def times(number: int, text: str) -> str:
    """``number * text``, without a one."""
    return text if number == 1 else f"{number} * {text}"


def _top_level(tokens: list[str]) -> list[list[str]]:
    """Split at the arrows outside brackets; a binder takes everything to its right."""
    parts: list[list[str]] = [[]]
    depth = 0
    if _has_top_level_iff(tokens):
        return [tokens]
    for position, token in enumerate(tokens):
        if token in "([{⟨":
            depth += 1
        elif token in ")]}⟩":
            depth -= 1
        if depth == 0 and token in ("∀", "∃", "fun"):
            parts[-1] += tokens[position:]
            return parts
        if depth == 0 and token == "→":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _has_top_level_iff(tokens: list[str]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token in "([{⟨") - (token in ")]}⟩")
        if depth == 0 and token in ("∀", "∃", "fun"):
            return False
        if depth == 0 and token == "↔":
            return True
    return False


def _strip(tokens: list[str]) -> list[str]:
    while tokens and tokens[0] == "(" and _closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _closing(tokens: list[str], start: int) -> int:
    depth = 0
    for position in range(start, len(tokens)):
        depth += (tokens[position] in "([{⟨") - (tokens[position] in ")]}⟩")
        if depth == 0:
            return position
    return -1


def _is_value(kind: list[str]) -> bool:
    text = " ".join(kind)
    return text in VALUE_TYPES or text.endswith(("→ Prop", "→ Nat"))


def _split_telescope(tokens: list[str]) -> tuple[dict[str, str], list[list[str]]]:
    """Return the outer variables with their types, and the hypotheses with the goal last."""
    variables: dict[str, str] = {}
    hypotheses: list[list[str]] = []
    while True:
        tokens = _strip(tokens)
        if not tokens or tokens[0] != "∀":
            parts = _top_level(tokens)
            hypotheses += [_strip(part) for part in parts[:-1]]
            tokens = _strip(parts[-1])
            if not tokens or tokens[0] != "∀":
                return variables, [*hypotheses, tokens]
            continue
        position = 1
        while position < len(tokens) and tokens[position] != ",":
            if tokens[position] in "({":
                close = _closing(tokens, position)
                group = tokens[position + 1 : close]
                colon = group.index(":")
                if _is_value(group[colon + 1 :]):
                    variables |= dict.fromkeys(group[:colon], " ".join(group[colon + 1 :]))
                else:
                    hypotheses += [_strip(group[colon + 1 :])] * colon
                position = close + 1
            else:
                names = []
                while tokens[position] not in (",", ":"):
                    names.append(tokens[position])
                    position += 1
                kind = "?"
                if tokens[position] == ":":
                    comma = tokens.index(",", position)
                    kind, position = " ".join(tokens[position + 1 : comma]), comma
                variables |= dict.fromkeys(names, kind)
        tokens = tokens[position + 1 :]


def _rename_bound(tokens: list[str]) -> list[str]:
    """Rename the variables bound inside a hypothesis by order of appearance."""
    renamed: dict[str, str] = {}
    binding = False
    written = []
    for position, token in enumerate(tokens):
        if token in ("∀", "∃", "fun", "λ"):
            binding = True
        elif token in (",", "=>", ":"):
            binding = binding and token == ":" and "(" in tokens[max(0, position - 4) : position]
        elif binding and token[0].isalpha():
            renamed[token] = f"#{len(renamed)}"
        written.append(renamed.get(token, token))
    return written


def canonical_key(statement: str) -> str:
    """Return a text that is equal for statements that differ only in the names of variables and
    the order of binders and hypotheses.

    Exact up to 720 renamings of the outer variables; above that, variables keep their order.
    """
    variables, parts = _split_telescope(TOKEN.findall(statement))
    bodies = [_rename_bound(part) for part in parts]
    used = {token for body in bodies for token in body}
    groups: dict[str, list[str]] = {}
    for name, kind in variables.items():
        if name in used:
            groups.setdefault(kind, []).append(name)
    kinds = sorted(groups)
    total = 1
    for kind in kinds:
        for factor in range(2, len(groups[kind]) + 1):
            total *= factor
    choices = [list(permutations(groups[kind])) if total <= MAX_RENAMINGS else [tuple(groups[kind])] for kind in kinds]
    best = ""
    for orders in product(*choices):
        rename: dict[str, str] = {}
        for number, order in enumerate(orders):
            rename |= {name: f"${number}.{index}" for index, name in enumerate(order)}
        texts = [" ".join(rename.get(token, token) for token in body) for body in bodies]
        key = " ; ".join([*sorted(set(texts[:-1])), "⊢ " + texts[-1]])
        if not best or key < best:
            best = key
    return " ".join(f"{kind}*{len(groups[kind])}" for kind in kinds) + " | " + best
