"""Compiling a Lean file that we wrote, confined: what it said, and the compiled module as bytes.

A model's text runs in that process. So nothing it says is believed: the bytes are judged elsewhere
(``trust/``), and its messages only explain a refusal.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from burnqed.jobs.groups import end_group
from burnqed.prover.answers import parse_answer as read_answer
from burnqed.prover.sandbox import Sandbox
from burnqed.prover.toolchain import Toolchain

MAX_BYTES = 128 << 20  # of one answer; a module of 50 short proofs has about 0.3 MB
MODULE = "BurnQed"
_SCRIPT = f"""
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" && cat > {MODULE}.lean || exit 1
"$@" --json -o {MODULE}.olean {MODULE}.lean > said 2> died < /dev/null
code=$?
[ -s said ] || cp died said
echo "$code $(wc -c < said)"
cat said
[ ! -f {MODULE}.olean ] || cat {MODULE}.olean
"""


@dataclass(frozen=True)
class Message:
    """One message of the compiler. ``line`` counts from 1; 0 when it has no place."""

    line: int
    severity: str
    text: str


@dataclass(frozen=True)
class Compiled:
    """What compiling gave: ``module`` is empty when there is none, ``problem`` says why it did not end well."""

    messages: tuple[Message, ...] = ()
    module: bytes = b""
    problem: str = ""

    @property
    def errors(self) -> list[Message]:
        """The messages that are errors."""
        return [message for message in self.messages if message.severity == "error"]


def _message(line: bytes) -> Message | None:
    """Return the message on a line; lines that are none are passed over."""
    try:
        row = read_answer(line)
        return Message(int(row["pos"]["line"]), str(row["severity"]), str(row["data"]))
    except (ValueError, KeyError, TypeError):
        return None


def parse_answer(data: bytes) -> Compiled:
    """Return what the confined script wrote; any of it may be hostile."""
    head, _, rest = data.partition(b"\n")
    try:
        code, size = (int(word) for word in head.split())
    except ValueError:
        return Compiled(problem=f"crash: the compiler's answer is none: {head[:200]!r}")
    said, module = rest[: max(size, 0)], rest[max(size, 0) :]
    messages = tuple(m for m in map(_message, said.splitlines()) if m is not None)
    if module or any(m.severity == "error" for m in messages):
        return Compiled(messages, module)
    return Compiled(messages, b"", f"crash: the compiler ended with {code}: {said[-300:].decode(errors='replace')}")


async def _read(process: asyncio.subprocess.Process, text: bytes) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    with contextlib.suppress(ConnectionError):
        process.stdin.write(text)
        await process.stdin.drain()
    process.stdin.close()
    data = bytearray()
    while chunk := await process.stdout.read(1 << 20):
        data += chunk
        if len(data) > MAX_BYTES:
            return b"too long"
    return bytes(data)


async def compile_text(
    toolchain: Toolchain, sandbox: Sandbox, text: str, limit: float, options: Sequence[str] = ()
) -> Compiled:
    """Compile a file. ``limit`` is in seconds; ``options`` are further arguments of the compiler."""
    environment = dict(toolchain.environment)
    argv = ["/bin/sh", "-c", _SCRIPT, "compile", *toolchain.lean, *options]
    paths = [Path(path) for path in (*toolchain.search, str(Path(toolchain.lean[0]).parent)) if path]
    process = await asyncio.create_subprocess_exec(
        *sandbox.wrap(argv, environment, None, paths),
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        data = await asyncio.wait_for(_read(process, text.encode(errors="replace")), limit)
    except TimeoutError:
        return Compiled(problem=f"timeout: not compiled within {limit:g} s")
    finally:
        await end_group(process)
    return await asyncio.to_thread(parse_answer, data)
