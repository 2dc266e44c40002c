"""Which build of torch the set-up takes: the shell script with stand-ins for every program that it asks."""

from __future__ import annotations

import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "envs" / "install_torch.sh"
DEFAULT = "install --quiet torch==2.13.0"

Choose = Callable[..., tuple[list[str], str]]

no_card = pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="this machine has a GPU")


class Page(http.server.BaseHTTPRequestHandler):
    """One page of an index, at once or, for /slow, only after the test."""

    release = threading.Event()
    waited_out = threading.Event()

    def do_GET(self) -> None:
        if self.path.startswith("/slow"):
            if not self.release.wait(600):
                self.waited_out.set()
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'<a href="torch">torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl</a>')

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def index() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/cpu"
    server.shutdown()


@pytest.fixture
def choose(tmp_path: Path, index: str) -> Choose:
    """Run the script; return the calls of pip that install, and what was printed."""

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    def run(
        *words: str, system: str = "Linux", installed: bool = False, programs: tuple[str, ...] = (),
        settings: str = "", refused: str = "", page: str = index, version: str = "2.13.0",
    ) -> tuple[list[str], str]:  # fmt: skip
        (tmp_path / "settings").write_text(settings)
        calls = tmp_path / "calls"
        calls.write_text("")
        write("uname", f"echo {system}")
        write(
            "pip",
            f'case "$1" in config) cat {tmp_path}/settings; exit ;; esac\n'
            f'echo "$*" >> {calls}\ncase "$*" in {refused or "nothing"}) exit 1 ;; esac',
        )
        write(
            "python",
            f'case "$*" in *importlib.metadata*) exit {int(not installed)} ;; esac\nexec {sys.executable} "$@"',
        )
        for name in programs:
            write(name, "echo 'GPU 0: NVIDIA'")
        for name in ("grep", "cat"):
            if not (tmp_path / name).exists():
                (tmp_path / name).symlink_to(str(shutil.which(name)))
        environment = {"PATH": str(tmp_path), "no_proxy": "127.0.0.1"}
        done = subprocess.run(
            ["/bin/sh", str(SCRIPT), str(tmp_path), version, page, *words],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return calls.read_text().splitlines(), done.stdout

    return run


@no_card
def test_without_a_gpu_the_cpu_build_is_taken(choose: Choose, index: str) -> None:
    assert choose() == ([f"install --quiet torch==2.13.0+cpu --extra-index-url {index}"], "")


@pytest.mark.parametrize(
    "machine",
    [{"system": "Darwin"}, {"installed": True}, {"programs": ("nvidia-smi",)}],
    ids=["macOS", "installed", "GPU"],
)
def test_the_default_build_is_right(choose: Choose, machine: dict[str, object]) -> None:
    assert choose(**machine) == ([DEFAULT], "")


@no_card
@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        ({"programs": ("sbatch",)}, "a cluster's machines may have GPUs"),
        ({"settings": ":env:.index-url='https://mirror.example/simple'"}, "pip is set to an index of its own"),
        ({"settings": "global.index-url='https://mirror.example/simple'"}, "pip is set to an index of its own"),
        ({"settings": "install.no-index='true'"}, "pip is set to an index of its own"),
        ({"page": "http://127.0.0.1:9/cpu"}, "cannot be reached"),
        ({"page": "http://name.invalid/cpu"}, "cannot be reached"),
        ({"version": "2.14.0"}, "or does not have it"),
    ],
    ids=["cluster", "PIP_INDEX_URL", "pip.conf", "no index", "refused", "unknown name", "other version"],
)
def test_doubt_ends_in_the_default_build_and_a_line(choose: Choose, machine: dict[str, object], reason: str) -> None:
    calls, said = choose(**machine)
    assert [call.partition("==")[0] for call in calls] == ["install --quiet torch"] and "cpu" not in calls[0]
    assert said.count("\n") == 1 and reason in said and "make setup TORCH=cpu" in said


@no_card
def test_wheels_of_ones_own_are_no_index(choose: Choose) -> None:
    calls, _ = choose(settings="global.find-links='/opt/wheels'\nglobal.extra-index-url='file:///opt/simple'")
    assert "+cpu" in calls[0]


@no_card
def test_an_index_that_hangs_is_not_waited_for(choose: Choose, index: str) -> None:
    try:
        calls, said = choose(page=index.replace("/cpu", "/slow"))
        assert calls == [DEFAULT] and "cannot be reached" in said
        assert not Page.waited_out.is_set()
    finally:
        Page.release.set()


@no_card
def test_a_cpu_build_that_fails_to_install_is_replaced(choose: Choose, index: str) -> None:
    calls, said = choose(refused="*+cpu*")
    assert calls == [f"install --quiet torch==2.13.0+cpu --extra-index-url {index}", DEFAULT]
    assert "could not be installed" in said


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["default"], DEFAULT),
        (["cpu"], "install --quiet torch==2.13.0+cpu --extra-index-url http://127.0.0.1:9/cpu"),
        (
            ["torch==2.12.0", "--index-url", "https://a.example"],
            "install --quiet torch==2.12.0 --index-url https://a.example",
        ),
    ],
)
@pytest.mark.parametrize("programs", [(), ("nvidia-smi", "sbatch")])
def test_a_named_build_is_taken_as_it_is(
    choose: Choose, words: list[str], call: str, programs: tuple[str, ...]
) -> None:
    assert choose(*words, programs=programs, page="http://127.0.0.1:9/cpu") == ([call], "")


def make(*words: str, system: str, folder: Path) -> str:
    """Return what `make -n setup` would print on a system of another kind, the recipe's first lines run in a shell."""
    (folder / "uname").write_text(
        f'#!/bin/sh\ncase "$1" in -sm) echo {system} ;; -s) echo {system.split()[0]} ;; -m) echo {system.split()[1]} ;; esac\n'
    )
    (folder / "uname").chmod(0o755)
    shown = subprocess.run(
        ["make", "-n", "setup", "BIN=.", f"READY={folder}/none", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    [recipe] = re.findall(r"^case .*?esac$", shown, flags=re.DOTALL | re.MULTILINE)
    done = subprocess.run(
        ["sh", "-c", recipe], env={"PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True, text=True, check=True
    )
    return done.stdout + shown


@pytest.mark.parametrize(
    ("system", "words"),
    [("Linux x86_64", ""), ("Linux aarch64", "take one with elan"), ("Darwin arm64", "Jobs need Linux")],
)
def test_make_says_early_what_works_on_a_system(tmp_path: Path, system: str, words: str) -> None:
    said = make(system=system, folder=tmp_path).splitlines()[0]
    assert words in said if words else "case" not in said and "Linux" not in said
