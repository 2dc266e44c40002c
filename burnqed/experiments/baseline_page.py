"""The baseline page of an iteration: data, embedding space, head and search, beside what the predecessor measured.

It is what a change to training is held against: joint training exists because the embedding space can fall apart at a
good loss. The predecessor's values are those of its logs of 2026 (public burn-qed repository, Rust and Python,
DeepSeek-Prover-V2-7B on miniF2F and Lean Workbook): landmarks, measured on other theorems with another prover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from burnqed.files import read_json, read_jsonl
from burnqed.records.heads import read_head_metrics
from burnqed.records.trajectories import TheoremResult, read_results, read_steps, read_times, times_path
from burnqed.report.html_page import html_document, render
from burnqed.report.summary import model_name
from burnqed.report.tables import to_markdown

Rows = list[dict[str, object]]
SOURCE = (
    "Predecessor: values of the predecessor's logs (DeepSeek-Prover-V2-7B, Lean 4 with Mathlib, 2026). They were measured "
    "on other theorems, with another prover and budget: landmarks, not a paired comparison. A dash: it measured "
    "nothing of the kind."
)
HEADS_SHOWN = 4
DEPTHS_SHOWN = 5


def _row(measure: str, value: object, predecessor: str = "-") -> dict[str, object]:
    return {"measure": measure, "this run": "-" if value is None else value, "predecessor": predecessor}


def _number(value: float | None, digits: int = 2) -> str | None:
    return None if value is None else f"{value:.{digits}f}"


def _share(part: float, whole: float) -> str:
    return f"{part:g} of {whole:g} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def data_rows(report: Mapping[str, Any], results: Sequence[TheoremResult], proofs: Sequence[Mapping[str, Any]]) -> Rows:
    """Return the rows on data: pairs, lengths, and what the search added."""
    train, lengths = report["train"], report["train"]["state_chars"]
    main = [result for result in results if result.kind == "main"]
    failed = sum(result.stop_reason == "start_failed" for result in main)
    different = {(proof["theorem"], tuple(proof["proof"])) for proof in proofs}
    theorems = {theorem for theorem, _ in different}
    return [
        _row("tactic pairs (training)", train["pairs"]),
        _row("theorems of the pairs", train["theorems"]),
        _row("pairs held out", report["val"]["pairs"]),
        _row("characters of a state: median, 95th percentile", f"{lengths['p50']}, {lengths['p95']}"),
        _row(
            "steps of a proof: median, 95th percentile",
            f"{train['proof_length']['p50']}, {train['proof_length']['p95']}",
        ),
        _row("theorems searched that never started", _share(failed, len(main)), "201 of 2000 (10.1 %)"),
        _row("theorems with a re-checked proof in this iteration's search", len(theorems)),
        _row(
            "different re-checked proofs per proved theorem",
            _number(len(different) / len(theorems)) if theorems else None,
            "4.5",
        ),
    ]


def embedding_rows(metrics: Mapping[str, Any]) -> Rows:
    """Return the rows on the embedding space; the predecessor's before and after its collapse."""
    counts = metrics["counts"]
    return [
        _row("centroid_l2", _number(metrics["centroid_l2"]), "6.40; 1.33 after the collapse"),
        _row("linear probe, balanced accuracy", _number(metrics["linear_probe"]), "0.83; 0.68 after the collapse"),
        _row("norm_gap", _number(metrics["norm_gap"]), "4.29; 0.69 after the collapse"),
        _row("mean norm", _number(metrics["norm_mean"])),
        _row("sibling_l2", _number(metrics["sibling_l2"])),
        _row("effective dimension", _number(metrics["effective_dimension"])),
        _row(
            "share of variance, first and first ten directions",
            f"{metrics['variance_top1']:.2f}, {metrics['variance_top10']:.2f}",
        ),
        _row("states on and off proof paths", f"{counts['positives']}, {counts['negatives']}"),
        _row("states with both labels", f"{100 * metrics['dual_label_rate']:.1f} %"),
        _row("vectors that are zero or repeated", "refused when encoding", "14.6 % were zero"),
    ]


def head_rows(metrics: Mapping[str, Any]) -> Rows:
    """Return the rows on the head, on held-out theorems."""
    by_depth = ", ".join(f"{depth}: {v['rank1']:.2f}" for depth, v in metrics["rank1_by_depth"].items())
    siblings = None
    if metrics["sibling_rank1"] is not None:
        siblings = f"{metrics['sibling_rank1']:.2f} (chance {metrics['sibling_chance']:.2f})"
    return [
        _row(
            "rank-1",
            f"{metrics['rank1']:.2f} (chance {metrics['chance']:.2f})",
            "0.60 - 0.66 (7 negatives, most of them easy)",
        ),
        _row("rank-1 among siblings", siblings, "0.13 (chance about 0.10)"),
        _row("rank-1 by depth", by_depth),
        _row("energy gap", _number(metrics["energy_gap"])),
        _row(
            "hard negatives in the groups",
            f"{100 * metrics['hard_negative_share']:.0f} %",
            "share set to 30 %, then 60 %",
        ),
        _row("temperature", _number(metrics["temperature"])),
        _row("trained", metrics.get("trained", "on the embeddings, after the adapter"), "after the adapter"),
    ]


def _quantiles(values: Sequence[int], shares: Sequence[float]) -> str | None:
    ranked = sorted(values)
    if not ranked:
        return None
    return ", ".join(str(ranked[min(len(ranked) - 1, int(share * len(ranked)))]) for share in shares)


