"""The process that judges compiled proofs (``trust/``), seen from ours."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import burnqed
from burnqed.jobs.groups import end_group
from burnqed.prover.sandbox import Sandbox
from burnqed.prover.toolchain import Toolchain
from burnqed.prover.trust.kernel import SUPPORTED

MAX_LINE = 4 << 20


class KernelDied(Exception):
    """The process ended, or said something that is no answer."""


class KernelMissing(Exception):
    """This toolchain's kernel cannot be called; the message says why."""


class KernelProcess:
    """A process that has imported modules and judges compiled proofs, one request at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.judged = 0

    @classmethod
    async def start(
        cls, toolchain: Toolchain, sandbox: Sandbox, modules: Sequence[str], axioms: Sequence[str], limit: float
    ) -> Self:
        """Start it and import modules. ``limit`` is in seconds. Raises KernelMissing."""
        if not toolchain.version.startswith(SUPPORTED):
            raise KernelMissing(
                f"its kernel can be called in Lean {SUPPORTED[0]}x; set verify.toolchain to such a toolchain, "
                "or to a project that uses one: the search may go on using another"
            )
        if not toolchain.library:
            raise KernelMissing(f"{toolchain.lean[0]} has no libleanshared.so beside it")
        root = Path(burnqed.__file__).resolve().parent.parent
        environment = {**dict(toolchain.environment), "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
        argv = [sys.executable, "-S", "-s", "-P", "-B", "-m", "burnqed.prover.trust"]
        paths = [Path(path) for path in (*toolchain.search, str(Path(toolchain.library).resolve().parent))]
        process = await asyncio.create_subprocess_exec(
            *sandbox.wrap(argv, environment, None, paths),
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=MAX_LINE,
        )
        new = cls(process)
        task = {"library": toolchain.library, "search": toolchain.search, "modules": modules, "axioms": axioms}
        try:
            answer = await new._ask(json.dumps(task).encode() + b"\n", limit)
        except (KernelDied, TimeoutError) as error:
            await new.close()
            raise KernelMissing(f"the kernel of {toolchain.library} does not start: {error}") from error
        if "unavailable" in answer:
            await new.close()
            raise KernelMissing(str(answer["unavailable"]))
        return new

    async def _ask(self, data: bytes, limit: float) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(data)
        try:
            await asyncio.wait_for(self._process.stdin.drain(), limit)
            line = await asyncio.wait_for(self._process.stdout.readline(), limit)
            return json.loads(line)
        except (ConnectionError, ValueError) as error:
            raise KernelDied(f"it ended ({error})") from error

    async def judge(
        self, theorems: Sequence[str], clean: bytes, proved: bytes, limit: float
    ) -> list[tuple[str, list[str]]]:
        """Return (reason, axioms) for each theorem; no reason means accepted.

        ``limit`` is in seconds. Raises KernelDied, and TimeoutError; the process is of no use then.
        """
        self.judged += len(theorems)
        task = {"theorems": list(theorems), "clean": len(clean), "proved": len(proved)}
        answer = await self._ask(json.dumps(task).encode() + b"\n" + clean + proved, limit)
        return [(row["reason"], row["axioms"]) for row in answer]

    async def compare(self, theorems: Sequence[str], one: bytes, other: bytes, limit: float) -> list[bool]:
        """Return whether two modules state the same, for each theorem. Raises as ``judge`` does."""
        task = {"compare": list(theorems), "clean": len(one), "proved": len(other)}
        answer = await self._ask(json.dumps(task).encode() + b"\n" + one + other, limit)
        return [value is True for value in answer]

    async def close(self) -> None:
        """End it."""
        await end_group(self._process)
