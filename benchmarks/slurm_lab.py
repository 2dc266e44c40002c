"""A Slurm cluster of two nodes on one machine, without GPUs: for tests and benchmarks of profiles/slurm.

One node claims an A100, the other two RTX 4090; Slurm gives them out and preempts and loses jobs as a real cluster
does. Needs root and the packages slurmctld, slurmd, slurm-client and munge (Debian, Ubuntu):

    apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge

Run as: python benchmarks/slurm_lab.py up FOLDER, and at the end: ... down FOLDER. It writes /etc/slurm: Snakemake's
Slurm plugin does not pass SLURM_CONF on to its jobs. `up FOLDER accounting` keeps accounts as most sites do, in a database
of its own; it needs the packages slurmdbd and mariadb-server, too. Every port is on loopback alone.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

CONF = """\
ClusterName=lab
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
SlurmctldPort=16817
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
MpiDefault=none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdParameters=config_overrides
MailProg=/bin/true
JobRequeue=1
MinJobAge=43200
KillWait=10
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
{accounting}
JobAcctGatherType=jobacct_gather/none
NodeName=gpu-a100 NodeHostname={host} NodeAddr=127.0.0.1 Port=16818 CPUs=64 RealMemory=512000 Gres=gpu:a100:1
NodeName=gpu-4090 NodeHostname={host} NodeAddr=127.0.0.1 Port=16819 CPUs=64 RealMemory=512000 Gres=gpu:rtx4090:2
PartitionName=cpu Nodes=gpu-4090 Default=YES MaxTime=INFINITE State=UP
PartitionName=a100 Nodes=gpu-a100 MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=rtx4090 Nodes=gpu-4090 MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=urgent Nodes=gpu-a100,gpu-4090 MaxTime=INFINITE State=UP PriorityTier=10
"""
WITHOUT_ACCOUNTS = "AccountingStorageType=accounting_storage/none"
WITH_ACCOUNTS = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=16820"""
DBD_CONF = """\
AuthType=auth/munge
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=16820
CommunicationParameters=NoInAddrAny
SlurmUser=root
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=16821
StorageUser=slurm
StoragePass=lab
StorageLoc=slurm_lab
"""
# slurmd drops GPUs without a device file; a second /dev/null serves.
GRES = """\
NodeName=gpu-a100 Name=gpu Type=a100 File={folder}/dev/nvidia0 Flags=nvidia_gpu_env
NodeName=gpu-4090 Name=gpu Type=rtx4090 File={folder}/dev/nvidia[1-2] Flags=nvidia_gpu_env
"""


def missing(accounting: bool = False) -> str:
    """Return why the lab cannot run here; empty when it can."""
    if os.geteuid() != 0:
        return "needs root"
    programs = ["slurmctld", "slurmd", "munged", "sbatch"]
    programs += ["slurmdbd", "mariadbd", "mariadb-install-db", "sacctmgr"] if accounting else []
    lacking = [name for name in programs if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


def _alive(pid_file: Path) -> int:
    """Return the process id in a pid file when that process lives, else 0."""
    try:
        pid = int(pid_file.read_text())
        os.kill(pid, 0)
    except (OSError, ValueError):
        return 0
    return pid


def wait_for(what: str, *command: str) -> None:
    """Wait until a program succeeds, a minute at most."""
    limit = time.monotonic() + 60
    while subprocess.run(command, capture_output=True, check=False).returncode:
        if time.monotonic() > limit:
            raise SystemExit(f"{what} does not answer: {' '.join(command)}")
        time.sleep(0.5)


def keep_accounts(folder: Path) -> None:
    """Start a database and Slurm's accounting before the controller."""
    data, log = folder / "database", folder / "database.log"
    folder.chmod(0o755)
    with log.open("ab") as stream:
        if not data.exists():
            made = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=mysql", "--skip-test-db"]
            subprocess.run(made, check=True, stdout=stream, stderr=stream)
        # The mysql user may write nowhere else in the folder.
        command = ["mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={data}/socket", "--user=mysql"]
        command += ["--bind-address=127.0.0.1", "--port=16821", "--innodb-buffer-pool-size=64M"]
        command += [f"--pid-file={data}/pid"]
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, start_new_session=True)
    wait_for("the database", "mariadb-admin", "--no-defaults", f"--socket={data}/socket", "ping")
    rights = (
        "CREATE USER IF NOT EXISTS slurm@'127.0.0.1' IDENTIFIED BY 'lab'; GRANT ALL ON slurm_lab.* TO slurm@'127.0.0.1'"
    )
    subprocess.run(["mariadb", "--no-defaults", f"--socket={data}/socket", "-e", rights], check=True)
    configuration = Path("/etc/slurm/slurmdbd.conf")
    configuration.touch(mode=0o600)
    configuration.write_text(DBD_CONF.format(folder=folder))
    subprocess.run(["/usr/sbin/slurmdbd"], check=True)
    wait_for("slurmdbd", "sacctmgr", "--immediate", "--noheader", "show", "cluster")
    subprocess.run(["sacctmgr", "--immediate", "add", "cluster", "lab"], capture_output=True, check=False)


