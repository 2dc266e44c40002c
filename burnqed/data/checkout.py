"""Git checkouts: what a folder says of itself (commit, remote, Lean version), and fetching a pinned one.

Nothing of a folder is run: git's own files are read, for a checkout's configuration can name programs.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
from pathlib import Path

from burnqed.files import UserError, atomic_dir

logger = logging.getLogger(__name__)

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REMOTE = re.compile(r'\[remote "[^"]*"\][^\[]*?^\s*url\s*=\s*(\S+)', re.MULTILINE)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[: 1 << 20].strip()
    except OSError:
        return ""


def _git_folder(start: Path) -> Path | None:
    """Return the git directory of the checkout that holds a path; a worktree's `.git` file is followed."""
    for folder in (start, *start.parents):
        found = folder / ".git"
        if found.is_dir():
            return found
        if found.is_file():
            target = folder / _text(found).removeprefix("gitdir:").strip()
            return target if target.is_dir() else None
    return None


def _commit(git: Path) -> str:
    head = _text(git / "HEAD")
    if _COMMIT.fullmatch(head):
        return head
    name = head.removeprefix("ref:").strip()
    common = git / (_text(git / "commondir") or ".")
    for folder in (git, common):
        found = _text(folder / name) if name and ".." not in name else ""
        if _COMMIT.fullmatch(found):
            return found
    packed = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", _text(common / "packed-refs"), re.MULTILINE)
    return packed[1] if packed else ""


def provenance(path: Path) -> dict[str, str]:
    """Return commit, remote and Lean version of the checkout or project that a path lies in, as far as it tells."""
    start = path.resolve()
    start = start if start.is_dir() else start.parent
    out: dict[str, str] = {}
    git = _git_folder(start)
    if git is not None:
        out["commit"] = _commit(git)
        remote = _REMOTE.search(_text(git / (_text(git / "commondir") or ".") / "config"))
        out["remote"] = _CREDENTIALS.sub("", remote[1]) if remote else ""
    top = git.parent if git is not None and git.name == ".git" else start
    for folder in (start, *start.parents):
        if toolchain := _text(folder / "lean-toolchain"):
            out["lean"] = toolchain.rpartition(":")[2].strip()[:40]
            break
        if folder == top:
            break
    return {key: value for key, value in out.items() if value}


def cache_folder() -> Path:
    """Return where fetched repositories are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "burnqed" / "git"


def fetch(address: str, revision: str, source: str) -> Path:
    """Return a checkout of a repository's commit, fetched once into the cache.

    Raises UserError without a commit to fetch, without git, and when it cannot be fetched.
    """
    if not _COMMIT.fullmatch(revision):
        raise UserError(f"{source}: revision '{revision}' is no commit; give the full one of {address}")
    if not re.match(r"(?:https|file|ssh)://", address):
        raise UserError(f"{source}: {address} is not an address of the kind https://, ssh:// or file://")
    name = re.sub(r"[^\w.-]+", "_", re.sub(r"^\w+://", "", address).removesuffix(".git"))
    folder = cache_folder() / name / revision
    if folder.is_dir():
        return folder
    logger.info("%s: fetching %s of %s", source, revision[:12], address)
    commands = (
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth", "1", "--no-tags", address, revision],
        ["checkout", "--quiet", "--detach", revision],
    )
    with atomic_dir(folder) as partial:
        for words in commands:
            _git(words, partial, f"{source}: {address}")
        (partial / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {address}\n', encoding="utf-8")
    return folder


def _git(words: list[str], folder: Path, what: str) -> None:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    try:
        done = subprocess.run(
            ["git", "-c", "core.hooksPath=/dev/null", "-C", str(folder), *words],
            capture_output=True,
            text=True,
            env=environment,
            timeout=1800,
        )
    except FileNotFoundError as error:
        raise UserError(f"{what}: needs git; install it, or download the folder and give its path") from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{what}: not fetched within half an hour; download the folder and give its path") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UserError(
            f"{what}: cannot be fetched ({reason}); connect this machine to the network, or download it elsewhere and "
            "give the path of the folder"
        )
