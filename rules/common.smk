"""What all rules share: checked settings, paths, options of scripts, resources, target aliases."""

import json
import os
import shlex
import sys

from burnqed.artifacts import UserError
from burnqed.config import MACHINE_SETTINGS, flags, joint_sft, load_config
from burnqed.data.sources import dump_sources
from burnqed.snakemake.cluster import take_over_jobs
from burnqed.snakemake.driver import DriverLock, end_on_sigterm
from burnqed.snakemake.hardware import HARDWARE
from burnqed.snakemake.progress import announce_results
from burnqed.snakemake.s3 import check_storage

if config["hardware"] == "auto":
    config["hardware"] = os.environ.get(HARDWARE, "cpu")  # what the profile says
remote = workflow.storage_settings
try:
    cfg = load_config(config)
    if workflow.is_main_process and remote.default_storage_provider == "s3":
        given = (workflow.storage_provider_settings or {}).get("s3")
        check_storage(remote.default_storage_prefix or "", given and given.get_settings())
except UserError as error:
    sys.exit(str(error))

R = cfg.results
ITERATIONS = range(cfg.iterations)
LAST = f"iter_{cfg.iterations - 1}"
A = f"{R}/ablation_value"
ATTRIBUTION_SEARCHES = ["llm/sft", "llm/joint", "llm_ebm/A", "llm_ebm/B", "llm_ebm/C"]
ABLATION_SEEDS = range(cfg.seed, cfg.seed + cfg.ablation.seeds)
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
    "training_speed",
    "head_curves",
    "head_rank1",
    "energy_histogram",
    "energy_calibration",
    "embedding_health",
    "embedding_map",
    "variance_spectrum",
    "cost",
]
FIGURE_GROUPS = {
    "Solve rate": ["solve_rate", "solve_rate_by_nodes", "head_ablation", "newly_solved"],
    "Search": ["nodes_to_proof", "candidate_diversity", "time_split"],
    "Training": ["training_curves", "training_speed", "head_curves"],
    "Energy head": [
        "head_rank1",
        "energy_histogram",
        "energy_calibration",
        "embedding_health",
        "embedding_map",
        "variance_spectrum",
    ],
    "Cost": ["cost"],
}
DATA_FIGURES = ["data_sizes", "data_depth", "data_lengths", "data_tactics", "data_drops"]
TABLES = ["results", "comparison"]
GPU = 0 if cfg.machine.device == "cpu" else 1
GPU_MODEL = cfg.hardware if GPU else ""
ENCODER_QUANTIZATION = {"same": cfg.machine.quantization}.get(
    cfg.machine.encoder_quantization, cfg.machine.encoder_quantization
)

# Facts of the machine reach the jobs by environment and not as params: they never make a result stale.
os.environ.update(
    PATH=f"{os.path.dirname(sys.executable)}:{os.environ.get('PATH', '')}",
    # Jobs end themselves when the process that started them is gone, as after SIGKILL.
    BURNQED_WATCH_PARENT="1",
    BURNQED_DRIVER_PID=str(os.getpid()),
    BURNQED_SCRIPTS=f"{workflow.basedir}/workflow_scripts",
    BURNQED_SNAKEFILE=str(workflow.main_snakefile),
    BURNQED_CONFIG=json.dumps(config),
    BURNQED_MACHINE=f"--device {cfg.machine.device} --price-per-hour {cfg.machine.price_per_hour}",
    BURNQED_PRICES=json.dumps({name: machine.price_per_hour for name, machine in cfg.hardware_types.items()}),
    # Clusters give each job its own GPUs; here the jobs share those of the machine.
    BURNQED_SHARE_GPUS="" if workflow.remote_exec else "1",
    # A file that cannot be stored is made again: its progress must still be there.
    BURNQED_KEEP_PROGRESS="1" if remote.default_storage_provider else "",
    **{MACHINE_SETTINGS: json.dumps(cfg.machine_settings())},
)
# In a rule's own conda environment the package is not installed.
if workflow.deployment_settings.deployment_method:
    os.environ.update(PYTHONPATH=str(workflow.basedir))
announce_results(R)
end_on_sigterm()


def hold_driver_lock():
    """Refuse to run two drivers on one results folder; the lock ends with this process, however it ends."""
    try:
        workflow.globals["_driver_lock"] = DriverLock(R)
        take_over_jobs(R, workflow.scheduler._executor)
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


def options(*names):
    """Return a params function with the options of several named inputs."""
    renders = [option(name) for name in names]
    return lambda wildcards, input: " ".join(render(wildcards, input) for render in renders)


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


def iterations_with(mode):
    """Return a pattern that matches the iterations trained in one mode."""
    found = [str(i) for i in ITERATIONS if cfg.training.mode_of(i) == mode]
    return "|".join(found) or "none"


