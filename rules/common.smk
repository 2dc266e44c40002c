"""What all rules share: checked settings, paths, options of scripts, resources, target aliases."""

import json
import os
import shlex
import sys

from snakemake.exceptions import WorkflowError

from burnqed.artifacts import UserError
from burnqed.config import flags, load_config
from burnqed.snakemake.driver import DriverLock
from burnqed.snakemake.progress import announce_results

try:
    cfg = load_config(config)
except UserError as error:
    raise WorkflowError(str(error)) from None

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
    "energy_histogram",
    "cost",
]
TABLES = ["results", "comparison"]
# Facts of the machine, formatted into shell commands as globals and not as params: they never make a result stale.
PYTHON = "python" if workflow.deployment_settings.deployment_method else shlex.quote(sys.executable)
SCRIPTS = shlex.quote(f"{workflow.basedir}/workflow_scripts")
SNAKEFILE = shlex.quote(str(workflow.main_snakefile))
CONFIG_JSON = shlex.quote(json.dumps(config))
MACHINE = f"--device {cfg.machine.device} --price-per-hour {cfg.machine.price_per_hour}"
GPU = 0 if cfg.machine.device == "cpu" else 1
GPU_MODEL = cfg.hardware if GPU else ""

announce_results(R)
# Jobs end themselves when the process that started them is gone, as after SIGKILL.
os.environ["BURNQED_WATCH_PARENT"] = "1"
# In a rule's own conda environment the package is not installed.
if workflow.deployment_settings.deployment_method:
    os.environ["PYTHONPATH"] = str(workflow.basedir)


def hold_driver_lock():
    """Refuse to run two drivers on one results folder; the lock ends with this process, however it ends."""
    try:
        workflow.globals["_driver_lock"] = DriverLock(R)
    except UserError as error:
        raise WorkflowError(str(error)) from None


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


def corpus_if(needed):
    """Return the generated corpus as an input list when it is needed."""
    return [f"{R}/data/corpus.jsonl"] if needed else []


def before(i, path):
    """Return `path` of all iterations before i."""
    return [f"{R}/iter_{j}/{path}" for j in range(int(i))]


def kinds(i):
    """Return the kinds of search of an iteration: the first one also searches noisily."""
    return ["main", "noisy"] if int(i) == 0 else ["main"]


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


def figures():
    return [f"{R}/figures/{figure}.svg" for figure in FIGURES]


def tables():
    return [f"{R}/tables/{table}.md" for table in TABLES]


def everything():
    proofs = [f"{R}/iter_{i}/proofs.jsonl" for i in ITERATIONS]
    return [f"{R}/data/report.json", *proofs, *figures(), *tables(), f"{R}/report.html"]


def stage_aliases():
    """Return the files behind each target name."""
    aliases = {
        "baseline": [f"{R}/baseline/eval/llm.json"],
        # The first point at which a run shows whether it works: the base model against iteration 0.
        "lean_start": [f"{R}/iter_0/proofs.jsonl", f"{R}/iter_0/gate.json"],
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
