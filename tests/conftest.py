"""Settings of all tests: one thread, no network."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# The first example of a property may include an import; machines under load are slow.
settings.register_profile("burnqed", deadline=None, derandomize=True)
settings.load_profile("burnqed")
