"""How a completions server is reached: at its URL, or at a socket file that only its user can open (`unix:PATH`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Client

UNIX = "unix:"
KEY = "BURNQED_SERVER_KEY"
KEEP_ALIVE_SECONDS = 3.0  # shorter than vLLM's own 5 s, so that it never closes a connection we reuse
CONNECT_SECONDS = 10.0


def _place(url: str) -> tuple[str, str | None]:
    """Return the base of requests and the socket file, None for a URL."""
    if url.startswith(UNIX):
        return "http://localhost", url.removeprefix(UNIX)
    return url.rstrip("/").removesuffix("/v1"), None


def _authorization() -> dict[str, str]:
    """Return the header that a server with a key asks for. The key is in the environment alone: settings are recorded."""
    key = os.environ.get(KEY, "")
    return {"Authorization": f"Bearer {key}"} if key else {}


def connect(url: str, seconds: float) -> Client:
    """Return a client of a server whose requests may take some seconds each."""
    import httpx2

    base, socket = _place(url)
    return httpx2.Client(
        base_url=base,
        timeout=httpx2.Timeout(seconds, connect=CONNECT_SECONDS),
        transport=httpx2.HTTPTransport(uds=socket, trust_env=False),
        headers=_authorization(),
        trust_env=False,
    )


def connect_many(url: str, seconds: float, connections: int) -> AsyncClient:
    """Return a client with a number of connections that are kept between requests."""
    import httpx2

    base, socket = _place(url)
    limits: Any = httpx2.Limits(
        max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=KEEP_ALIVE_SECONDS
    )
    return httpx2.AsyncClient(
        base_url=base,
        timeout=httpx2.Timeout(seconds, connect=CONNECT_SECONDS),
        transport=httpx2.AsyncHTTPTransport(uds=socket, limits=limits, trust_env=False),
        headers=_authorization(),
        trust_env=False,
    )
