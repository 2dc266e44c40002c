"""A run as a pure value: the files it makes, the jobs that make them, and the targets that name them.

Everything below the results folder that belongs to one model has a prefix, the run: ``baseline``, ``iter_2``, an arm
of an experiment such as ``lean_start/iter_0`` or ``ablation_value/seed_1/logprob``. A run is data (``Run``): its
settings, what it reads of other runs, and the rules that it has. The workflow's rules are written once over ``{run}``
and ask the plan for their inputs; ``burnqed estimate`` counts its jobs. Nothing here knows of Snakemake.
"""

from __future__ import annotations

import difflib
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from burnqed.config import Config
from burnqed.files import UserError

Files = str | list[str]

GRAMMAR = {
    "corpus": "data/corpus.jsonl",
    "theorems": "data/theorems.json",
    "benchmark": "data/benchmarks/{benchmark}.json",
    "extracted": "data/extracted/{source}.jsonl",
    "failures": "data/extracted/{source}.failures.json",
    "pairs": "data/tactic_pairs/train.jsonl",
    "val_pairs": "data/tactic_pairs/val.jsonl",
    "data_report": "data/report.json",
    "pool": "data/pool.json",
    "replay": "data/replay.json",
    "evaluation_settings": "data/evaluation.txt",
    "adapter": "{run}/adapter",
    "joint_head": "{run}/joint",
    "model": "{run}/model",
    "embeddings": "{run}/embeddings.parquet",
    "head": "{run}/ebm",
    "round": "{run}/theorems.json",
    "steps": "{run}/search/{kind}/{shard}.parquet",
    "trajectories": "{run}/trajectories.parquet",
    "proofs": "{run}/proofs.jsonl",
    "proofs_lean": "{run}/proofs.lean",
    "eval": "{run}/eval/{evaluation}.json",
    "eval_steps": "{run}/eval/{evaluation}.parquet",
    "gate": "{run}/gate.json",
    "summary": "summary.json",
    "figure": "figures/{figure}.svg",
    "figure_png": "figures/{figure}.png",
    "figure_csv": "figures/{figure}.csv",
    "table": "tables/{table}.md",
    "table_csv": "tables/{table}.csv",
    "table_html": "tables/{table}.html",
    "report": "report.html",
    "report_markdown": "report.md",
}


class Paths:
    """The path grammar below a results folder: attributes are templates, calls fill one in."""

    def __init__(self, root: str) -> None:
        self.root = root

    def __getattr__(self, name: str) -> str:
        if name not in GRAMMAR:
            raise AttributeError(f"no file of a run is called '{name}'; known: {', '.join(GRAMMAR)}")
        return f"{self.root}/{GRAMMAR[name]}"

    def __call__(self, name: str, **wildcards: str) -> str:
        return str(getattr(self, name)).format(**wildcards)


@dataclass(frozen=True)
class Evaluation:
    """One evaluation of a run: its files' name below ``eval/``, what is searched, and the seed of sampling."""

    name: str
    benchmark: str
    variant: str
    seed: int


@dataclass(frozen=True)
class Run:
    """One prefix of the results folder: its settings, its rules, and the other runs that it reads.

    Runs are named; "" stands for the run itself (``model``, ``embeddings``) or for none (all others). ``learns_from``
    are the runs whose searches its training and its head see; ``after`` is the run whose gate it waits for.
    """

    name: str
    cfg: Config
    rules: frozenset[str]
    iteration: int = 0
    label: str = ""  # what its evaluations call the model; "" = its name
    adapter: str = ""  # training starts from this run's adapter, not from the base model
    learns_from: tuple[str, ...] = ()
    searched_before: tuple[str, ...] = ()  # their searches decide which theorems this one takes
    searches: str = ""  # a benchmark whose theorems it searches; "" = those of training
    after: str = ""
    model: str = ""
    embeddings: str = ""
    joint_head: str = ""  # the jointly trained head that is measured here
    previous_head: str = ""
    head: str = ""  # the variant llm_ebm is evaluated with this run's head
    search_head: str = ""  # the training theorems are searched with this run's head
    shuffled: str = ""  # evaluated with this run's energies, permuted between states
    recorded: str = ""  # evaluated with a head over what this run's search without one has tried; "" = its own, if any
    kinds: tuple[str, ...] = ("main",)
    variants: tuple[str, ...] = ("llm",)
    benchmarks: tuple[str, ...] = ()  # the first is the experiment's own
    sampling_seeds: tuple[int, ...] = ()
    judged: tuple[str, ...] = ()  # eval files that its gate looks at, in order
    is_start: bool = False  # its gate is that of a small start

    @property
    def evaluations(self) -> list[Evaluation]:
        """Its evaluations; those of the first benchmark and the first seed have the variant's plain name."""
        benchmarks = self.benchmarks or (self.cfg.evaluation.benchmark,)
        seeds = self.sampling_seeds or (self.cfg.seed,)
        found = []
        for b, benchmark in enumerate(benchmarks):
            for s, seed in enumerate(seeds):
                prefix = (f"{benchmark}/" if b else "") + (f"seed_{seed}/" if s else "")
                found += [Evaluation(f"{prefix}{v}", benchmark, v, seed) for v in self.variants]
        return found


