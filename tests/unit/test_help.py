"""`--help` of every workflow script and every `burnqed` command explains each option and shows its default."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnqed.commands.cli import build_parser
from burnqed.jobs.runner import Job

SCRIPTS = sorted((Path(__file__).parents[2] / "workflow_scripts").glob("*.py"))


def script_parser(path: Path) -> argparse.ArgumentParser:
    """Return the parser of a script's job."""
    spec = importlib.util.spec_from_file_location(f"help_of_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    (found,) = (
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    )
    assert issubclass(found, Job)
    return found.parser()


def unexplained(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield what the help of a parser and of its commands leaves out."""
    shown = " ".join(parser.format_help().split())
    if not parser.description:
        yield f"{parser.prog}: no description"
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest for choice in action._choices_actions if choice.help}
            yield from (f"{parser.prog} {name}: no help" for name in action.choices if name not in told)
            for command in action.choices.values():
                yield from unexplained(command)
            continue
        name = "/".join(action.option_strings) or action.dest
        if not action.help:
            yield f"{parser.prog}: {name} has no help"
            continue
        words = " ".join((action.help % {**vars(action), "prog": parser.prog}).split())
        if words not in shown:
            yield f"{parser.prog}: the help does not show what {name} is: {words}"
        has_default = action.default not in (None, False, "", [], argparse.SUPPRESS) and not action.required
        if action.option_strings and has_default and "default: " not in words:
            yield f"{parser.prog}: {name} does not show its default ({action.default})"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_option_of_a_script_is_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "2000")  # lines are not broken within a text
    assert list(unexplained(script_parser(path))) == []


def test_every_option_of_every_command_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    assert list(unexplained(build_parser())) == []


def test_what_is_not_explained_is_found() -> None:
    parser = argparse.ArgumentParser("tool", description="A tool.")
    parser.add_argument("--silent")
    parser.add_argument("--count", type=int, default=3, help="how many")
    parser.add_argument("--size", type=int, default=3, help="how large (default: 3)")
    commands = parser.add_subparsers(help="commands")
    commands.add_parser("go")
    assert [line.partition(":")[2].strip() for line in unexplained(parser)] == [
        "--silent has no help",
        "--count does not show its default (3)",
        "no help",
        "no description",
    ]
