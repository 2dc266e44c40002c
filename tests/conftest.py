"""Settings of all tests: one thread, no network, and an environment that no test leaves changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest import mock

import pytest
from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# The first example of a property may include an import; machines under load are slow.
settings.register_profile("burnqed", deadline=None, derandomize=True)
settings.load_profile("burnqed")


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
