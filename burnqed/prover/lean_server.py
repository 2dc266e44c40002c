"""A ``lean --worker`` process: Lean's language server for one document, without the watchdog around it.

Facts about the server: ``Lean/Server/FileWorker.lean`` and ``Lean/Data/Lsp`` of leanprover/lean4.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

from burnqed.prover.answers import MAX_BYTES, parse_answer
from burnqed.prover.lean_diagnostics import Diagnostic, UnknownShape, parse_diagnostics
from burnqed.prover.process import Pipes, Process, WorkerCrash

DOCUMENT = "untitled:proof"  # a document without a file: the server asks no lake about it
MAX_HEAD = 1000  # bytes before a message's body
MAX_UNASKED = 100_000  # messages without a request between them

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DIAGNOSTICS = b'"method":"textDocument/publishDiagnostics"'
_METHOD = b'"method":"'


def frame_message(message: dict[str, object]) -> bytes:
    """Return a message as it goes over the pipe; what UTF-8 cannot hold is replaced."""
    body = _encode(message).encode("utf-8", errors="replace")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class _Messages(Pipes):
    """Splits stdout into messages; keeps the newest diagnostics, answers the server's own requests."""

    def __init__(self) -> None:
        super().__init__()
        self.diagnostics = b""
        self.wanted = -1  # the id of the request in flight
        self.unasked = 0
        self.answers = bytearray()  # to the server's requests, sent with our next message
        self.need = -1  # bytes of the message that is coming in; -1: its head is

    def received(self, data: bytes) -> None:
        buffer = self.buffer
        buffer += data
        at = 0
        while self.failure is None:
            if self.need < 0:
                end = buffer.find(b"\r\n\r\n", at)
                if end < 0 or end - at > MAX_HEAD:
                    if len(buffer) - at > MAX_HEAD or not b"Content-Length:".startswith(bytes(buffer[at : at + 15])):
                        self.fail(f"not a message: {bytes(buffer[at : at + 200])!r}")
                    break
                self.need = self._length(bytes(buffer[at:end]))
                at = end + 4
            if len(buffer) - at < self.need:
                break
            self._take(buffer, at, at + self.need)
            at += self.need
            self.need = -1
        if at:
            del buffer[:at]

    def _length(self, head: bytes) -> int:
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if (
                name.lower() == b"content-length"
                and value.strip().isdigit()
                and len(value) < 20
                and int(value) <= MAX_BYTES
            ):
                return int(value)
        self.fail(f"not a message: {head[:200]!r}")
        return 0

    def _take(self, buffer: bytearray, start: int, end: int) -> None:
        if self.failure is not None:
            return
        self.unasked += 1
        if self.unasked > MAX_UNASKED:
            self.fail("messages without end")
        head = bytes(buffer[start : min(start + 80, end)])
        if _METHOD not in head or head.startswith(b'{"id"'):
            self._read(bytes(buffer[start:end]))
        elif _DIAGNOSTICS in head:
            self.diagnostics = bytes(buffer[start:end])

    def _read(self, body: bytes) -> None:
        try:
            message = parse_answer(body)
        except ValueError as error:
            self.fail(f"not a JSON message ({error}): {body[:200]!r}")
            return
        key, method = message.get("id"), message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.diagnostics = body
        elif method is not None and key is not None:
            self.answers += frame_message({"jsonrpc": "2.0", "id": key, "result": None})
        elif method is None and key == self.wanted and self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(message)


class LeanServer(Process):
    """One worker of Lean's language server and the lines of the document it holds."""

    pipes_type = _Messages
    answers_in_turn = False
    _pipes: _Messages

    lines: list[str]
    version = 0
    unsent = b""  # an edit goes out with the question that follows it

    def open(self, text: str) -> None:
        """Hand over the first text of the document; it ends in a line break."""
        capabilities = {
            "textDocument": {"publishDiagnostics": {"versionSupport": True}},
            "lean": {"silentDiagnosticSupport": True},
        }
        initialize = {"processId": None, "rootUri": None, "capabilities": capabilities, "initializationOptions": {}}
        document = {"uri": DOCUMENT, "languageId": "lean4", "version": 1, "text": text}
        self.lines, self.version = text.split("\n")[:-1], 1
        self.unsent = frame_message({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize})
        self.unsent += frame_message(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didOpen",
                "params": {"textDocument": document, "dependencyBuildMode": "never"},
            }
        )

    def edit(self, lines: Sequence[str]) -> None:
        """Make the document these lines, by one change from the first line that differs."""
        old = self.lines
        at = next((i for i, (a, b) in enumerate(zip(old, lines, strict=False)) if a != b), min(len(old), len(lines)))
        self.version += 1
        change = {
            "range": {"start": {"line": at, "character": 0}, "end": {"line": len(old), "character": 0}},
            "text": "".join(f"{line}\n" for line in islice(lines, at, None)),
        }
        document = {"uri": DOCUMENT, "version": self.version}
        self.unsent += frame_message(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didChange",
                "params": {"textDocument": document, "contentChanges": [change]},
            }
        )
        self.lines = list(lines)

    async def diagnostics(self, timeout: float) -> list[Diagnostic]:
        """Return all diagnostics of the document as it now is.

        Raises WorkerTimeout (the process lives on, at work on this document) or WorkerCrash.
        """
        pipes = self._pipes
        if pipes.failure is not None:
            raise WorkerCrash(pipes.failure)
        self.requests += 1
        pipes.unasked, pipes.diagnostics = 0, b""
        pipes.wanted = self.requests
        question = {
            "jsonrpc": "2.0",
            "id": self.requests,
            "method": "textDocument/waitForDiagnostics",
            "params": {"uri": DOCUMENT, "version": self.version},
        }
        self._stdin.write(bytes(pipes.answers) + self.unsent + frame_message(question))
        pipes.answers.clear()
        self.unsent = b""
        answer = await self._wait(pipes.loop.create_future(), timeout)
        if "error" in answer:
            raise WorkerCrash(f"the server answered {str(answer['error'])[:200]}")
        try:
            return parse_diagnostics(pipes.diagnostics, self.version)
        except UnknownShape as error:
            raise WorkerCrash(str(error)) from error
