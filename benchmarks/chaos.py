"""Kill driver, launcher, jobs and prover processes of a small rehearsal at random, and compare with an undisturbed run.

Half of the signals are SIGKILL, half SIGTERM. Once `.snakemake` is deleted after a kill, and once the disk (a small
tmpfs) is full until the run has stopped. Every restart is the same command, `burnqed run`. When the run ends before all
kills are done, it is compared and starts afresh. The run is the rehearsal with the settings of tests/integration/tiny.yaml,
both iterations with the head; the undisturbed one is made first by the same code, with the same command.

Run as: python benchmarks/chaos.py --kills 30 (as root: it mounts a tmpfs)
"""

from __future__ import annotations

import argparse
import filecmp
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGETS = ["iter_1_eval", "iter_1_search"]
# Times, and what Snakemake says, differ between any two runs.
NOT_COMPARED = re.compile(r"^(logs|benchmarks)/|\.meta\.json$|(^|/)\.|\.times\.jsonl$|\.steps\.jsonl$")
OVERLAYS = ("profiles/rehearsal/experiment.yaml", "tests/integration/tiny.yaml")
RESULTS = Path("results/rehearsal")
CONFIGS = [str(ROOT / name) for name in OVERLAYS]


@dataclass(frozen=True)
class Process:
    pid: int
    kind: str  # launcher, driver, job or worker
    name: str  # of a job: its script


def processes(mark: str) -> list[Process]:
    """Return the run's processes: those with the mark in their environment, and their descendants.

    The prover's sandbox empties the environment, so its processes are known by their parents only.
    """
    commands: dict[int, list[str]] = {}
    parents: dict[int, int] = {}
    marked: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if f"BURNQED_CHAOS={mark}\0" in (folder / "environ").read_bytes().decode(errors="replace"):
                marked.add(int(folder.name))
        except (OSError, ValueError):
            continue
    found = []
    for pid, words in commands.items():
        ancestor = pid
        while ancestor and ancestor not in marked:
            ancestor = parents.get(ancestor, 0)
        text = " ".join(words)
        if not ancestor or "python" not in words[0]:
            continue
        script = re.search(r"workflow_scripts/(\w+)\.py", text)
        if script:
            found.append(Process(pid, "job", script[1]))
        elif "--worker" in words:
            found.append(Process(pid, "worker", "lean"))
        elif "-m snakemake" in text:
            found.append(Process(pid, "driver", "snakemake"))
        elif "burnqed run" in text:
            found.append(Process(pid, "launcher", "burnqed run"))
    return found


