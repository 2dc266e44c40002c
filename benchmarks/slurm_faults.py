"""Run a small rehearsal through profiles/slurm on a Slurm lab, disturb it, and compare with an undisturbed run.

Disturbances: in training and in search, each once a job of higher priority that takes the node and once a node set DOWN;
in the last evaluation the driver is killed with SIGKILL and started again. All the while it is watched that no two
processes make the same file, and no two jobs side by side have the same GPU.

Run as: python benchmarks/slurm_faults.py --reference FOLDER/results/rehearsal (as root; see slurm_lab.py)
The reference is a finished local run of the same code and settings, as benchmarks/chaos.py makes it. Data, base model and
its evaluation are taken over from it; iteration 0 is what runs on Slurm.
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
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks import slurm_lab  # noqa: E402

OVERLAYS = ("profiles/rehearsal/experiment.yaml", "tests/integration/tiny.yaml")
TARGETS = ["iter_0_eval", "iter_0_search"]
COMPARED = ["iter_0/eval/*", "iter_0/search/*/*", "iter_0/adapter/*", "iter_0/model/*", "iter_0/proofs.*"]
# As in the rehearsal: results are bitwise equal only at equal thread count.
THREADS = [f"{rule}=1" for rule in ("search_shard", "evaluate", "verify_proofs", "build_tactic_pairs")]
THREADS += [f"{rule}=1" for rule in ("train_base_model", "train_sft", "merge_adapter", "encode_states")]
THREADS += ["train_energy_head=1"]
MAKES = re.compile(rb"(search_shard|evaluate|train_\w+|encode_states)\.py\x00.*--output\x00([^\x00]+)")


class Watch(threading.Thread):
    """Looks for two processes that make the same file, and two jobs with one GPU; notes on which node each job ran."""

    def __init__(self, results: Path) -> None:
        super().__init__(daemon=True)
        self.results = f"{results}/"
        self.waited: Counter[str] = Counter()  # looks at which a second process was there, waiting for the first
        self.doubles: set[str] = set()  # files for which two processes held the lock
        self.nodes: dict[str, set[str]] = {}
        self.devices: dict[str, set[str]] = {}
        self.side_by_side: dict[str, int] = {}  # most devices of a node that were in use at one look
        self.shared: set[str] = set()  # files made at the same time with one device

    def run(self) -> None:
        while True:
            self._look()
            time.sleep(0.2)

    def _look(self) -> None:
        makers: dict[str, list[int]] = {}
        holders: dict[str, dict[str, set[str]]] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                found = MAKES.search((folder / "cmdline").read_bytes())
                if not found or b"python" not in (folder / "exe").readlink().name.encode():
                    continue
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if found[0] in Path("/proc", str(parent), "cmdline").read_bytes():
                    continue  # between fork and exec a child looks like the job itself
                variables = environment(int(folder.name))
            except OSError:
                continue
            output, rule = found[2].decode(), found[1].decode()
            if not output.startswith(self.results):
                continue
            makers.setdefault(output, []).append(int(folder.name))
            node, devices = variables.get("SLURMD_NODENAME", "?"), variables.get("CUDA_VISIBLE_DEVICES", "-")
            self.nodes.setdefault(rule, set()).add(node)
            self.devices.setdefault(rule, set()).add(devices)
            for device in devices.split(","):
                holders.setdefault(node, {}).setdefault(device, set()).add(output)
        for node, held in holders.items():
            self.side_by_side[node] = max(self.side_by_side.get(node, 0), len(held))
            self.shared |= {output for outputs in held.values() if len(outputs) > 1 for output in outputs}
        for output, pids in makers.items():
            if len(pids) > 1:
                owners = [pid for pid in pids if owns_lock(pid)]
                self.waited[output] += 1
                if len(owners) > 1:
                    self.doubles.add(output)


def environment(pid: int) -> dict[str, str]:
    items = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    return dict(item.split("=", 1) for item in items if "=" in item)


def owns_lock(pid: int) -> bool:
    """Return whether a process holds the lock of a progress folder, as the kernel knows it."""
    held = {
        line.split()[5].rsplit(":", 1)[1] for line in Path("/proc/locks").read_text().splitlines() if f" {pid} " in line
    }
    try:
        files = [file for file in Path(f"/proc/{pid}/fd").iterdir() if "/owner.lock" in str(file.readlink())]
        return any(str(file.stat().st_ino) in held for file in files)
    except OSError:
        return False


def of_jobs(jobs: set[str]) -> dict[int, str]:
    """Return the live processes of Slurm jobs, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if environment(int(folder.name)).get("SLURM_JOB_ID") in jobs:
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                found[int(folder.name)] = " ".join(words)[:150]
        except OSError:
            continue
    return found


def slurm(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def running(node: str) -> list[str]:
    return slurm("squeue", "--noheader", "--nodelist", node, "--states", "R", "--format", "%i").split()


def pending() -> set[str]:
    return set(slurm("squeue", "--noheader", "--states", "PD", "--format", "%i").split())


def start_again_now() -> None:
    """Slurm lets a requeued job wait for two minutes; a benchmark need not wait that long.

    What is left of a lost job must be gone first (KillWait is 10 s): Slurm drains a node that meets a job twice.
    """
    limit = time.monotonic() + 60
    while (left := of_jobs(lost := pending())) and time.monotonic() < limit:
        time.sleep(0.5)
    for pid, words in left.items():
        print(f"      outlived its job by 60 s: {pid} {words}", flush=True)
    for node in ("gpu-a100", "gpu-4090"):
        subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, check=False)
    for job in lost:
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
            sys.exit(f"the driver ended (status {driver.returncode}) before: {what}")
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
    watch = Watch(results)
    watch.start()
    driver = None
    try:
        began = time.monotonic()
        driver = start(results, log)
        training, search = "iter_0/.progress/adapter/*/*", "iter_0/search/main/.progress/*/*/*.piece"
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
        str(path.relative_to(args.reference)) for pattern in COMPARED for path in args.reference.glob(pattern)
    )
    names = [name for name in names if not name.endswith((".meta.json", ".times.jsonl", ".snakemake_timestamp"))]
    different = [
        name
        for name in names
        if not (results / name).exists() or not filecmp.cmp(args.reference / name, results / name, shallow=False)
    ]
    print(json.dumps({rule: sorted(nodes) for rule, nodes in sorted(watch.nodes.items())}))
    print(json.dumps({rule: sorted(devices) for rule, devices in sorted(watch.devices.items())}))
    print(f"a second process waited for the lock (looks, 5 a second): {dict(watch.waited)}")
    print(f"GPUs of a node that jobs had at the same time, at most: {watch.side_by_side}")
    if different or watch.doubles or watch.shared or not names:
        twice = f"made twice at once: {sorted(watch.doubles)}; with one GPU at once: {sorted(watch.shared)}"
        sys.exit(f"different: {different}; {twice}")
    print(
        f"{len(done)} disturbances and one killed driver: all {len(names)} compared files are byte-equal; "
        "no file was made by two processes at once"
    )


if __name__ == "__main__":
    main()