@dataclass(frozen=True)
class Job:
    """One job: its rule and wildcards, the files it reads by name, those it makes.

    ``waits`` names inputs that have to exist but whose age says nothing.
    """

    rule: str
    outputs: tuple[str, ...]
    inputs: Mapping[str, Files] = field(default_factory=dict)
    wildcards: Mapping[str, str] = field(default_factory=dict)
    waits: frozenset[str] = frozenset()

    @property
    def files(self) -> list[str]:
        """All files that the job reads."""
        return [path for files in self.inputs.values() for path in ([files] if isinstance(files, str) else files)]


@dataclass(frozen=True)
class Part:
    """What an experiment beside the loop adds to a plan."""

    runs: Sequence[Run] = ()
    jobs: Sequence[Job] = ()
    targets: Mapping[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class RuleGraph:
    """The rules of a plan: number of jobs, row from the top, and edges from the maker of a file to its reader."""

    counts: Mapping[str, int]
    levels: Mapping[str, int]
    edges: Sequence[tuple[str, str]]


class Plan:
    """All runs, jobs and targets of a configuration; pure, nothing is read or written.

    ``figures``, ``data_figures`` and ``tables`` are the names that the report knows, of a table also whether every
    report has it; ``parts`` are the experiments.
    """

    def __init__(
        self,
        cfg: Config,
        figures: Sequence[str] = (),
        data_figures: Sequence[str] = (),
        tables: Mapping[str, bool] | None = None,
        parts: Iterable[Part] = (),
    ) -> None:
        self.cfg = cfg
        self.paths = Paths(cfg.results)
        self.figures, self.data_figures, self.tables = list(figures), list(data_figures), dict(tables or {})
        self.parts = list(parts)
        runs = [*loop_runs(cfg), *(run for part in self.parts for run in part.runs)]
        self.runs = {run.name: run for run in runs}

    @cached_property
    def jobs(self) -> list[Job]:
        """Every job that the configuration allows, needed by a target or not."""
        jobs = [*data_jobs(self), *report_jobs(self), *(job for part in self.parts for job in part.jobs)]
        for run in self.runs.values():
            jobs += run_jobs(self.paths, run)
        return [self._with_base(job) for job in jobs] if self.cfg.policy.adapter == "serve" else jobs

    def _with_base(self, job: Job) -> Job:
        """Return a job with the base model among its inputs, if it reads an adapter's model, which is kept apart from it."""
        base = self.paths("model", run="base")
        if job.inputs.get("model", base) == base:
            return job
        return replace(job, inputs={**job.inputs, "base": base})

    @cached_property
    def _by_output(self) -> dict[str, Job]:
        return {path: job for job in self.jobs for path in job.outputs}

    @cached_property
    def _by_wildcards(self) -> dict[tuple[str, frozenset[tuple[str, str]]], Job]:
        return {(job.rule, frozenset(job.wildcards.items())): job for job in self.jobs}

    def job(self, rule: str, wildcards: Mapping[str, str]) -> Job:
        """Return the job of a rule with these wildcards; raise UserError when the configuration has none."""
        found = self._by_wildcards.get((rule, frozenset(wildcards.items())))
        if found is None:
            shown = ", ".join(f"{name} {value}" for name, value in wildcards.items())
            raise UserError(f"{rule}: this configuration has no such job ({shown})")
        return found

    def values(self, rule: str, wildcard: str) -> list[str]:
        """Return the values that a wildcard takes in the jobs of a rule."""
        return list(dict.fromkeys(job.wildcards[wildcard] for job in self.jobs if job.rule == rule))

    def pattern(self, rule: str, wildcard: str = "run") -> str:
        """Return those values as a regular expression; one that matches nothing when there are none."""
        return "|".join(map(re.escape, self.values(rule, wildcard))) or "(?!)"

    def needed(self, targets: Iterable[str]) -> list[Job]:
        """Return the jobs behind some targets (names or files) when nothing is made yet, first ones first.

        Raises UserError for a target that the configuration does not have.
        """
        found: dict[int, Job] = {}
        stack = [(path, False) for target in targets for path in reversed(self.targets.get(target, [target]))]
        while stack:
            path, inputs_done = stack.pop()
            job = self._by_output.get(path)
            if job is None:
                raise UserError(f"{path}: no target or file of this configuration")
            if id(job) in found:
                continue
            if inputs_done:
                found[id(job)] = job
            else:
                stack.append((path, True))
                stack += [(file, False) for file in reversed(job.files)]
        return list(found.values())

    def count(self, targets: Iterable[str] = ("all",)) -> dict[str, int]:
        """Return the number of jobs behind some targets by rule."""
        return dict(Counter(job.rule for job in self.needed(targets)))

    def rule_graph(self, targets: Iterable[str] = ("all",)) -> RuleGraph:
        """Return the rules behind some targets: jobs of each, the row where its first job stands, who reads whose files."""
        depth: dict[int, int] = {}
        levels: dict[str, int] = {}
        edges: dict[tuple[str, str], None] = {}
        for job in self.needed(targets):
            makers = [self._by_output[path] for path in job.files]
            depth[id(job)] = 1 + max((depth[id(maker)] for maker in makers), default=-1)
            levels[job.rule] = min(levels.get(job.rule, depth[id(job)]), depth[id(job)])
            edges |= {(maker.rule, job.rule): None for maker in makers if maker.rule != job.rule}
        return RuleGraph(self.count(targets), levels, list(edges))

    @cached_property
    def targets(self) -> dict[str, list[str]]:
        """The files behind each target name."""
        found = {
            "data": self._data_files(),
            "baseline": eval_files(self.paths, self.runs["baseline"]),
            "compare": [self.paths.summary, *self._tables()],
            "figures": self._figures(),
            "report": [self.paths.report],
        }
        for part in self.parts:
            found |= part.targets
        for i in range(self.cfg.iterations):
            found |= self._iteration_targets(self.runs[f"iter_{i}"])
        proofs = [self.paths("proofs", run=f"iter_{i}") for i in range(self.cfg.iterations)]
        pages = [self.paths.report]
        found["trial"] = self._one_of_each()
        found["all"] = [self.paths.data_report, *proofs, *self._figures(), *self._tables(), *pages]
        return found

    def unknown_target(self, target: str, rules: Iterable[str] = ()) -> str:
        """Return what is wrong with a target and the nearest ones there are; "" for one that the plan has.

        ``rules`` are further names that Snakemake takes for targets.
        """
        path = posixpath.normpath(target)
        if {target, path} & {*rules, *self.targets, *self._by_output}:
            return ""
        number = re.match(r"iter_(\d+)", target.removeprefix(f"{self.cfg.results}/"))
        if number and int(number[1]) >= self.cfg.iterations:
            last = self.cfg.iterations - 1
            return f"{target}: this configuration's iterations are 0 to {last}; another number: --config iterations=N"
        if "/" not in target:
            return f"{target}: no such target{_nearest(target, [*self.targets, *rules])}"
        same = [file for file in self._by_output if posixpath.splitext(file)[1] == posixpath.splitext(path)[1]]
        return (
            f"{target}: no job of this configuration makes this file (results: {self.cfg.results}){_nearest(path, same)}; "
            "another run's file needs that run's profile or --configfile (--workflow-profile rehearsal)"
        )

    def _one_of_each(self) -> list[str]:
        """Return files that take the first job of every rule.

        Of extraction only what the pairs need anyway, and nothing of the value laboratory: a study of an hour.
        """
        apart = f"{self.cfg.results}/value_lab/"
        first: dict[str, str] = {}
        for job in self.jobs:
            if job.rule != "extract_pairs" and not job.outputs[0].startswith(apart):
                first.setdefault(job.rule, job.outputs[0])
        return list(first.values())

    def _iteration_targets(self, run: Run) -> dict[str, list[str]]:
        def at(*names: str) -> list[str]:
            return [self.paths(name, run=run.name) for name in names]

        mode = self.cfg.training.mode_of(run.iteration)
        stages = {
            mode: at("adapter", "model"),
            "search": at("trajectories", "proofs"),
            "eval": [*eval_files(self.paths, run), *at("gate")],
        }
        if run.head:
            stages["ebm"] = at("head")
        if mode == "joint":
            stages["joint"] = stages["joint"] + stages["ebm"]
        found = {f"{run.name}_{stage}": files for stage, files in stages.items()}
        return {**found, run.name: [file for files in stages.values() for file in files]}

    def _data_files(self) -> list[str]:
        benchmarks = [self.paths("benchmark", benchmark=name) for name in self.cfg.benchmarks]
        own = [self.paths(name) for name in ("theorems", "pool", "data_report", "pairs", "val_pairs")]
        return [*own, *benchmarks, *self._drawn(self.data_figures[:1]), self.paths("table", table="data")]

    def _drawn(self, names: Sequence[str]) -> list[str]:
        return [self.paths("figure", figure=name) for name in names]

    def _figures(self) -> list[str]:
        return self._drawn([*self.figures, *self.data_figures])

    def _tables(self) -> list[str]:
        return [self.paths("table", table=name) for name in self.shown_tables]

    @property
    def shown_tables(self) -> list[str]:
        """The tables that every report has."""
        return [*(name for name, is_main in self.tables.items() if is_main), "data"]


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, dict.fromkeys(known), 3)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return "; `snakemake --list-target-rules` lists the targets, docs/architecture.md the files"


