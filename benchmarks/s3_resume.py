"""Run iteration 0 of the small rehearsal with its results in S3, lose machines and the storage on the way, and compare.

A local S3 server stands in for the cloud. Machines are folders: one that is lost is killed with SIGKILL and deleted. Two
are lost, after the base model and in search; the third meets a storage that refuses and one that cannot be reached, stops
with a message and goes on by the same command. In the end every file in the bucket is compared with that of an undisturbed
local run (benchmarks/chaos.py makes one), and all that was written is searched for the secret key.

Run as: python benchmarks/s3_resume.py --reference FOLDER/results/rehearsal
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.chaos import CONFIGS, RESULTS, compared_files  # noqa: E402

SECRET = "a-secret-that-no-file-may-hold"
PREFIX = "one"
# What must be in the bucket when a machine is lost.
LOST_AT = ["base/model/model.safetensors", "iter_0/search/main/000.parquet"]
TARGETS = ["iter_0_eval", "iter_0_search"]


class Storage:
    """An S3 server on this machine that can refuse and go away."""

    def __init__(self) -> None:
        import boto3
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.url = f"http://{host}:{port}"
        keys = {"aws_access_key_id": "key", "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
        self.client: Any = boto3.client("s3", endpoint_url=self.url, **keys)
        self.client.create_bucket(Bucket="runs")

    def refuse(self, yes: bool) -> None:
        """Make the server refuse every request, or take them again."""
        from moto import settings
        from moto.core.authorization import ActionAuthenticatorMixin

        ActionAuthenticatorMixin.request_count = 0
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0.0 if yes else float("inf")

    def names(self) -> dict[str, int]:
        """Return the run's files in the bucket with their sizes."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="runs", Prefix=f"{PREFIX}/{RESULTS}/")
        items = [item for page in pages for item in page.get("Contents", [])]
        return {item["Key"].removeprefix(f"{PREFIX}/{RESULTS}/"): item["Size"] for item in items}

    def get(self, name: str) -> bytes:
        answer = self.client.get_object(Bucket="runs", Key=f"{PREFIX}/{RESULTS}/{name}")
        return bytes(answer["Body"].read())


class Machine:
    """A folder, and the run in it."""

    def __init__(self, folder: Path, storage: Storage) -> None:
        self.folder, self.storage = folder, storage
        self.log = folder.with_name(f"{folder.name}.log")
        folder.mkdir(parents=True)

    def start(self, endpoint: str = "") -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "snakemake", *TARGETS, "--snakefile", str(ROOT / "Snakefile")]
        command += ["--workflow-profile", "rehearsal", "--directory", str(self.folder), "--configfile", *CONFIGS]
        command += ["--default-storage-provider", "s3", "--default-storage-prefix", f"s3://runs/{PREFIX}"]
        variables = {
            **{"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "key"},
            "SNAKEMAKE_STORAGE_S3_SECRET_KEY": SECRET,
            "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": endpoint or self.storage.url,
        }
        with self.log.open("ab") as stream:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **variables},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def wait_for(self, name: str, run: subprocess.Popen[bytes]) -> None:
        """Wait until a file is in the bucket."""
        while name not in self.storage.names():
            if run.poll() is not None:
                sys.exit(f"the run ended (status {run.returncode}) before {name} was stored; see {self.log}")
            time.sleep(0.5)

    def lose(self, run: subprocess.Popen[bytes]) -> None:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        time.sleep(2)  # jobs end themselves when their driver is gone
        shutil.rmtree(self.folder)

    def made(self) -> list[str]:
        """Return the jobs that ended well on this machine."""
        return re.findall(r"^ *\d+/\d+ (.*): [\d:]+ ?s?(?:, .*)?$", self.log.read_text(), flags=re.MULTILINE)

    def fail(self, endpoint: str = "") -> str:
        """Start, and return the last lines of what the run says before it ends with an error."""
        before = self.log.stat().st_size
        if self.start(endpoint).wait() == 0:
            sys.exit("the run ended well without its storage")
        return "; ".join(self.log.read_text()[before:].strip().splitlines()[-2:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path, required=True, help="results of an undisturbed run of the same code")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/burnqed-s3"))
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    storage, began = Storage(), time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s: {text}", flush=True)

    machines: list[Machine] = []
    for number, name in enumerate(LOST_AT):
        machine = Machine(args.folder / f"machine-{number}", storage)
        machines.append(machine)
        run = machine.start()
        machine.wait_for(name, run)
        machine.lose(run)
        say(f"machine {number} lost after {name}; jobs done there: {len(machine.made())}")
    machine = Machine(args.folder / "last", storage)
    machines.append(machine)
    run = machine.start()
    machine.wait_for("iter_0/trajectories.parquet", run)
    storage.refuse(True)
    status = run.wait()
    said = [line for line in machine.log.read_text().splitlines() if "Failed to " in line]
    if status == 0 or not said:
        sys.exit(f"status {status} without its storage, and no message; see {machine.log}")
    say(f"storage refuses: status {status}; {said[-1]}")
    say(f"started with a storage that refuses: {machine.fail()}")
    storage.refuse(False)
    say(f"started with a storage out of reach: {machine.fail('http://127.0.0.1:9')}")
    if machine.start().wait():
        sys.exit(f"the last run failed; see {machine.log}")
    say(f"done; jobs done on the last machine: {len(machine.made())}")
    found = storage.names()
    wanted = [name for name in compared_files(args.reference) if not name.startswith("iter_1/")]
    names = [name for name in wanted if name in found]
    different = [name for name in names if storage.get(name) != (args.reference / name).read_bytes()]
    files = [path for path in args.folder.rglob("*") if path.is_file()]
    telling = [str(path) for path in files if SECRET.encode() in path.read_bytes()]
    telling += [name for name in found if SECRET.encode() in storage.get(name)]
    twice = sorted(
        {job for one in machines for two in machines if one is not two for job in set(one.made()) & set(two.made())}
    )
    print(f"{len(found)} files in the bucket; not there, for no rule declares them:")
    print("  ", [name for name in wanted if name not in found])
    if different or telling or not names:
        sys.exit(f"different: {different}; with the secret: {telling}")
    print(f"all {len(names)} compared files are byte-equal; the secret is in no file; done on two machines: {twice}")


if __name__ == "__main__":
    main()
