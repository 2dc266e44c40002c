"""Run a small rehearsal through profiles/slurm on a Slurm lab, disturb it, and compare with an undisturbed run.

Disturbances: in training and in search, each once a job of higher priority that takes the node and once a node set DOWN;
in the last evaluation the driver is killed with SIGKILL and started again. All the while it is watched that no two
processes make the same file.

Run as: python benchmarks/slurm_faults.py --reference FOLDER/results (as root; see slurm_lab.py)
The reference is a finished local run of the same configuration:
    snakemake iter_0_eval iter_0_search --workflow-profile rehearsal \\
        --configfile profiles/rehearsal/experiment.yaml tests/integration/tiny.yaml benchmarks/faults.yaml \\
        --config results=FOLDER/results
"""

from __future__ import annotations

import argparse
import filecmp
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks import slurm_lab  # noqa: E402

OVERLAYS = ("profiles/rehearsal/experiment.yaml", "tests/integration/tiny.yaml", "benchmarks/faults.yaml")
TARGETS = ["iter_0_eval", "iter_0_search"]
COMPARED = ["*/eval/*.json", "iter_*/proofs.jsonl", "iter_*/proofs.lean", "iter_*/ebm/metrics.json"]
# As in the rehearsal: results are bitwise equal only at equal thread count.
THREADS = [f"{rule}=1" for rule in ("search_shard", "evaluate", "verify_proofs", "build_tactic_pairs")]
THREADS += [f"{rule}=1" for rule in ("train_base_model", "train_sft", "merge_adapter", "encode_states")]
THREADS += ["train_energy_head=1"]
MAKES = re.compile(rb"(search_shard|evaluate|train_\w+|encode_states)\.py\x00.*--output\x00([^\x00]+)")


