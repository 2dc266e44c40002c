"""What a statement means without the declarations of its header.

A header may bring notation, instances, variables or definitions that make a statement mean
something else than it says. So where it has any, the statement is compiled again without all of them,
and without each one of them. Where it still compiles, it must be the same term. A statement that
needs them to be read at all is taken as the header means it, and the verdict says so.

Lean may bind a name that it does not know. So these files are compiled with `autoImplicit` off; a
statement that needs it with its whole header too is compared with it on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from burnqed.prover.claims import Claim, Sheet, header_commands, sheet
from burnqed.prover.compiling import Compiled

MAX_SINGLE = 16  # commands that are left out one by one; of more, only all at once
Compile = Callable[[Sheet, int], Awaitable[Compiled]]
Compare = Callable[[Sequence[str], bytes], Awaitable[list[bool]]]


@dataclass
class Meanings:
    """Of a group of claims: whose statement the header changes, whose can be read without its declarations."""

    changed: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)


@dataclass
class _Reader:
    """Compiles claims that share a header without some of its commands."""

    modules: Sequence[str]
    compile: Compile
    compare: Compare

    async def module(self, claims: Sequence[Claim], left_out: Sequence[int], strict: bool) -> tuple[list[str], bytes]:
        """Return the names of the claims whose statements compile, and the module with these.

        Commands that fail without the ones left out are left out too.
        """
        left, rest = set(left_out), list(claims)
        while rest:
            texts = [claim.stated for claim in rest]
            page = sheet(rest[0].header, self.modules, texts, sorted(left), strict)
            compiled = await self.compile(page, len(rest))
            if compiled.module:
                return [claim.name for claim in rest], compiled.module
            lines = {error.line for error in compiled.errors}
            failing = {place for place, span in enumerate(page.commands) if _hit(span, lines)} - left
            right = [claim for claim, span in zip(rest, page.lines, strict=True) if not _hit(span, lines)]
            if failing:
                left |= failing
            elif len(right) < len(rest):
                rest = right
            else:
                break
        return [], b""

    async def same(self, claims: Sequence[Claim], left_out: Sequence[int], strict: bool) -> dict[str, bool]:
        """Return for each claim whose statement still compiles whether it means the same."""
        names, module = await self.module(claims, left_out, strict)
        return dict(zip(names, await self.compare(names, module), strict=True)) if names else {}


def _hit(span: tuple[int, int], lines: set[int]) -> bool:
    return any(span[0] <= line <= span[1] for line in lines)


async def meanings(claims: Sequence[Claim], modules: Sequence[str], compile_: Compile, compare: Compare) -> Meanings:
    """Return what the statements of claims with one header mean without its declarations."""
    found, names = Meanings(), {claim.name for claim in claims}
    commands = header_commands(claims[0].header)
    telling = [place for place, command in enumerate(commands) if not command.neutral]
    if not telling:
        found.plain = names
        return found
    reader = _Reader(modules, compile_, compare)
    bound: set[str] | None = None  # names of statements that compile with the whole header and autoImplicit off
    for left_out in [telling, *([[place] for place in telling] if 1 < len(telling) <= MAX_SINGLE else [])]:
        same = await reader.same(claims, left_out, strict=True)
        if len(same) < len(names):
            if bound is None:
                bound = set((await reader.module(claims, [], strict=True))[0])
            loose = [claim for claim in claims if claim.name not in bound and claim.name not in same]
            same |= await reader.same(loose, left_out, strict=False) if loose else {}
        found.changed |= {name for name, equal in same.items() if not equal}
        if left_out is telling:
            found.plain = {name for name, equal in same.items() if equal}
    return found
