"""Confinement: what a hostile worker cannot do, in each mode, started by root and by an ordinary user."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hostile_worker
import pytest

from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover import sandbox as sandbox_module
from burnqed.prover.commands import prover_command
from burnqed.prover.sandbox import MAPPED_MB, Sandbox, choose_sandbox, limits_for, probe
from burnqed.prover.scratch import read_scratch

MODES = [mode for mode in ("bubblewrap", "namespaces") if probe(mode) is None]
USERS = ["root", "user"] if os.geteuid() == 0 else ["user"]
PLACES = [(mode, user) for mode in MODES for user in USERS]
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/tmp"}
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env"]  # env: setpriv's own exec is privileged
HOSTILE = Path(hostile_worker.__file__).read_text()
ATTACKS = [attack.__name__ for attack in hostile_worker.ATTACKS]
TASKS, FILE_BYTES, OPEN_FILES = 40, 4 << 20, 64
LIMITS = {"AS": 8 << 30, "CPU": 60, "FSIZE": FILE_BYTES, "CORE": 1, "NOFILE": OPEN_FILES, "NPROC": TASKS}


@functools.cache
def python_of(user: str) -> str:
    """Return a Python that a user can run, with our code; skip the test when there is none."""
    if user == "root" or os.geteuid() != 0:
        return sys.executable
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv to become an ordinary user with")
    check = f"import sys; sys.path.append({sandbox_module._ROOT!r}); import burnqed.prover.jail.launch"
    for program in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        if subprocess.run([*NOBODY, program, "-ISBc", check], capture_output=True).returncode == 0:
            return program
    pytest.skip("no Python here that an ordinary user can run, or our code is not readable to one")


def as_user(user: str, command: list[str]) -> list[str]:
    return [*NOBODY, *command] if user == "user" and os.geteuid() == 0 else command


def wrapped(
    mode: str, user: str, code: str, *words: str, limits: dict[str, int] | None = None, **more: Any
) -> list[str]:
    """Return the command that runs Python code confined, for a user to execute."""
    python = python_of(user)
    box = Sandbox(mode, LIMITS if limits is None else limits, more.pop("memory", 0))
    folder, read_only = more.pop("folder", None), more.pop("read_only", ())
    assert not more
    _, *launch = box.wrap([python, "-I", "-S", "-c", code, *words], ENVIRONMENT, folder, read_only)
    return as_user(user, [python, *launch])


def confined(mode: str, user: str, code: str, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run Python code confined; its stdout is what it found out."""
    return subprocess.run(
        wrapped(mode, user, code, *words, **more),
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )


def test_this_machine_can_confine_or_says_why() -> None:
    for mode in ("bubblewrap", "namespaces"):
        reason = probe(mode)
        assert reason is None or reason.strip()
    assert probe("off") is None


SECRETS = (
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".git-credentials",
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".config/gcloud/credentials.db",
    ".config/gh/hosts.yml",
    ".azure/accessTokens.json",
    ".kube/config",
    ".docker/config.json",
    ".cache/huggingface/token",
    ".sky/config.yaml",
    ".dstack/config.yml",
    ".runpod/config.toml",
    ".some-tool-of-next-year/key",
)


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's."""
    with tempfile.TemporaryDirectory(prefix="burnqed-outside-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def facts(outside: Path) -> Iterator[dict[str, Any]]:
    """A home with secrets, servers that listen, a foreign process and a visible file: what the attacks aim at."""
    folder = outside
    secrets = [folder / "home" / name for name in SECRETS]
    for secret in secrets:
        secret.parent.mkdir(parents=True, exist_ok=True)
        secret.write_text("token")
    (folder / "visible").mkdir(mode=0o777)
    (folder / "visible" / "file").write_text("data")
    (folder / "visible" / "file").chmod(0o666)
    (folder / "visible").chmod(0o777)
    name = f"burnqed-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram,
        subprocess.Popen(["sleep", "600"], env={"BURNQED_SECRET": "key"}) as foreign,
    ):
        udp.bind(("127.0.0.1", 0))
        path.bind(str(folder / "visible" / "socket"))  # in sight: the file alone is of no use
        (folder / "visible" / "socket").chmod(0o777)
        abstract.bind("\0" + name)
        datagram.bind("\0" + name + "-datagram")
        for server in (path, abstract):
            server.listen()
        yield {
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": str(folder / "visible" / "socket"),
            "abstract": name,
            "abstract_datagram": name + "-datagram",
            "secrets": [str(secret) for secret in secrets],
            "parent": str(foreign.pid),
            "visible": str(folder / "visible"),
            "environment": [*ENVIRONMENT, "PWD", "LC_CTYPE"],
            "tasks": TASKS,
            "file_bytes": FILE_BYTES,
            "open_files": OPEN_FILES,
        }
        foreign.kill()