class Watch(threading.Thread):
    """Looks for two processes that make the same file; notes on which node each job ran."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.doubles: set[str] = set()
        self.nodes: dict[str, set[str]] = {}
        self.devices: dict[str, set[str]] = {}

    def run(self) -> None:
        while True:
            seen: dict[str, int] = {}
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    found = MAKES.search((folder / "cmdline").read_bytes())
                    if not found or b"python" not in (folder / "exe").readlink().name.encode():
                        continue
                    variables = dict(
                        item.split(b"=", 1) for item in (folder / "environ").read_bytes().split(b"\0") if b"=" in item
                    )
                except OSError:
                    continue
                output, rule = found[2].decode(), found[1].decode()
                if output in seen:
                    self.doubles.add(output)
                seen[output] = 1
                self.nodes.setdefault(rule, set()).add(variables.get(b"SLURMD_NODENAME", b"?").decode())
                self.devices.setdefault(rule, set()).add(variables.get(b"CUDA_VISIBLE_DEVICES", b"-").decode())
            time.sleep(0.2)


def slurm(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def running(node: str) -> list[str]:
    return slurm("squeue", "--noheader", "--nodelist", node, "--states", "R", "--format", "%i").split()


def start_again_now() -> None:
    """Slurm lets a requeued job wait for two minutes; a benchmark need not wait that long.

    What is left of a lost job must be gone first (KillWait is 10 s): Slurm drains a node that meets a job twice.
    """
    time.sleep(15)
    for node in ("gpu-a100", "gpu-4090"):
        subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, check=False)
    for job in slurm("squeue", "--noheader", "--states", "PD", "--format", "%i").split():
        subprocess.run(["scontrol", "release", job], capture_output=True, check=False)
        subprocess.run(["scontrol", "update", f"JobId={job}", "StartTime=now"], capture_output=True, check=False)


def preempt(node: str) -> None:
    before = running(node)
    gpu = "gpu:a100:1" if node == "gpu-a100" else "gpu:rtx4090:2"
    urgent = slurm(
        *(
            "sbatch",
            "--parsable",
            "-p",
            "urgent",
            "-w",
            node,
            f"--gres={gpu}",
            "-c",
            "1",
            "--mem=100",
            "-o",
            "/dev/null",
        ),
        *("--wrap", "sleep 3"),
    )
    wait_for(lambda: not set(before) & set(running(node)), f"the jobs on {node} to be preempted")
    wait_for(lambda: not slurm("squeue", "--noheader", "--job", urgent, "--states", "PD,R", "--format", "%i"), "urgent")
    start_again_now()


def take_down(node: str) -> None:
    slurm("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=lost")
    time.sleep(2)
    # A node that reports again may be back before it is resumed by hand.
    subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, check=False)
    start_again_now()


def wait_for(condition: Callable[[], object], what: str, driver: subprocess.Popen[bytes] | None = None) -> None:
    limit = time.monotonic() + 1500
    while not condition():
        if driver is not None and driver.poll() is not None:
            sys.exit(f"the driver ended (status {driver.returncode}) before: {what}; see {driver.args}")
        if time.monotonic() > limit:
            sys.exit(f"waited 1500 s for {what}")
        time.sleep(0.1)


def start(results: Path, log: Path) -> subprocess.Popen[bytes]:
    snakemake = str(Path(sys.executable).with_name("snakemake"))
    configs = [str(ROOT / name) for name in OVERLAYS]
    command = [snakemake, *TARGETS, "--snakefile", str(ROOT / "Snakefile"), "--workflow-profile", "slurm"]
    command += ["--directory", str(results.parent), "--configfile", *configs]
    command += ["--config", f"results={results}", "hardware=cpu", "--set-threads", *THREADS, "--latency-wait", "5"]
    # No accounting in the lab; and its jobs last seconds.
    command += ["--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "3"]
    command += ["--seconds-between-status-checks", "3"]
    with log.open("ab") as stream:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path, required=True, help="results folder of an undisturbed run")
    parser.add_argument(
        "--folder", type=Path, default=Path("/tmp/burnqed-slurm"), help="folder for the lab and the run"
    )
    parser.add_argument(
        "--keep", nargs="*", default=["data", "base", "baseline/eval"], help="parts to take over, not to make"
    )
    args = parser.parse_args()
    if slurm_lab.missing():
        sys.exit(f"no Slurm lab here: {slurm_lab.missing()}")
    run, log = args.folder / "run", args.folder / "driver.log"
    results = run / "results"
    shutil.rmtree(args.folder, ignore_errors=True)
    for part in args.keep:
        shutil.copytree(args.reference / part, results / part, copy_function=shutil.copy2)
    slurm_lab.up(args.folder / "lab")
    watch = Watch()
    watch.start()
    driver = None
    try:
        began = time.monotonic()
        driver = start(results, log)
        training, search = "iter_0/.progress/adapter/*/*", "iter_0/search/main/.progress/*/*/*.parquet"
        moments: list[tuple[str, str, Callable[[str], None], str]] = [
            (training, "training, preempted", preempt, "gpu-a100"),
            (training, "training, node down", take_down, "gpu-a100"),
            (search, "search, node down", take_down, "gpu-4090"),
            (search, "search, preempted", preempt, "gpu-4090"),
        ]
        done = []
        for pattern, name, disturb, node in moments:
            wait_for(lambda: any(results.glob(pattern)) and running(node), name, driver)  # noqa: B023
            time.sleep(1)
            disturb(node)
            done.append(name)
            print(f"{time.monotonic() - began:5.0f} s: {name}", flush=True)
        wait_for(lambda: any(results.glob("iter_0/eval/.progress/*")), "evaluation", driver)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        print(f"{time.monotonic() - began:5.0f} s: evaluation, driver killed; {len(running('gpu-4090'))} job runs on")
        driver = start(results, log)
        status = driver.wait()
        print(f"{time.monotonic() - began:5.0f} s: the run ended with status {status}")
        if status:
            sys.exit(f"failed; see {log}")
    finally:
        if driver is not None and driver.poll() is None:
            driver.terminate()
            driver.wait()
        slurm_lab.down(args.folder / "lab")
    names = sorted(
        str(path.relative_to(args.reference))
        for pattern in COMPARED
        for path in args.reference.glob(pattern)
        if not path.name.endswith(".meta.json")
    )
    different = [name for name in names if not filecmp.cmp(args.reference / name, results / name, shallow=False)]
    print(json.dumps({rule: sorted(nodes) for rule, nodes in sorted(watch.nodes.items())}))
    print(json.dumps({rule: sorted(devices) for rule, devices in sorted(watch.devices.items())}))
    if different or watch.doubles:
        sys.exit(f"different: {different}; made twice at once: {sorted(watch.doubles)}")
    print(
        f"{len(done)} lost jobs and one killed driver: all {len(names)} compared files are byte-equal; "
        "no file was made by two processes at once"
    )


if __name__ == "__main__":
    main()