class RuleFacts(NamedTuple):
    """What displays and prices know of a rule beforehand.

    ``stage``: what its jobs are called together. ``seconds`` of a job without a GPU that takes about as long at any
    size; None: by what it reads, or not known.
    """

    stage: str
    seconds: float | None = None


# Seconds: merging was measured; a download of 14 GB goes at 100 MB/s. A rule that is not listed belongs to the report.
RULES = {
    "build_corpus": RuleFacts("data"),
    "build_theorem_index": RuleFacts("data", 60.0),
    "build_benchmark": RuleFacts("data", 15.0),
    "build_tactic_pairs": RuleFacts("data", 240.0),
    "note_evaluation_settings": RuleFacts("data", 1.0),
    "extract_pairs": RuleFacts("data"),
    "validate_tactics": RuleFacts("data"),
    "plot_data": RuleFacts("data", 5.0),
    "fetch_base_model": RuleFacts("base model", 150.0),
    "train_base_model": RuleFacts("base model"),
    "train_sft": RuleFacts("fine-tuning"),
    "train_joint": RuleFacts("joint training"),
    "merge_adapter": RuleFacts("merging", 80.0),
    "encode_states": RuleFacts("encoding"),
    "train_energy_head": RuleFacts("head"),
    "measure_joint_head": RuleFacts("head"),
    "select_theorems": RuleFacts("search", 10.0),
    "search_shard": RuleFacts("search"),
    "merge_trajectories": RuleFacts("search", 15.0),
    "verify_proofs": RuleFacts("re-check"),
    "evaluate": RuleFacts("evaluation"),
    "check_gate": RuleFacts("gate", 5.0),
    "summarize": RuleFacts("report", 5.0),
    "plot_figure": RuleFacts("report", 5.0),
    "write_table": RuleFacts("report", 5.0),
    "render_report": RuleFacts("report", 8.0),
    "write_baseline_report": RuleFacts("report", 8.0),
    "compare_rounds": RuleFacts("report", 10.0),
    "compare_values": RuleFacts("report", 15.0),
    "ablate_value": RuleFacts("report", 10.0),
    "attribute_joint": RuleFacts("report", 10.0),
}
WHOLE_RUN = ("data", "base model", "report")  # stages that belong to no iteration or arm

