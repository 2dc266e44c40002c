"""Checkpoints of a training: parameters, the optimiser's moments and the random state of every process.

One safetensors file beside a record of its SHA-256, in the artefact's progress folder. Written and read
by the main process alone; the others get the state from it.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.files import atomic_dir, sha256_file, write_json
from burnqed.jobs.progress import ProgressFolder
from burnqed.training.processes import Processes

logger = logging.getLogger(__name__)
KEEP = 2  # checkpoints kept: the newest, and one to fall back to
WEIGHTS = "checkpoint.safetensors"


@dataclass
class TrainResult:
    """What a training did.

    ``history``: one record per logged step (step, loss, lr; val_loss and others where measured), no times;
    ``times``: tokens per second and seconds of this process's share. ``steps`` were taken; ``best_step`` is the one
    with the lowest score (the last step without validation), ``best`` that score. ``stale``: validations since its
    first number improved.
    """

    history: list[dict[str, Any]] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    steps: int = 0
    best_step: int = 0
    best: tuple[float, ...] | None = None
    stale: int = 0

    @property
    def best_val_loss(self) -> float | None:
        """The validation loss of the weights kept: the last number of their score."""
        return self.best[-1] if self.best else None


def random_state() -> dict[str, Any]:
    """Return torch's random state on the CPU and on this process's GPU."""
    import torch

    state = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        state["cuda"] = torch.cuda.get_rng_state()
    return state


def set_random_state(state: dict[str, Any]) -> None:
    """Set torch's random state to an earlier one."""
    import torch

    torch.set_rng_state(state["cpu"])
    if "cuda" in state and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"])


class Checkpoints:
    """Checkpoints of one training, newest last: ``step-00000120/`` in the progress folder.

    ``progress`` is the main process's; the other processes have none.
    """

    def __init__(
        self,
        progress: ProgressFolder | None,
        parameters: dict[str, Any],
        optimizer: Any,
        buffers: dict[str, Any],
        processes: Processes,
    ) -> None:
        self.progress, self.parameters, self.optimizer, self.buffers = progress, parameters, optimizer, buffers
        self.processes = processes

    def save(self, step: int, result: TrainResult, best: Mapping[str, Any]) -> None:
        """Write a checkpoint, and remove those older than the one before it."""
        import torch
        from safetensors.torch import save_file

        states = self.processes.gather(random_state())
        if self.progress is None:
            return
        tensors = {f"parameter.{name}": value.detach() for name, value in self.parameters.items()}
        tensors |= {f"buffer.{name}": value for name, value in self.buffers.items()}
        tensors |= {f"best.{name}": value for name, value in best.items()}
        for name, parameter in self.parameters.items():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                tensors[f"optimizer.{key}.{name}"] = torch.as_tensor(value)
        for rank, state in enumerate(states):
            tensors |= {f"random.{rank}.{kind}": value for kind, value in state.items()}
        with atomic_dir(self.progress / f"step-{step:08d}") as folder:
            save_file({name: value.contiguous().clone() for name, value in tensors.items()}, folder / WEIGHTS)
            record = {
                "step": step,
                "sha256": sha256_file(folder / WEIGHTS),
                "history": result.history,
                "best_step": result.best_step,
                "best": result.best,
                "stale": result.stale,
            }
            write_json(folder / "state.json", record)
        for old in self._folders()[:-KEEP]:
            shutil.rmtree(old)

    def _folders(self) -> list[Path]:
        return sorted(p for p in self.progress.path.glob("step-*") if p.is_dir()) if self.progress else []

    def restore(self, result: TrainResult) -> tuple[int, dict[str, Any]]:
        """Load the newest checkpoint that validates; return its step (0: none) and best weights."""
        record, tensors = self._newest()
        states: list[dict[str, Any]] = []
        best: dict[str, Any] = {}
        if record is not None:
            self._set_parameters(tensors)
            result.history = record["history"]
            result.best_step, result.stale = record["best_step"], record["stale"]
            result.best = None if record["best"] is None else tuple(record["best"])
            states = _states(tensors)
            best = {name.removeprefix("best."): t for name, t in tensors.items() if name.startswith("best.")}
            logger.info("resuming from step %d", record["step"])
        step = int(record["step"]) if record else 0
        step, states, moments = self.processes.from_main((step, states, self._moments()))
        self._share_state(moments)
        if step:
            known = result.best_step, result.best, result.stale
            result.best_step, result.best, result.stale = self.processes.from_main(known)
        if self.processes.rank < len(states):
            set_random_state(states[self.processes.rank])
        elif step:
            logger.warning("process %d starts a new random stream: fewer processes saved it", self.processes.rank)
        return step, best

    def _newest(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return record and tensors of the newest undamaged checkpoint."""
        from safetensors.torch import load_file

        for folder in reversed(self._folders()):
            try:
                record = json.loads((folder / "state.json").read_text(encoding="utf-8"))
                if sha256_file(folder / WEIGHTS) != record["sha256"]:
                    raise ValueError("its SHA-256 differs from the recorded one")
                return record, load_file(folder / WEIGHTS)
            except Exception as error:
                logger.warning("checkpoint %s is damaged (%s); falling back to an older one", folder, error)
        return None, {}

    def _set_parameters(self, tensors: dict[str, Any]) -> None:
        import torch

        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(tensors[f"parameter.{name}"])
            for name, buffer in self.buffers.items():
                buffer.copy_(tensors[f"buffer.{name}"])
        for name, parameter in self.parameters.items():
            state = {}
            for full, value in tensors.items():
                if full.startswith("optimizer.") and full.endswith("." + name):
                    key = full[len("optimizer.") : -len(name) - 1]
                    if "." not in key:
                        state[key] = value.to(parameter.device)
            if state:
                self.optimizer.state[parameter] = state

    def _moments(self) -> dict[str, list[tuple[str, Any, tuple[int, ...]]]]:
        """Return name, type and shape of the optimiser's tensors, by parameter."""
        return {
            name: [(key, value.dtype, tuple(value.shape)) for key, value in self.optimizer.state[parameter].items()]
            for name, parameter in self.parameters.items()
            if parameter in self.optimizer.state
        }

    def _share_state(self, moments: dict[str, list[tuple[str, Any, tuple[int, ...]]]]) -> None:
        """Give the main process's parameters and optimiser state to the others."""
        import torch

        for name, entries in moments.items():
            parameter = self.parameters[name]
            if parameter not in self.optimizer.state:
                self.optimizer.state[parameter] = {
                    key: torch.zeros(shape, dtype=dtype, device=parameter.device) for key, dtype, shape in entries
                }
        self.processes.copy_from_main([parameter.detach() for parameter in self.parameters.values()])
        self.processes.copy_from_main(list(self.buffers.values()))
        for name in moments:
            self.processes.copy_from_main(list(self.optimizer.state[self.parameters[name]].values()))


def _states(tensors: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the random state of each process, by rank."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in tensors.items():
        if name.startswith("random."):
            _, rank, kind = name.split(".")
            found.setdefault(int(rank), {})[kind] = value
    return [found[rank] for rank in sorted(found)]
