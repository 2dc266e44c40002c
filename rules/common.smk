"""What all rules share: checked settings, the plan of the run, options of scripts, resources."""

import json
import os
import shlex
import sys
from operator import attrgetter
from pathlib import Path

from snakemake.exceptions import WorkflowError

from burnqed.files import UserError, sweep_partials
from burnqed.commands.live import record_run
from burnqed.commands.watch import LivePage
from burnqed.config import arm_parts, flags, load_config
from burnqed.data.sources import dump_sources
from burnqed.experiments.runs import plan_of
from burnqed.report.catalogue import figure_entry, table_entry
from burnqed.snakemake.arguments import asked_targets
from burnqed.snakemake.cluster import cancel_own_jobs, see_every_end, take_over_jobs
from burnqed.snakemake.driver import DriverLock, check_results, end_on_sigterm
from burnqed.snakemake.hardware import HARDWARE, JOBS_PER_GPU
from burnqed.snakemake.interpreter import module_path, python_folder, start_warm
from burnqed.snakemake.progress import announce_results
from burnqed.snakemake.s3 import check_storage

if config["hardware"] == "auto":
    config["hardware"] = os.environ.get(HARDWARE, "cpu")  # what the profile says
remote = workflow.storage_settings
try:
    cfg = load_config(config)
    check_results(cfg.results)
    if workflow.is_main_process and remote.default_storage_provider == "s3":
        s3 = (workflow.storage_provider_settings or {}).get("s3")
        check_storage(remote.default_storage_prefix or "", s3 and s3.get_settings())
except UserError as error:
    sys.exit(str(error))

plan = plan_of(cfg)
P = plan.paths
R = cfg.results
GPU = 0 if cfg.machine.device == "cpu" else 1
GPU_MODEL = cfg.hardware if GPU else ""
ENCODER_QUANTIZATION = {"same": cfg.machine.quantization}.get(
    cfg.machine.encoder_quantization, cfg.machine.encoder_quantization
)

# Facts of the machine reach the jobs by environment and not as params: they never make a result stale.
os.environ.update(
    PATH=f"{python_folder()}:{os.environ.get('PATH', '')}",
    # A checkout runs without being installed: its scripts find the package beside them.
    PYTHONPATH=module_path(os.environ.get("PYTHONPATH", "")),
    # Jobs end themselves when the process that started them is gone, as after SIGKILL.
    BURNQED_WATCH_PARENT="1",
    BURNQED_DRIVER_PID=str(os.getpid()),
    BURNQED_PYTHON="python",
    BURNQED_SCRIPTS=f"{workflow.basedir}/workflow_scripts",
    BURNQED_SNAKEFILE=str(workflow.main_snakefile),
    BURNQED_CONFIG=json.dumps(config),
    BURNQED_MACHINE=json.dumps(cfg.machine_facts()),
    # Clusters give each job its own GPUs; here the jobs share those of the machine.
    BURNQED_SHARE_GPUS="" if workflow.remote_exec else os.environ.get(JOBS_PER_GPU, "1"),
    # A file that cannot be stored is made again: its progress must still be there.
    BURNQED_KEEP_PROGRESS="1" if remote.default_storage_provider else "",
)
# In a rule's own conda environment the package is not installed.
if workflow.deployment_settings.deployment_method:
    os.environ.update(PYTHONPATH=str(workflow.basedir))


def price(jobs):
    """Return what so many jobs by rule take and cost on the machine of the profile, in a line."""
    from burnqed.commands.estimate import price_line

    planned = workflow.dag.needrun_jobs(exclude_finished=False)  # a dry run calls all of them finished
    return price_line(cfg, jobs, {str(path) for job in planned for path in job.output})


announce_results(R, price)


def refuse_unknown_targets():
    """End with one line for each target that no rule makes, and the nearest ones; call after all rules."""
    asked = asked_targets(sys.argv) if workflow.is_main_process else []
    names = [rule.name for rule in workflow.rules if not rule.has_wildcards()]
    absent = [target for target in asked if not os.path.exists(target)]
    wrong = [line for line in (plan.unknown_target(target, names) for target in absent) if line]
    if wrong:
        sys.exit("\n".join(wrong))


def check_machine():
    """End before the first GPU job when this machine lacks what the run needs; BURNQED_DOCTOR=off leaves it out."""
    from burnqed.commands.doctor import failures

    needed = GPU and workflow.local_exec and any(job.resources.get("gpu") for job in workflow.dag.needrun_jobs())
    found = failures(cfg) if needed and os.environ.get("BURNQED_DOCTOR") != "off" else []
    if found:
        lines = "\n  ".join(found)
        sys.exit(f"this machine is not ready (burnqed doctor):\n  {lines}\nBURNQED_DOCTOR=off runs all the same.")


