"""Settings of all tests: one thread, no network, and an environment that no test leaves changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings

# Files of much work, the longest first: each runs in one process, and none should be left to run alone at the end.
LONGEST = (
    "integration/test_loop.py",
    "unit/test_lean_attacks.py",
    "integration/test_s3.py",
    "workflow/test_runs.py",
    "unit/test_data_corpus_lean.py",
    "workflow/test_dag.py",
    "unit/test_report.py",
    "unit/test_lean_recheck.py",
    "unit/test_training_joint.py",
    "unit/test_lean_mutants.py",
    "workflow/test_profiles.py",
    "unit/test_search_run.py",
    "workflow/test_docs.py",
    "workflow/test_launch.py",
    "workflow/test_mistakes.py",
    "unit/test_lean_batch.py",
)

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
if not Path("/dev/nvidiactl").exists():  # read when Triton is imported, by whichever test comes first
    os.environ["TRITON_INTERPRET"] = "1"
# The first example of a property may include an import; machines under load are slow.
settings.register_profile("burnqed", deadline=None, derandomize=True)
settings.load_profile("burnqed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, as `make test` hands out files in this order."""
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
    assert all(path.exists() for path in places), "LONGEST names a file that is no more"
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """Give each test the environment of the start: profiles read in one say which hardware there is, for example."""
    with mock.patch.dict(os.environ):
        yield


@pytest.fixture(scope="module")
def s3_endpoint() -> Iterator[str]:
    """The address of a stand-in for S3 on loopback."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()
