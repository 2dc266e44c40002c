"""What all rules share: checked settings, paths, options of scripts, resources, target aliases."""

import json
import os
import shlex
import sys

from burnqed.artifacts import UserError
from burnqed.config import flags, load_config
from burnqed.data.sources import dump_sources
from burnqed.snakemake.driver import DriverLock
from burnqed.snakemake.progress import announce_results

try:
    cfg = load_config(config)
except UserError as error:
    sys.exit(str(error))

R = cfg.results
ITERATIONS = range(cfg.iterations)
SHARDS = [f"{shard:03d}" for shard in range(cfg.search.shards)]
FIGURES = [
    "solve_rate",
    "solve_rate_by_nodes",
    "head_ablation",
    "newly_solved",
    "nodes_to_proof",
    "time_split",
    "candidate_diversity",
    "training_curves",
    "head_curves",
    "energy_histogram",
    "embedding_health",
    "cost",
]
FIGURE_GROUPS = {
    "Solve rate": ["solve_rate", "solve_rate_by_nodes", "head_ablation", "newly_solved"],
    "Search": ["nodes_to_proof", "candidate_diversity", "time_split"],
    "Training": ["training_curves", "head_curves", "energy_histogram", "embedding_health"],
    "Cost": ["cost"],
}
TABLES = ["results", "comparison"]
GPU = 0 if cfg.machine.device == "cpu" else 1
GPU_MODEL = cfg.hardware if GPU else ""

# Facts of the machine reach the jobs by environment and not as params: they never make a result stale.
os.environ.update(
    PATH=f"{os.path.dirname(sys.executable)}:{os.environ.get('PATH', '')}",
    # Jobs end themselves when the process that started them is gone, as after SIGKILL.
    BURNQED_WATCH_PARENT="1",
    BURNQED_SCRIPTS=f"{workflow.basedir}/workflow_scripts",
    BURNQED_SNAKEFILE=str(workflow.main_snakefile),
    BURNQED_CONFIG=json.dumps(config),
    BURNQED_MACHINE=f"--device {cfg.machine.device} --price-per-hour {cfg.machine.price_per_hour}",
)
# In a rule's own conda environment the package is not installed.
if workflow.deployment_settings.deployment_method:
    os.environ.update(PYTHONPATH=str(workflow.basedir))
announce_results(R)


def hold_driver_lock():
    """Refuse to run two drivers on one results folder; the lock ends with this process, however it ends."""
    try:
        workflow.globals["_driver_lock"] = DriverLock(R)
    except UserError as error:
        sys.exit(str(error))


def grows(amount):
    """Return a resource function: the amount times the number of the attempt."""
    return lambda wildcards, attempt: amount * attempt


def option(name):
    """Return a params function: `--name FILES` for the named input, nothing when the rule has none here."""
    key = name.replace("-", "_")

    def render(wildcards, input):
        files = input.get(key, [])
        files = [files] if isinstance(files, str) else list(files)
        return f"--{name} {shlex.join(files)}" if files else ""

    return render


def sources_option(names):
    """Return `--sources JSON` for those of the names that `sources` declares, nothing without any."""
    text = dump_sources(names, cfg.sources)
    return f"--sources {shlex.quote(text)}" if text else ""


def corpus_if(needed):
    """Return the generated corpus as an input list when it is needed."""
    return [f"{R}/data/corpus.jsonl"] if needed else []


def before(i, path):
    """Return `path` of all iterations before i."""
    return [f"{R}/iter_{j}/{path}" for j in range(int(i))]


def kinds(i):
    """Return the kinds of search of an iteration: the first one also searches noisily."""
    noisy = ["noisy"] if int(i) == 0 else []
    return ["main", *noisy, *(["negatives"] if cfg.search.negatives else [])]


def variants(i):
    """Return the evaluated variants of an iteration: there is no head before iteration 1."""
    return ["llm"] if int(i) == 0 else ["llm", "llm_ebm"]


