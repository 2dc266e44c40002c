"""Where published data comes from: named sources, local files, or files of a repository on the Hub."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.config import AmbiguousName, SourceSettings, find_source, published_sources
from burnqed.data.checkout import fetch
from burnqed.files import UserError, sha256_file

logger = logging.getLogger(__name__)
PREFIX = "hf://"
FILES = (".json", ".jsonl", ".parquet", ".csv", ".lean", ".gz")
COMMIT = re.compile(r"[0-9a-f]{40}")
Sources = Mapping[str, SourceSettings]


@dataclass(frozen=True)
class Resolved:
    """A source on this machine: what the user called it, its settings and its local path."""

    label: str
    settings: SourceSettings
    path: Path

    def row(self) -> dict[str, object]:
        """Return what the data report and theorem indexes say about a source."""
        row: dict[str, object] = {"file": self.label}
        if self.settings.repository:
            row |= {"repository": self.settings.repository, "revision": self.revision, "path": self.settings.file}
        if self.settings.licence:
            row["licence"] = self.settings.licence
        if self.settings.lean:
            row["lean"] = self.settings.lean
        return row

    @property
    def revision(self) -> str:
        """The commit that was read: the Hub's cache has a folder per commit."""
        found = re.search(r"/snapshots/([0-9a-f]{40})/", str(self.path))
        return found[1] if found else self.settings.revision


def parse_sources(text: str) -> dict[str, SourceSettings]:
    """Return the named sources of a ``--sources`` option (JSON); raise UserError when it is wrong."""
    try:
        return {name: SourceSettings.model_validate(value) for name, value in json.loads(text or "{}").items()}
    except (ValueError, AttributeError) as error:
        raise UserError(f"--sources: not an object of source settings ({error})") from error


def dump_sources(names: Iterable[str], sources: Sources) -> str:
    """Return the ``--sources`` option's text for those of the names that are declared."""
    found = (find_source(name, sources)[0] for name in names)
    used = {name: sources[name].model_dump() for name in found if name}
    return json.dumps(used, ensure_ascii=False) if used else ""


def source_settings(source: str, sources: Sources | None = None) -> SourceSettings:
    """Return the settings of a name (or its words), a path, or ``hf://owner/repository[@revision]/file``."""
    name = _named(source, sources)[0]
    if sources and name:
        return sources[name]
    if not source.startswith(PREFIX):
        return SourceSettings(file=source)
    parts = source.removeprefix(PREFIX).removeprefix("datasets/").rstrip("/").split("/", 2)
    if len(parts) < 2 or not all(parts) or (len(parts) == 2 and parts[1].endswith(FILES)):
        raise UserError(f"{source}: write hf://owner/repository/file, or hf://owner/repository@revision/file")
    owner, repository, file = parts[0], parts[1], parts[2] if len(parts) == 3 else "."
    repository, _, revision = repository.partition("@")
    return SourceSettings(repository=f"{owner}/{repository}", revision=revision, file=file)


def _named(source: str, sources: Sources | None) -> tuple[str, str]:
    """Return the named source that a text means and the split it asks for; raise UserError when it means several."""
    known = published_sources() if sources is None else sources
    try:
        name, split = find_source(source, known)
    except AmbiguousName as error:
        raise UserError(str(error)) from error
    return (name if sources is not None else "", split)


def resolve(source: str, sources: Sources | None = None) -> Resolved:
    """Return a source as a local file or folder, downloading a file of the Hub once into its cache.

    Raises UserError when it does not exist, cannot be downloaded (no network, wrong name, no
    access), or has another SHA-256 than its settings expect.
    """
    settings = source_settings(source, sources)
    if "://" in settings.repository:
        path = fetch(settings.repository, settings.revision, source) / settings.file
        if not path.exists():
            raise UserError(f"{source}: {settings.repository} has no {settings.file} at {settings.revision}")
    elif settings.repository:
        path = _download(source, settings)
    else:
        path = Path(settings.file).expanduser()
        if "://" in settings.file:
            raise UserError(
                f"{settings.file}: give the path of a checkout, or declare it under `sources`: "
                "{repository: ADDRESS, revision: COMMIT, file: FOLDER}"
            )
        only = {"project": path.is_dir, "traced": path.is_dir}.get(settings.kind, path.exists)
        if not only():
            what = "file or folder" if settings.kind in ("file", "proofs") else "folder"
            known = f", or one of the sources {', '.join(sources)}" if sources else ""
            raise UserError(f"{path}: no such {what}; give an existing one{known}, or hf://owner/repository/file")
    if settings.sha256 and path.is_file() and (found := sha256_file(path)) != settings.sha256:
        raise UserError(
            f"{source}: {path} has the SHA-256 {found}, not {settings.sha256}; the download is damaged (delete the "
            "file and run again) or the published file changed (set sources.*.sha256)"
        )
    return Resolved(source, settings, path)


def split_asked(source: str, sources: Sources | None) -> str:
    """Return the split that a source's own words ask for, "" for none."""
    return _named(source, sources)[1]


def _download(source: str, settings: SourceSettings) -> Path:
    """Return a file of the Hub's cache, or the folder of a whole dataset (file `.`), downloaded once."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        from huggingface_hub import hf_hub_download, snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise UserError(
            f"{source}: needs the package huggingface_hub; `pip install huggingface_hub`, or give a local file"
        ) from error
    revision = settings.revision or None

    def get(local: bool) -> Path:
        options: dict[str, Any] = {"repo_type": "dataset", "revision": revision, "local_files_only": local}
        if settings.file == ".":
            return Path(snapshot_download(settings.repository, **options))
        return Path(hf_hub_download(settings.repository, settings.file, **options))

    if not COMMIT.fullmatch(settings.revision):
        logger.warning(
            "%s: revision '%s' is no commit and may change; pin the one that the data report names",
            source,
            settings.revision or "main",
        )
    else:
        try:  # a pinned file that is here needs no network
            return get(local=True)
        except (LocalEntryNotFoundError, OSError, ValueError):
            pass
    # Without a network the client tries for half a minute before it says so; it tells each try.
    logger.info("%s: fetching %s of https://huggingface.co/datasets/%s", source, settings.file, settings.repository)
    try:
        return get(local=False)
    except Exception as error:  # the Hub client raises a dozen unrelated types for one cause
        reason = str(error).strip().splitlines()
        offline = (
            "HF_HUB_OFFLINE is set: unset it"
            if os.environ.get("HF_HUB_OFFLINE", "0").upper() not in ("", "0", "FALSE", "NO", "OFF")
            else "connect this machine to the network"
        )
        raise UserError(
            f"{source}: cannot be downloaded and is not in the cache ({type(error).__name__}: "
            f"{reason[0] if reason else 'no reason given'}); {offline}, or fetch "
            f"{settings.file} of https://huggingface.co/datasets/{settings.repository} elsewhere and give its local "
            "path, or check the name"
        ) from error
