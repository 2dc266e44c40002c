"""Accepted proofs compiled and replayed through Lean's kernel by ``leanchecker``.

The tool comes with Lean's toolchain (4.28 and later, before that as `lean4checker`). It adds the declarations
of a compiled module to its imports once more, so a declaration that got into the environment past the kernel is
found. Source: ``src/LeanChecker.lean`` of leanprover/lean4, and the chapter "Validating a Lean Proof" of its
reference manual. Compiling runs the proof's tactics again, so all of it happens inside the sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings
from burnqed.lean.commands import prover_environment, toolchain
from burnqed.lean.leanfile import Item, imported_modules, render_lean_file
from burnqed.lean.sandbox import Sandbox, choose_sandbox

logger = logging.getLogger(__name__)

MODULE = "BurnQedReplay"
COMPILE_FAILED, REFUSED = 93, 94
_SCRIPT = f"""
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" && cat > {MODULE}.lean || exit 1
export LEAN_PATH="$folder${{LEAN_PATH:+:$LEAN_PATH}}"
"$1" -o "$folder/{MODULE}.olean" {MODULE}.lean || exit {COMPILE_FAILED}
"$2" {MODULE} || exit {REFUSED}
"""
_PROBE = "theorem burnqed_probe : True := True.intro\n"

_found: dict[tuple[str, str], str | None] = {}  # (leanchecker, sandbox) -> why it does not work here


@dataclass(frozen=True)
class Replayer:
    """A toolchain's `lean` and `leanchecker`, and how they are confined."""

    lean: str
    checker: str
    environment: dict[str, str]
    sandbox: Sandbox
    modules: tuple[str, ...] = ()
    start_limit: float = 120.0  # seconds that importing may take, twice per replay

    async def run(self, text: str, limit: float) -> tuple[int, str]:
        """Compile a file and replay it; return (exit status, what was said). -1: over ``limit`` seconds."""
        argv = ["/bin/sh", "-c", _SCRIPT, "replay", self.lean, self.checker]
        process = await asyncio.create_subprocess_exec(
            *self.sandbox.wrap(argv, self.environment, None),
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            said, _ = await asyncio.wait_for(process.communicate(text.encode("utf-8", errors="replace")), limit)
        except TimeoutError:
            return -1, f"not done within {limit:g} s"
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        return process.returncode or 0, " ".join(said.decode(errors="replace").split())

    async def refusals(self, items: Sequence[Item], limit: float) -> list[str | None]:
        """Return for each proof why it is refused (``kernel: ...``), or None when the kernel takes it.

        ``limit`` is in seconds per proof. All proofs go into one file; when that is refused, halves
        of it are tried, so that the verdict names the proof.
        """
        text = render_lean_file(items, "Accepted proofs", self.modules)
        status, said = await self.run(text, limit * len(items) + 2 * self.start_limit)
        if status == 0:
            return [None] * len(items)
        if len(items) > 1:
            half = len(items) // 2
            return [*await self.refusals(items[:half], limit), *await self.refusals(items[half:], limit)]
        if status == REFUSED:
            return [f"kernel: {said[-500:]}"]
        if status == COMPILE_FAILED:
            return [f"kernel: the file does not compile: {said[-500:]}"]
        return [f"kernel: leanchecker did not run (exit status {status}): {said[-500:]}"]


async def locate(prover: ProverSettings) -> Replayer | str:
    """Return the kernel replay of the project's toolchain, or why there is none.

    The first time, a trivial theorem is replayed, so that a tool that does not work here is found
    before it refuses every proof. Raises UserError when the project or the sandbox is not usable.
    """
    tools = toolchain(prover)
    if tools is None:
        return "no toolchain found (`lake` in prover.project, or `lean` on PATH)"
    checker = tools / "leanchecker"
    if not checker.is_file():
        return f"{tools} has no leanchecker (Lean 4.28 and later have it)"
    environment = prover_environment(prover)
    environment["LEAN_SYSROOT"] = str(tools.parent)
    environment["PATH"] = os.pathsep.join([str(tools), environment["PATH"]])
    modules = tuple(imported_modules(prover))
    sandbox = choose_sandbox(prover)
    replayer = Replayer(str(tools / "lean"), str(checker), environment, sandbox, modules, prover.ready_timeout)
    return await _probe(replayer) or replayer


async def find_replayer(prover: ProverSettings, wanted: str) -> Replayer | None:
    """Return the toolchain's kernel replay; None for minilean, with ``off``, and where it is missing.

    ``wanted`` is ``verify.leanchecker``. Raises UserError when it is required and not there.
    """
    if prover.kind == "minilean" or wanted == "off":
        return None
    found = await locate(prover)
    if isinstance(found, Replayer):
        return found
    if wanted == "required":
        raise UserError(f"verify.leanchecker: required, but {found}; give a newer toolchain, or set it to auto")
    logger.info("no kernel replay: %s", found)
    return None


async def _probe(replayer: Replayer) -> str | None:
    key = (replayer.checker, replayer.sandbox.mode)
    if key not in _found:
        status, said = await replayer.run(_PROBE, 2 * replayer.start_limit)
        _found[key] = None if status == 0 else f"{replayer.checker} fails on a trivial theorem: {said[-300:]}"
    return _found[key]
