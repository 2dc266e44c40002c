"""The pages made from the settings are those of the settings as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from burnqed.config import Config
from burnqed.config.reference import reference, schema

ROOT = Path(__file__).parents[2]


def test_the_pages_are_current() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == reference(), "run `make reference`"
    assert json.loads((ROOT / "docs" / "config.schema.json").read_text(encoding="utf-8")) == schema()


def test_every_key_stands_there_with_a_reason() -> None:
    page = reference()
    for name, block in Config.model_json_schema()["$defs"].items():
        for key, value in block["properties"].items():
            assert value.get("description"), f"{name}.{key} has no description"
            assert f"| `{key}` |" in page
    assert "| `temperature` | number, ≥ 0 |" in page or "| `temperature` | number, > 0 |" in page


FILES = [path for place in ("", "profiles/*/", "studies/") for path in ROOT.glob(f"{place}*.yaml")]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name != "profile.yaml" and path.name[0] != "."], ids=str
)
def test_configurations_name_the_schema_for_editors(path: Path) -> None:
    found = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text(encoding="utf-8"))
    assert found and (path.parent / found[1]).is_file()
