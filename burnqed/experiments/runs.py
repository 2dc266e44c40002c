"""The experiments beside the loop as data: their arms are runs of the plan, made by the loop's own rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from burnqed.config import Config, Settings, arm_parts, joint_sft
from burnqed.plan import SEARCH, Files, Job, Part, Paths, Plan, Run, eval_files
from burnqed.report.catalogue import DATA_FIGURES, figure_names, table_names

ABLATION = "ablation_value"
ATTRIBUTION = "joint_attribution"
ROUNDS = "expert_iteration"
VALUES = "value_lab"
HEAD_RULES = frozenset({"train_energy_head"})
EVALUATE = frozenset({"evaluate"})


def plan_of(cfg: Config) -> Plan:
    """Return the whole plan of a configuration: the loop, its report and all experiments."""
    parts = [lean_start(cfg), expert_iteration(cfg), value_lab(cfg)]
    if cfg.iterations > 1:
        parts += [value_ablation(cfg), joint_attribution(cfg), baseline_reports(cfg)]
    further = cfg.evaluation.further
    return Plan(cfg, figure_names(further), list(DATA_FIGURES), table_names(further), parts)


def changed(cfg: Config, **blocks: dict[str, object]) -> Config:
    """Return the configuration with some settings of some blocks replaced: ``changed(cfg, ebm={"steps": 9})``."""
    update = {}
    for name, values in blocks.items():
        block: Settings = getattr(cfg, name)
        update[name] = block.model_copy(update=values)
    return cfg.model_copy(update=update)


def sampling_as_with_head(cfg: Config, **search: object) -> Config:
    """Return the configuration with searches that sample without a head as with one: the order alone differs."""
    same = {"candidates": cfg.search.candidates_with_head, "temperature": cfg.search.temperature_with_head}
    return changed(cfg, search={**same, **search})


def _comparison(cfg: Config, name: str, rule: str, read: dict[str, Files]) -> tuple[Job, dict[str, list[str]]]:
    """Return the job that makes an experiment's table and figure, and the target that asks for them."""
    table, figure = f"{cfg.results}/{name}/table", f"{cfg.results}/{name}/figure"
    made = (f"{table}.md", f"{table}.csv", *(f"{figure}.{kind}" for kind in ("svg", "png", "csv")))
    return Job(rule, made, read), {name: [f"{table}.md", f"{figure}.svg"]}


def lean_start(cfg: Config) -> Part:
    """The small start, before a long run is paid for.

    The model of iteration 0 searches some training theorems, a head is trained on what it found, and the same model
    is judged on some benchmark theorems without and with that head.
    """
    name, paths = "lean_start/iter_0", Paths(cfg.results)
    few = {"max_theorems": cfg.gates.lean_start_theorems}
    rules = {*SEARCH, "encode_states", "evaluate", "check_gate"}
    run = Run(
        name,
        changed(cfg, search={**few, "shards": 1}, evaluation=dict(few)),
        HEAD_RULES | rules,
        label="iter_0",
        learns_from=(name,),
        model="iter_0",
        head=name,
        variants=("llm", "llm_ebm"),
        judged=tuple(paths("eval", run=name, evaluation=variant) for variant in ("llm", "llm_ebm")),
        is_start=True,
    )
    return Part([run], targets={"lean_start": [paths("gate", run=name)]})


def expert_iteration(cfg: Config) -> Part:
    """Rounds of expert iteration under several training and sampling seeds, with controls beside the last."""
    paths = Paths(cfg.results)
    seeds = tuple(cfg.study.sampling_seeds)
    runs = [Run(f"{ROUNDS}/base", cfg, EVALUATE, label="baseline", model="base", sampling_seeds=seeds)]
    for seed in cfg.study.seeds:
        runs += _rounds(cfg, seed, seeds)
    read: dict[str, Files] = {
        "evals": [file for run in runs for file in eval_files(paths, run)],
        "proofs": [paths("proofs", run=run.name) for run in runs if "verify_proofs" in run.rules],
    }
    job, targets = _comparison(cfg, ROUNDS, "compare_rounds", read)
    return Part(runs, [job], targets)


def _rounds(cfg: Config, seed: int, sampling_seeds: tuple[int, ...]) -> Iterator[Run]:
    """Yield the rounds of one training seed, and what stands beside the last one; the last round is not searched."""
    last, own = cfg.study.rounds, cfg.model_copy(update={"seed": seed})
    names = [f"{ROUNDS}/seed_{seed}/round_{i}" for i in range(last + 1)]
    trained = frozenset({"train_sft", "merge_adapter", "evaluate"})
    changes: dict[str, dict[str, object]] = {name: {"control": name} for name in ("no_proofs", "shuffled")}
    changes["dpo"] = {"dpo_weight": cfg.study.dpo_weight}
    arms = dict.fromkeys(names, own)
    arms |= {f"{ROUNDS}/seed_{seed}/{arm}": changed(own, sft=changes[arm]) for arm in cfg.study.arms}
    for name, settings in arms.items():
        i = names.index(name) if name in names else last
        before = tuple(names[:i])
        yield Run(
            name,
            settings,
            trained | (SEARCH if i < last else frozenset()),
            iteration=i,
            label=f"iter_{i}",
            adapter=names[i - 1] if i and cfg.sft.start == "previous" else "",
            learns_from=before,
            searched_before=before,
            sampling_seeds=sampling_seeds,
        )


