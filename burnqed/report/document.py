"""The report of a run as one HTML file and one Markdown file, made of the same parts.

It opens with the verdict, the solve rates as figure and table, and what they cost; the rest follows by topic, and the
graph of the rules stands at the end. The HTML file needs no other file; the Markdown file shows the figures beside it.
Names of theorems are text from outside and are escaped.
"""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from burnqed.config import Config
from burnqed.files import UserError, read_json
from burnqed.plan import RuleGraph
from burnqed.records.summaries import Summary
from burnqed.report import registry
from burnqed.report.catalogue import DATA_FIGURES, FIGURE_OF_EACH, figure_entry
from burnqed.report.figures_data import data_rows
from burnqed.report.html_page import html_document, render
from burnqed.report.rulegraph import draw_rules
from burnqed.report.run import Run
from burnqed.report.sections import (
    METHOD,
    baseline_rows,
    changes,
    environment_rows,
    gate_rows,
    ledger_rows,
    model_sentences,
    rule_rows,
    sentences,
)
from burnqed.report.summary import model_name, summary_rows, training_rows
from burnqed.report.tables import comparison_rows, to_markdown
from burnqed.report.verdict import Verdict, cost_sentence, scale, time_sentence, verdict

Rows = Sequence[Mapping[str, object]]
NARROW = 4  # columns that fit a phone


@dataclass(frozen=True)
class Shown:
    """A figure with its caption."""

    name: str
    caption: str
    svg: Path


@dataclass
class Part:
    """A section of the report."""

    title: str
    texts: list[str] = field(default_factory=list)
    figures: list[Shown] = field(default_factory=list)
    tables: list[tuple[str, Rows]] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)


def key_rows(summary: Summary) -> list[dict[str, object]]:
    """Return the table that fits a phone: each model with its solve rate and interval."""
    return [
        {
            "model": model_name(model["label"]) + (" + head" if model["variant"] == "llm_ebm" else ""),
            "solved": f"{model['solved']}/{model['total']}",
            "rate": f"{100 * model['rate']:.1f}\u00a0%",
            "95 % interval": f"{100 * model['ci95'][0]:.1f} - {100 * model['ci95'][1]:.1f}\u00a0%",
        }
        for model in summary["models"]
    ]


def points(svg: Path) -> list[dict[str, str]]:
    """Return the rows of a figure's data; raise UserError when its CSV file is missing."""
    path = svg.with_suffix(".csv")
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; make it again (`snakemake {svg}`)") from error


def build(
    run: Run, figures: Iterable[Path], cfg: Config, price: float, report: Path | None = None
) -> tuple[Verdict, list[Part]]:
    """Return the verdict and the parts of a report after it; ``report``: data/report.json.

    ``figures``: their CSV or SVG files. A figure of a single value is left out, and its value stands in a table.
    """
    summary, results = run.summary, run.results
    pictures = [path.with_suffix(".svg") for path in figures]
    data = {svg.stem: points(svg) for svg in pictures}
    # Where only declared files travel, as with results in S3, the pictures are absent.
    drawn = {svg.stem: svg for svg in pictures if len(data[svg.stem]) > 1 and svg.exists()}
    shown: set[str] = set()

    def take(*names: str) -> list[Shown]:
        found = []
        for name in names:
            if name in drawn and name not in shown:
                caption = DATA_FIGURES[name].caption if name in DATA_FIGURES else figure_entry(name)[0].caption
                found.append(Shown(name, caption, drawn[name]))
                shown.add(name)
        return found

    said = verdict(run)
    said.details.append(scale(cfg.model.model_dump()))
    parts = [Part("", said.details, take(FIGURE_OF_EACH), [("", key_rows(summary))])]
    spent = [text for text in (cost_sentence(run), time_sentence(run)) if text]
    parts.append(Part("Cost, and where the time went", spent, take("cost", "time_split")))
    for name in summary.get("other_benchmarks", {}):
        own = Run(results, results / "summary.json", name)
        tables: list[tuple[str, Rows]] = [
            ("", key_rows(own.summary)),
            ("By budget", comparison_rows(own.summary)),
            ("Published results", baseline_rows(own.summary)),
        ]
        figure = take(f"{FIGURE_OF_EACH}_{name}")
        parts.append(Part(f"On {name}", [verdict(own).headline], figure, tables, model_sentences(own.summary)))
    by_group = {group: [e.name for e in registry.figures.values() if e.group == group] for group in registry.GROUPS}
    inside: dict[str, list[tuple[str, Rows]]] = {
        "Solve rate": [
            ("At the largest budget", summary_rows(summary)),
            ("By budget", comparison_rows(summary)),
            ("Published results on this benchmark", baseline_rows(summary)),
            (
                "Theorems that changed",
                [{"model": w, "change": t, "theorems": ", ".join(n)} for w, t, n in changes(summary)],
            ),
        ],
        "Training": [("", training_rows(summary))],
        registry.DATA: [("", data_rows(read_json(report)))] if report is not None else [],
    }
    texts = {"Solve rate": [METHOD]}
    lists = {"Solve rate": sentences(summary)}
    for group, names in by_group.items():
        parts.append(Part(group, texts.get(group, []), take(*names), inside.get(group, []), lists.get(group, [])))
    single: list[dict[str, object]] = [
        {"figure": name.replace("_", " "), "measure": key, "value": value}
        for name, rows in data.items()
        if len(rows) == 1
        for key, value in rows[0].items()
        if value
    ]
    parts.append(
        Part("Single values", ["Figures of one value each, as a table."] if single else [], [], [("", single)])
    )
    parts.append(Part("Gates", [], [], [("", gate_rows(summary))]))
    parts.append(
        Part(
            "Time and environment",
            [],
            [],
            [
                ("By stage", ledger_rows(results, price)),
                ("By rule", rule_rows(results)),
                ("Environment", environment_rows(results)),
            ],
        )
    )
    return said, [kept for kept in map(_without_empty, parts) if kept is not None]


