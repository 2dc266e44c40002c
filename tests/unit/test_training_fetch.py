"""The base model from a small hub on this machine: pinned revision, no network, a name that is not there."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {
    "config.json": b'{"model_type": "llama"}',
    "tokenizer.json": b'{"version": "1.0"}',
    "tokenizer_config.json": b"{}",
    "model.safetensors": (2).to_bytes(8, "little") + b"{}",
    "README.md": b"not fetched",
}


class Hub(BaseHTTPRequestHandler):
    """Serves one repository of a model at one commit, and its tag v1, as the Hub does."""

    def answer(self, with_body: bool) -> None:
        body, error = b"", "RepoNotFound"
        parts = self.path.partition("?")[0].split("/")
        own = self.path.startswith(("/owner/model/", "/api/models/owner/model/"))
        if own and parts[-1] in (COMMIT, "v1"):
            listed = [{"type": "file", "path": name, "size": len(FILES[name]), "oid": "0" * 40} for name in FILES]
            siblings = [{"rfilename": name} for name in FILES]
            info = {"id": "owner/model", "sha": COMMIT, "siblings": siblings}
            body = json.dumps(listed if "tree" in parts else info).encode()
        elif own and parts[-2] == COMMIT and parts[-1] in FILES:
            body = FILES[parts[-1]]
        elif own:
            error = "RevisionNotFound"
        self.send_response(200 if body else 404)
        if body:
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        else:
            self.send_header("X-Error-Code", error)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.answer(False)

    def do_GET(self) -> None:
        self.answer(True)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


# In a process of its own: the client reads its environment when it is imported.
SCRIPT = """
import sys, time
time.sleep = lambda seconds: None  # the client waits between its retries
from pathlib import Path
from burnqed.files import UserError
from burnqed.training.fetch import fetch_model
for number in range(2, len(sys.argv), 2):
    try:
        print("ok", fetch_model(sys.argv[number], sys.argv[number + 1], Path(sys.argv[1]) / str(number)))
    except UserError as error:
        print("error", " ".join(str(error).split()))
"""


def fetch(folder: Path, endpoint: str, *pairs: str, offline: str = "0") -> list[str]:
    """Fetch (repository, revision) pairs in a new process; one line of answer each."""
    environment = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": offline}
    for name in ("HF_HUB_CACHE", "HF_TOKEN", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), *pairs],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_base_model_is_fetched_at_its_revision(hub: str, tmp_path: Path) -> None:
    pinned, tag, missing, unknown = fetch(
        tmp_path, hub, "owner/model", COMMIT, "owner/model", "v1", "owner/none", COMMIT, "owner/model", "e" * 40
    )
    assert pinned == tag and pinned.startswith("ok ") and pinned.endswith(f"/snapshots/{COMMIT}")
    held = {path.name: path.read_bytes() for path in (tmp_path / "2").iterdir()}
    assert held == {name: body for name, body in FILES.items() if name != "README.md"}
    assert "model.repository: 'owner/none'" in missing and "RepositoryNotFoundError" in missing
    assert f"at revision '{'e' * 40}'" in unknown and "RevisionNotFoundError" in unknown
    # What is in the cache needs no network; what is not is reported in one line.
    here, absent = fetch(tmp_path, "http://127.0.0.1:9", "owner/model", COMMIT, "owner/none", COMMIT, offline="1")
    assert here == pinned
    assert "cannot be fetched" in absent and "check the name and the network, or set it to a local model" in absent