def value_lab(cfg: Config) -> Part:
    """Values of several readers and targets, in all orders over the same trees of iteration 0's policy.

    The trees are searches past the first proof: of training theorems for the values, of the benchmark for the orders.
    A search four times as large, in nodes, tests the labels of some training theorems.
    """
    paths, model = Paths(cfg.results), "iter_0"
    search, few = cfg.search, {"max_theorems": cfg.value_lab.relabel_theorems}
    nodes = {"expansions": 4 * search.expansions, "past_proof": 4 * search.past_proof}
    larger = Run(f"{VALUES}/nodes", changed(cfg, search={**few, **nodes}), SEARCH, model=model)
    training = Run(f"{VALUES}/training", cfg, SEARCH, model=model)
    trees = [
        Run(
            f"{VALUES}/benchmark/seed_{seed}",
            changed(cfg, search={"max_theorems": cfg.evaluation.max_theorems}).model_copy(update={"seed": seed}),
            SEARCH,
            model=model,
            searches=cfg.evaluation.benchmark,
        )
        for seed in cfg.value_lab.sampling_seeds
    ]
    policy = paths("model", run=model)
    learnt: dict[str, Files] = {name: [paths(name, run=training.name)] for name in ("trajectories", "proofs")}
    shown: dict[str, Files] = {
        name: [paths(name, run=run.name) for run in trees] for name in ("trajectories", "proofs")
    }
    folder = f"{cfg.results}/{VALUES}"
    jobs = [Job("replay_policy", (f"{folder}/replays/policy.json",), {"model": policy, **shown})]
    files = {"training": learnt, "benchmark": shown}
    vectors: dict[tuple[str, str], str] = {}
    for reader in dict.fromkeys(arm_parts(arm)[0] for arm in cfg.value_lab.arms):
        for name, read_from in files.items() if reader != "own" else ():
            path = vectors[name, reader] = f"{folder}/readings/{name}/{reader}.parquet"
            where = {"model": policy, "trajectories": read_from["trajectories"]}
            jobs.append(Job("read_states", (path,), where, {"trees": name, "reader": reader}))
    for arm, seed in itertools.product(cfg.value_lab.arms, cfg.value_lab.seeds):
        own, reader = {"arm": arm, "seed": str(seed)}, arm_parts(arm)[0]
        value, replayed = (f"{folder}/{kind}/{arm}/seed_{seed}" for kind in ("values", "replays"))
        known: list[dict[str, Files]] = [
            {"vectors": vectors[name, reader]} if reader != "own" else {} for name in files
        ]
        jobs.append(Job("train_value", (value,), {"model": policy, **learnt, **known[0]}, own))
        jobs.append(
            Job("replay_value", (f"{replayed}.json",), {"model": policy, "value": value, **shown, **known[1]}, own)
        )
    replays = [job.outputs[0] for job in jobs if job.rule.startswith("replay")]
    benchmark = paths("benchmark", benchmark=cfg.evaluation.benchmark)
    refused = f"{folder}/refused.json"
    jobs.append(Job("check_orders", (refused,), {"benchmark": benchmark, "replays": replays}))
    read: dict[str, Files] = {
        "replays": replays,
        "refused": refused,
        **learnt,
        "larger": paths("trajectories", run=larger.name),
    }
    job, targets = _comparison(cfg, VALUES, "compare_values", read)
    return Part([training, *trees, larger], [*jobs, job], targets)


def value_ablation(cfg: Config) -> Part:
    """What the head is worth: the last model's search in several orders of expansion, with heads of several seeds."""
    paths, runs = Paths(cfg.results), []
    for seed in range(cfg.seed, cfg.seed + cfg.ablation.seeds):
        runs += [*_ablation_heads(cfg, seed), *_ablation_searches(cfg, seed)]
    searches = [run for run in runs if run.rules == EVALUATE]
    read: dict[str, Files] = {
        "evals": [file for run in searches for file in eval_files(paths, run)],
        "heads": [paths("head", run=run.name) for run in runs if run.rules == HEAD_RULES],
    }
    job, targets = _comparison(cfg, ABLATION, "ablate_value", read)
    return Part(runs, [job], targets)