def joint_flags(weight):
    """Return the options of joint training with a weight of the contrastive loss."""
    blocks = {"joint": cfg.joint.model_copy(update={"weight": weight}), "sft": cfg.sft}
    blocks |= {"ebm": cfg.ebm, "encoder": cfg.encoder}
    return " ".join(flags(name, block) for name, block in blocks.items())


def sampling_as_with_head():
    """Return search settings that sample without a head as with one, so that the head alone differs."""
    same = {"candidates": cfg.search.candidates_with_head, "temperature": cfg.search.temperature_with_head}
    return cfg.search.model_copy(update=same)


def attribution_runs():
    """Return the folders of the attribution's runs: iteration 1, once per seed."""
    return [f"{R}/joint_attribution/seed_{seed}/iter_1" for seed in cfg.joint.attribution_seeds]


def attribution_inputs(wildcards):
    """Return what the arms of the attribution train on; it does not wait for gates."""
    own = {
        "base": f"{R}/base/model",
        "pairs": f"{R}/data/tactic_pairs/train.jsonl",
        "val": f"{R}/data/tactic_pairs/val.jsonl",
    }
    return own | {name: path for name, path in sft_inputs(wildcards).items() if name != "gate"}


def attribution_arm(way):
    """Return the arm whose model a configuration searches with."""
    return "sft" if way in ("sft", "A") else "joint"


def attribution_ebm(wildcards):
    """Return the head of a configuration; sft and joint search by log-probability."""
    head = {"A": "sft/ebm", "B": "joint/ebm", "C": "joint/own_ebm"}.get(wildcards.way)
    return [f"{R}/joint_attribution/seed_{wildcards.seed}/{wildcards.run}/{head}"] if head else []


def ablation_searches():
    """Return the ways in which the ablation searches with each seed, as parts of paths: VARIANT/WAY."""
    ways = [f"{head}_{priority}" for head in cfg.ablation.heads for priority in cfg.ablation.priorities]
    return ["llm/logprob", *(f"llm_ebm/{way}" for way in [*ways, *(f"shuffled_{p}" for p in cfg.ablation.shuffled)])]


def ablation_settings(wildcards):
    """Return the search settings of one way: all sample as with a head, so that the order alone differs."""
    own = {} if wildcards.way == "logprob" else {"priority": wildcards.way.rpartition("_")[2]}
    return flags("search", sampling_as_with_head().model_copy(update=own))


def ablation_head(wildcards):
    """Return the head of one way; the control takes the first one's energies."""
    if wildcards.variant == "llm":
        return []
    head = wildcards.way.rpartition("_")[0]
    return [f"{A}/seed_{wildcards.seed}/ebm/{cfg.ablation.heads[0] if head == 'shuffled' else head}"]


def ablation_energies(wildcards):
    """Return the search whose energies the control permutes."""
    head, _, priority = wildcards.way.rpartition("_")
    if head != "shuffled":
        return []
    return [f"{A}/seed_{wildcards.seed}/{LAST}/llm_ebm/{cfg.ablation.heads[0]}_{priority}.parquet"]


def figures():
    return [f"{R}/figures/{figure}.svg" for figure in [*FIGURES, *DATA_FIGURES]]


def tables():
    return [f"{R}/tables/{table}.md" for table in [*TABLES, "data"]]


def everything():
    proofs = [f"{R}/iter_{i}/proofs.jsonl" for i in ITERATIONS]
    return [f"{R}/data/report.json", *proofs, *figures(), *tables(), f"{R}/results.md", f"{R}/report.html"]


def data_files():
    """Return everything the data stage makes."""
    benchmarks = [f"{R}/data/benchmarks/{name}.json" for name in cfg.benchmarks]
    pairs = [f"{R}/data/tactic_pairs/{part}.jsonl" for part in ("train", "val")]
    own = [f"{R}/data/{name}.json" for name in ("theorems", "pool", "report")]
    return [*own, *pairs, *benchmarks, f"{R}/figures/{DATA_FIGURES[0]}.svg", f"{R}/tables/data.md"]


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
    if cfg.iterations > 1:
        aliases["ablation_value"] = [f"{A}/table.md", f"{A}/figure.svg"]
        aliases["baseline_report"] = [f"{R}/{LAST}/baseline.html"]
        aliases["joint_attribution"] = [f"{R}/joint_attribution/table.md"]
    for i in ITERATIONS:
        here = f"{R}/iter_{i}"
        stages = {
            cfg.training.mode_of(i): [f"{here}/adapter", f"{here}/model"],
            "search": [f"{here}/trajectories.parquet", f"{here}/proofs.jsonl"],
            "eval": [*(f"{here}/eval/{variant}.json" for variant in variants(i)), f"{here}/gate.json"],
        }
        if i > 0:
            stages["ebm"] = [f"{here}/ebm"]
        if "joint" in stages:
            stages["joint"] += stages["ebm"]
        aliases |= {f"iter_{i}_{stage}": files for stage, files in stages.items()}
        aliases[f"iter_{i}"] = [file for files in stages.values() for file in files]
    return aliases