class Chaos:
    """One working folder that is killed again and again."""

    def __init__(self, folder: Path, reference: Path, seed: int, pause: float) -> None:
        self.folder, self.reference = folder, reference
        self.mark = f"{folder}-{seed}"
        self.chance, self.pause = random.Random(seed), pause
        self.log = folder.parent / f"{folder.name}.log"
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.finished = self.starts = 0
        self.compared = 0

    @property
    def kills(self) -> int:
        return sum(self.counts.values())

    def start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        return launch(self.folder, self.log, self.mark)

    def wait(self, run: subprocess.Popen[bytes], seconds: float) -> bool:
        """Wait; return whether the run ended meanwhile."""
        try:
            run.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def work_in_peace(self, run: subprocess.Popen[bytes]) -> bool:
        """Let jobs and workers use a random number of CPU seconds; return whether the run ended by itself.

        Not seconds of the clock: on a busy machine no job would get far between two signals.
        """
        wanted, used = self.chance.uniform(0.5, self.pause), dict[int, float]()
        while sum(used.values()) < wanted:
            if self.wait(run, 0.3):
                return True
            used |= {process.pid: cpu_seconds(process.pid) for process in processes(self.mark) if process.kind == "job"}
        return False

    def strike(self, kinds: list[str]) -> str:
        """Send a random signal to a random process of a random kind; return what was hit, or nothing."""
        alive = processes(self.mark)
        kind = self.chance.choice([kind for kind in kinds if any(p.kind == kind for p in alive)] or ["none"])
        chosen = [process for process in alive if process.kind == kind]
        if not chosen:
            return ""
        victim = self.chance.choice(chosen)
        number = self.chance.choice([signal.SIGKILL, signal.SIGTERM])
        job = next((process.name for process in alive if process.kind == "job"), "between jobs")
        try:
            signal.pidfd_send_signal(_pidfd(victim.pid), number)
        except OSError:
            return ""
        self.counts[kind, number.name, job] += 1
        return f"{number.name} to {kind} ({victim.name}) during {job}"

    def kill_driver(self) -> None:
        for process in processes(self.mark):
            if process.kind == "driver":
                signal.pidfd_send_signal(_pidfd(process.pid), signal.SIGKILL)
                self.counts["driver", "SIGKILL", "with its launcher"] += 1

    def settle(self, run: subprocess.Popen[bytes], seconds: float = 120) -> None:
        """Wait until nothing of a run that was hit is left."""
        limit = time.monotonic() + seconds
        self.wait(run, seconds)
        while processes(self.mark):
            if time.monotonic() > limit:
                sys.exit(f"still running {seconds:.0f} s after the kill: {processes(self.mark)}")
            time.sleep(0.2)

    def compare(self) -> None:
        results = self.folder / RESULTS
        names, found = compared_files(self.reference), compared_files(results)
        different = sorted(set(names) ^ set(found))
        different += [
            name
            for name in names
            if name in found and not filecmp.cmp(self.reference / name, results / name, shallow=False)
        ]
        if different or not names:
            sys.exit(f"different from the undisturbed run: {different}; see {self.log}")
        self.compared = len(names)
        self.finished += 1


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and of its children that ended; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def launch(folder: Path, log: Path, mark: str) -> subprocess.Popen[bytes]:
    """Start the run in a folder; its processes carry the mark in their environment."""
    command = [sys.executable, "-m", "burnqed", "run", "--grace", "20", "--", *TARGETS]
    command += ["--snakefile", str(ROOT / "Snakefile"), "--workflow-profile", "rehearsal"]
    command += ["--directory", str(folder), "--configfile", *CONFIGS]
    with log.open("ab") as stream:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "BURNQED_CHAOS": mark},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )


def compared_files(results: Path) -> list[str]:
    """Return the files of a results folder that two runs must have alike."""
    names = (str(path.relative_to(results)) for path in results.rglob("*") if path.is_file())
    return sorted(name for name in names if not NOT_COMPARED.search(name))


def undisturbed(folder: Path) -> Path:
    """Make the run to compare with; return its results."""
    log = folder.with_name(f"{folder.name}.log")
    began = time.monotonic()
    if launch(folder, log, "undisturbed").wait():
        sys.exit(f"the undisturbed run failed; see {log}")
    print(f"undisturbed run: {time.monotonic() - began:.0f} s", flush=True)
    return folder / RESULTS


def _pidfd(pid: int) -> int:
    return os.pidfd_open(pid)


def fill_disk(chaos: Chaos) -> str:
    """Let the run meet a full disk; return the line that it stopped with."""
    filler = chaos.folder / "filler"
    before = chaos.log.stat().st_size
    run = chaos.start()
    while not any(process.kind == "job" for process in processes(chaos.mark)):
        if chaos.wait(run, 0.2):
            sys.exit(f"the run ended before the disk was full; see {chaos.log}")
    with filler.open("wb") as stream:
        try:
            while True:
                stream.write(bytes(1 << 20))
                stream.flush()
        except OSError:
            pass
    limit = time.monotonic() + 900
    while not chaos.wait(run, 1.0):
        if time.monotonic() > limit:
            sys.exit(f"the run went on for 900 s with a full disk; see {chaos.log}")
    said = chaos.log.read_bytes()[before:].decode(errors="replace").splitlines()
    filler.unlink()
    lines = [line.strip() for line in said if "is full" in line]
    if run.returncode == 0 or not lines:
        sys.exit(f"status {run.returncode} on a full disk, without a clear message; see {chaos.log}")
    chaos.settle(run)
    return lines[-1]


