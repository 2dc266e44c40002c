"""Digests of what jobs read."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed import files
from burnqed.files import input_digest


def test_large_files_of_equal_size_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "WHOLE_FILE_BYTES", 1000)
    monkeypatch.setattr(files, "SAMPLE_BYTES", 100)
    weights = tmp_path / "model" / "model.safetensors"
    weights.parent.mkdir()
    seen = set()
    for at in (0, 50, 1000, 1999):
        content = bytearray(2000)
        content[at] = 1
        weights.write_bytes(content)
        seen.add(input_digest(weights.parent))
    weights.write_bytes(bytes(2001))
    seen.add(input_digest(weights.parent))
    assert len(seen) == 5
