"""An evaluation job: what it takes over after a kill, what it refuses, what enters its file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from burnqed import config
from burnqed.evaluation.run import ProverStack, evaluate, iteration_of, recorded_settings
from burnqed.files import UserError, write_json
from burnqed.prover.verdict import Verdict
from burnqed.records.theorems import Theorem, TheoremIndex, write_theorem_index
from burnqed.records.trajectories import TheoremResult, write_times, write_trajectories
from burnqed.search.plan import Searches

NAMES = ["a", "b", "c"]


def stack(folder: Path, **prover: Any) -> ProverStack:
    write_json(folder / "model" / "config.json", {})
    return ProverStack(
        search=config.SearchSettings(),
        policy=config.PolicySettings(),
        encoder=config.EncoderSettings(),
        prover=config.ProverSettings(**prover),
        verify=config.VerifySettings(),
        model=config.ModelSettings(kind="scratch"),
        quantization="none",
        model_dir=folder / "model",
        ebm=None,
        device="cpu",
    )


class Bench:
    """An evaluation over recorded results in place of the search, with countable calls."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, stop_reason: str = "proved") -> None:
        self.folder, self.stop_reason = folder, stop_reason
        self.searches, self.verified = 0, list[str]()
        self.die_at = ""
        monkeypatch.setattr("burnqed.search.run.run_search", self.search)
        monkeypatch.setattr("burnqed.prover.verify.verify_proofs", self.verify)
        write_theorem_index(
            folder / "b.json", TheoremIndex({"name": "b", "sha256": "s"}, [Theorem(n, "p") for n in NAMES])
        )

    def search(
        self, stack: ProverStack, searches: Searches, output: Path, extra: dict[str, object] | None
    ) -> list[TheoremResult]:
        self.searches += 1
        proved = self.stop_reason == "proved"
        results = [
            TheoremResult(
                t.name, 0, proved, [f"exact {t.name}"] * proved, 3, 9, 3, 1, self.stop_reason, "no", 1, "eval"
            )
            for t in searches.theorems
        ]
        write_trajectories(output, [], results)
        write_times(output, [{"theorem": t.name, "attempt": 0, "seconds": 2.0} for t in searches.theorems])
        return results

    async def verify(
        self,
        items: Sequence[tuple[Theorem, Sequence[str]]],
        prover: Any,
        settings: Any,
        note: Callable[[int, Verdict], None],
    ) -> list[Verdict]:
        verdicts = []
        for index, (theorem, _) in enumerate(items):
            if theorem.name == self.die_at:
                raise KeyboardInterrupt
            self.verified.append(theorem.name)
            verdicts.append(Verdict(theorem.name != "b", "" if theorem.name != "b" else "sorry: it uses sorryAx", ""))
            note(index, verdicts[-1])
        return verdicts

    def evaluate(self, variant: str = "llm", **prover: Any) -> dict[str, Any]:
        self.extra: dict[str, object] = {}
        return evaluate(
            stack(self.folder, **prover),
            config.EvaluationSettings(benchmark="b", budgets=[2, 4]),
            benchmark=self.folder / "b.json",
            label="iter_0",
            variant=variant,
            seed=0,
            output=self.folder / "eval" / "llm.json",
            trajectories=self.folder / "eval" / "llm.parquet",
            extra=self.extra,
        )


def test_solved_means_re_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path, monkeypatch)
    result = bench.evaluate()
    assert [r["solved"] for r in result["results"]] == [0, 2]
    assert result["unverified"] == 1
    assert json.loads((tmp_path / "eval" / "llm.json").read_text()) == result
    assert bench.extra["timing"]["per_theorem"] == {"a": 2.0, "b": 2.0, "c": 2.0}  # type: ignore[index]
    assert sorted(p.name for p in (tmp_path / "eval").iterdir()) == [
        "llm.json",
        "llm.parquet",
        "llm.parquet.times.jsonl",
    ]


def test_a_kill_during_the_re_check_loses_neither_search_nor_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = Bench(tmp_path / "u", monkeypatch).evaluate()
    bench = Bench(tmp_path / "k", monkeypatch)
    bench.die_at = "c"
    with pytest.raises(KeyboardInterrupt):
        bench.evaluate()
    for path in (tmp_path / "k" / "eval").glob("llm.*"):
        path.unlink()  # as a workflow manager does
    bench.die_at = ""
    assert bench.evaluate() == undisturbed
    assert (bench.searches, bench.verified) == (1, ["a", "b", "c"])
    assert (tmp_path / "k" / "eval" / "llm.parquet").read_bytes() == (
        tmp_path / "u" / "eval" / "llm.parquet"
    ).read_bytes()


def test_a_search_that_could_not_start_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path, monkeypatch, stop_reason="start_failed")
    with pytest.raises(UserError, match="no theorem could be started in the prover; first: a: no"):
        bench.evaluate(project="/wrong")
    bench.stop_reason = "proved"
    assert bench.evaluate(project="/right")["results"][-1]["solved"] == 2
    assert bench.searches == 2


def test_variant_and_head_belong_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="llm_ebm: needs --ebm"):
        Bench(tmp_path, monkeypatch).evaluate(variant="llm_ebm")


def test_labels() -> None:
    assert [iteration_of(label) for label in ("baseline", "iter_0", "iter_12")] == [-1, 0, 12]
    for label in ("iter_", "iter_x", "base"):
        with pytest.raises(UserError, match="write baseline or iter_I"):
            iteration_of(label)


def test_the_machine_does_not_enter_the_eval_file(tmp_path: Path) -> None:
    settings = config.EvaluationSettings()
    one = recorded_settings(stack(tmp_path, workers=1, project="/a", command=["/x/repl"]), settings)
    assert one == recorded_settings(stack(tmp_path, workers=64, project="/b", command=["/y/repl"]), settings)
    assert one != recorded_settings(stack(tmp_path, tactic_timeout=3), settings)