def _without_empty(part: Part) -> Part | None:
    tables = [(title, rows) for title, rows in part.tables if rows]
    kept = Part(part.title, part.texts, part.figures, tables, part.listed)
    return kept if kept.figures or tables or (kept.texts and kept.title != "Single values") else None


BODY = """<h1>{{ said.headline }}</h1>
{% for part in parts %}{% if part.title %}<h2>{{ part.title }}</h2>
{% endif %}{% for text in part.texts %}<p>{{ text }}</p>
{% endfor %}{% for figure in part.figures %}<figure{% if figure.name == key %} class="key"{% endif %}>
<div class="scroll"><img src="{{ images[figure.name] }}" alt="{{ figure.name }}"></div>
<figcaption>{{ figure.caption }}</figcaption></figure>
{% endfor %}{% for title, rows in part.tables %}{% if title %}<h3>{{ title }}</h3>
{% endif %}{{ table(rows) }}{% endfor %}{% if part.listed %}<ul>
{% for line in part.listed %}<li>{{ line }}</li>
{% endfor %}</ul>
{% endif %}{% endfor %}<h2>Configuration</h2>
<details><summary>all settings</summary><pre>{{ config }}</pre></details>
<h2>Rules and their jobs</h2>
<p>An arrow goes from the rule that makes a file to one that reads it; dashed ones lead to the next iteration.</p>
<div class="scroll wide graph">{{ graph }}</div>
"""


def _embedded(svg: Path) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.read_bytes()).decode()


def report_html(said: Verdict, parts: Sequence[Part], config: Mapping[str, object], graph: RuleGraph) -> str:
    """Return the report as one HTML document that needs no other file."""
    picture = draw_rules(graph.counts, graph.levels, graph.edges)
    settings = json.dumps(config, indent=2, ensure_ascii=False)
    images = {figure.name: figure for part in parts for figure in part.figures}
    body = render(
        BODY,
        said=said,
        parts=parts,
        key=FIGURE_OF_EACH,
        images={name: Markup(_embedded(figure.svg)) for name, figure in images.items()},
        config=settings,
        graph=picture,
    )
    return html_document("burn-qed: report", body)


def report_markdown(said: Verdict, parts: Sequence[Part], folder: Path) -> str:
    """Return the report as Markdown; pictures are named as seen from ``folder``."""
    return "\n".join(_markdown(said, parts, folder))


def _markdown(said: Verdict, parts: Sequence[Part], folder: Path) -> Iterator[str]:
    yield f"# {said.headline}\n"
    for part in parts:
        if part.title:
            yield f"## {part.title}\n"
        for text in part.texts:
            yield f"{text}\n"
        for figure in part.figures:
            yield f"![{figure.name}]({figure.svg.relative_to(folder)})\n\n{figure.caption}\n"
        for title, rows in part.tables:
            if title:
                yield f"### {title}\n"
            yield to_markdown(rows)
        if part.listed:
            yield "".join(f"- {line}\n" for line in part.listed)


def write_report(
    run: Run,
    figures: Sequence[Path],
    cfg: Config,
    graph: RuleGraph,
    page: Path,
    markdown: Path,
    data: Path | None = None,
) -> None:
    """Write both files; raise UserError naming an input that is missing or damaged."""
    from burnqed.files import write_text

    said, parts = build(run, figures, cfg, cfg.machine.price_per_hour, data)
    write_text(page, report_html(said, parts, cfg.model_dump(mode="json"), graph))
    write_text(markdown, report_markdown(said, parts, markdown.parent))
