"""Independent re-check of whole proofs.

A proof counts only after this. We write two files: the header with the statements, each proved by
`sorry`, and the same with the proofs. Both are compiled, confined, by processes of their own
(``compiling.py``). A third process, in which nothing of the proof runs, reads the two compiled
modules as data and has Lean's kernel check the proof's term against the clean statement
(``trust/``). docs/security.md says what is promised, and why it holds.

Proofs with the same header are compiled together. One that is refused there is judged again alone,
so that no proof is refused for its neighbour's sake.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from burnqed.config import ProverSettings, VerifySettings
from burnqed.files import UserError
from burnqed.leantext.banned import banned_construct
from burnqed.leantext.headers import refused_header
from burnqed.leantext.tokens import LexicalError
from burnqed.prover.claims import Claim, Sheet, claim_of, header_commands, modules_of, sheet
from burnqed.prover.compiling import Compiled, compile_text
from burnqed.prover.contexts import Meanings, meanings
from burnqed.prover.kernelprocess import KernelDied, KernelMissing, KernelProcess
from burnqed.prover.leanfile import Item, imported_modules
from burnqed.prover.sandbox import Sandbox, choose_sandbox
from burnqed.prover.toolchain import Toolchain, find_toolchain
from burnqed.prover.verdict import OnVerdict, Verdict, refused_text

KERNEL_JOBS = 1000  # proofs judged by one kernel process: it frees nothing


@dataclass(frozen=True)
class _Place:
    """A claim to be judged, and its place among all."""

    index: int
    claim: Claim

    @property
    def name(self) -> str:
        return self.claim.name


Group = list[_Place]


def grouped(places: Iterable[_Place], size: int) -> list[Group]:
    """Return groups of at most ``size`` claims with one header, no name twice in one."""
    open_groups: dict[str, list[Group]] = {}
    done: list[Group] = []
    for place in places:
        groups = open_groups.setdefault(place.claim.header, [])
        for group in groups:
            if len(group) < size and all(other.name != place.name for other in group):
                group.append(place)
                break
        else:
            groups.append([place])
            done.append(groups[-1])
    return done


@dataclass(frozen=True)
class _Statements:
    """Statements compiled without a proof, and what they mean without their header's declarations."""

    module: bytes
    meanings: Meanings


class _Checker:
    """Judges groups of claims, one after another."""

    def __init__(
        self,
        prover: ProverSettings,
        settings: VerifySettings,
        toolchain: Toolchain,
        sandbox: Sandbox,
        settle: OnVerdict,
    ) -> None:
        self.prover, self.settings, self.toolchain, self.sandbox = prover, settings, toolchain, sandbox
        self.settle = settle
        self.modules = imported_modules(prover)
        self.kernel: KernelProcess | None = None
        self.kernel_modules: list[str] = []

    async def check(self, group: Group) -> None:
        """Settle the verdict of each claim of a group."""
        page = sheet(group[0].claim.header, self.modules, [place.claim.stated for place in group])
        compiled = await self._compile(page, len(group))
        if compiled.module:
            await self._check_header(group, compiled.module)
        elif len(group) == 1:
            self._refuse(group[0], compiled, "statement")
        else:
            await self._divide(group, compiled, page, self.check)

    async def _check_header(self, group: Group, module: bytes) -> None:
        limit = self.settings.timeout * len(group)

        async def compare(names: Sequence[str], other: bytes) -> list[bool]:
            kernel = await self._kernel(group[0].claim.header)
            return await kernel.compare(names, module, other, limit)

        try:
            found = await meanings([place.claim for place in group], self.modules, self._compile, compare)
        except (KernelDied, TimeoutError) as error:
            await self._end_kernel()
            for place in group:
                self.settle(place.index, Verdict(False, f"crash: comparing statements: {error}", place.claim.proved))
            return
        for place in group:
            if place.name in found.changed:
                reason = "statement: the header's declarations change what the statement means"
                self.settle(place.index, Verdict(False, reason, place.claim.proved))
        rest = [place for place in group if place.name not in found.changed]
        if rest:
            await self._check_proofs(rest, _Statements(module, found))

    async def _check_proofs(self, group: Group, statements: _Statements) -> None:
        page = sheet(group[0].claim.header, self.modules, [place.claim.proved for place in group])
        compiled = await self._compile(page, len(group))
        if compiled.module:
            await self._judge(group, statements, compiled.module)
        elif len(group) == 1:
            self._refuse(group[0], compiled, "error")
        else:
            await self._divide(group, compiled, page, lambda part: self._check_proofs(part, statements))

    async def _divide(
        self, group: Group, compiled: Compiled, page: Sheet, check: Callable[[Group], Awaitable[None]]
    ) -> None:
        """Check apart what failed: by the places of errors where they are told, else by halves."""
        wrong = {
            place.index
            for error in compiled.errors
            for place, (first, last) in zip(group, page.lines, strict=True)
            if first <= error.line <= last
        }
        parts = [[place] for place in group if place.index in wrong]
        rest = [place for place in group if place.index not in wrong]
        if not parts:
            half = len(group) // 2
            parts, rest = [group[:half]], group[half:]
        for part in [rest, *parts] if rest else parts:
            await check(part)

    async def _compile(self, page: Sheet, proofs: int) -> Compiled:
        limit = self.settings.timeout * proofs + self.prover.ready_timeout
        return await compile_text(self.toolchain, self.sandbox, page.text, limit, self.settings.options)

    async def _judge(self, group: Group, statements: _Statements, proved: bytes) -> None:
        names = [place.name for place in group]
        kernel = await self._kernel(group[0].claim.header)
        try:
            found = await kernel.judge(names, statements.module, proved, self.settings.timeout * len(group))
        except (KernelDied, TimeoutError) as error:
            await self._end_kernel()
            kind = "timeout" if isinstance(error, TimeoutError) else "crash"
            found = [(f"{kind}: the kernel's process: {error}", [])] * len(group)
        for place, (reason, axioms) in zip(group, found, strict=True):
            if not reason:
                level = "kernel" if place.name in statements.meanings.plain else "kernel-header"
                self.settle(place.index, Verdict(True, "", place.claim.proved, axioms, level))
            elif len(group) == 1:
                self.settle(place.index, Verdict(False, reason, place.claim.proved, axioms))
            else:
                await self._check_proofs([place], statements)

    async def _kernel(self, header: str) -> KernelProcess:
        """Return a kernel process that has imported what a header asks for."""
        modules = ["Init", *modules_of(header, self.modules)]
        if self.kernel is not None and (modules != self.kernel_modules or self.kernel.judged >= KERNEL_JOBS):
            await self._end_kernel()
        if self.kernel is None:
            self.kernel = await KernelProcess.start(
                self.toolchain, self.sandbox, modules, self.settings.axioms, self.prover.ready_timeout
            )
            self.kernel_modules = modules
        return self.kernel

    async def _end_kernel(self) -> None:
        if self.kernel is not None:
            await self.kernel.close()
            self.kernel = None

    def _refuse(self, place: _Place, compiled: Compiled, kind: str) -> None:
        # With another Lean than the search's, a text that does not compile may be right for the other one.
        kind = "unported" if self.settings.toolchain else kind
        reason = compiled.problem or f"{kind}: {compiled.errors[0].text}"
        self.settle(place.index, Verdict(False, reason, place.claim.proved))


