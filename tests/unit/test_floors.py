"""The library's floors: a module imports only from its own package and from floors below, and no two in a circle.

Imports inside functions count too. `FLOORS` is the one list of floors; docs/architecture.md shows it as a picture.
"""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "burnqed"

# From the top down. Packages on one line may not import each other.
FLOORS = [
    ["__main__"],
    ["commands", "cloud"],
    ["snakemake"],
    ["experiments"],
    ["report"],
    ["evaluation"],
    ["training"],
    ["search"],
    ["value"],
    ["policy"],
    ["data"],
    ["prover"],
    ["plan"],
    ["jobs"],
    ["records"],
    ["leantext"],
    ["config"],
    ["files", "seeds", "words", "__init__"],
]
HEIGHT = {name: -level for level, names in enumerate(FLOORS) for name in names}


def modules() -> dict[str, Path]:
    """Return the files of the library by dotted name."""
    found = {}
    for path in sorted(LIBRARY.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """Return the library's modules that a file imports anywhere, those inside functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "burnqed"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "burnqed":
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in known else str(node.module))
    return {"burnqed.__init__" if name == "burnqed" else name for name in found}


def package(module: str) -> str:
    return module.split(".")[1]


MODULES = modules()
IMPORTS = {module: imports(path, MODULES) for module, path in MODULES.items()}


def test_every_package_has_a_floor() -> None:
    assert {package(module) for module in MODULES} <= set(HEIGHT)


@pytest.mark.parametrize("name", sorted({package(module) for module in MODULES}))
def test_imports_go_down(name: str) -> None:
    own = [module for module in MODULES if package(module) == name]
    wrong = [
        f"{module} imports {other}"
        for module in own
        for other in sorted(IMPORTS[module])
        if package(other) != name and HEIGHT[package(other)] >= HEIGHT[name]
    ]
    assert not wrong, "move what is needed down to a floor below both"


@pytest.mark.parametrize("name", sorted({package(module) for module in MODULES}))
def test_no_circle_inside_a_package(name: str) -> None:
    inside = {module: IMPORTS[module] - {f"burnqed.{name}"} for module in MODULES if package(module) == name}
    try:
        TopologicalSorter(inside).prepare()
    except CycleError as error:
        pytest.fail(f"circle: {' -> '.join(error.args[1])}")


def test_this_test_sees_imports_in_functions(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def later():\n    from burnqed.files import UserError\n    import burnqed.plan\n")
    assert imports(path, {}) == {"burnqed.files", "burnqed.plan"}


def test_the_page_on_architecture_shows_the_floors_in_order_and_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = text.partition("```")[2].partition("```")[0]
    rows = [line.split()[0].strip("/").removesuffix(".py") for line in picture.splitlines() if line.startswith("   ")]
    shown = [name for name in rows if name in HEIGHT]
    assert shown == sorted(shown, key=lambda name: -HEIGHT[name])
    assert {name for floor in FLOORS for name in floor if not name.startswith("__")} <= set(re.findall(r"\w+", picture))
    for name in re.findall(r"`([a-z_]+/[a-z_]+\.py)`", text):
        assert (LIBRARY / name).exists() or (ROOT / name).exists(), name
