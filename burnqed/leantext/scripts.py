"""Splitting a whole tactic proof into the tactics of its top level.

A unit keeps what belongs to it: deeper lines, ``| alternative`` lines, bullets and ``case`` blocks
with their contents, both sides of ``<;>``, brackets. ``a; b`` at the top level is two units; a ``;``
inside a ``by``, a bullet, an alternative or brackets is not a cut, as in Lean's grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = "([{⟨", ")]}⟩"
_CONTINUES = re.compile(r"(?:<;>|\||[)\]}⟩]|else\b)")  # a line that starts so belongs to the one before
_UNFINISHED = re.compile(r"(?:<;>|:=|=>|,|\bfrom)\s*$")  # a unit that ends so goes on at any column
_BLOCK = re.compile(r"(?:[·.|]\s|\b(?:by|fun|λ|calc|do|first)\b|=>|↦|⇒)")  # a `;` after this is inside it


@dataclass(frozen=True)
class Unit:
    """A tactic of the top level; ``start`` and ``end`` are its place in the proof's text."""

    tactic: str
    start: int
    end: int


def split_tactics(proof: str) -> list[Unit]:
    """Return the tactics of a proof (the text after ``by``), in order.

    The column of the first line is the top level; a line left of it ends the proof, as do brackets
    that close more than was opened. Comments are blanked. Never raises: what Lean makes of a unit is
    the prover's business.
    """
    text, depth = _plain(proof)
    units: list[Unit] = []
    base: int | None = None
    start = end = 0
    offset = 0
    for line in text.splitlines(keepends=True):
        begin, offset = offset, offset + len(line)
        if not line.strip():
            continue
        column = len(line) - len(line.lstrip())
        if base is None:
            base, start = column, begin
        elif depth[begin] == 0 and column < base:
            break
        elif (
            depth[begin] == 0
            and column == base
            and not _CONTINUES.match(line.lstrip())
            and not _UNFINISHED.search(text[start:end])
        ):
            units += _cut(text, depth, start, end, base)
            start = begin
        after = depth[begin + 1 : offset + 1]
        if min(after) < 0:
            end = begin + next(i for i, d in enumerate(after) if d < 0)
            break
        end = offset
    if base is not None:
        units += _cut(text, depth, start, end, base)
    return units


def _plain(proof: str) -> tuple[str, list[int]]:
    """Return the text with comments blanked, and the bracket depth after each character.

    ``depth[i]`` is that before character i; there is one more entry than characters.
    """
    out: list[str] = []
    depth = [0]
    position = level = 0
    while position < len(proof):
        if proof.startswith("--", position):
            stop = proof.find("\n", position)
            stop = len(proof) if stop < 0 else stop
            piece = " " * (stop - position)
        elif proof.startswith("/-", position):
            piece = _blank_block(proof, position)
        elif proof[position] == '"':
            match = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL).match(proof, position)
            piece = match[0] if match else '"'
        else:
            piece = proof[position]
            level += (piece in _OPEN) - (piece in _CLOSE)
        out.append(piece)
        depth += [level + 1] * (len(piece) - 1) + [level]  # a string or comment is closed in itself
        position += len(piece)
    return "".join(out), depth


def _blank_block(proof: str, start: int) -> str:
    """Return blanks (and the line breaks) for the block comment that starts here; they nest."""
    level, position = 0, start
    while position < len(proof):
        if proof.startswith("/-", position):
            level, position = level + 1, position + 2
        elif proof.startswith("-/", position):
            level, position = level - 1, position + 2
            if level == 0:
                break
        else:
            position += 1
    return re.sub(r"[^\n]", " ", proof[start : min(position, len(proof))])


def _cut(text: str, depth: list[int], start: int, end: int, base: int) -> list[Unit]:
    """Cut a unit at its top-level semicolons, and bring its lines to the left by ``base`` columns."""
    cuts = [start]
    for position in range(start, end):
        if (
            text[position] == ";"
            and depth[position] == 0
            and text[position - 1 : position + 2] != "<;>"
            and not _BLOCK.search(text[cuts[-1] : position])
        ):
            cuts.append(position + 1)
    units = []
    for left, right in zip(cuts, [*(cut - 1 for cut in cuts[1:]), end], strict=True):
        piece = text[left:right]
        lines = [line[min(base, len(line) - len(line.lstrip())) :].rstrip() for line in piece.splitlines()]
        tactic = "\n".join(line for line in lines if line).strip()
        if tactic:
            first = left + len(piece) - len(piece.lstrip())
            units.append(Unit(tactic, first, left + len(piece.rstrip())))
    return units
