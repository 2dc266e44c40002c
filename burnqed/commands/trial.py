"""`burnqed trial`: every rule once on the machine and stack of a profile, before anything costs real money.

`doctor` first; then the workflow in small (studies/trial.yaml), killed once as a vanishing machine would be and resumed;
then what works, how fast it was, and what the pilot and the published experiment will take here.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from burnqed.commands.doctor import EXECUTORS, read_profile, run_doctor
from burnqed.commands.estimate import benchmarks, estimate, lay, merged, read_settings
from burnqed.commands.speeds import Measured, read_measured
from burnqed.config import Config, load_config
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, read_json, write_text
from burnqed.jobs.groups import group_lives, signal_group
from burnqed.snakemake.hardware import HARDWARE
from burnqed.snakemake.interpreter import child_environment

BASE, SMALL = Path("config.yaml"), Path("profiles/rehearsal/experiment.yaml")
TRIAL, TRIAL_GPU, TRIAL_MODEL = (Path(f"studies/trial{name}.yaml") for name in ("", "_gpu", "_model"))
PUBLISHED = ("model", "sft", "joint", "policy", "encoder")  # blocks that decide how much memory a given model needs
FIRST = ("lean_start", "iter_1_eval")  # what the published experiment needs comes before the experiments beside it
GRACE_SECONDS = 40.0


@dataclass(frozen=True)
class Machine:
    """What a profile stands for: its type (a key of hardware_types), and whether jobs run on other machines."""

    hardware: str
    remote: bool


def machine_of(profile: str, hardware: str = "") -> Machine:
    """Return the machine of a profile: ``hardware`` if given, else the environment's, the profile's, or a CPU."""
    _, executor = read_profile(profile)
    folder = next(f for f in (Path(profile), Path("profiles") / profile) if (f / "profile.yaml").is_file())
    said = re.search(r"use_hardware\(\"(\w+)\"\)", (folder / "profile.yaml").read_text(encoding="utf-8"))
    name = hardware or os.environ.get(HARDWARE, "") or (said[1] if said else "cpu")
    return Machine(name, executor in EXECUTORS)


def trial_settings(machine: Machine, overlays: Sequence[Path]) -> dict[str, Any]:
    """Return the trial's configuration: never in the results folder of the run that the overlays are meant for.

    A model that the overlays give is trained, encoded and served on a GPU with the lengths and batches of the published
    experiment, so that it needs the memory it will need later.
    """
    published, own = merged([BASE]), merged(overlays)
    on_gpu = published.get("hardware_types", {}).get(machine.hardware, {}).get("device", "auto") != "cpu"
    values = merged([BASE, SMALL, TRIAL, *([TRIAL_GPU] if on_gpu else [])])
    if on_gpu and own.get("model", {}).get("kind") == "pretrained":
        values = lay(values | {name: published[name] for name in PUBLISHED}, merged([TRIAL_MODEL]))
    values = lay(values, own)
    if "results" in own:
        values["results"] = f"{str(own['results']).rstrip('/')}-trial"
    return values


def write_config(values: dict[str, Any], machine: Machine) -> tuple[Path, Config]:
    """Check the merged configuration and write it into the trial's folder; return file and configuration."""
    values = {**values, "hardware": machine.hardware}
    cfg = load_config(values)
    path = Path(cfg.results) / "trial.yaml"
    write_text(path, yaml.safe_dump(values, sort_keys=False, allow_unicode=True))
    return path, cfg


class Driver:
    """Snakemake with the trial's settings, until it ends, a deadline passes, or something has been seen."""

    def __init__(self, profile: str, config: Path, log: Path, deadline: float) -> None:
        self.words = ["--workflow-profile", profile, "--configfile", str(config), "--rerun-incomplete", "--keep-going"]
        self.log, self.deadline = log, deadline

    def run(self, targets: Sequence[str], kill_at: str = "", first: Sequence[str] = ()) -> str:
        """Run some targets, those of ``first`` before others; return done, failed, late or killed.

        It is killed at the first file that the pattern ``kill_at`` finds.
        """
        order = ["--prioritize", *first] if first else []
        command = [sys.executable, "-m", "snakemake", *targets, *order, *self.words]
        environment = {**child_environment(), "BURNQED_DOCTOR": "off"}  # the trial has asked it already
        with self.log.open("a", encoding="utf-8") as stream:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=environment,
            )
            try:
                while process.poll() is None:
                    time.sleep(0.05)
                    if time.monotonic() > self.deadline:
                        self._end(process)
                        return "late"
                    if kill_at and next(self.log.parent.rglob(kill_at), None) is not None:
                        process.send_signal(signal.SIGKILL)  # the driver alone: its jobs have to end by themselves
                        process.wait()
                        self._wait_for_jobs(process)
                        return "killed"
            finally:
                if process.poll() is None:
                    self._end(process)
        return "failed" if process.returncode else "done"

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        signal_group(process.pid, signal.SIGTERM)
        self._wait_for_jobs(process)

    def _wait_for_jobs(self, process: subprocess.Popen[bytes]) -> None:
        limit = time.monotonic() + GRACE_SECONDS
        while process.poll() is None or group_lives(process.pid):
            if time.monotonic() > limit:
                signal_group(process.pid, signal.SIGKILL)
                process.wait()
                return
            time.sleep(0.1)