def _ablation_heads(cfg: Config, seed: int) -> Iterator[Run]:
    last = cfg.iterations - 1
    for head in cfg.ablation.heads:
        yield Run(
            f"{ABLATION}/seed_{seed}/{head}",
            changed(cfg, ebm={"head": head}).model_copy(update={"seed": seed}),
            HEAD_RULES,
            iteration=last,
            learns_from=tuple(f"iter_{i}" for i in range(last)),
            embeddings=f"iter_{last}",
        )


def _ablation_searches(cfg: Config, seed: int) -> Iterator[Run]:
    """Yield the searches of one seed: without a head, with each head in each order, with permuted energies."""
    folder, last = f"{ABLATION}/seed_{seed}", f"iter_{cfg.iterations - 1}"
    first = cfg.ablation.heads[0]
    ways: list[tuple[str, str, str]] = [
        (head, head, order) for head in cfg.ablation.heads for order in cfg.ablation.priorities
    ]
    ways += [("shuffled", first, order) for order in cfg.ablation.shuffled]
    own = sampling_as_with_head(cfg).model_copy(update={"seed": seed})
    yield Run(f"{folder}/logprob", own, EVALUATE, label=last, model=last)
    for name, head, order in ways:
        yield Run(
            f"{folder}/{name}_{order}",
            changed(own, search={"priority": order}),
            EVALUATE,
            label=last,
            model=last,
            head=f"{folder}/{head}",
            shuffled=f"{folder}/{first}_{order}" if name == "shuffled" else "",
            recorded=f"{folder}/logprob",
            variants=("llm_ebm",),
        )


def joint_attribution(cfg: Config) -> Part:
    """What joint training brings, and by which half: iteration 1 in several ways, same data, seeds and steps.

    Arms: sft and joint, each with a head trained in the same way on its embeddings; joint_own, the joint model with
    the head that was trained with it; control, joint training with weight 0, which must be sft again.
    """
    paths = Paths(cfg.results)
    runs = [run for seed in cfg.joint.attribution_seeds for run in _attribution_arms(cfg, seed)]
    folder = f"{cfg.results}/{ATTRIBUTION}"
    read: dict[str, Files] = {
        "adapters": [paths("adapter", run=run.name) for run in runs if "merge_adapter" in run.rules or not run.head],
        "heads": [paths("head", run=run.name) for run in runs if run.head],
        "evals": [file for run in runs if "evaluate" in run.rules for file in eval_files(paths, run)],
    }
    made = (f"{folder}/table.md", f"{folder}/table.csv", f"{folder}/attribution.json")
    return Part(runs, [Job("attribute_joint", made, read)], {ATTRIBUTION: [made[0]]})


def _attribution_arms(cfg: Config, seed: int) -> Iterator[Run]:
    folder = f"{ATTRIBUTION}/seed_{seed}"
    own = sampling_as_with_head(cfg).model_copy(update={"seed": seed})
    arms = {
        "sft": ("train_sft", own.model_copy(update={"sft": joint_sft(cfg.sft, cfg.joint)})),
        "joint": ("train_joint", own),
        "control": ("train_joint", changed(own, joint={"weight": 0})),
    }
    with_head = {"merge_adapter", "encode_states", "train_energy_head", "evaluate"}
    for arm, (training, settings) in arms.items():
        is_control = arm == "control"
        yield Run(
            f"{folder}/{arm}",
            settings,
            frozenset({training} | (set() if is_control else with_head)),
            iteration=1,
            label="iter_1",
            adapter="iter_0",
            learns_from=("iter_0",),
            head="" if is_control else f"{folder}/{arm}",
            variants=("llm", "llm_ebm"),
        )
    yield Run(
        f"{folder}/joint_own",
        own,
        frozenset({"measure_joint_head", "evaluate"}),
        iteration=1,
        label="iter_1",
        learns_from=("iter_0",),
        model=f"{folder}/joint",
        embeddings=f"{folder}/joint",
        joint_head=f"{folder}/joint",
        recorded=f"{folder}/joint",
        head=f"{folder}/joint_own",
        variants=("llm_ebm",),
    )


def baseline_reports(cfg: Config) -> Part:
    """What a change to training is held against: an iteration's data, embedding space, head and search on one page."""
    paths, jobs = Paths(cfg.results), []
    for i in range(1, cfg.iterations):
        run = f"iter_{i}"
        files = {name: paths(name, run=run) for name in ("trajectories", "proofs")}
        evals = [paths("eval", run="baseline", evaluation="llm")]
        evals += [paths("eval", run=run, evaluation=variant) for variant in ("llm", "llm_ebm")]
        read: dict[str, Files] = {"data": paths.data_report, "ebm": paths("head", run=run), **files, "evals": evals}
        made = tuple(f"{cfg.results}/{run}/baseline.{kind}" for kind in ("md", "html"))
        jobs.append(Job("write_baseline_report", made, read, {"run": run}))
    return Part(jobs=jobs, targets={"baseline_report": [f"{cfg.results}/iter_{cfg.iterations - 1}/baseline.html"]})