async def verify_proofs(
    items: Sequence[Item], prover: ProverSettings, settings: VerifySettings, on_verdict: OnVerdict | None = None
) -> list[Verdict]:
    """Re-check proofs given as tactics; return their verdicts in the order of ``items``.

    At most ``prover.workers`` groups, and no more than the machine has cores, are compiled at once.
    ``on_verdict(index, verdict)`` is called as each proof is done. Raises UserError when there is no
    Lean for it, or its kernel cannot be called.
    """
    refusals = [refused_text(tactics, settings.max_chars) for _, tactics in items]
    return await verify_claims([claim_of(item) for item in items], refusals, prover, settings, on_verdict)


async def verify_claims(
    claims: Sequence[Claim],
    refusals: Sequence[str | None],
    prover: ProverSettings,
    settings: VerifySettings,
    on_verdict: OnVerdict | None = None,
) -> list[Verdict]:
    """Re-check claims but those whose text is refused; otherwise as ``verify_proofs``."""
    verdicts: list[Verdict | None] = [None] * len(claims)

    def settle(index: int, verdict: Verdict) -> None:
        verdicts[index] = verdict
        if on_verdict is not None:
            on_verdict(index, verdict)

    places: Group = []
    for index, (claim, refusal) in enumerate(zip(claims, refusals, strict=True)):
        refusal = refusal or _refused_frame(claim)
        if refusal is None:
            places.append(_Place(index, claim))
        else:
            settle(index, Verdict(False, refusal, claim.proved))
    if places:
        await _check_all(grouped(places, settings.proofs_per_process), prover, settings, settle)
    return [verdict for verdict in verdicts if verdict is not None]


def _refused_frame(claim: Claim) -> str | None:
    """Return why no proof of a claim can be checked, by the text of its statement and header, or None."""
    try:
        reason = refused_header(header_commands(claim.header))
    except LexicalError as error:
        reason = f"header: {error}"
    reason = reason or banned_construct(claim.signature)
    return None if reason is None else f"statement: {reason}"


async def _check_all(groups: list[Group], prover: ProverSettings, settings: VerifySettings, settle: OnVerdict) -> None:
    toolchain, sandbox = find_toolchain(prover, settings.toolchain), choose_sandbox(prover)
    queue = iter(groups)

    async def serve() -> None:
        checker = _Checker(prover, settings, toolchain, sandbox, settle)
        try:
            for group in queue:
                await checker.check(group)
        except KernelMissing as error:
            raise UserError(f"verify: no kernel check with Lean {toolchain.version}: {error}") from error
        finally:
            await checker._end_kernel()

    tasks = [asyncio.create_task(serve()) for _ in range(max(1, min(prover.workers, os.cpu_count() or 1, len(groups))))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
