"""Several completions servers of one model as one: each request goes to the least busy, and to another one when it fails."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from burnqed.files import UserError

logger = logging.getLogger(__name__)
T = TypeVar("T")


class Unreachable(UserError):
    """A server did not answer, however often it was asked."""


class Client(Protocol):
    """A client of one server."""

    url: str

    async def close(self) -> None: ...


C = TypeVar("C", bound=Client)


class Servers(Generic[C]):
    """The clients of some servers that answer alike."""

    def __init__(self, clients: Sequence[C]) -> None:
        if not clients:
            raise ValueError("no server")
        self._clients = list(clients)
        self._busy = [0] * len(self._clients)
        self._lost: set[int] = set()

    async def ask(self, request: Callable[[C], Awaitable[T]]) -> T:
        """Return the answer of the least busy server; one that does not answer is not asked again.

        Raises Unreachable when none is left.
        """
        while True:
            number = min(
                (i for i in range(len(self._clients)) if i not in self._lost), key=lambda i: (self._busy[i], i)
            )
            self._busy[number] += 1
            try:
                return await request(self._clients[number])
            except Unreachable as error:
                self._lost.add(number)
                if len(self._lost) == len(self._clients):
                    raise
                logger.warning("%s; going on with %d other servers", error, len(self._clients) - len(self._lost))
            finally:
                self._busy[number] -= 1

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            await client.close()