SEARCH = frozenset({"select_theorems", "search_shard", "merge_trajectories", "verify_proofs"})


def loop_runs(cfg: Config) -> Iterator[Run]:
    """Yield the runs of the loop: the base model's evaluation, then the iterations.

    Iteration 0 has no head and also searches noisily; later ones start from the adapter before, learn from all
    searches before, and wait for the gate before.
    """
    paths = Paths(cfg.results)
    benchmarks = (cfg.evaluation.benchmark, *cfg.evaluation.further)
    baseline = Run("baseline", cfg, frozenset({"evaluate"}), model="base", benchmarks=benchmarks)
    yield baseline
    judged = eval_files(paths, baseline, main_only=True)
    negatives = ("negatives",) if cfg.search.negatives else ()
    always = {"merge_adapter", "encode_states", *SEARCH, "evaluate"}
    for i in range(cfg.iterations):
        joint = cfg.training.mode_of(i) == "joint"
        head = {"measure_joint_head" if joint else "train_energy_head"} if i else set()
        rules = always | head | {"train_joint" if joint else "train_sft", "check_gate"}
        before = f"iter_{i - 1}" if i else ""
        run = Run(
            f"iter_{i}",
            cfg,
            frozenset(rules),
            iteration=i,
            adapter=before,
            learns_from=tuple(f"iter_{j}" for j in range(i)),
            searched_before=tuple(f"iter_{j}" for j in range(i)),
            after=before,
            previous_head=before if i > 1 and cfg.ebm.resume == "auto" else "",
            head=f"iter_{i}" if i else "",
            search_head=f"iter_{i}" if i else "",
            kinds=("main", *(() if i else ("noisy",)), *negatives),
            variants=("llm", "llm_ebm") if i else ("llm",),
            benchmarks=benchmarks,
        )
        judged += eval_files(paths, run, main_only=True)
        yield replace(run, judged=tuple(judged))


