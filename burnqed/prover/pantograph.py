"""The prover kind ``pantograph``: proof states live in the process, under numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from burnqed.config import ProverSettings
from burnqed.prover import protocol
from burnqed.prover.client import ReplClient
from burnqed.prover.process import WorkerCrash
from burnqed.prover.protocol import Answer
from burnqed.prover.sandbox import Sandbox
from burnqed.prover.starting import Header, set_scope, start_theorem
from burnqed.prover.steps import Node, Outcome, Proof, StatementError, Step

DELETE_BATCH = 64  # states per goal.delete


class PantographLife:
    """One process of Pantograph's ``repl`` and the states it holds."""

    def __init__(self, client: ReplClient, wall_limit: float) -> None:
        self.client, self.limit = client, wall_limit
        self.header: Header | None = Header()  # whose scope the process has; None: unknown
        self.garbage: list[int] = []
        self.newest = -1  # the highest state id so far

    @classmethod
    async def start(cls, settings: ProverSettings, sandbox: Sandbox, environment: Mapping[str, str]) -> PantographLife:
        """Start a process; raises StartError."""
        client = await ReplClient.start(settings, extra_environment=environment, sandbox=sandbox)
        return cls(client, settings.tactic_timeout * 1.5 + 1)  # for work that ignores interruption

    @property
    def pid(self) -> int:
        return self.client.pid

    @property
    def dead(self) -> bool:
        return self.client.dead

    @property
    def requests(self) -> int:
        return self.client.requests

    async def open(self, proof: Proof) -> tuple[str, int]:
        goals = await self._start_root(proof)
        return protocol.render_goals(goals), len(goals)

    async def _start_root(self, proof: Proof) -> list[dict[str, object]]:
        await self._enter_scope(proof)
        state, goals = await start_theorem(self.client, proof.theorem, self.limit)
        self._hold(proof.root, state)
        return goals

    async def _enter_scope(self, proof: Proof) -> None:
        header = Header.of(proof.theorem)
        if self.header != header:
            self.header = None
            await set_scope(self.client, header, self.limit)
            self.header = header

    def _hold(self, node: Node, state: int) -> None:
        node.place, node.life = state, self

    def _holds(self, node: Node) -> bool:
        return node.life is self and node.place >= 0

    async def _locate(self, proof: Proof, node: Node) -> int:
        """Return a state's id, replaying its path where this process does not know it.

        Raises WorkerCrash when a step does not repeat (the process itself may be as good as before).
        """
        path: list[Node] = []
        current = node
        while not self._holds(current):
            path.append(current)
            if current.parent is None:
                break
            current = current.parent
        for missing in reversed(path):
            if missing.parent is None:
                try:
                    await self._start_root(proof)
                except StatementError as error:
                    raise WorkerCrash(f"the theorem started once but not again: {error}") from error
                continue
            await self._enter_scope(proof)
            answer = await self._tactic(missing.parent.place, missing.tactic)
            if answer.outcome not in (Outcome.OK, Outcome.PROVED) or answer.state is None:
                raise WorkerCrash(f"replay of {missing.tactic!r} gave {answer.outcome}: {answer.message[:200]}")
            self._hold(missing, answer.state)
        for passed in path:
            if not passed.alive:
                self.forget(passed)
        return node.place

    async def _tactic(self, state: int, tactic: str) -> Answer:
        payload = {"stateId": state, "tactic": tactic}
        return protocol.classify(await self.client.request("goal.tactic", payload, self.limit))

    async def apply(self, proof: Proof, node: Node, tactic: str) -> Step:
        await self._collect()
        try:
            state = node.place if self._holds(node) else await self._locate(proof, node)
            await self._enter_scope(proof)
        except StatementError as error:
            raise WorkerCrash(str(error)) from error
        started = time.perf_counter()
        answer = await self._tactic(state, tactic)
        elapsed = (time.perf_counter() - started) * 1000
        if answer.outcome is Outcome.PROVED and answer.state is not None:
            answer = await self._confirm(answer)
        if answer.outcome is Outcome.CRASH or (answer.state is not None and answer.state <= self.newest):
            await self.client.kill()
            raise WorkerCrash(answer.message or f"state {answer.state} is older than this request")
        if answer.state is not None:
            self.newest = answer.state
        text = protocol.render_goals(answer.goals)
        place = -1 if answer.state is None else answer.state
        return Step(answer.outcome, text, len(answer.goals), answer.message, elapsed, place)

    async def together(self, proof: Proof, node: Node, tactics: Sequence[str]) -> list[Step | None]:
        return [None] * len(tactics)  # a request is one tactic

    async def _confirm(self, answer: Answer) -> Answer:
        """Look at the whole proof once more: a step reports only the sorry that it used itself.

        It also shows a process that gives more answers than it was asked for.
        """
        whole = await self.client.request("goal.print", {"stateId": answer.state, "rootExpr": True}, self.limit)
        flags = [whole.get(name) for name in ("rootHasSorry", "rootHasUnsafe", "rootHasMVar")]
        if flags == [False, False, False]:
            return answer
        if "error" in whole or None in flags:
            await self.client.kill()
            raise WorkerCrash(f"a finished proof that cannot be shown: {str(whole)[:200]}")
        return Answer(Outcome.ERROR, answer.state, (), "the finished proof rests on sorry, unsafe code or a hole")

    async def _collect(self) -> None:
        if len(self.garbage) >= DELETE_BATCH:
            states, self.garbage = self.garbage, []
            await self.client.request("goal.delete", {"stateIds": states}, self.limit)

    def adopt(self, node: Node, step: Step) -> None:
        self._hold(node, step.place)

    def release(self, step: Step) -> None:
        if step.place >= 0:
            self.garbage.append(step.place)

    def forget(self, node: Node) -> None:
        if self._holds(node):
            self.garbage.append(node.place)
        node.place, node.life = -1, None

    def kill_group(self) -> None:
        self.client.kill_group()

    async def kill(self) -> None:
        await self.client.kill()
