"""Moving proofs to a newer toolchain: what still compiles, and what a table of renames saves."""

from __future__ import annotations

import asyncio
import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.config import ProverSettings
from burnqed.data.replay import cause_of
from burnqed.data.whole_proofs import LeanText
from burnqed.files import UserError, write_json, write_text
from burnqed.prover import compiling
from burnqed.prover.compiling import compile_text
from burnqed.prover.leanfile import imported_modules
from burnqed.prover.sandbox import choose_sandbox
from burnqed.prover.starting import strip_imports
from burnqed.prover.toolchain import find_toolchain

Table = Mapping[str, str]


@dataclass(frozen=True)
class Compiled:
    """Whether a text compiles without error and sorry, else the kind of failure and the first message."""

    ok: bool
    cause: str = ""
    message: str = ""


def read_renames(path: Path) -> dict[str, str]:
    """Read a table of renames: CSV with two columns, the old and the new name; `#` begins a comment line."""
    table: dict[str, str] = {}
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from error
    for number, row in enumerate(csv.reader(lines), 1):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            raise UserError(f"{path}: entry {number}: expected the old and the new name, separated by a comma")
        table[row[0].strip()] = row[1].strip()
    return table


def rename(text: str, table: Table) -> str:
    """Return a text with whole names replaced; a name that is part of a longer one stays."""
    if not table:
        return text
    names = "|".join(re.escape(name) for name in sorted(table, key=len, reverse=True))
    return re.sub(rf"(?<![\w.'])(?:{names})(?![\w'])", lambda found: table[found[0]], text)


async def compile_texts(texts: Sequence[str], prover: ProverSettings, timeout: float, imports: bool) -> list[Compiled]:
    """Compile texts side by side with the Lean in use; ``imports`` keeps each text's own imports."""
    results = [Compiled(False)] * len(texts)
    queue = iter(range(len(texts)))
    toolchain, sandbox = find_toolchain(prover, ""), choose_sandbox(prover)
    head = "".join(f"import {module}\n" for module in imported_modules(prover))

    async def serve() -> None:
        for index in queue:
            text = texts[index] if imports else head + strip_imports(texts[index])
            results[index] = _judge(await compile_text(toolchain, sandbox, text, timeout))

    await asyncio.gather(*(serve() for _ in range(max(1, min(prover.workers, len(texts))))))
    return results


def _judge(found: compiling.Compiled) -> Compiled:
    for message in found.messages:
        if message.severity == "error":
            return Compiled(False, cause_of(message.text), message.text)
        if "declaration uses" in message.text and "sorry" in message.text:
            return Compiled(False, "sorry", message.text)
    if found.problem:
        return Compiled(False, found.problem.partition(":")[0], found.problem)
    return Compiled(True)


def migrate(
    texts: Sequence[LeanText],
    tables: Sequence[tuple[str, Table]],
    prover: ProverSettings,
    timeout: float,
    output: Path,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Compile all texts, then those that fail again after each table of renames; write the report.

    A table is kept for a text only when the text then compiles or fails for another reason, so that a
    wrong rename does no harm. ``folder`` receives every text that compiles, in its last form. The
    report holds survival per step and the causes of what is left.
    """
    current = [item.read() for item in texts]
    imports = bool(texts) and texts[0].file is not None
    state = asyncio.run(compile_texts(current, prover, timeout, imports))
    steps: list[dict[str, object]] = []

    def note(name: str, changed: int) -> None:
        alive = sum(result.ok for result in state)
        share = round(alive / len(texts), 4) if texts else 0.0
        steps.append({"step": name, "texts_changed": changed, "compile": alive, "survival": share})

    note("as published", 0)
    for name, table in tables:
        trial = {i: rename(current[i], table) for i, result in enumerate(state) if not result.ok}
        trial = {i: text for i, text in trial.items() if text != current[i]}
        results = asyncio.run(compile_texts(list(trial.values()), prover, timeout, imports)) if trial else []
        changed = 0
        for (index, text), result in zip(trial.items(), results, strict=True):
            if result.ok or result.message != state[index].message:
                current[index], state[index] = text, result
                changed += 1
        note(name, changed)
    left = {item.key: result for item, result in zip(texts, state, strict=True) if not result.ok}
    report = {
        "texts": len(texts),
        "steps": steps,
        "causes": dict(sorted(Counter(result.cause for result in left.values()).items())),
        "left": {key: f"{result.cause}: {result.message[:300]}" for key, result in left.items()},
    }
    if folder is not None:
        for item, text, result in zip(texts, current, state, strict=True):
            if result.ok:
                name = item.key if item.key.endswith(".lean") else f"{item.key}.lean"
                target = folder / name
                if not target.resolve().is_relative_to(folder.resolve()):
                    raise UserError(f"{item.key}: would be written outside {folder}")
                write_text(target, text)
    write_json(output, report)
    return report