def eval_files(paths: Paths, run: Run, main_only: bool = False) -> list[str]:
    """Return the eval files of a run; ``main_only``: of its first benchmark, which gates and summary look at."""
    evaluations = run.evaluations
    found = [e for e in evaluations if not main_only or e.benchmark == evaluations[0].benchmark]
    return [paths("eval", run=run.name, evaluation=evaluation.name) for evaluation in found]


def run_jobs(paths: Paths, run: Run) -> Iterator[Job]:
    """Yield the jobs of a run, those of its rules alone."""
    makers = (_training_jobs, _head_jobs, _search_jobs, _evaluation_jobs)
    yield from (job for make in makers for job in make(paths, run) if job.rule in run.rules)


def _found(paths: Paths, run: Run) -> dict[str, Files]:
    """Return what the searches found that a run learns from."""
    if not run.learns_from:
        return {}
    return {name: [paths(name, run=other) for other in run.learns_from] for name in ("trajectories", "proofs")}


def _training_jobs(paths: Paths, run: Run) -> Iterator[Job]:
    own = {"run": run.name}
    data: dict[str, Files] = {"base": paths("model", run="base"), "pairs": paths.pairs, "val": paths.val_pairs}
    if run.adapter:
        data["adapter"] = paths("adapter", run=run.adapter)
    data |= _found(paths, run)
    if run.after:
        data["gate"] = paths("gate", run=run.after)
    # A new evaluation does not make the training data stale.
    waits = frozenset({"gate"} if run.after else ())
    yield Job("train_sft", (paths("adapter", **own),), data, own, waits)
    previous: dict[str, Files] = {"previous": paths("head", run=run.previous_head)} if run.previous_head else {}
    made = (paths("adapter", **own), paths("joint_head", **own))
    yield Job("train_joint", made, {**data, **previous}, own, waits)
    merged: dict[str, Files] = {"base": paths("model", run="base"), "adapter": paths("adapter", **own)}
    yield Job("merge_adapter", (paths("model", **own),), merged, own)