def attack(command: list[str], facts: dict[str, Any], environment: dict[str, str]) -> dict[str, str]:
    reading, writing = os.pipe()  # a descriptor that someone forgot to close
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, pass_fds=[reading])
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@functools.cache
def _achieved(mode: str, user: str, facts_text: str) -> dict[str, str]:
    facts = json.loads(facts_text)
    folders = ["/", "/etc", "/usr/bin", "/usr/lib", "/dev", "/proc", "/var/tmp", "/run", "/dev/shm", "/root", "/home"]
    facts |= {
        "control": False,
        "scratch": "/tmp",
        "settings": [
            f"/proc/sys/{name}" for name in ("kernel/core_pattern", "vm/overcommit_memory", "kernel/hostname")
        ],
        "folders": [*folders, "/tmp/../usr", facts["visible"]],
        "files": [facts["visible"] + "/file", "/bin/sh", "/etc/ld.so.cache"],
    }
    way = "namespaces" if mode == "covered" else mode
    command = wrapped(way, user, HOSTILE, json.dumps(facts), read_only=[Path(facts["visible"])])
    if mode == "covered":
        command = [sys.executable, "-I", "-S", "-c", COVERED, *command]
    return attack(command, facts, ENVIRONMENT)


# A container covers parts of /proc; then the kernel mounts no fresh one for a user namespace.
COVERED = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
def mount(source, target, kind, flags):
    assert libc.mount(source, target, kind, ctypes.c_ulong(flags), None) == 0, target
assert libc.unshare(0x20000) == 0
mount(b"none", b"/", None, 16384 | 1 << 18)
mount(b"none", b"/proc/bus", b"tmpfs", 1)
mount(b"/proc/sys", b"/proc/sys", None, 4096)
mount(b"none", b"/proc/sys", None, 4096 | 32 | 1)
os.execvp(sys.argv[1], sys.argv[1:])
"""
COVERED_PLACES = [("covered", user) for user in USERS if "root" in USERS and "namespaces" in MODES]


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize(("mode", "user"), [*PLACES, *COVERED_PLACES])
def test_a_hostile_worker_achieves_nothing(mode: str, user: str, name: str, facts: dict[str, Any]) -> None:
    assert _achieved(mode, user, json.dumps(facts))[name] == ""


def test_the_attacks_work_where_nothing_is_confined(facts: dict[str, Any], tmp_path: Path) -> None:
    control = facts | {
        "control": True,
        "scratch": str(tmp_path),
        "settings": ["/proc/sys/kernel/hostname"],
        "folders": [facts["visible"]],
        "files": [facts["visible"] + "/file"],
    }
    command = [sys.executable, "-I", "-S", "-c", HOSTILE, json.dumps(control)]
    achieved = attack(command, control, ENVIRONMENT | {"BURNQED_SECRET": "key"})
    for_root = {"kernel_settings", "mounts", "change_root", "become_other", "raise_limits"}
    failed = {name for name, text in achieved.items() if not text or text.startswith("broken")}
    assert failed <= (for_root if os.geteuid() != 0 else {"raise_limits"}), achieved


FILLS = ["private", "shared", "scratch", "children", "left_children", "inodes"]


def fill(command: list[str]) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=ENVIRONMENT, start_new_session=True, stdin=subprocess.DEVNULL, **pipes)


@pytest.mark.parametrize(("mode", "user"), [*PLACES, *(("off", user) for user in USERS)])
def test_memory_of_every_kind_is_counted(mode: str, user: str, tmp_path: Path) -> None:
    """All of a worker's processes together, and its scratch files; ``off`` has no scratch of its own."""
    limits = {name: value for name, value in LIMITS.items() if mode != "off" or name != "NPROC"} | {"FSIZE": 64 << 20}
    kinds = [kind for kind in FILLS if mode != "off" or kind not in ("scratch", "inodes")]
    running = {
        kind: fill(
            wrapped(
                mode,
                user,
                HOSTILE,
                json.dumps({"fill": kind, "total": 128 << 20, "scratch": "/tmp", "nap": 600}),
                limits=limits,
                memory=48 << 20,
            )
        )
        for kind in kinds
    }
    for kind, process in running.items():
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 137, (kind, errors)
        assert "sandbox: out of memory" in errors, (kind, errors)


