"""Read access to the finished files of a run, for figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, read_json, sidecar_path
from burnqed.evaluation.evals import read_eval
from burnqed.report.summary import read_summary


class Run:
    """A run's results folder and its summary."""

    def __init__(self, results: Path, summary: Path) -> None:
        self.results = results
        self.summary: dict[str, Any] = read_summary(summary)
        self.models: list[dict[str, Any]] = self.summary["models"]
        self.benchmark: dict[str, Any] = self.summary["benchmark"]

    def labels(self) -> list[str]:
        """Return the labels of the models in order, baseline first."""
        return list(dict.fromkeys(model["label"] for model in self.models))

    def iterations(self) -> list[Path]:
        """Return the folders of the iterations in order."""
        return [self.results / label for label in self.labels() if label != "baseline"]

    def eval_path(self, model: dict[str, Any]) -> Path:
        """Return the eval JSON of a model of the summary."""
        return self.results / model["label"] / "eval" / f"{model['variant']}.json"

    def evaluations(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield each model of the summary with its eval JSON; raise UserError when one is damaged."""
        for model in self.models:
            yield model, read_eval(self.eval_path(model))

    def heads(self) -> Iterator[tuple[str, Path, dict[str, Any]]]:
        """Yield label, folder and metrics of each energy head; raise UserError when its metrics are damaged."""
        for folder in self.iterations():
            head = folder / "ebm"
            if head.is_dir():
                metrics = read_json(head / "metrics.json")
                if not isinstance(metrics, dict):
                    raise UserError(f"{head / 'metrics.json'}: not the metrics of an energy head; train it again")
                yield folder.name, head, metrics

    def sidecar(self, artifact: Path) -> dict[str, Any]:
        """Return an artefact's sidecar, empty when there is none."""
        path = sidecar_path(artifact)
        return read_json(path) if path.exists() else {}
