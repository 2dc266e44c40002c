"""The prover kinds. A kind is one object: how to find it, start it, and what its files import."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from burnqed.config import ProverSettings
from burnqed.prover import commands
from burnqed.prover.client import check_version
from burnqed.prover.commands import Command
from burnqed.prover.lean import LeanLife, lean_command
from burnqed.prover.lean_document import header_of
from burnqed.prover.pantograph import PantographLife
from burnqed.prover.sandbox import Sandbox
from burnqed.prover.steps import Life
from burnqed.prover.toolchain import find_lean
from burnqed.records.theorems import Theorem


class ProverKind(ABC):
    """One way to have tactics tried."""

    name: str
    fits: str  # what it needs, for a reader who has to choose
    stock = False  # any Lean will do and nothing is to be built: what is advised where another kind does not work
    invocations = False  # it tells the states between the tactics of a whole file, of which pairs are made
    pinned = False  # each worker on a core of its own, where there are as many
    warm = True  # start all workers at once: importing takes long, and all import the same

    @abstractmethod
    def command(self, settings: ProverSettings) -> Command:
        """Return how a worker is started. Raises UserError with the remedy when that cannot be."""

    @abstractmethod
    async def start(
        self, settings: ProverSettings, sandbox: Sandbox, environment: Mapping[str, str], imports: Sequence[str]
    ) -> Life:
        """Start a worker for theorems with these import lines; raises StartError."""

    @abstractmethod
    async def describe(self, settings: ProverSettings) -> str:
        """Return name and version of what answers, for a reader. Raises UserError."""

    def imports(self, settings: ProverSettings, theorem: Theorem | None = None) -> tuple[str, ...]:
        """Return the import lines a worker for this theorem needs; workers of other lines do not fit it."""
        return ()


class Pantograph(ProverKind):
    """Pantograph's ``repl``, built with the project's Lean version."""

    name = "pantograph"
    fits = "kind pantograph needs its `repl`, built with exactly the project's Lean; it is the fast one with Mathlib"
    invocations = True

    def command(self, settings: ProverSettings) -> Command:
        return commands.prover_command(settings)

    async def start(
        self, settings: ProverSettings, sandbox: Sandbox, environment: Mapping[str, str], imports: Sequence[str]
    ) -> Life:
        return await PantographLife.start(settings, sandbox, environment)

    async def describe(self, settings: ProverSettings) -> str:
        argv, environment, folder = self.command(settings)
        version = await check_version(commands.version_command(argv), environment, folder)
        return f"{' '.join(argv)}, protocol version {'.'.join(map(str, version))}"


class Lean(ProverKind):
    """A stock toolchain through its own language server."""

    name = "lean"
    fits = "kind lean needs any Lean 4.20 or newer (elan's, a project's, or the embedded one) and nothing to build"
    stock = True
    pinned = True
    warm = False  # each worker imports what its first theorem needs

    def command(self, settings: ProverSettings) -> Command:
        return lean_command(settings)

    async def start(
        self, settings: ProverSettings, sandbox: Sandbox, environment: Mapping[str, str], imports: Sequence[str]
    ) -> Life:
        return await LeanLife.start(settings, sandbox, environment, imports)

    async def describe(self, settings: ProverSettings) -> str:
        lean = find_lean(settings)
        return f"Lean {lean.version}, its own language server ({' '.join(lean.lean)})"

    def imports(self, settings: ProverSettings, theorem: Theorem | None = None) -> tuple[str, ...]:
        return header_of(theorem or Theorem("", "True"), settings.imports)[0]


KINDS: dict[str, ProverKind] = {kind.name: kind for kind in (Pantograph(), Lean())}
