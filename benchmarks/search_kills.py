"""Kill a search job at random moments and see that the end result is that of an undisturbed job.

The job searches a counting game (no model, no Lean) with the real engine, progress folder and files. It is
started again after each kill; whenever it ends by itself its files are compared with the undisturbed ones
and it starts afresh. Half of the kills are SIGKILL, half SIGTERM, which must end the job within 5 s with a
status other than 0.

Run as: python benchmarks/search_kills.py --kills 50
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOYS = Path(__file__).resolve().parents[1] / "tests" / "unit"
JOB = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(TOYS)!r})
from search_toys import ToyPool
from burnqed.records.theorems import Theorem
from burnqed.jobs.stop import exit_status
from test_search_run import run

def main():
    theorems = [Theorem(f"count_{{n}}", str(n)) for n in range(3, 3 + int(sys.argv[3]))]
    run(Path(sys.argv[1]), theorems, pool=ToyPool(timing=int(sys.argv[2]), sleep=0.008))

sys.exit(exit_status(main))
"""


def start(output: Path, timing: int, theorems: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(TOYS.parents[1])}
    command = [sys.executable, "-c", JOB, str(output), str(timing), str(theorems)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="kills in all (default: 50)")
    parser.add_argument("--theorems", type=int, default=100, help="theorems of the job (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments (default: 0)")
    args = parser.parse_args()
    from burnqed.records.trajectories import read_results, read_times

    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, output = Path(folder) / "whole" / "steps.parquet", Path(folder) / "killed" / "steps.parquet"
        began = time.monotonic()
        if start(whole, 0, args.theorems).wait():
            sys.exit("the undisturbed job failed")
        duration = time.monotonic() - began
        expected = whole.read_bytes()
        names = sorted(result.theorem for result in read_results(whole))
        print(f"undisturbed: {duration:.1f} s, {len(names)} theorems", flush=True)
        kills = {signal.SIGKILL: 0, signal.SIGTERM: 0}
        finished, in_work, slowest = 0, 0, 0.0
        while sum(kills.values()) < args.kills:
            how = signal.SIGKILL if sum(kills.values()) % 2 else signal.SIGTERM
            process = start(output, chance.randrange(1000), args.theorems)
            try:
                code = process.wait(timeout=chance.random() * duration)
            except subprocess.TimeoutExpired:
                pieces = len(list(output.parent.glob(".progress/steps.parquet/*/*.piece")))
                in_work += 0 < pieces < len(names)
                kills[how] += 1
                sent = time.monotonic()
                process.send_signal(how)
                code = process.wait(timeout=60)
                if how == signal.SIGTERM:
                    slowest = max(slowest, time.monotonic() - sent)
            else:
                if code:
                    sys.exit(f"the job failed with status {code} though nobody killed it")
            if output.exists():  # also when it ended just before the signal came
                check(output, expected, names, read_times(output))
                finished += 1
                shutil.rmtree(output.parent)
            elif code == 0:
                sys.exit("the job ended with status 0 and no output")
        if start(output, 0, args.theorems).wait() or output.read_bytes() != expected:
            sys.exit("the last run differs")
        check(output, expected, names, read_times(output))
    print(
        f"{kills[signal.SIGKILL]} SIGKILL and {kills[signal.SIGTERM]} SIGTERM, {in_work} of them with some searches "
        f"finished and others not; {finished + 1} runs ended, all files byte-equal; slowest exit after SIGTERM "
        f"{slowest:.2f} s"
    )
    return int(slowest > 5)


def check(output: Path, expected: bytes, names: list[str], times: list[dict[str, object]]) -> None:
    if output.read_bytes() != expected:
        sys.exit(f"{output}: differs from the undisturbed file")
    if [row["theorem"] for row in times] != names:
        sys.exit(f"{output}: the times do not list every theorem once")
    if (output.parent / ".progress").exists() and list((output.parent / ".progress").glob("steps*")):
        sys.exit("the progress folder is still there")


if __name__ == "__main__":
    sys.exit(main())
