"""A completions server on loopback that answers in vLLM's shape, from a fixed rule.

Run as: python policy_fake_server.py --uds SOCKET ... (other options of vLLM are accepted and ignored),
or used in a thread through ``serve``. Prompts are echoed as ``tactic_<sum of ids>_<choice>``, unless
``answers`` of the handler say what the choices are: tokens, log-probabilities, reason of the end.
"""

from __future__ import annotations

import json
import os
import socketserver
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bodies: ClassVar[list[dict[str, Any]]] = []
    failures: ClassVar[list[int]] = []  # statuses to answer before the first proper answer
    shape = "vllm"
    raw: bytes | None = None  # an answer as it goes over the wire
    answers: ClassVar[list[tuple[list[str], list[float], str]]] = []
    models: ClassVar[list[str]] = ["served"]
    strict = False  # whether requests for other models are refused
    rank = 0  # of adapters it takes
    weights = ""  # the folder they were read from
    offset = 0  # of the answer's first token: some servers count from the start of the prompt

    def log_message(self, *_: Any) -> None:
        pass

    def _send(self, status: int, value: Any) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _load(self, body: dict[str, Any]) -> None:
        """Take an adapter as vLLM does: under a new name, from a folder in PEFT's format, of the rank it was started for."""
        name, folder = body["lora_name"], Path(body["lora_path"])
        config = json.loads((folder / "adapter_config.json").read_text())
        if name in self.models:
            self._send(400, {"error": {"message": f"The lora adapter '{name}' has already been loaded."}})
        elif config["r"] > self.rank:
            self._send(
                400, {"error": {"message": f"LoRA rank {config['r']} is greater than max_lora_rank {self.rank}."}}
            )
        else:
            self.models.append(name)
            self._send(200, {"ok": f"Success: LoRA adapter '{name}' added successfully."})

    def _reload(self, body: dict[str, Any]) -> None:
        """Read other weights as vLLM does."""
        folder = Path(body["kwargs"]["weights_path"])
        if body["method"] != "reload_weights" or (folder / "damaged").exists():
            self._send(500, {"error": {"message": "as it broke"}})
            return
        type(self).weights = str(folder)
        self._send(200, {"results": [None]})

    def do_GET(self) -> None:
        if self.path == "/health":
            self._send(200, {"weights": self.weights})
        elif self.path == "/v1/models":
            self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        else:
            self._send(404, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"null")
        if self.failures:
            status = self.failures.pop(0)
            if status == 0:
                self.close_connection = True
                return
            self._send(status, {"error": {"message": "as asked", "code": status}})
            return
        if self.path == "/v1/load_lora_adapter":
            self._load(body)
            return
        if self.path == "/collective_rpc" and os.environ.get("VLLM_SERVER_DEV_MODE") == "1":
            self._reload(body)
            return
        if self.path == "/reset_prefix_cache":
            self._send(200, {"success": True})
            return
        if self.strict and body["model"] not in self.models:
            self._send(404, {"error": {"message": f"The model `{body['model']}` does not exist."}})
            return
        self.bodies.append(body)
        if self.raw is not None:
            self._send(200, self.raw)
            return
        choices = []
        for at, prompt in enumerate(body["prompt"]):
            for j in range(body["n"]):
                tokens, logprobs, reason = ["a", "b"], [-0.5 * (1 + j), -0.25], "length" if j == 3 else "stop"
                text = f"tactic_{sum(prompt)}_{j // 2}"
                if self.answers:
                    tokens, logprobs, reason = self.answers[j]
                    text = "".join(tokens)
                places = [self.offset + len("".join(tokens[:i])) for i in range(len(tokens))]
                told = {"token_logprobs": logprobs, "tokens": tokens, "top_logprobs": [], "text_offset": places}
                choices.append(
                    {
                        "index": at * body["n"] + j,
                        "text": text,
                        "finish_reason": reason,
                        "stop_reason": None,
                        "logprobs": told if self.shape == "vllm" else None,
                    }
                )
        self._send(
            200,
            {
                "id": "cmpl-1",
                "object": "text_completion",
                "model": body["model"],
                "choices": choices[::-1],
                "usage": {},
            },
        )


class UnixServer(socketserver.ThreadingUnixStreamServer):
    """The server at a socket file."""

    daemon_threads = True
    request_queue_size = 64


def serve() -> tuple[ThreadingHTTPServer, type[Handler]]:
    """Start a server in a thread; return it and its handler class with state of its own."""
    handler = type(
        "OwnHandler", (Handler,), {"bodies": [], "failures": [], "shape": "vllm", "answers": [], "offset": 0}
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    # shutdown() waits for the next poll, which is half a second by default
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server, handler


if __name__ == "__main__":
    if "--die" in sys.argv or any("broken" in word for word in sys.argv):
        sys.exit("ValueError: this model cannot be served")
    words = dict(zip(sys.argv, [*sys.argv[1:], ""], strict=True))
    Handler.models, Handler.strict = [words["--served-model-name"]], True
    Handler.weights = words["--model"]
    if "--enable-lora" in words and os.environ.get("VLLM_ALLOW_RUNTIME_LORA_UPDATING") == "True":
        Handler.rank = int(words["--max-lora-rank"])
    UnixServer(words["--uds"], Handler).serve_forever()