def up(folder: Path, accounting: bool = False) -> None:
    """Start the cluster and wait until its nodes are idle."""
    for name in ("state", "dev", "spool/gpu-a100", "spool/gpu-4090"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number in range(3):
        device = folder / "dev" / f"nvidia{number}"
        if not device.exists():
            os.mknod(device, 0o20666, os.makedev(1, 3))
    values = {
        "folder": folder,
        "host": socket.gethostname().split(".")[0],
        "accounting": WITH_ACCOUNTS if accounting else WITHOUT_ACCOUNTS,
    }
    configuration = Path("/etc/slurm/slurm.conf")
    if configuration.exists() and "ClusterName=lab" not in configuration.read_text():
        raise SystemExit(f"{configuration} belongs to another cluster; the lab is for a machine without one")
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text(CONF.format(**values))
    configuration.with_name("gres.conf").write_text(GRES.format(**values))
    if not _alive(Path("/run/munge/munged.pid")):
        subprocess.run(["install", "-d", "-o", "munge", "-g", "munge", "-m", "0755", "/run/munge"], check=True)
        subprocess.run(["runuser", "-u", "munge", "--", "/usr/sbin/munged", "--force"], check=True)
    if accounting:
        keep_accounts(folder)
    subprocess.run(["/usr/sbin/slurmctld", "-c"], check=True)
    for node in ("gpu-a100", "gpu-4090"):
        subprocess.run(["/usr/sbin/slurmd", "-N", node], check=True)
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        states = subprocess.run(["sinfo", "-h", "-N", "-o", "%t"], capture_output=True, text=True).stdout.split()
        if states and set(states) == {"idle"}:
            return
        time.sleep(0.5)
    raise SystemExit(f"the nodes did not come up; see {folder}/slurmctld.log and slurmd-*.log")


def down(folder: Path) -> None:
    """End the cluster's daemons; munged stays."""
    # Each ends before what it writes to.
    for name in ("slurmd-gpu-a100.pid", "slurmd-gpu-4090.pid", "slurmctld.pid", "slurmdbd.pid", "database/pid"):
        pid = _alive(folder / name)
        if pid:
            os.kill(pid, signal.SIGTERM)
            limit = time.monotonic() + 30
            while _alive(folder / name) == pid and time.monotonic() < limit:
                time.sleep(0.1)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("up", "down") or sys.argv[3:] not in ([], ["accounting"]):
        sys.exit(__doc__)
    lab = Path(sys.argv[2]).resolve()
    if sys.argv[1] == "down":
        down(lab)
    elif lacking := missing(accounting=len(sys.argv) > 3):
        sys.exit(f"no Slurm lab here: {lacking}")
    else:
        up(lab, accounting=len(sys.argv) > 3)