def table(counts: Counter[tuple[str, str, str]]) -> str:
    """Return how many signals hit what during which job, as a Markdown table."""
    hit = sorted({(kind, name) for kind, name, _ in counts})
    lines = [
        "| during | " + " | ".join(f"{name} to {kind}" for kind, name in hit) + " |",
        "|---" * (len(hit) + 1) + "|",
    ]
    for job in sorted({job for _, _, job in counts}):
        cells = [str(counts[kind, name, job] or "") for kind, name in hit]
        lines.append(f"| {job} | " + " | ".join(cells) + " |")
    total = [str(sum(n for (k, s, _), n in counts.items() if (k, s) == key)) for key in hit]
    return "\n".join([*lines, "| all | " + " | ".join(total) + " |"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--reference", type=Path, help="results of an undisturbed run of the same code (default: make them)"
    )
    parser.add_argument("--folder", type=Path, default=Path("/tmp/burnqed-chaos"), help="where the tmpfs is mounted")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument(
        "--pause", type=float, default=25, help="CPU seconds of jobs before a signal, at most (default: 25)"
    )
    parser.add_argument("--seconds", type=float, default=7200, help="no more signals after this time (default: 7200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--disk-mb", type=int, default=400, help="size of the tmpfs")
    args = parser.parse_args()
    reference = args.reference or undisturbed(args.folder.with_name(f"{args.folder.name}-reference"))
    args.folder.mkdir(parents=True, exist_ok=True)
    if not args.folder.is_mount():  # else one that was stopped goes on
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={args.disk_mb}m", "tmpfs", str(args.folder)], check=True)
    chaos = Chaos(args.folder, reference, args.seed, args.pause)
    chaos.log.unlink(missing_ok=True)
    lost_at, full_at = args.kills // 3, 2 * args.kills // 3
    began, message, lost = time.monotonic(), "", False
    try:
        while chaos.kills < args.kills and time.monotonic() - began < args.seconds:
            if not message and chaos.kills >= full_at:
                message = fill_disk(chaos)
                print(f"{time.monotonic() - began:5.0f} s: disk full: {message}", flush=True)
            run, hit = chaos.start(), ""
            while True:
                if chaos.work_in_peace(run):
                    if run.returncode and not hit:
                        sys.exit(f"status {run.returncode} though nothing was hit; see {chaos.log}")
                    if run.returncode:
                        break
                    chaos.compare()
                    shutil.rmtree(args.folder / "results")
                    print(f"{time.monotonic() - began:5.0f} s: finished, equal; afresh", flush=True)
                    break
                wanted = ["driver"] if not lost and chaos.kills >= lost_at else ["launcher", "driver", "job", "worker"]
                hit = chaos.strike(wanted)
                if hit:
                    print(f"{time.monotonic() - began:5.0f} s: {chaos.kills:2}. {hit}", flush=True)
                if "SIGKILL to launcher" in hit:  # Snakemake lives on and keeps the folder; the machine is lost next
                    chaos.kill_driver()
                # On SIGTERM Snakemake itself lets its jobs end; a killed worker costs a tactic.
                if hit and " worker " not in hit and "SIGTERM to driver" not in hit:
                    chaos.settle(run)
                    break
                if chaos.kills >= args.kills or time.monotonic() - began >= args.seconds:
                    break
            if not lost and chaos.kills > lost_at and "SIGKILL to driver" in hit:
                shutil.rmtree(args.folder / ".snakemake")
                lost = True
                print(f"{time.monotonic() - began:5.0f} s: .snakemake deleted", flush=True)
        chaos.settle(run, 600)
        last = chaos.start()
        if last.wait():
            sys.exit(f"the last run failed; see {chaos.log}")
        chaos.compare()
    finally:
        for process in processes(chaos.mark):
            signal.pidfd_send_signal(_pidfd(process.pid), signal.SIGKILL)
        time.sleep(1)
        subprocess.run(["umount", str(args.folder)], check=False)
    print(table(chaos.counts))
    print(
        f"{chaos.kills} signals, .snakemake deleted {'once' if lost else 'never'}, disk full once; {chaos.starts} starts, "
        f"{chaos.finished} runs ended, each with all {chaos.compared} compared files byte-equal; "
        f"{time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
