"""Encode many proof states with a 7B model, killed in the middle and resumed: nothing may be lost or changed.

A child process writes the embeddings file as the workflow does and is killed (SIGKILL) twice, each time while it
works on a piece that is not saved yet. The finished file is then checked: every state once, in order; the last piece
encoded again by another process, never killed, bit by bit; a sample of states encoded alone. The folder keeps the
work, so a call that was ended goes on where it stopped.

Run as: python -m benchmarks.encode_kills
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.model_7b import arguments, device_name, model_folder, report, states
from burnqed.config import EncoderSettings
from burnqed.files import read_json, write_json
from burnqed.value.embeddings import Text, load_vectors, read_shas, write_embeddings
from burnqed.value.encoder import Encoder, text_sha

KILLS = 2
SAMPLE = 64


def make_texts(tokenizer: Any, count: int) -> list[Text]:
    """Return made-up states in the order of the embeddings file."""
    texts = [Text(text_sha(text), "state", text) for text in states(tokenizer, count, 3)]
    return sorted(texts, key=lambda text: text.sha)


def settings(options: argparse.Namespace) -> EncoderSettings:
    """Return the encoder settings of all processes."""
    dtype = "float32" if options.small else "bfloat16"
    return EncoderSettings(batch_tokens=32768, progress_every=options.every, dtype=dtype)


def work(options: argparse.Namespace) -> None:
    """Write the embeddings file: what the killed process does."""
    encoder = Encoder(options.model, settings(options), options.device, options.quantization)
    texts = make_texts(encoder._tokenizer, options.states)
    write_embeddings(options.folder / "embeddings.parquet", texts, encoder, {})


def pieces(folder: Path) -> int:
    """Return how many pieces are saved."""
    return len(list(folder.glob(".progress/embeddings.parquet/*/part-*.npy")))


def run_and_kill(options: argparse.Namespace, log: list[dict[str, Any]]) -> bool:
    """Start the child once; kill it while there are kills left. Return whether it finished."""
    number, before, start = len(log), pieces(options.folder), time.monotonic()
    own = ["--model", options.model, "--device", options.device, "--folder", options.folder]
    own += ["--states", options.states, "--every", options.every, "--quantization", options.quantization]
    command = [sys.executable, "-m", "benchmarks.encode_kills", "--work", *map(str, own)]
    child = subprocess.Popen([*command, *(["--small"] if options.small else [])])
    total = -(-options.states // options.every)
    kill_at = (number + 1) * total // (KILLS + 1) if number < KILLS else None
    while child.poll() is None:
        if kill_at is not None and pieces(options.folder) >= max(kill_at, before + 1):
            time.sleep(options.delay)
            child.send_signal(signal.SIGKILL)
            child.wait()
        time.sleep(0.02)
    done = (options.folder / "embeddings.parquet").exists()
    saved = total if done else pieces(options.folder)
    row = {"ended": "finished" if done else f"signal {-child.returncode}", "pieces_before": before}
    log.append({**row, "pieces_after": saved, "seconds": round(time.monotonic() - start, 1)})
    write_json(options.folder / "runs.json", log)
    print(log[-1], flush=True)
    if child.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"the child failed with {child.returncode}")
    return done


def check(options: argparse.Namespace) -> dict[str, Any]:
    """Compare the finished file with undisturbed encoding."""
    path = options.folder / "embeddings.parquet"
    encoder = Encoder(options.model, settings(options), options.device, options.quantization)
    texts = make_texts(encoder._tokenizer, options.states)
    shas = read_shas(path)
    last = texts[len(texts) - (len(texts) % options.every or options.every) :]
    stored = load_vectors(path, np.arange(len(texts) - len(last), len(texts)), "cpu").numpy()
    again = encoder.encode([text.text for text in last]).astype(np.float16)
    rows = np.linspace(0, len(texts) - 1, SAMPLE).astype(np.int64)
    found = load_vectors(path, rows, "cpu").float().numpy()
    alone = np.concatenate([encoder.encode([texts[row].text]) for row in rows])
    error = np.linalg.norm(found - alone, axis=1) / np.linalg.norm(alone, axis=1)
    return {
        "states_written": len(shas),
        "every_state_once_in_order": shas == [text.sha for text in texts],
        "last_piece": len(last),
        "last_piece_bitwise_equal": bool((stored.view(np.uint16) == again.view(np.uint16)).all()),
        "last_piece_largest_difference": float(np.abs(stored.astype(np.float32) - again.astype(np.float32)).max()),
        "alone": SAMPLE,
        "relative_difference_alone": {"mean": round(float(error.mean()), 5), "max": round(float(error.max()), 5)},
    }


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--states", type=int, default=112_254)
    parser.add_argument("--every", type=int, default=20_000, help="states between saves (default: the encoder's)")
    parser.add_argument("--delay", type=float, default=5.0, help="seconds of work that a kill throws away")
    parser.add_argument("--quantization", choices=["none", "nf4"], default="none")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/encode-kills"))
    parser.add_argument("--until", type=int, default=0, help="stop after this kill; another call goes on")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options)
        return
    began = time.monotonic()
    model_folder(options.model, options.small, options.device)
    print(f"model made or found after {time.monotonic() - began:.0f} s", flush=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    log = read_json(options.folder / "runs.json") if (options.folder / "runs.json").exists() else []
    while not (log and log[-1]["ended"] == "finished"):
        run_and_kill(options, log)
        if options.until and len(log) >= options.until:
            return
    found = check(options)
    seconds = sum(row["seconds"] for row in log)
    result = {
        "benchmark": "encode_kills",
        "device": device_name(options.device),
        "states": options.states,
        "quantization": options.quantization,
        "pieces_of": options.every,
        "kills": sum(row["ended"].startswith("signal") for row in log),
        "seconds_with_kills_and_restarts": round(seconds, 1),
        "states_per_second_with_kills_and_restarts": round(options.states / seconds, 1),
        "runs": log,
        **found,
    }
    report(result, options.output)
    if not (found["every_state_once_in_order"] and found["last_piece_bitwise_equal"]):
        sys.exit("the file is not what undisturbed encoding gives")


if __name__ == "__main__":
    main()