def test_the_memory_attacks_work_where_nothing_is_confined(tmp_path: Path) -> None:
    for kind in FILLS:
        words = json.dumps({"fill": kind, "total": 8 << 20, "scratch": str(tmp_path), "nap": 0})
        process = fill([sys.executable, "-I", "-S", "-c", HOSTILE, words])
        assert process.communicate(timeout=600) == ("filled\n", ""), kind


@pytest.mark.parametrize(("mode", "user"), [*PLACES, *(("off", user) for user in USERS)])
def test_memory_below_the_limit_is_left_alone(mode: str, user: str) -> None:
    code = "import time; kept = bytearray(b'x' * (24 << 20)); time.sleep(0.7); print('done')"
    done = confined(mode, user, code, memory=64 << 20)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.parametrize(("mode", "user"), [*PLACES, *(("off", user) for user in USERS)])
def test_limits_of_each_process_hold(mode: str, user: str) -> None:
    done = confined(mode, user, "x = bytearray(1 << 30)", limits={"AS": 512 << 20})
    assert "MemoryError" in done.stderr
    done = confined(mode, user, "import sys; sys.exit(7)")
    assert done.returncode == 7


@pytest.mark.parametrize("mode", [*MODES, "off"])
def test_a_worker_that_computes_for_ever_is_ended(mode: str) -> None:
    assert confined(mode, USERS[0], "while True: pass", limits={"CPU": 1}).returncode == 137


# Leaves processes behind, in sessions of their own and with parents that are gone.
LEAVES = """
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            os.execv(sys.executable, [sys.executable, "-ISc", "import time; time.sleep(600)", sys.argv[1]])
        os._exit(0)
print("left", flush=True)
if sys.argv[2] == "stay":
    time.sleep(600)
"""


def marked(mark: str) -> list[int]:
    """Return the processes with a mark among their words."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def wait_until(test: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not test():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("end", ["by itself", "killed", "group killed"])
@pytest.mark.parametrize(("mode", "user"), [*PLACES, *(("off", user) for user in USERS)])
def test_nothing_of_a_worker_outlives_it(mode: str, user: str, end: str) -> None:
    mark = f"burnqed-left-{os.getpid()}-{mode}-{user}-{end}"
    process = fill(wrapped(mode, user, LEAVES, mark, "leave" if end == "by itself" else "stay", limits={}))
    assert process.stdout is not None
    assert process.stdout.readline() == "left\n"
    if end == "by itself":
        assert process.wait(300) == 0
        assert marked(mark) == []  # at once: the launcher ends last
    else:
        wait_until(lambda: len(marked(mark)) > 3)
        (os.kill if end == "killed" else os.killpg)(process.pid, signal.SIGKILL)
        process.wait(300)
        wait_until(lambda: marked(mark) == [])
    process.communicate()


@pytest.mark.parametrize("mode", [*MODES, "off"])
def test_a_worker_dies_with_the_process_that_asked_for_it(mode: str) -> None:
    mark = f"burnqed-orphan-{os.getpid()}-{mode}"
    parent = f"""
import subprocess, sys, time
sys.path.insert(0, {sandbox_module._ROOT!r})
from burnqed.prover.sandbox import Sandbox
words = [{python_of("root")!r}, "-I", "-S", "-c", {LEAVES!r}, {mark!r}, "stay"]
subprocess.Popen(Sandbox({mode!r}, {{}}).wrap(words, {ENVIRONMENT!r}, None), start_new_session=True)
time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"left\n"
    wait_until(lambda: len(marked(mark)) > 3)
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: marked(mark) == [])


@pytest.mark.parametrize(("mode", "user"), PLACES)
def test_scratch_is_the_only_place_to_write_and_is_gone_afterwards(mode: str, user: str, tmp_path: Path) -> None:
    checkout = Path(__file__).resolve().parts
    shown = checkout[2] if checkout[:2] == ("/", "tmp") else ""  # the worker may read its programs there
    code = f"""
import os
open("/tmp/burnqed-scratch", "w").write("fine")
found = [name for name in os.listdir("/tmp") if name != {shown!r}]
print(open("/tmp/burnqed-scratch").read(), os.getcwd(), found, open("/dev/null").read() == "")
"""
    done = confined(mode, user, code)
    assert (done.stdout, done.returncode) == ("fine /tmp ['burnqed-scratch'] True\n", 0), done.stderr
    assert not Path("/tmp/burnqed-scratch").exists()


