"""What a prover process sent, read as JSON at a price that has a limit.

Python's parser holds the interpreter's lock to the end, in a thread too. So a text that would keep the event loop
waiting is refused before it is parsed: by its length, and by the number of values in it, which is what takes time.
"""

from __future__ import annotations

from typing import Any

from burnqed.files import parse_json

MAX_BYTES = 4 << 20  # of one answer; real ones have some kB
MAX_VALUES = 50_000  # what begins a value or parts two; those inside texts count too


def parse_answer(data: bytes) -> dict[str, Any]:
    """Return the JSON object that an answer is; raise ValueError for all else."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"an answer of {len(data)} bytes, more than {MAX_BYTES}")
    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > MAX_VALUES:
        raise ValueError(f"an answer of more than {MAX_VALUES} values")
    answer = parse_json(data.decode())
    if not isinstance(answer, dict):
        raise ValueError("not a JSON object")
    return answer
