"""Data-parallel training: processes that share each step's examples, one GPU each.

Every process holds the whole model and reads a part of each step's examples; the gradients are summed
over all, so a step is the same as in one process with the same tokens (but for the order of sums and
each process's own dropout). Set up by accelerate from the environment that ``accelerate launch``,
``torchrun`` or ``run_processes`` give.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from burnqed.files import UserError
from burnqed.jobs.gpus import SHARE
from burnqed.jobs.stop import EXIT_STOPPED, Stopped, graceful_stop, stop_requested

if TYPE_CHECKING:
    from burnqed.training.batches import Example

STOP_SECONDS = 120.0  # for the processes to save a checkpoint and leave


@dataclass(frozen=True)
class Processes:
    """This process's place among those that train together; all methods are calls of all of them."""

    rank: int = 0
    count: int = 1

    @property
    def is_main(self) -> bool:
        """Whether this process writes the files."""
        return self.rank == 0

    def share(self, examples: Sequence[Example]) -> list[Example]:
        """Return this process's part of some examples: about as many tokens as each other's, in order."""
        if self.count == 1:
            return list(examples)
        loads = [0] * self.count
        mine = []
        for index in sorted(range(len(examples)), key=lambda at: -len(examples[at].tokens)):
            least = loads.index(min(loads))
            loads[least] += len(examples[index].tokens)
            if least == self.rank:
                mine.append(index)
        return [examples[index] for index in sorted(mine)]

    def total(self, *values: float) -> list[float]:
        """Return each value summed over the processes."""
        if self.count == 1:
            return list(values)
        import torch

        device = "cuda" if torch.distributed.get_backend() == "nccl" else "cpu"
        summed = torch.tensor(values, dtype=torch.float64, device=device)
        torch.distributed.all_reduce(summed)
        return [float(value) for value in summed.tolist()]

    def sum_gradients(self, parameters: Sequence[Any]) -> None:
        """Sum the parameters' gradients over the processes, in place."""
        if self.count == 1:
            return
        import torch

        for parameter in parameters:
            if parameter.grad is None:  # a process without examples in this step
                parameter.grad = torch.zeros_like(parameter)
        flat = torch.cat([parameter.grad.reshape(-1) for parameter in parameters])
        torch.distributed.all_reduce(flat)
        parts = flat.split([parameter.numel() for parameter in parameters])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.grad.copy_(part.view_as(parameter))

    def gather(self, value: Any) -> list[Any]:
        """Return every process's value, by rank."""
        if self.count == 1:
            return [value]
        import torch

        found: list[Any] = [None] * self.count
        torch.distributed.all_gather_object(found, value)
        return found

    def from_main(self, value: Any) -> Any:
        """Return the main process's value."""
        if self.count == 1:
            return value
        import torch

        box = [value]
        torch.distributed.broadcast_object_list(box, src=0)
        return box[0]

    def copy_from_main(self, tensors: Sequence[Any]) -> None:
        """Overwrite tensors with the main process's, in place."""
        if self.count > 1:
            import torch

            for tensor in tensors:
                torch.distributed.broadcast(tensor, src=0)


def is_launched() -> bool:
    """Return whether this process is one of several that were started together."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def join_processes(device: str) -> Processes:
    """Return this process's place, joined to the others; on GPUs it takes its own."""
    if not is_launched():
        return Processes()
    from accelerate import PartialState

    state = PartialState(cpu=device == "cpu")
    return Processes(state.process_index, state.num_processes)


def leave_processes() -> None:
    """Take leave of the others at the end; a process that fails leaves at once."""
    if is_launched():
        from accelerate import PartialState

        PartialState().destroy_process_group()


def check_gpus(count: int, device: str) -> None:
    """Raise UserError when there are fewer GPUs than processes."""
    import torch

    if device == "cuda" and torch.cuda.device_count() < count:
        raise UserError(
            f"--processes {count}: torch sees {torch.cuda.device_count()} GPU(s); lower the resource gpu of the "
            "rule, or check CUDA_VISIBLE_DEVICES"
        )


def run_processes(count: int, command: Sequence[str] | None = None) -> None:
    """Run a command (default: this one) in ``count`` processes of this machine and wait for all.

    When one fails the others are ended. SIGTERM is passed on, and raises Stopped once all have left.
    Raises UserError when a process fails; its own message is in the log.
    """
    command = command or [sys.executable, *sys.argv]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "BURNQED_WATCH_PARENT": "1"}
    shared[SHARE] = ""  # the GPUs that this process has taken are theirs
    sizes = {"WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count)}
    workers: list[subprocess.Popen[bytes]] = []
    with graceful_stop():
        try:
            for rank in range(count):
                ranks = {"RANK": str(rank), "LOCAL_RANK": str(rank)}
                workers.append(subprocess.Popen(command, env={**os.environ, **shared, **sizes, **ranks}))
            _wait(workers)
        finally:
            _end(workers)
    codes = [worker.returncode for worker in workers]
    failed = [rank for rank, code in enumerate(codes) if code not in (0, EXIT_STOPPED, -signal.SIGTERM)]
    if failed:
        raise UserError(f"training process {failed[0]} of {count} failed with status {codes[failed[0]]}; see above")
    if stop_requested() or any(codes):
        raise Stopped


def _wait(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait until all have left, one has failed, or SIGTERM has come."""
    while any(worker.poll() is None for worker in workers):
        if stop_requested() or any(worker.poll() for worker in workers):
            return
        time.sleep(0.1)


def _end(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask those still running to save and leave; kill what has not left in time."""
    for worker in workers:
        if worker.poll() is None:
            worker.terminate()
    limit = time.monotonic() + STOP_SECONDS
    for worker in workers:
        try:
            worker.wait(max(0.1, limit - time.monotonic()))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def ran_in_processes(processes: int, gpus: int, device: str) -> bool:
    """Run this script in several processes when asked to; return whether it did, so that there is no more to do.

    ``processes`` 0: as many as ``gpus`` on GPUs, else one.
    """
    count = processes or (gpus if device == "cuda" else 1)
    if count <= 1 or is_launched():
        return False
    check_gpus(count, device)
    run_processes(count)
    return True
