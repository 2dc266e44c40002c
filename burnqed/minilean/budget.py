"""Step and time limits of one request."""

from __future__ import annotations

import time

MAX_HEARTBEATS = 200_000


class HeartbeatError(Exception):
    """The deterministic step limit of one request is used up."""

    def __init__(self) -> None:
        super().__init__(
            "(deterministic) timeout at `whnf`, maximum number of heartbeats (200000) has been"
            " reached\n\nNote: Use `set_option maxHeartbeats <num>` to set the limit.\n\nAdditional"
            " diagnostic information may be available using the `set_option diagnostics true`"
            " command."
        )


class InterruptError(Exception):
    """The wall-clock limit of one request has passed."""


class Budget:
    """Steps and time one request may still use; every reduction step ticks it."""

    __slots__ = ("left", "deadline")

    def __init__(self, steps: int = MAX_HEARTBEATS, seconds: float | None = None) -> None:
        self.left = steps
        self.deadline = None if not seconds else time.monotonic() + seconds

    def check(self) -> None:
        """Raise `InterruptError` when the time is over; spends no step."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise InterruptError

    def tick(self, n: int = 1) -> None:
        """Spend `n` steps. Raises `HeartbeatError` or `InterruptError`."""
        before = self.left
        self.left = before - n
        if self.left < 0:
            raise HeartbeatError
        if self.deadline is not None and (before >> 6) != (self.left >> 6):
            if time.monotonic() > self.deadline:
                raise InterruptError
