"""The attribution of joint training: paired comparisons, sentences that follow the numbers, the control."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_evaluation_evals import evaluation

from burnqed.experiments.attribution import HEADS, SEARCHES, attribution, render
from burnqed.files import UserError, write_json, write_jsonl

NAMES = [f"t{number}" for number in range(40)]
METRICS = {
    "centroid_l2": 2.0, "linear_probe": 0.7, "norm_gap": 0.1, "sibling_l2": 3.0, "effective_dimension": 5.0,
    "variance_top1": 0.3, "rank1": 0.6, "chance": 0.25, "sibling_rank1": None, "sibling_chance": None,
    "energy_gap": 0.5, "temperature": 1.0,
}  # fmt: skip


def _run(folder: Path, seed: int, solved: dict[str, int], control: bytes = b"same") -> Path:
    """Write a run whose configurations solve the first so many theorems."""
    for arm, weights in (("sft", b"same"), ("joint", b"other"), ("control", control)):
        adapter = folder / arm / "adapter"
        adapter.mkdir(parents=True)
        (adapter / "adapter_model.safetensors").write_bytes(weights)
        write_json(adapter / "training.json", {"best_step": 2, "best_val_loss": 9.0})
        rows = [{"step": 1, "loss": 1.0}, {"step": 2, "loss": 0.5, "val_loss": 0.25 if arm == "joint" else 0.75}]
        write_jsonl(adapter / "history.jsonl", rows)
    for name, path in HEADS.items():
        write_json(folder / path / "metrics.json", METRICS | {"rank1": {"A": 0.5, "B": 0.6, "C": 0.7}[name]})
    for name, path in SEARCHES.items():
        found: dict[str, Any] = {theorem: 3 if at < solved[name] else None for at, theorem in enumerate(NAMES)}
        write_json(folder / f"{path}.json", evaluation(found, seeds=[seed], label=name))
    return folder


SOLVED = {"sft": 10, "joint": 10, "A": 10, "B": 20, "C": 19}


def test_differences_are_paired_and_the_sentences_follow_them(tmp_path: Path) -> None:
    runs = [_run(tmp_path / str(seed), seed, SOLVED) for seed in (0, 1)]
    result = attribution(runs, 0.95, 500)
    steps = {(step["from"], step["to"]): step for step in result["steps"]}
    assert steps["A", "B"]["difference"] == pytest.approx(0.25)
    assert (steps["A", "B"]["gained"], steps["A", "B"]["lost"]) == (20, 0)
    assert steps["B", "C"]["difference"] == pytest.approx(-1 / 40)
    assert steps["sft", "joint"] | {"from": "", "to": ""} == {
        "from": "", "to": "", "difference": 0.0, "low": 0.0, "high": 0.0, "gained": 0, "lost": 0, "mcnemar_p": 1.0,
    }  # fmt: skip
    said = {text.split("**")[1]: text for text in result["sentences"]}
    assert said["A → B"].endswith("20 gained, 0 lost): more theorems are solved.")
    assert "25.0 % → 50.0 %, +25.0 points" in said["A → B"]
    assert "no effect that these theorems and seeds can show" in said["B → C"]
    worse = attribution([_run(tmp_path / "w", 0, SOLVED | {"B": 1})], 0.95, 500)
    assert "fewer theorems are solved" in worse["sentences"][0]


def test_the_tables_show_what_was_measured(tmp_path: Path) -> None:
    text = render(attribution([_run(tmp_path / str(seed), seed, SOLVED) for seed in (3, 4)], 0.95, 200))
    assert "reproduced the fine-tuning with every seed" in text
    assert "| C | joint | its own | 19 | 19 | 38/80 | 47.5 % |" in text
    assert "| joint | 0.250 (0.250 - 0.250) | 2.000" in text  # the loss at the step that was kept
    assert "| C | 0.700 (0.700 - 0.700) |" in text


def test_a_control_that_differs_is_not_hidden(tmp_path: Path) -> None:
    result = attribution([_run(tmp_path / "0", 0, SOLVED, control=b"different")], 0.95, 200)
    assert not result["runs"][0]["control_is_sft"]
    assert "did NOT reproduce the fine-tuning with 1 of 1 seeds" in render(result)


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    runs = [_run(tmp_path / str(number), 0, SOLVED) for number in (0, 1)]
    with pytest.raises(UserError, match="the same seed"):
        attribution(runs, 0.95, 200)
    write_json(runs[0] / "sft/eval/llm.json", evaluation({"another": 3}, seeds=[0]))
    with pytest.raises(UserError, match="the same theorems"):
        attribution(runs[:1], 0.95, 200)
    (runs[1] / "joint_own/ebm/metrics.json").unlink()
    with pytest.raises(UserError, match=r"metrics\.json"):
        attribution(runs[1:], 0.95, 200)
