"""Files of the Hub, from a small server on this machine: pinned commit, broken connection, checksum, no network."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CONTENT = b'{"name": "t", "statement": "1 = 1"}\n' * 700_000  # 25 MB: the client keeps what it got in pieces of 10 MB
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE = f"/datasets/owner/data/resolve/{COMMIT}/sets/test.jsonl"


class Hub(BaseHTTPRequestHandler):
    """Serves one file as the Hub does; the first download breaks off."""

    requests: ClassVar[list[tuple[str, str, str]]] = []  # method, path, range

    def answer(self, body: bytes | None) -> None:
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        self.requests.append((self.command, self.path, self.headers.get("Range") or ""))
        if self.path != FILE:
            self.send_response(404)
            self.send_header("X-Error-Code", "RevisionNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = int(found[1]) if found and body is not None else 0
        self.send_response(206 if start else 200)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{SHA256}"')
        self.send_header("Content-Length", str(len(CONTENT) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
        self.end_headers()
        if body is not None:
            first = sum(method == "GET" for method, _, _ in self.requests) == 1
            self.wfile.write(body[start : 2 * len(body) // 3] if first else body[start:])
            self.close_connection = True

    def do_HEAD(self) -> None:
        self.answer(None)

    def do_GET(self) -> None:
        self.answer(CONTENT)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


# Every source is resolved in a process of its own kind: the client reads its environment when it is imported.
SCRIPT = """
import sys, time
time.sleep = lambda seconds: None  # the client waits half a minute between its retries
from burnqed.files import UserError
from burnqed.config import SourceSettings
from burnqed.data.sources import resolve
for revision, sha256 in zip(sys.argv[1::2], sys.argv[2::2]):
    settings = SourceSettings(repository="owner/data", revision=revision, file="sets/test.jsonl", sha256=sha256)
    try:
        found = resolve("mine", {"mine": settings})
        print("ok", found.revision, found.path)
    except UserError as error:
        print("error", error)
"""


def run(cache: Path, endpoint: str, *pairs: str, offline: str = "0") -> list[str]:
    """Resolve (revision, expected SHA-256) pairs in a new process; one line of answer each."""
    environment = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(cache), "HF_HUB_OFFLINE": offline}
    for name in ("HF_HUB_CACHE", "HF_TOKEN", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *pairs], env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_pinned_file_is_fetched_once_whole_and_checked(hub: str, tmp_path: Path) -> None:
    first, again, wrong, unknown = run(tmp_path, hub, COMMIT, SHA256, COMMIT, "", COMMIT, "f" * 64, "e" * 40, "")
    status, revision, path = first.split()
    assert (status, revision) == ("ok", COMMIT)
    assert Path(path).read_bytes() == CONTENT
    gets = [(path, span) for method, path, span in Hub.requests if method == "GET" and path == FILE]
    assert [span for _, span in gets] == ["", "bytes=10485760-"]  # went on where it broke
    assert again == first
    assert "SHA-256" in wrong and SHA256 in wrong and "sources.*.sha256" in wrong
    assert "cannot be downloaded" in unknown and "or check the name" in unknown
    # Neither a server nor a network is needed for what is in the cache.
    here, missing = run(tmp_path, "http://127.0.0.1:9", COMMIT, SHA256, "e" * 40, "", offline="1")
    assert here == first
    assert "HF_HUB_OFFLINE is set: unset it" in missing and "elsewhere and give its local path" in missing


def test_without_a_network_the_message_says_so(tmp_path: Path) -> None:
    (answer,) = run(tmp_path, "http://127.0.0.1:9", COMMIT, "")
    assert answer.startswith("error mine: cannot be downloaded and is not in the cache")
    assert "connect this machine to the network" in answer