@pytest.mark.parametrize("mode", MODES)
def test_a_program_in_a_project_below_tmp_runs_there(mode: str, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    program = tmp_path / "project" / "tool"
    program.write_text("#!/bin/sh\npwd; ls; cat ../further/file\n")
    program.chmod(0o755)
    (tmp_path / "further").mkdir()
    (tmp_path / "further" / "file").write_text("read\n")
    (tmp_path / "hidden").mkdir()
    command = Sandbox(mode, {}).wrap([str(program)], ENVIRONMENT, tmp_path / "project", [tmp_path / "further"])
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=600)
    assert done.stdout == f"{tmp_path / 'project'}\ntool\nread\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_a_program_behind_two_links_still_runs(mode: str, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    program = tmp_path / "far" / "repl"
    program.write_text("#!/bin/sh\necho here; cat $LEAN_PATH/file\n")
    program.chmod(0o755)
    (tmp_path / "middle").symlink_to(tmp_path / "far")
    (tmp_path / "near").symlink_to(tmp_path / "middle")
    (tmp_path / "store" / "library").mkdir(parents=True)
    (tmp_path / "store" / "library" / "file").write_text("read\n")
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "library").symlink_to("../store/library")
    library = str(tmp_path / "packages" / "library")
    lean = ProverSettings.model_validate({"command": [str(tmp_path / "near" / "repl")], "lean_path": library})
    argv, environment, folder = prover_command(lean)
    command = Sandbox(mode, {}).wrap(argv, environment, folder, [tmp_path / "packages"])
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.stdout == "here\nread\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_a_system_program_named_by_a_link_starts_while_it_runs_elsewhere(mode: str) -> None:
    command = Sandbox(mode, LIMITS).wrap(["/bin/sh", "-c", "echo started; cat"], ENVIRONMENT, None)
    with subprocess.Popen(["/bin/sh", "-c", "cat; :"], stdin=subprocess.PIPE) as running:
        done = subprocess.run(command, env=ENVIRONMENT, input="on", capture_output=True, text=True, timeout=600)
        running.communicate()
    assert (done.returncode, done.stdout, done.stderr) == (0, "started\non", "")


def test_a_home_folder_is_not_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "home" / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    box = Sandbox("namespaces", {})
    box.wrap(["/bin/true"], {}, tmp_path / "home" / "project")
    for folder in (tmp_path / "home", tmp_path, Path("/"), Path("/etc")):
        with pytest.raises(UserError, match=f"would see all of {folder},"):
            box.wrap(["/bin/true"], {}, folder)
        with pytest.raises(UserError, match=f"would see all of {folder},"):
            box.wrap(["/bin/true"], {"LEAN_PATH": str(folder)}, None)
    Sandbox("off", {}).wrap(["/bin/true"], {}, tmp_path / "home")


@pytest.mark.parametrize("mode", MODES)
def test_a_program_that_is_not_there_is_named(mode: str) -> None:
    done = subprocess.run(Sandbox(mode, {}).wrap(["/no/repl"], ENVIRONMENT, None), capture_output=True, text=True)
    assert done.returncode != 0
    assert "/no/repl" in done.stderr


def test_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "probe", lambda mode: f"no {mode} here")
    lean = ProverSettings.model_validate({"kind": "pantograph"})
    with pytest.raises(UserError, match=r"no bubblewrap here.*no namespaces here.*prover.sandbox: off"):
        choose_sandbox(lean)
    with pytest.raises(UserError, match="no namespaces here"):
        choose_sandbox(lean.model_copy(update={"sandbox": "namespaces"}))
    assert choose_sandbox(lean.model_copy(update={"sandbox": "off"})).mode == "off"
    monkeypatch.setattr(sandbox_module, "probe", lambda mode: None)
    assert choose_sandbox(lean).mode == "bubblewrap"
    assert choose_sandbox(lean).memory == lean.memory_limit_mb << 20
    assert limits_for(lean)["AS"] == (lean.memory_limit_mb + MAPPED_MB) << 20


LEAVES_FILES = """
import os, time
os.chdir("/tmp")
open("plain", "w").write("data")
open("long", "w").write("x" * 2000)
os.symlink("/etc/hostname", "link")
os.symlink("/etc", "folder")
os.mkfifo("pipe")
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("mode", MODES)
def test_what_a_worker_left_is_read_without_following_it(mode: str) -> None:
    process = fill(wrapped(mode, USERS[0], LEAVES_FILES))
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert read_scratch(process.pid, "plain", 1000) == b"data"
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        read_scratch(process.pid, "long", 1000)
    for name in ("link", "folder", "pipe", "nothing"):
        with pytest.raises(OSError):
            read_scratch(process.pid, name, 1000)
    process.kill()
    process.communicate()