def keep_imports():
    """Let the jobs of this machine share one process that has imported what they need."""
    if workflow.local_exec and not workflow.deployment_settings.deployment_method:
        # PEFT imports bitsandbytes where it is installed, which takes longer than PEFT itself.
        plain = (
            cfg.model.kind == "scratch" and GPU == 0 and {cfg.machine.quantization, ENCODER_QUANTIZATION} == {"none"}
        )
        start_warm(
            len(list(workflow.dag.needrun_jobs())),
            Path(R) / "logs" / "warm.log",
            unused=["bitsandbytes"] if plain else [],
        )


def start_live_page():
    """Keep R/live.html current while the run works, and note its configuration for `burnqed watch`."""
    if remote.default_storage_provider:
        return  # the results are elsewhere
    record_run(cfg, config)
    workflow.globals["_live_page"] = LivePage(cfg)
    workflow.globals["_live_page"].start()


def end_live_page(how):
    """Write R/live.html a last time; it says how the run ended."""
    if "_live_page" in workflow.globals:
        workflow.globals["_live_page"].end(how)


def hold_driver_lock():
    """Refuse to run two drivers on one results folder; the lock ends with this process, however it ends."""
    try:
        workflow.globals["_driver_lock"] = DriverLock(R)
        take_over_jobs(R, workflow.scheduler._executor)
        see_every_end(workflow.scheduler._executor)
        if workflow.local_exec:  # on a cluster the writer may live on another machine
            sweep_partials(Path(R))
    except UserError as error:
        sys.exit(str(error))


def grows(amount):
    """Return a resource function: the amount times the number of the attempt."""
    return lambda wildcards, attempt: amount * attempt


def inputs(rule):
    """Return the input function of a rule: what the plan's job with these wildcards reads."""

    def find(wildcards):
        try:
            job = plan.job(rule, wildcards)
        except UserError as error:
            raise WorkflowError(str(error))
        return {name: ancient(files) if name in job.waits else files for name, files in job.inputs.items()}

    return find


def of_run(attribute):
    """Return a params function: an attribute of the job's run in the plan (`iteration`, `cfg.seed`)."""
    return lambda wildcards: attrgetter(attribute)(plan.runs[wildcards.run])


def of_evaluation(attribute):
    """Return a params function: an attribute of the job's evaluation in the plan."""

    def find(wildcards):
        own = plan.runs[wildcards.run].evaluations
        return getattr(next(one for one in own if one.name == wildcards.evaluation), attribute)

    return find


def lines_of(options):
    """Return options for a shell, one a line."""
    return " \\\n    ".join(options)


def settings(*blocks, encoder_of=""):
    """Return a params function: the options that give the run's settings of some blocks.

    With `encoder_of`, a rule, also those of the encoder where its job uses a head. It takes wildcards alone: changes of
    params that depend on inputs are none to Snakemake.
    """

    def render(wildcards):
        own = plan.runs[wildcards.run].cfg if "run" in wildcards.keys() else cfg
        named = [*blocks, *(["encoder"] if encoder_of and "ebm" in plan.job(encoder_of, wildcards).inputs else [])]
        return lines_of([option for block in named for option in flags(block, getattr(own, block))])

    return render


def given(*names):
    """Return a params function: `--name FILES` for each of the named inputs that the job has."""

    def render(wildcards, input):
        found = {name: input.get(name, []) for name in names}
        lists = {name: [files] if isinstance(files, str) else list(files) for name, files in found.items()}
        return " ".join(f"--{name} {shlex.join(files)}" for name, files in lists.items() if files)

    return render


def arm_options(wildcards):
    """Return the reader and target of an arm of the value laboratory; the last of equal options counts."""
    reader, target, history = arm_parts(wildcards.arm)
    return f"--value.reader {reader} --value.target {target} --value.history {str(history).lower()}"


def sources_option(names):
    """Return `--sources JSON` for those of the names that `sources` declares, nothing without any."""
    text = dump_sources(names, cfg.sources)
    return f"--sources {shlex.quote(text)}" if text else ""


def figure_group(wildcards):
    """Return the heading of a figure in the report."""
    return figure_entry(wildcards.figure)[0].group


def figure_labels(wildcards):
    """Return what the report calls a figure."""
    return {"figure": wildcards.figure.replace("_", " ")}