def _heads(tactics: pa.ChunkedArray) -> str:
    words = Counter(
        str(text).split(None, 1)[0].strip("·<;>()[]{}") or "·" for text in tactics.to_pylist() if text.strip()
    )
    total = sum(words.values()) or 1
    return ", ".join(f"{word} {100 * count / total:.0f} %" for word, count in words.most_common(HEADS_SHOWN))


def branching(steps: pa.Table) -> list[float]:
    """Return, by depth of the expanded state, the mean number of new states that its expansion gave."""
    keys = ["theorem", "kind", "attempt", "expansion", "depth"]
    flagged = steps.append_column("new", pc.cast(pc.equal(steps["outcome"], "ok"), pa.int64()))
    by_expansion = flagged.group_by(keys).aggregate([("new", "sum")])
    by_depth = by_expansion.group_by("depth").aggregate([("new_sum", "mean")]).sort_by("depth")
    return [round(float(value), 3) for value in by_depth["new_sum_mean"].to_pylist()]


def search_rows(trajectories: Path, results: Sequence[TheoremResult], evals: Sequence[Mapping[str, Any]]) -> Rows:
    """Return the rows on the search: solve rates, effort, outcomes, time."""
    columns = ["theorem", "kind", "attempt", "expansion", "depth", "tactic", "outcome", "on_proof_path", "logprob"]
    steps = read_steps(trajectories, columns=columns)
    steps = steps.filter(pc.equal(steps["kind"], "main"))
    proved = [result for result in results if result.proved and result.kind == "main"]
    outcomes = Counter(steps["outcome"].to_pylist())
    tried = sum(outcomes.values())
    passed = outcomes["ok"] + outcomes["proved"] + outcomes["duplicate"]
    sampled = steps.filter(pc.is_valid(steps["logprob"]))
    expansions = sampled.group_by(["theorem", "attempt", "expansion"]).aggregate([("tactic", "count_distinct")])
    unique = expansions["tactic_count_distinct"].to_pylist()
    rows = [
        _row(
            f"solved, {model_name(evaluation['label'])}{' with head' if evaluation['variant'] == 'llm_ebm' else ''}, "
            f"{evaluation['results'][-1]['budget']} nodes",
            _share(evaluation["results"][-1]["solved"], evaluation["results"][-1]["total"]),
            "base model, single tactics: 6.1 % (600 nodes); whole-proof continuations: 161 of 242 (66.5 %)"
            if evaluation["label"] == "baseline"
            else "34 %; 30 % after the collapse",
        )
        for evaluation in evals
    ]
    rows += [
        _row(
            "nodes to the first proof: median, 90th percentile, most",
            _quantiles([result.nodes for result in proved], (0.5, 0.9, 1)),
            "8, 63, about 290",
        ),
        _row("length of a proof: median, longest", _quantiles([len(r.proof) for r in proved], (0.5, 1)), "3, 22"),
        _row(
            "new states per expansion, by depth from 0",
            ", ".join(f"{value:.1f}" for value in branching(steps)[:DEPTHS_SHOWN]),
            "5.0, 1.7, 1.5, 1.3, 1.0",
        ),
        _row(
            "different candidates per expansion",
            _number(sum(unique) / len(unique)) if unique else None,
            "3.5 (8 at T=0.8), 5.4 (10 at 1.0), 10.3 (16 at 1.3)",
        ),
        _row("tactics the prover accepts", _share(passed, tried), "25 - 30 %"),
        _row("first words tried", _heads(steps["tactic"]), "have 50 %, exact 16 %, nlinarith 14 %, norm_num 3 %"),
        _row("first words on proof paths", _heads(steps.filter(steps["on_proof_path"])["tactic"]), "have 1 %"),
    ]
    if times_path(trajectories).exists():
        times = [row for row in read_times(trajectories) if row["kind"] == "main"]
        sums = [sum(row[f"{part}_seconds"] for row in times) for part in ("policy", "lean", "value")]
        total = sum(row["seconds"] for row in times) or 1.0
        shares = ", ".join(f"{100 * part / total:.0f} %" for part in sums)
        rows.append(
            _row(
                "time in generation, prover, value", shares, "80 - 93 %, 4 - 11 %, 2 - 9 %; never stored with the data"
            )
        )
    return rows


def baseline_sections(
    data: Path, ebm: Path, trajectories: Path, proofs: Path, evals: Sequence[Path]
) -> list[tuple[str, Rows]]:
    """Return title and rows of each part of the page; raise UserError for a missing or damaged file."""
    from burnqed.records.evaluations import read_eval

    metrics, results = read_head_metrics(ebm), read_results(trajectories)
    return [
        ("Data", data_rows(read_json(data), results, list(read_jsonl(proofs)))),
        ("Embedding space", embedding_rows(metrics)),
        ("Energy head, on held-out theorems", head_rows(metrics)),
        ("Search", search_rows(trajectories, results, [read_eval(path) for path in evals])),
    ]


def baseline_markdown(iteration: int, sections: Sequence[tuple[str, Rows]]) -> str:
    """Return the page as Markdown."""
    parts = [f"# Baseline of iteration {iteration}\n", SOURCE + "\n"]
    for title, rows in sections:
        parts += [f"## {title}\n", to_markdown(rows)]
    return "\n".join(parts)


def baseline_html(iteration: int, sections: Sequence[tuple[str, Rows]]) -> str:
    """Return the page as one HTML document that needs no other file."""
    template = (
        "<h1>Baseline of iteration {{ iteration }}</h1>\n<p>{{ source }}</p>\n"
        "{% for title, rows in sections %}{{ section(title, rows) }}{% endfor %}"
    )
    body = render(template, iteration=iteration, source=SOURCE, sections=sections)
    return html_document("burn-qed: baseline", body)
