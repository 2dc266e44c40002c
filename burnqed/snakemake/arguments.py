"""Mistakes on Snakemake's command line that Snakemake itself meets with a traceback, a page of usage, or not at all.

Snakemake imports its plugins before it reads the command line, and a Snakefile only after. So the one place where a
misspelt profile or a missing configuration file can be told in a line is the import of our logger plugin.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

START = Path.cwd()
NAME = re.compile(r"[A-Za-z_][\w-]*\w")  # what Snakemake takes for the name of a setting
PLUGINS = {"slurm": "slurm", "kubernetes": "kubernetes"}  # executors by the extra of ours that installs them


def values_of(words: Sequence[str], *options: str) -> list[str]:
    """Return all values of an option: `--config a=1 b=2`, `--config=a=1`."""
    found: list[str] = []
    inside = False
    for word in words:
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if word in options:
            inside = True
        elif equals and name in options:
            found.append(value)
            inside = False
        elif word.startswith("-"):
            inside = False
        elif inside:
            found.append(word)
    return found


def problems(words: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield what is wrong in the words of a command line given in a folder, one line each, with the remedy."""
    yield from _profile_problems(words, folder)
    for file in values_of(words, "--configfile", "--configfiles"):
        # A target may follow the files; Snakemake takes it for one more file.
        if not (folder / file).exists():
            hint = "" if "." in Path(file).name else f"; a target after files needs `--` before it: -- {file}"
            yield f"--configfile {file}: no such file{hint or _near(file, folder)}"
    for entry in values_of(words, "--config", "-C"):
        yield from _entry_problems(entry, folder)


def _near(file: str, folder: Path) -> str:
    beside = (folder / file).parent
    names = [path.name for path in beside.iterdir()] if beside.is_dir() else []
    close = difflib.get_close_matches(Path(file).name, names, 1)
    return f"; did you mean {Path(file).with_name(close[0])}?" if close else "; give the path from here, or a whole one"


def _entry_problems(entry: str, folder: Path) -> Iterator[str]:
    key, equals, value = entry.partition("=")
    if not equals:
        what = "is a file: give it with --configfile" if (folder / entry).is_file() else "write NAME=VALUE (seed=1)"
        hint = "" if (folder / entry).is_file() else f"; a target after settings needs `--` before it: -- {entry}"
        yield f"--config {entry}: {what}{hint}"
    elif not NAME.fullmatch(key):
        block, dot, name = key.partition(".")
        inner = f"'{block}={{{name}: {value}}}'" if dot and name.isidentifier() else "NAME=VALUE (seed=1)"
        yield f"--config {entry}: write {inner}"


def _profiles(*places: Path) -> dict[str, Path]:
    """Return the profiles in some folders by name, each with its file."""
    return {
        file.parent.name: file
        for place in places
        for file in sorted(place.glob("*/*.yaml"))
        if re.fullmatch(r"(profile|config)(\.v\d+\+)?\.yaml", file.name)
    }


def _workflow_folder(words: Sequence[str], folder: Path) -> Path:
    named = values_of(words, "--snakefile", "-s")
    return (folder / named[0]).parent if named else folder


def _profile_problems(words: Sequence[str], folder: Path) -> Iterator[str]:
    home = _workflow_folder(words, folder)
    own = _profiles(home / "profiles")
    user = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "snakemake"
    installed = _profiles(Path("/etc/xdg/snakemake"), user)
    for option, known in (("--workflow-profile", own), ("--profile", installed)):
        for name in values_of(words, option)[:1]:
            if name == "none" or name in known or (folder / name).exists():
                yield from _plugin_problems(name, known)
            elif name in own:
                yield f"--profile {name}: not linked yet: run `make profiles`, or use --workflow-profile {name}"
            else:
                all_of_them = sorted({*own, *installed})
                close = difflib.get_close_matches(name, all_of_them, 1)
                which = f"did you mean {close[0]}?" if close else f"there are {', '.join(all_of_them) or 'none'}"
                yield f"{option} {name}: no such profile; {which}"


def _plugin_problems(name: str, known: dict[str, Path]) -> Iterator[str]:
    file = known.get(Path(name).name)
    found = re.search(r"^executor:\s*(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE) if file else None
    executor = found.group(1) if found else ""
    if executor in PLUGINS and importlib.util.find_spec(f"snakemake_executor_plugin_{executor}") is None:
        extra = PLUGINS[executor]
        yield f"profile {name} submits to {executor}, which needs a package: .venv/bin/pip install -e '.[{extra}]'"


def _is_start(words: Sequence[str]) -> bool:
    """Return whether a process's words are those of a user's `snakemake`, not of a job that it starts by itself."""
    program = Path(words[0]) if words else Path()
    named = program.name == "snakemake" or program.parts[-2:] == ("snakemake", "__main__.py")
    return named and "--mode" not in words


def asked_targets(words: Sequence[str]) -> list[str]:
    """Return the targets on Snakemake's command line; a Snakefile is read before Snakemake passes them on."""
    if not _is_start(words):
        return []
    from snakemake.cli import parse_args

    # Once more, so quietly, and where Snakemake was started: it has gone to its --directory since.
    quiet = contextlib.redirect_stderr(io.StringIO())
    with contextlib.suppress(SystemExit, OSError), quiet, contextlib.chdir(START):
        return list(map(str, parse_args(list(words[1:]))[1].targets or ()))
    return []


def check_command_line(words: Sequence[str]) -> None:
    """End the process with one line a mistake when this is Snakemake's own start and something is wrong in it."""
    if not _is_start(words):
        return
    found = list(problems(words[1:], Path.cwd()))
    if found:
        for line in found:
            print(f"snakemake: {line}", file=sys.stderr)
        sys.exit(1)
