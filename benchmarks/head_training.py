"""Speed of training the energy head, against the obvious way: an eager step fed from the CPU.

128 groups of one positive and 7 negatives, vectors 4,096 wide. Also checks what the fast step must
keep: a run stopped and resumed ends with the same bits, and it learns what the plain step learns.

Run as: python -m benchmarks.head_training
"""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.model_7b import arguments, device_name, report
from burnqed.config import EBMSettings
from burnqed.jobs.progress import ProgressFolder
from burnqed.training.engine import run_task, set_rates
from burnqed.training.head import HeadTrainer, TrainingData
from burnqed.value.contrastive import Groups

THEOREMS, POSITIVES, OFF = 400, 5, 45


def training_data(width: int, device: str, seed: int = 0) -> TrainingData:
    """Return random vectors in which positives are shifted along one hidden direction per theorem's goal."""
    count = THEOREMS * (1 + POSITIVES + OFF)
    generator = torch.Generator(device).manual_seed(seed)
    vectors = torch.randn(count, width, generator=generator, device=device)
    base = np.arange(THEOREMS) * (1 + POSITIVES + OFF)
    positive = (base[:, None] + 1 + np.arange(POSITIVES)).ravel()
    off = (base[:, None] + 1 + POSITIVES + np.arange(OFF)).ravel()
    direction = torch.randn(width, generator=generator, device=device)
    vectors[torch.from_numpy(positive).to(device)] += 3.0 * direction / direction.norm()
    theorem = np.repeat(np.arange(THEOREMS), POSITIVES)
    start = theorem * OFF
    every = np.full(len(theorem), OFF)
    groups = Groups(
        shas=[str(i) for i in range(count)],
        theorems=[str(i) for i in range(THEOREMS)],
        positive=positive,
        goal=base[theorem],
        theorem=theorem,
        depth=np.tile(np.arange(1, POSITIVES + 1), THEOREMS),
        remaining=np.tile(np.arange(POSITIVES, 0, -1), THEOREMS),
        sibling=off,
        sibling_start=start,
        sibling_count=np.full(len(theorem), 8),
        off=off,
        off_depth=np.ones(len(off), np.int64),
        off_start=start,
        off_count=every,
        near_start=start,
        near_count=every,
        counts={"states": count, "dual_labelled": 0},
    )
    return TrainingData(vectors.half(), groups, np.arange(THEOREMS) % 10 == 0, {})


def steps_per_second(trainer: HeadTrainer, steps: int, warm_up: int) -> float:
    """Return the rate of the steps alone."""
    for step in range(warm_up):
        trainer.step(step)
    synchronize(trainer.device)
    start = time.perf_counter()
    for step in range(warm_up, warm_up + steps):
        trainer.step(step)
    synchronize(trainer.device)
    return steps / (time.perf_counter() - start)


def engine_steps_per_second(trainer: HeadTrainer, steps: int) -> float:
    """Return the rate of a whole training: steps, validations, checkpoints and all."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "ebm"
        progress = ProgressFolder(output, {})
        found = run_task(trainer, steps, trainer.course, output, progress)
        progress.finish()
    return steps / found.times["train_seconds"]


def synchronize(device: str) -> None:
    """Wait for the GPU."""
    if device == "cuda":
        torch.cuda.synchronize()


def fed_from_cpu(trainer: HeadTrainer, steps: int, warm_up: int) -> float:
    """Return the rate of the obvious step: vectors in host memory, gathered there, copied, eager arithmetic."""
    table = trainer.z.cpu()
    optimizer = torch.optim.AdamW(trainer.head.parameters(), lr=1e-5)
    trainer.head.train()
    start = 0.0
    for step in range(warm_up + steps):
        if step == warm_up:
            synchronize(trainer.device)
            start = time.perf_counter()
        batch = trainer._groups(step)
        rows, goals = batch.states.cpu(), batch.goals.cpu()
        states, goal = table[rows].to(trainer.device), table[goals].to(trainer.device)
        loss = trainer._loss(trainer.head(states.float(), goal.float()), batch.valid)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss.item()
    synchronize(trainer.device)
    return steps / (time.perf_counter() - start)


class Killed(Exception):
    """Stands for a kill."""


def resumes_with_equal_bits(make: Any, before: int, after: int) -> bool:
    """Return whether a training killed after its checkpoint ends with the weights of an undisturbed one."""
    course = replace(make().course, checkpoint_every=before, checkpoint_seconds=0.0)

    def killed(trainer: HeadTrainer) -> HeadTrainer:
        def step(number: int, real: Any = trainer.step) -> Any:
            if number == before + 1:
                raise Killed
            return real(number)

        trainer.step = step  # type: ignore[method-assign]
        return trainer

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for output, trainers in (("whole", [make()]), ("parts", [killed(make()), make()])):
            for trainer in trainers:
                progress = ProgressFolder(Path(folder) / output, {})
                with suppress(Killed):
                    run_task(trainer, before + after, course, Path(folder) / output, progress)
                progress.close()
            found.append({name: tensor.clone() for name, tensor in trainers[-1].head.state_dict().items()})
    return all(torch.equal(value, found[1][name]) for name, value in found[0].items())


def main() -> None:
    options = arguments(__doc__ or "").parse_args()
    width = 64 if options.small else 4096
    sizes = [32, 16, 8] if options.small else [2048, 1024, 512]
    steps, naive_steps, learn = (20, 5, 10) if options.small else (5000, 200, 600)
    settings = EBMSettings(hidden_sizes=sizes, steps=50000, warmup_steps=100)
    data = training_data(width, options.device)

    def make() -> HeadTrainer:
        return HeadTrainer(data, settings, 0, options.device)

    def learned(plain: bool) -> dict[str, Any]:
        trainer = make()
        if plain:
            trainer._graph = None
        before = trainer.validate(0)[1]["val_loss"]
        for step in range(learn):
            set_rates(trainer.optimizer, step, settings.steps, trainer.course)
            trainer.step(step)
        row = trainer.validate(learn)[1]
        return {"val_loss_before": before, **{key: row[key] for key in ("loss", "val_loss", "val_rank1")}}

    naive = fed_from_cpu(make(), naive_steps, 10)
    resident = make()
    resident._graph = None
    plain = steps_per_second(resident, naive_steps, 10)
    trainer = make()
    began = time.perf_counter()
    for step in range(5):
        trainer.step(step)
    synchronize(options.device)
    compiling = time.perf_counter() - began
    rates = [steps_per_second(trainer, steps, 20) for _ in range(3)]
    result = {
        "benchmark": "head_training",
        "device": device_name(options.device),
        "steps_per_second": round(sorted(rates)[1], 1),
        "three_runs": [round(rate, 1) for rate in rates],
        "whole_training": round(engine_steps_per_second(make(), steps), 1),
        "naive_fed_from_cpu": round(naive, 1),
        "eager_resident": round(plain, 1),
        "ratio_to_naive": round(sorted(rates)[1] / naive, 2),
        "seconds_to_compile": round(compiling, 1),
        "after_600_steps": {"fast": learned(False), "plain": learned(True)},
        "resume_is_bitwise": resumes_with_equal_bits(make, 8 if options.small else 100, 10 if options.small else 100),
    }
    report(result, options.output)


if __name__ == "__main__":
    main()
