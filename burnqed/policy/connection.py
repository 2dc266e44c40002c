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


def without_version(url: str) -> str:
    """Return a server's address without the `/v1` that many write at its end."""
    return url.rstrip("/").removesuffix("/v1")


def _authorization() -> dict[str, str]:
    """Return the header that a server with a key asks for. The key is in the environment alone: settings are recorded."""
    key = os.environ.get(KEY, "")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _options(url: str, seconds: float) -> dict[str, Any]:
    """Return what both clients are made with."""
    import httpx2

    return {
        "base_url": "http://localhost" if url.startswith(UNIX) else without_version(url),
        "timeout": httpx2.Timeout(seconds, connect=CONNECT_SECONDS),
        "headers": _authorization(),
        "trust_env": False,
    }


def _socket(url: str) -> str | None:
    return url.removeprefix(UNIX) if url.startswith(UNIX) else None


def connect(url: str, seconds: float) -> Client:
    """Return a client of a server whose requests may take some seconds each."""
    import httpx2

    transport = httpx2.HTTPTransport(uds=_socket(url), trust_env=False)
    return httpx2.Client(transport=transport, **_options(url, seconds))


def connect_many(url: str, seconds: float, connections: int) -> AsyncClient:
    """Return a client with a number of connections that are kept between requests."""
    import httpx2

    limits = httpx2.Limits(
        max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=KEEP_ALIVE_SECONDS
    )
    transport = httpx2.AsyncHTTPTransport(uds=_socket(url), limits=limits, trust_env=False)
    return httpx2.AsyncClient(transport=transport, **_options(url, seconds))
