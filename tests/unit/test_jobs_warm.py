"""The warm process: its jobs are as those of an interpreter of their own, but for the time of imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest

from burnqed.jobs import warm_client

SERVER = """
import sys
from pathlib import Path
from burnqed.jobs.warm import Warm
exec(sys.argv[2])
Warm(Path(sys.argv[1]), ["colorsys"]).serve()
"""
WAIT = """
import signal, sys, time
from pathlib import Path
from burnqed.jobs.stop import exit_status
def work():
    Path("ready").touch()
    time.sleep(600)
sys.exit(exit_status(work))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="warm-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def server(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", SERVER, str(folder / "socket"), ""]) as running:
        wait_for(folder / "socket")
        yield running
        running.kill()


def command(folder: Path, script: str, *words: str) -> list[str]:
    path = folder / "script.py"
    path.write_text(script)
    return [sys.executable, "-I", "-S", str(warm_client.__file__), str(folder / "socket"), str(path), *words]


def run(folder: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, script, *words),
        cwd=folder,
        env={**os.environ, "OWN": "value"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def wait_for(path: Path) -> None:
    limit = time.monotonic() + 300
    while not path.exists():
        assert time.monotonic() < limit, path
        time.sleep(0.02)


SHOW = """
import atexit, os, sys
from pathlib import Path
atexit.register(lambda: print("at the end"))
print(__name__, "colorsys" in sys.modules, os.environ["OWN"], sys.argv[1:], Path.cwd().resolve(), sys.path[0])
print("to stderr", file=sys.stderr)
raise SystemExit(int(sys.argv[1]))
"""


@pytest.mark.usefixtures("server")
def test_a_job_is_as_one_of_its_own(folder: Path) -> None:
    for status in (0, 3):
        warm = run(folder, SHOW, str(status), "two words")
        real = folder.resolve()
        assert warm.stdout == f"__main__ True value ['{status}', 'two words'] {real} {real}\nat the end\n"
        assert (warm.stderr, warm.returncode) == ("to stderr\n", status)
    crash = run(folder, "1 / 0")
    assert crash.returncode == 1 and "ZeroDivisionError" in crash.stderr
    assert run(folder, "raise SystemExit('why')").stderr == "why\n"
    assert run(folder, "import os; os.kill(os.getpid(), 9)").returncode == 128 + signal.SIGKILL


def test_without_the_process_a_job_starts_by_itself(folder: Path) -> None:
    cold = run(folder, SHOW, "3")
    assert cold.stdout.startswith("__main__ False value ['3']") and cold.returncode == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.usefixtures("server")
def test_a_signal_to_the_client_ends_the_job(folder: Path, number: int) -> None:
    """SIGTERM is passed on; a client that was killed ends its job as SIGTERM would."""
    script = WAIT.replace("def work():", "def work():\n    Path('pid').write_text(str(__import__('os').getpid()))")
    client = subprocess.Popen(command(folder, script), cwd=folder)
    wait_for(folder / "ready")
    client.send_signal(number)
    assert client.wait(300) == (143 if number == signal.SIGTERM else -number)
    limit = time.monotonic() + 300
    while Path(f"/proc/{(folder / 'pid').read_text()}").exists():
        assert time.monotonic() < limit
        time.sleep(0.02)


def test_a_process_with_threads_forks_nothing(folder: Path) -> None:
    thread = "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
    words = [sys.executable, "-c", SERVER, str(folder / "socket"), thread]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        assert any("jobs start by themselves" in line for line in server.stderr)
        assert run(folder, SHOW, "3").stdout.startswith("__main__ False")
        server.kill()


@pytest.mark.skipif("jemalloc" not in pyarrow.supported_memory_backends(), reason="pyarrow has no jemalloc here")
def test_a_process_in_which_pyarrow_runs_forks(folder: Path) -> None:
    """Pandas brings it where it is installed; its allocator has a thread that comes again in a fork."""
    table = "pa.table({'a': list(range(100_000))})"
    began = f"import pyarrow as pa; import pyarrow.parquet; pa.jemalloc_memory_pool(); kept = {table}"
    script = f"import sys; import pyarrow as pa; import pyarrow.parquet as pq; print('colorsys' in sys.modules); pq.write_table({table}, 't'); print(pq.read_table('t').num_rows)"
    words = [sys.executable, "-c", SERVER, str(folder / "socket"), began]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None and server.stderr.readline().startswith("colorsys: ")
        for _ in range(3):
            assert run(folder, script).stdout == "True\n100000\n"
        threads = sorted(path.read_text().strip() for path in Path(f"/proc/{server.pid}/task").glob("*/comm"))
        server.kill()
    assert threads[0] == "jemalloc_bg_thd", "this test shows nothing here"


def test_a_process_with_an_open_gpu_forks_nothing_but_one_with_its_library_does(folder: Path) -> None:
    """cuBLAS loads the driver's library when torch is imported; what a fork breaks begins with an open device."""
    device = folder / "nvidiactl"
    device.touch()
    opened = f"device = open({str(device)!r}); from burnqed.jobs import warm; warm.open_devices.__defaults__ = ((%r,),)"
    for prefix, forks in ((str(folder / "nvidia"), False), (str(folder / "amd"), True)):
        words = [sys.executable, "-c", SERVER, str(folder / "socket"), opened % prefix]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None and server.stderr.readline().startswith("colorsys: ")
            if not forks:
                assert server.stderr.readline() == f"colorsys left {device}: jobs start by themselves\n"
            assert run(folder, SHOW, "3").stdout.startswith(f"__main__ {forks}")
            server.kill()
        (folder / "socket").unlink(missing_ok=True)


def test_it_ends_with_its_driver_and_after_its_jobs(folder: Path) -> None:
    """Signals to a whole group leave it alone until its jobs have ended; its folder goes with it."""
    own = folder / "own"
    own.mkdir()
    starter = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {SERVER!r}, {str(own / 'socket')!r}, '']); print(p.pid, flush=True); sys.stdin.read()"
    driver = subprocess.Popen([sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    pid = int(driver.stdout.readline())
    wait_for(own / "socket")
    os.kill(pid, signal.SIGTERM)
    warm = subprocess.run(
        [sys.executable, "-I", "-S", str(warm_client.__file__), str(own / "socket"), *command(folder, SHOW, "0")[5:]],
        cwd=folder,
        env={**os.environ, "OWN": "x"},
        capture_output=True,
        text=True,
    )
    assert warm.stdout.startswith("__main__ True")
    driver.kill()
    driver.wait()
    limit = time.monotonic() + 300
    while own.exists():
        assert time.monotonic() < limit
        time.sleep(0.02)
