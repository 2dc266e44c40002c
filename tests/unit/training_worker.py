"""One process of a data-parallel training of a toy model, as tests start it.

Run as: python training_worker.py FOLDER SIGTERM_AT_STEP (0: none) DROPOUT
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import torch

from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import exit_status
from burnqed.training.batches import Example
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.processes import join_processes, leave_processes

STEPS, PER_STEP = 12, 7


def _batch(examples: list[Example]) -> list[dict[str, Any]]:
    """Return the forward passes of some examples (at most three each): inputs drawn from the tokens."""
    found = []
    for start in range(0, len(examples), 3):
        part = examples[start : start + 3]
        inputs = torch.cat(
            [torch.randn(len(e.tokens), 6, generator=torch.Generator().manual_seed(e.start)) for e in part]
        )
        found.append({"input_ids": inputs, "labels": inputs[:, :4].argmax(-1)})
    return found


def _loss(model: Any, batch: dict[str, Any]) -> Any:
    return torch.nn.functional.cross_entropy(model(batch["input_ids"]), batch["labels"], reduction="sum")


def run(folder: Path, stop_at: int, dropout: float) -> None:
    """Train; the main process writes weights and history to ``result.pt``."""
    processes = join_processes("cpu")
    deterministic(0, 1)
    model = torch.nn.Sequential(
        torch.nn.Linear(6, 16), torch.nn.Dropout(dropout), torch.nn.Tanh(), torch.nn.Linear(16, 4)
    )
    torch.manual_seed(processes.rank)
    # The last step has a single example, so that with two processes one has nothing to do.
    plan = [[Example((0,) * (2 + i), 100 * step + i) for i in range(PER_STEP)] for step in range(STEPS - 1)]
    plan.append([Example((0,) * 5, 1)])

    def micro_batches(step: int) -> list[dict[str, Any]]:
        if step + 1 == stop_at and processes.rank == 1:  # one process hears of it, all have to stop
            os.kill(os.getpid(), signal.SIGTERM)
        return _batch(processes.share(plan[step]))

    def validate() -> float:
        mine = processes.share([Example((0,) * 4, 9000 + i) for i in range(6)])
        (loss,) = processes.total(sum(float(_loss(model, batch)) for batch in _batch(mine)))
        return loss / 24

    progress = ProgressFolder(folder / "artifact", {}) if processes.is_main else None
    settings = LoopSettings(learning_rate=3e-2, checkpoint_every=5)
    result = train(
        model, STEPS, micro_batches, _loss, settings, folder / "artifact", progress, validate, processes=processes
    )
    if progress is not None:
        found = {"model": model.state_dict(), "history": result.history, "processes": result.times["processes"]}
        torch.save(found, folder / "result.pt")
        progress.close()
    leave_processes()


def main(_: object = None) -> None:
    run(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))


if __name__ == "__main__":
    sys.exit(exit_status(main))