def _head_jobs(paths: Paths, run: Run) -> Iterator[Job]:
    own = {"run": run.name}
    found = _found(paths, run)
    # Before the first search there are only the states of the tactic pairs.
    states: dict[str, Files] = {"trajectories": found["trajectories"]} if found else {"pairs": paths.pairs}
    states["model"] = paths("model", run=run.model or run.name)
    yield Job("encode_states", (paths("embeddings", **own),), states, own)
    found["embeddings"] = paths("embeddings", run=run.embeddings or run.name)
    previous: dict[str, Files] = {"previous": paths("head", run=run.previous_head)} if run.previous_head else {}
    yield Job("train_energy_head", (paths("head", **own),), {**found, **previous}, own)
    measured = {**found, "head": paths("joint_head", run=run.joint_head or run.name)}
    yield Job("measure_joint_head", (paths("head", **own),), measured, own)


def _search_jobs(paths: Paths, run: Run) -> Iterator[Job]:
    own = {"run": run.name}
    theorems = paths("benchmark", benchmark=run.searches) if run.searches else paths.theorems
    before: dict[str, Files] = {"theorems": theorems, "pairs": paths.pairs}
    for name in ("trajectories", "proofs"):
        if run.searched_before:
            before[name] = [paths(name, run=other) for other in run.searched_before]
    yield Job("select_theorems", (paths("round", **own),), before, own)
    uses: dict[str, Files] = {"theorems": paths("round", **own), "model": paths("model", run=run.model or run.name)}
    if run.search_head:
        uses["ebm"] = paths("head", run=run.search_head)
    steps = []
    for kind in run.kinds:
        for number in range(run.cfg.search.shards):
            shard = {**own, "kind": kind, "shard": f"{number:03d}"}
            # Kind negatives goes along the proofs that the main search of the same shard has found.
            along: dict[str, Files] = {}
            if kind == "negatives":
                along = {"paths": paths("steps", **{**shard, "kind": "main"})}
            steps.append(paths("steps", **shard))
            yield Job("search_shard", (steps[-1],), {**uses, **along}, shard)
    yield Job("merge_trajectories", (paths("trajectories", **own),), {"shards": steps}, own)
    proofs = (paths("proofs", **own), paths("proofs_lean", **own))
    read: dict[str, Files] = {"theorems": theorems, "trajectories": paths("trajectories", **own)}
    yield Job("verify_proofs", proofs, read, own)


def _sample_alike(cfg: Config) -> bool:
    """Return whether searches with and without a head ask the same of policy and prover at the same state."""
    search = cfg.search
    with_head, without = (
        (search.candidates_with_head, search.temperature_with_head),
        (search.candidates, search.temperature),
    )
    return cfg.evaluation.reuse and with_head == without and search.mode == "tactic" and not search.resample


def _evaluation_jobs(paths: Paths, run: Run) -> Iterator[Job]:
    for evaluation in run.evaluations:
        own = {"run": run.name, "evaluation": evaluation.name}
        read: dict[str, Files] = {
            "settings": paths.evaluation_settings,
            "benchmark": paths("benchmark", benchmark=evaluation.benchmark),
            "model": paths("model", run=run.model or run.name),
        }
        if evaluation.variant == "llm_ebm":
            read["ebm"] = paths("head", run=run.head)
        if run.shuffled:
            read["shuffled"] = paths("eval_steps", run=run.shuffled, evaluation=evaluation.name)
        earlier = run.recorded or (run.name if "llm" in run.variants else "")
        if evaluation.variant == "llm_ebm" and earlier and _sample_alike(run.cfg):
            plain = evaluation.name.removesuffix("llm_ebm") + "llm"
            read["recorded"] = paths("eval_steps", run=earlier, evaluation=plain)
        yield Job("evaluate", (paths("eval", **own), paths("eval_steps", **own)), read, own)
    judged: dict[str, Files] = {"evals": list(run.judged)}
    if run.head:
        judged["ebm"] = paths("head", run=run.head)
    if run.after:
        judged["previous"] = paths("gate", run=run.after)
    yield Job("check_gate", (paths("gate", run=run.name),), judged, {"run": run.name})


