"""Confinement: what a worker cannot do, and how one is chosen."""

from __future__ import annotations

import ast
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings
from burnqed.lean import sandbox as sandbox_module
from burnqed.lean.commands import prover_command
from burnqed.lean.sandbox import Sandbox, choose_sandbox, limits_for, probe

MODES = [mode for mode in ("bubblewrap", "namespaces") if probe(mode) is None]
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/tmp"}


def confined(mode: str, code: str, *, visible: Path | None = None, **limits: int) -> subprocess.CompletedProcess[str]:
    """Run Python code confined; its stdout is what it found out."""
    argv = [sys.executable, "-I", "-S", "-c", code, *([str(visible)] if visible else [])]
    command = Sandbox(mode, {"CORE": 0, **limits}).wrap(argv, ENVIRONMENT, None)
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def test_this_machine_can_confine_or_says_why() -> None:
    for mode in ("bubblewrap", "namespaces"):
        reason = probe(mode)
        assert reason is None or reason.strip()
    assert probe("off") is None


@pytest.mark.parametrize("mode", MODES)
def test_no_writing_outside_scratch(mode: str, tmp_path: Path) -> None:
    code = f"""
import os
for path in ["/burnqed-test", "/etc/burnqed-test", {str(Path.home() / "burnqed-test")!r}, "/dev/burnqed", "/var/tmp/x"]:
    try:
        open(path, "w").close(); print("wrote", path)
    except OSError: pass
open("/tmp/scratch", "w").write("fine")
print(open("/tmp/scratch").read(), os.listdir("/run"))
"""
    (tmp_path / "needed").write_text("data")
    done = confined(mode, code, visible=tmp_path / "needed")
    assert (done.stdout, done.returncode) == ("fine []\n", 0), done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["needed"]
    assert not Path("/tmp/scratch").exists()
    code = "import sys; print(open(sys.argv[1]).read()); open(sys.argv[1], 'a').write('more')"
    done = confined(mode, code, visible=tmp_path / "needed")
    assert done.stdout == "data\n"
    assert (tmp_path / "needed").read_text() == "data"


@pytest.mark.parametrize("mode", MODES)
def test_a_program_below_a_covered_folder_still_runs(mode: str, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    program = tmp_path / "project" / "tool"
    program.write_text("#!/bin/sh\npwd; ls\n")
    program.chmod(0o755)
    command = Sandbox(mode, {}).wrap([str(program)], ENVIRONMENT, tmp_path / "project")
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.stdout == f"{tmp_path / 'project'}\ntool\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_a_program_behind_two_links_still_runs(mode: str, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    program = tmp_path / "far" / "repl"
    program.write_text("#!/bin/sh\necho here\n")
    program.chmod(0o755)
    (tmp_path / "middle").symlink_to(tmp_path / "far")
    (tmp_path / "near").symlink_to(tmp_path / "middle")
    lean = ProverSettings.model_validate({"command": [str(tmp_path / "near" / "repl")], "lean_path": "/none"})
    argv, environment, folder = prover_command(lean)
    command = Sandbox(mode, {}).wrap(argv, environment, folder)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "here\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_no_network_and_no_other_process(mode: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import os, socket
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=2); print("connected")
except OSError: pass
try:
    os.kill({os.getpid()}, 0); print("sees us")
except OSError: pass
try:
    print(open("/proc/{os.getpid()}/environ").read())
except OSError: pass
print(sorted(os.environ))
"""
        done = confined(mode, code)
    assert done.returncode == 0, done.stderr
    # nothing but what we gave, and what the programs on the way add about themselves
    seen = set(ast.literal_eval(done.stdout))
    assert seen - {"PWD", "LC_CTYPE"} == set(ENVIRONMENT)


@pytest.mark.parametrize("mode", MODES)
def test_no_capability_is_left_and_none_can_be_gained(mode: str) -> None:
    code = """
import ctypes
text = open("/proc/self/status").read()
print([line.split()[1].strip("0") for line in text.splitlines() if line.startswith(("CapPrm", "CapEff"))])
libc = ctypes.CDLL(None, use_errno=True)
print(libc.mount(b"none", b"/", None, ctypes.c_ulong(32 | 4096), None))
"""
    done = confined(mode, code)
    assert done.stdout == "['', '']\n-1\n", done.stderr


@pytest.mark.parametrize("mode", [*MODES, "off"])
def test_limits_hold(mode: str) -> None:
    done = confined(mode, "x = bytearray(1 << 30)", AS=512 << 20)
    assert "MemoryError" in done.stderr
    done = confined(mode, "open('/tmp/burnqed-limit', 'wb').write(bytes(3 << 20))", FSIZE=1 << 20)
    Path("/tmp/burnqed-limit").unlink(missing_ok=True)
    assert done.returncode != 0
    done = confined(mode, "while True: pass", CPU=1)
    assert done.returncode != 0


@pytest.mark.parametrize("mode", [*MODES, "off"])
def test_a_worker_dies_with_its_parent(mode: str, tmp_path: Path) -> None:
    mark = f"burnqed-orphan-{os.getpid()}-{mode}"
    argv = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)", mark]
    parent = f"""
import subprocess, sys, time
sys.path.insert(0, {str(Path(sandbox_module.__file__).parents[2])!r})
from burnqed.lean.sandbox import Sandbox
subprocess.Popen(Sandbox({mode!r}, {{}}).wrap({argv!r}, {{}}, None), start_new_session=True)
print("started", flush=True)
time.sleep(60)
"""

    def alive() -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if mark.encode() in words and b"time.sleep(60)" in b"".join(words[:6]):
                    found.append(int(entry.name))
        return found

    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while not alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    assert alive()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    while alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive() == []


def test_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "probe", lambda mode: f"no {mode} here")
    lean = ProverSettings.model_validate({"kind": "pantograph"})
    mini = ProverSettings.model_validate({"kind": "minilean"})
    with pytest.raises(UserError, match=r"no bubblewrap here.*no namespaces here.*prover.sandbox: off"):
        choose_sandbox(lean)
    assert choose_sandbox(mini).mode == "off"
    with pytest.raises(UserError, match="no namespaces here"):
        choose_sandbox(mini.model_copy(update={"sandbox": "namespaces"}))
    assert choose_sandbox(lean.model_copy(update={"sandbox": "off"})).mode == "off"
    monkeypatch.setattr(sandbox_module, "probe", lambda mode: None)
    assert choose_sandbox(lean).mode == "bubblewrap"
    assert limits_for(mini)["AS"] == mini.memory_limit_mb << 20
