"""Read access to the finished files of a run, for figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnqed.files import read_json, sidecar_path
from burnqed.records.evaluations import Evaluation, read_eval
from burnqed.records.heads import HeadMetrics, read_head_metrics
from burnqed.records.summaries import ModelRow, on_benchmark, read_summary


class Run:
    """A run's results folder and its summary, on its own benchmark or on a further one by name."""

    def __init__(self, results: Path, summary: Path, benchmark: str = "") -> None:
        self.results, self.further = results, benchmark
        self.summary = on_benchmark(read_summary(summary), benchmark)
        self.models = self.summary["models"]
        self.benchmark = self.summary["benchmark"]

    def labels(self) -> list[str]:
        """Return the labels of the models in order, baseline first."""
        return list(dict.fromkeys(model["label"] for model in self.models))

    def iterations(self) -> list[Path]:
        """Return the folders of the iterations in order."""
        return [self.results / label for label in self.labels() if label != "baseline"]

    def eval_path(self, model: ModelRow) -> Path:
        """Return the eval JSON of a model of the summary."""
        return self.results / model["label"] / "eval" / self.further / f"{model['variant']}.json"

    def evaluations(self) -> Iterator[tuple[ModelRow, Evaluation]]:
        """Yield each model of the summary with its eval JSON; raise UserError when one is damaged."""
        for model in self.models:
            yield model, read_eval(self.eval_path(model))

    def heads(self) -> Iterator[tuple[str, Path, HeadMetrics]]:
        """Yield label, folder and metrics of each energy head; raise UserError when its metrics are damaged."""
        for folder in self.iterations():
            head = folder / "ebm"
            if head.is_dir():
                yield folder.name, head, read_head_metrics(head)

    def sidecar(self, artifact: Path) -> dict[str, Any]:
        """Return an artefact's sidecar, empty when there is none."""
        path = sidecar_path(artifact)
        return read_json(path) if path.exists() else {}
