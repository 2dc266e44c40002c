"""Which jobs a target needs: nothing is run here."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from tests.workflow.conftest import Run, job_counts

STAGES = ["sft", "search", "eval"]
ALIASES = [
    *(f"iter_{i}" for i in range(5)),
    *(f"iter_{i}_{stage}" for i in range(5) for stage in STAGES),
    *(f"iter_{i}_ebm" for i in range(1, 5)),
    *["baseline", "lean_start", "compare", "figures", "report", "all"],
]


def dry_run(looker: Run, *args: str) -> dict[str, int]:
    return job_counts(looker(*args, "-n", "--quiet", "rules").stdout)


def test_published_experiment(looker: Run) -> None:
    counts = dry_run(looker, "all")
    assert counts == {
        "build_benchmark": 1,
        "build_theorem_index": 1,
        "fetch_base_model": 1,
        "build_tactic_pairs": 1,
        "note_evaluation_settings": 1,
        "evaluate": 10,  # base model, iteration 0, and four iterations with and without head
        "train_sft": 5,
        "merge_adapter": 5,
        "search_shard": 16 * 11,  # main and negatives, iteration 0 also noisy
        "check_gate": 5,
        "merge_trajectories": 5,
        "verify_proofs": 5,
        "encode_states": 4,
        "train_energy_head": 4,
        "summarize": 1,
        "plot_figure": 12,
        "write_table": 2,
        "write_results": 1,
        "render_report": 1,
        "all": 1,
        "total": 242,
    }


def test_every_alias_is_listed_and_has_a_dag(looker: Run) -> None:
    listed = looker("--list-target-rules").stdout.split()
    assert set(ALIASES) <= set(listed)
    assert dry_run(looker, *ALIASES)["total"] == 242 + 8 + len(ALIASES) - 1  # 8: lean_start


def test_last_evaluation_needs_no_last_search(looker: Run) -> None:
    counts = dry_run(looker, "iter_4_eval")
    assert counts["search_shard"] == 16 * 9
    assert counts["evaluate"] == 10


def test_first_iteration_has_no_head(looker: Run) -> None:
    counts = dry_run(looker, "iter_0")
    assert "train_energy_head" not in counts
    assert "encode_states" not in counts
    assert counts["search_shard"] == 48


def test_later_heads_start_from_the_one_before(looker: Run) -> None:
    started = looker("iter_2_ebm", "-n", "-p").stdout
    afresh = looker("iter_2_ebm", "-n", "-p", "--config", "ebm={resume: none}").stdout
    assert "--previous results/iter_1/ebm" in started
    assert "--previous" not in afresh
    assert dry_run(looker, "iter_2_ebm", "--config", "ebm={resume: none}")["train_energy_head"] == 2


def test_one_artefact_by_its_path(looker: Run) -> None:
    assert dry_run(looker, "results/data/benchmarks/minif2f_test.json") == {"build_benchmark": 1, "total": 1}


def test_two_thousand_shards_in_time(looker: Run, tmp_path: Path) -> None:
    overlay = tmp_path / "shards.yaml"
    overlay.write_text(yaml.safe_dump({"search": {"shards": 400, "negatives": False}}))
    start = time.monotonic()
    counts = dry_run(looker, "iter_4_eval", "--configfile", str(overlay))
    assert counts["search_shard"] == 2000
    assert time.monotonic() - start < 30  # 3 s on two idle cores; the promise is 10


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("serch={}", ["serch: unknown key", "did you mean 'search'?"]),
        ("search={expansion: 3}", ["search.expansion: unknown key", "did you mean 'expansions'?"]),
        ("iterations=none", ["iterations: ", "got 'none'"]),
        ("hardware=abacus", ["hardware: 'abacus' is not a key of `hardware_types`", "rtx4090"]),
    ],
)
def test_wrong_setting_is_named_with_its_mend(looker: Run, setting: str, words: list[str]) -> None:
    result = looker("-n", "--config", setting, check=False)
    assert result.returncode != 0
    assert "Traceback" not in result.stdout
    assert "wrong configuration" in result.stdout
    for word in words:
        assert word in result.stdout


def test_lint(looker: Run) -> None:
    assert "good condition" in looker("--lint").stdout


def test_no_forbidden_constructs() -> None:
    root = Path(__file__).parents[2]
    text = "".join(path.read_text() for path in [root / "Snakefile", *(root / "rules").glob("*.smk")])
    for construct in ("checkpoint ", "service(", "run:", "script:"):
        assert f"\n    {construct}" not in text
        assert f"\n{construct}" not in text
    assert not (root / "profiles" / "default").exists()
    assert len((root / "Snakefile").read_text().splitlines()) <= 120
    for profile in (root / "profiles").glob("*/profile.yaml"):
        assert "keep-incomplete" not in profile.read_text()