def run_trial(
    profile: str, overlays: Sequence[Path], hardware: str = "", minutes: float = 10.0, check_first: bool = True
) -> int:
    """Run the trial and print its verdict; return 1 when something does not work. Raises UserError for wrong settings."""
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # by way of `finally`: ends the driver
    machine = machine_of(profile, hardware)
    config, cfg = write_config(trial_settings(machine, overlays), machine)
    results = Path(cfg.results)
    os.environ[HARDWARE] = machine.hardware  # for the profile's own block
    if check_first and run_doctor(results, config, [], profile):
        print("nothing was run: fix what doctor says first")
        return 1
    log = results / "trial.log"
    log.unlink(missing_ok=True)
    print(f"trial on {machine.hardware} in {results}, at most {minutes:g} minutes; its output is in {log}", flush=True)
    driver = Driver(profile, config, log, began + 60 * minutes)
    done_before = (results / "iter_0" / "search" / "main").exists()
    outcome = driver.run(FIRST, kill_at="" if done_before else "iter_0/search/main/.progress/*/*/*.piece")
    was_killed = outcome == "killed"
    if was_killed:
        print(
            "killed in the search of iteration 0, as a vanishing machine would be; the same command again", flush=True
        )
    if was_killed or outcome == "done":
        outcome = driver.run(["trial"], first=FIRST)  # one driver, so that its jobs share a server
    print(verdict(results, cfg, outcome, was_killed, time.monotonic() - began))
    print(prices(results, machine, overlays))
    return 0 if outcome == "done" else 1


def verdict(results: Path, cfg: Config, outcome: str, was_killed: bool, seconds: float) -> str:
    """Return what ran, what did not, and how long each rule took."""
    planned = plan_of(cfg).count(["trial"])
    found = benchmarks(results)
    rows = [f"\n{'rule':<26}{'done':>6}{'of':>6}{'s each':>9}"]
    for rule, count in planned.items():
        own = found.get(rule, [])
        shown = f"{median(own):>9.1f}" if own else f"{'-':>9}"
        rows.append(f"{rule:<26}{len(own):>6}{count:>6}{shown}")
    without = [rule for rule in planned if rule not in found]
    rows.append("")
    says = {
        "done": f"every rule works here ({sum(planned.values())} jobs, {seconds / 60:.1f} minutes)",
        "late": f"the time was up after {seconds / 60:.1f} minutes; the same command continues",
        "failed": f"something does not work here: the end of {results / 'trial.log'} says what",
    }
    rows.append(f"verdict: {says[outcome]}")
    if without:
        rows.append("not touched: " + ", ".join(without))
    resumed = _resumed(results)
    if was_killed or resumed:
        rows.append(f"kill and resume: {resumed or 'the search that was killed has not finished'}")
    return "\n".join(rows)


def _resumed(results: Path) -> str:
    """Return what the search that is killed took over, this time or before; empty when it took nothing over."""
    path = results / "iter_0" / "search" / "main" / "000.parquet.meta.json"
    search = read_json(path)["search"] if path.exists() else {}
    if not search.get("taken_over"):
        return ""
    return f"{search['taken_over']} of {search['searches']} searches were taken over from before the kill"


def prices(results: Path, machine: Machine, overlays: Sequence[Path]) -> str:
    """Return the measured speeds, and what the pilot and the published experiment take and cost here."""
    rows = ["", "measured here:"]
    trial = read_settings([results / "trial.yaml"], machine.hardware)
    try:
        own = read_measured(results, trial)
    except UserError:
        own = Measured()
    units = {"sampling": "tactics/s", "encoding": "states/s", "training": "tokens/s", "joint": "tokens/s",
             "lean": "tactics/s of a worker", "pool_start": "s"}  # fmt: skip
    for unit, name in units.items():
        values = own.range(unit)
        if values is not None:
            rows.append(
                f"  {unit.replace('_', ' '):<12}{values[1]:>12,.1f} {name} ({values[0]:,.1f} - {values[2]:,.1f})"
            )
    rows.append("")
    if trial.machine.device == "cpu":
        rows.append(
            "pilot and published experiment need a GPU: `burnqed estimate --hardware rtx4090` says what they cost there"
        )
        return "\n".join(rows)
    for title, files in (("pilot", [BASE, Path("studies/pilot.yaml")]), ("published", [BASE])):
        cfg = read_settings([*files, *overlays], machine.hardware)
        targets = ["iter_1_eval"] if title == "pilot" else ["all"]
        try:
            speeds = read_measured(results, cfg)
            found = estimate(cfg, Path(cfg.results), targets=targets, measured=speeds)
        except UserError as error:
            rows.append(f"{title}: no estimate ({error})")
            continue
        low, likely, high = found.hours
        price = cfg.machine.price_per_hour
        taken = ", ".join(unit.replace("_", " ") for unit in found.measured) or "none"
        rows.append(
            f"{title}: {likely:,.1f} h ({low:,.1f} - {high:,.1f}), {likely * price:,.2f} US$ "
            f"({low * price:,.2f} - {high * price:,.2f}) on {machine.hardware}; speeds measured here: {taken}"
        )
        rows += [f"  {note}" for note in found.notes]
    rows.append("`burnqed estimate --measured " + str(results) + "` shows what that rests on.")
    return "\n".join(rows)