def data_jobs(plan: Plan) -> Iterator[Job]:
    """Yield the jobs of theorems, benchmarks and tactic pairs, and that of the base model."""
    cfg, paths = plan.cfg, plan.paths
    generated: dict[str, Files] = {"corpus": paths.corpus}
    corpus = generated if cfg.data.source == "corpus" else {}
    yield Job("build_corpus", (paths.corpus,))
    yield Job("build_theorem_index", (paths.theorems,), corpus)
    for name, benchmark in cfg.benchmarks.items():
        own = generated if benchmark.source == "corpus:benchmark" else {}
        yield Job("build_benchmark", (paths("benchmark", benchmark=name),), own, {"benchmark": name})
    sources = [name for name, source in cfg.sources.items() if source.kind != "file"]
    for name in sources:
        outputs = (paths("extracted", source=name), paths("failures", source=name))
        yield Job("extract_pairs", outputs, wildcards={"source": name})
    read: dict[str, Files] = {
        **corpus,
        "theorems": paths.theorems,
        "benchmarks": [paths("benchmark", benchmark=name) for name in cfg.benchmarks],
        "extracted": [paths("extracted", source=name) for name in cfg.data.pair_files if name in sources],
    }
    yield Job("build_tactic_pairs", (paths.pairs, paths.val_pairs, paths.data_report, paths.pool), read)
    replayed: dict[str, Files] = {"pairs": paths.pairs, "theorems": [paths.theorems, paths.pool]}
    yield Job("validate_tactics", (paths.replay,), replayed)
    scratch = cfg.model.kind == "scratch"
    texts = generated if cfg.scratch.texts == "corpus" else {}
    base: dict[str, Files] = {"pairs": paths.pairs, **texts} if scratch else {}
    yield Job("train_base_model" if scratch else "fetch_base_model", (paths("model", run="base"),), base)
    yield Job("note_evaluation_settings", (paths.evaluation_settings,))


def _figure_files(paths: Paths, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(paths(kind, figure=name) for kind in ("figure", "figure_png", "figure_csv") for name in names)


def _table_files(paths: Paths, name: str) -> tuple[str, ...]:
    return tuple(paths(kind, table=name) for kind in ("table", "table_csv", "table_html"))


def _further_evals(plan: Plan) -> list[str]:
    """Return the eval files of the loop on benchmarks beside the experiment's own."""
    runs = [plan.runs["baseline"], *(plan.runs[f"iter_{i}"] for i in range(plan.cfg.iterations))]
    found = [(run, set(eval_files(plan.paths, run, main_only=True))) for run in runs]
    return [path for run, main in found for path in eval_files(plan.paths, run) if path not in main]


def report_jobs(plan: Plan) -> Iterator[Job]:
    """Yield the jobs of summary, figures, tables and pages."""
    paths, loop = plan.paths, [plan.runs[f"iter_{i}"] for i in range(plan.cfg.iterations)]
    summary: dict[str, Files] = {"summary": paths.summary}
    read: dict[str, Files] = {
        "evals": [*loop[-1].judged, *_further_evals(plan)],
        "gates": [paths("gate", run=run.name) for run in loop],
        "proofs": [paths("proofs", run=run.name) for run in loop],
    }
    yield Job("summarize", (paths.summary,), read)
    data = (*_figure_files(paths, plan.data_figures), *_table_files(paths, "data"))
    yield Job("plot_data", data, {"report": paths.data_report})
    for name in plan.figures:
        yield Job("plot_figure", _figure_files(paths, [name]), summary, {"figure": name})
    for name in plan.tables:
        yield Job("write_table", _table_files(paths, name), summary, {"table": name})
    shown: dict[str, Files] = {
        # By their data, which the same jobs make: a picture that was deleted and made again is the same picture.
        "figures": [paths("figure_csv", figure=name) for name in (*plan.figures, *plan.data_figures)],
        "tables": [paths("table", table=name) for name in plan.shown_tables],
        "data_report": paths.data_report,
    }
    made = (paths.report, paths.report_markdown)
    yield Job("render_report", made, {**summary, **shown}, waits=frozenset(shown))
