"""The study of rounds: which arms there are, and what is said of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from burnqed.config import load_config
from burnqed.experiments.figures_rounds import draw_rounds
from burnqed.experiments.rounds import RoundsResult, compare_rounds, csv_rows, read_arms, render, verdict
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, write_json, write_jsonl

NAMES = [f"t{number}" for number in range(200)]
ROOT = Path(__file__).parents[2]


def _write(folder: Path, arm: str, seed: int, sampling: int, solved: set[str]) -> Path:
    path = folder / ("" if arm == "base" else f"seed_{seed}") / arm / "eval"
    path = path / ("llm.json" if sampling == 0 else f"seed_{sampling}/llm.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"name": n, "proved": n in solved, "verified": n in solved, "nodes": 3, "level": 1 + int(n[1:]) % 3}
        for n in NAMES
    ]
    results = [
        {"budget": b, "solved": len(solved), "total": len(NAMES), "rate": len(solved) / len(NAMES)} for b in (4, 8)
    ]
    write_json(
        path,
        {"schema_version": 1, "label": arm, "variant": "llm", "benchmark": {"name": "b"}, "settings": {},
         "seeds": [sampling], "results": results, "per_theorem": rows},
    )  # fmt: skip
    return path


def _study(folder: Path, rates: dict[str, float]) -> RoundsResult:
    """Make a study whose arms solve each theorem with some chance, and compare it."""
    chance = random.Random(0)
    evals = [
        _write(folder, arm, seed, sampling, {n for n in NAMES if chance.random() < rate})
        for arm, rate in rates.items()
        for seed in ((0,) if arm == "base" else (0, 1))
        for sampling in (0, 1)
    ]
    proofs: dict[str, dict[int, Path]] = {}
    for number in range(2):
        for seed in (0, 1):
            path = folder / f"seed_{seed}" / f"round_{number}" / "proofs.jsonl"
            found = [
                {"theorem": f"p{n}", "proof": ["t"], "iteration": 0, "kind": "main", "attempt": 0}
                for n in range(5 + number)
            ]
            write_jsonl(path, found[number:])
            proofs.setdefault(f"round_{number}", {})[seed] = path
    return compare_rounds(read_arms(folder, evals), proofs, "b", samples=500)


def test_a_rise_over_round_0_and_both_controls_is_said_with_its_numbers(tmp_path: Path) -> None:
    rates = {
        "base": 0.1,
        "round_0": 0.2,
        "round_1": 0.4,
        "round_2": 0.5,
        "no_proofs": 0.22,
        "shuffled": 0.15,
        "dpo": 0.5,
    }
    result = _study(tmp_path, rates)
    assert [row.arm for row in result.rows][:7] == [
        "base",
        "round_0",
        "round_1",
        "round_2",
        "dpo",
        "no_proofs",
        "shuffled",
    ]
    assert [claim.reference for claim in result.claims] == ["round_0", "no_proofs", "shuffled"]
    for claim, expected in zip(result.claims, (0.3, 0.28, 0.35), strict=True):
        assert claim.difference.low < expected < claim.difference.high
        assert claim.difference.value == pytest.approx(sum(claim.by_seed.values()) / 2)
    assert result.found == {"round_0": 5.0, "round_1": 6.0}
    assert [count for count, _, _ in result.by_level.values()] == [67, 67, 66]
    assert verdict(result).startswith("Expert iteration rises: the last round solves +")
    text = render(result, 0.95)
    assert "control: same steps without found proofs" in text and "sampling noise" in text
    assert len(csv_rows(result)) == 14
    axes = draw_rounds(result).axes[0]
    assert len(axes.get_legend_handles_labels()[1]) == 5
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["0", "1", "2"]


def test_no_rise_over_a_control_is_not_called_a_rise(tmp_path: Path) -> None:
    result = _study(tmp_path, {"round_0": 0.2, "round_1": 0.4, "no_proofs": 0.4})
    assert verdict(result).startswith("Expert iteration is not shown to rise")
    assert "not measurably more than control: same steps without found proofs" in verdict(result)


def test_arms_of_different_theorems_are_refused(tmp_path: Path) -> None:
    first = _write(tmp_path, "round_0", 0, 0, set())
    other = _write(tmp_path, "round_1", 0, 0, set())
    value = other.read_text().replace('"t0"', '"other"')
    other.write_text(value)
    with pytest.raises(UserError, match="other theorems than"):
        read_arms(tmp_path, [first, other])


def test_the_plan_of_the_study() -> None:
    cfg = load_config(yaml.safe_load((ROOT / "config.yaml").read_text()) | {"study": {"seeds": [3, 4], "rounds": 2}})
    plan = plan_of(cfg)
    runs = {name: run for name, run in plan.runs.items() if name.startswith("expert_iteration")}
    assert len(runs) == 1 + 2 * (3 + 3)
    control, last = (runs[f"expert_iteration/seed_4/{arm}"] for arm in ("no_proofs", "round_2"))
    assert control.learns_from == last.learns_from == tuple(f"expert_iteration/seed_4/round_{i}" for i in range(2))
    assert (control.cfg.sft.control, last.cfg.sft.control, control.cfg.seed, control.iteration) == (
        "no_proofs",
        "none",
        4,
        2,
    )
    assert runs["expert_iteration/seed_4/dpo"].cfg.sft.dpo_weight > 0
    counts = plan.count(["expert_iteration"])
    assert (counts["train_sft"], counts["evaluate"], counts["verify_proofs"]) == (12, 26, 4)
    second = plan.job("select_theorems", {"run": "expert_iteration/seed_3/round_1"})
    assert second.inputs["proofs"] == ["results/expert_iteration/seed_3/round_0/proofs.jsonl"]
