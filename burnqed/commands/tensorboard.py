"""A run's training curves and solve rates as event files of TensorBoard."""

from __future__ import annotations

from pathlib import Path

from burnqed.files import UserError, read_jsonl
from burnqed.records.evaluations import read_eval


def write_events(results: Path, output: Path) -> int:
    """Write the scalars of every training log, and solve rates by model (0: the base model); return how many.

    Raises UserError without the package tensorboard, which is no dependency, when the run has no such record yet, and when
    ``output`` exists.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise UserError("TensorBoard is not installed: pip install tensorboard") from error
    if output.exists():
        raise UserError(f"{output}: is there already, and TensorBoard would show both; remove it or give --output")
    found: dict[str, list[tuple[str, float, int]]] = {}
    for path in sorted([*results.rglob("*.steps.jsonl"), *results.rglob("history.jsonl")]):
        if path.parent.with_name(f"{path.parent.name}.steps.jsonl").exists():
            continue  # holds the same and more
        found[str(path.relative_to(results)).removesuffix(".jsonl")] = [
            (name, float(value), int(row["step"]))
            for row in read_jsonl(path)
            for name, value in row.items()
            if name != "step" and isinstance(value, int | float)
        ]
    for path in [*results.glob("baseline/eval/llm.json"), *results.glob("iter_*/eval/llm*.json")]:
        if path.suffixes == [".json"]:  # no sidecar
            number = int(path.parts[-3].rpartition("_")[2]) + 1 if path.parts[-3] != "baseline" else 0
            rows = found.setdefault(f"evaluation/{path.stem}", [])
            rows += [
                (f"solved within {one['budget']} nodes", one["rate"], number) for one in read_eval(path)["results"]
            ]
    if not found:
        raise UserError(f"{results}: no training log and no evaluation yet")
    for log, scalars in found.items():
        with SummaryWriter(str(output / log)) as writer:
            for name, value, step in scalars:
                writer.add_scalar(name, value, step)
    return sum(map(len, found.values()))