def model_of(run):
    """Return the model folder of a run (baseline or iter_i)."""
    return f"{R}/base/model" if run == "baseline" else f"{R}/{run}/model"


def evals_until(i):
    """Return all eval files up to iteration i, baseline first."""
    later = [f"{R}/iter_{j}/eval/{variant}.json" for j in range(i + 1) for variant in variants(j)]
    return [f"{R}/baseline/eval/llm.json", *later]


def sft_inputs(wildcards):
    """Iteration 0 starts from the base model; later ones go on from the last adapter, if its gate is open."""
    i = int(wildcards.i)
    if i == 0:
        return {}
    return {
        "adapter": f"{R}/iter_{i - 1}/adapter",
        "trajectories": before(i, "trajectories.parquet"),
        "proofs": before(i, "proofs.jsonl"),
        # A new evaluation does not make the training data stale.
        "gate": ancient(f"{R}/iter_{i - 1}/gate.json"),
    }


def encoder_inputs(wildcards):
    """Encode the states of all earlier searches; before the first search, those of the tactic pairs."""
    if int(wildcards.i) == 0:
        return {"pairs": f"{R}/data/tactic_pairs/train.jsonl"}
    return {"trajectories": before(wildcards.i, "trajectories.parquet")}


def previous_head(wildcards):
    """Return the head to start from: there is none before iteration 2."""
    return [f"{R}/iter_{int(wildcards.i) - 1}/ebm"] if int(wildcards.i) > 1 and cfg.ebm.resume == "auto" else []


def head_input(wildcards):
    """Return the energy head of an iteration: there is none in iteration 0."""
    return [f"{R}/iter_{wildcards.i}/ebm"] if int(wildcards.i) > 0 else []


def figures():
    return [f"{R}/figures/{figure}.svg" for figure in FIGURES]


def tables():
    return [f"{R}/tables/{table}.md" for table in TABLES]


def everything():
    proofs = [f"{R}/iter_{i}/proofs.jsonl" for i in ITERATIONS]
    return [f"{R}/data/report.json", *proofs, *figures(), *tables(), f"{R}/results.md", f"{R}/report.html"]


def data_files():
    """Return everything the data stage makes."""
    benchmarks = [f"{R}/data/benchmarks/{name}.json" for name in cfg.benchmarks]
    pairs = [f"{R}/data/tactic_pairs/{part}.jsonl" for part in ("train", "val")]
    own = [f"{R}/data/{name}.json" for name in ("theorems", "pool", "report")]
    return [*own, *pairs, *benchmarks, f"{R}/figures/data_sizes.svg", f"{R}/tables/data.md"]


def figure_category(wildcards):
    """Return the category of a figure in the report."""
    return next((group for group, names in FIGURE_GROUPS.items() if wildcards.figure in names), "Data")


def figure_labels(wildcards):
    """Return what the report calls a figure."""
    return {"figure": wildcards.figure.replace("_", " ")}


def stage_aliases():
    """Return the files behind each target name."""
    aliases = {
        "data": data_files(),
        "baseline": [f"{R}/baseline/eval/llm.json"],
        # The first point at which a run shows whether it works: iteration 0 on a few theorems, without and with a head.
        "lean_start": [f"{R}/lean_start/iter_0/gate.json"],
        "compare": [f"{R}/summary.json", *tables()],
        "figures": figures(),
        "report": [f"{R}/report.html"],
    }
    for i in ITERATIONS:
        here = f"{R}/iter_{i}"
        stages = {
            "sft": [f"{here}/adapter", f"{here}/model"],
            "search": [f"{here}/trajectories.parquet", f"{here}/proofs.jsonl"],
            "eval": [*(f"{here}/eval/{variant}.json" for variant in variants(i)), f"{here}/gate.json"],
        }
        if i > 0:
            stages["ebm"] = [f"{here}/ebm"]
        aliases |= {f"iter_{i}_{stage}": files for stage, files in stages.items()}
        aliases[f"iter_{i}"] = [file for files in stages.values() for file in files]
    return aliases
