"""Where published data comes from: named sources, local files, or files of a repository on the Hub."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from burnqed.artifacts import UserError, sha256_file
from burnqed.config import SourceSettings

logger = logging.getLogger(__name__)
PREFIX = "hf://"
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
    used = {name: sources[name].model_dump() for name in names if name in sources}
    return json.dumps(used, ensure_ascii=False) if used else ""


def source_settings(source: str, sources: Sources | None = None) -> SourceSettings:
    """Return the settings of a name, a path, or ``hf://owner/repository[@revision]/file``."""
    if sources and source in sources:
        return sources[source]
    if not source.startswith(PREFIX):
        return SourceSettings(file=source)
    parts = source.removeprefix(PREFIX).removeprefix("datasets/").split("/", 2)
    if len(parts) != 3 or not all(parts):
        raise UserError(f"{source}: write hf://owner/repository/file, or hf://owner/repository@revision/file")
    owner, repository, file = parts
    repository, _, revision = repository.partition("@")
    return SourceSettings(repository=f"{owner}/{repository}", revision=revision, file=file)


def resolve(source: str, sources: Sources | None = None) -> Resolved:
    """Return a source as a local file or folder, downloading a file of the Hub once into its cache.

    Raises UserError when it does not exist, cannot be downloaded (no network, wrong name, no
    access), or has another SHA-256 than its settings expect.
    """
    settings = source_settings(source, sources)
    if settings.repository:
        path = _download(source, settings)
    else:
        path = Path(settings.file).expanduser()
        folder = settings.kind in ("project", "traced")
        if not (path.is_dir() if folder else path.is_file()):
            known = f", or one of the sources {', '.join(sources)}" if sources else ""
            raise UserError(
                f"{path}: no such {'folder' if folder else 'file'}; give an existing one{known}, "
                "or hf://owner/repository/file"
            )
    if settings.sha256 and (found := sha256_file(path)) != settings.sha256:
        raise UserError(
            f"{source}: {path} has the SHA-256 {found}, not {settings.sha256}; the download is damaged (delete the "
            "file and run again) or the published file changed (set sources.*.sha256)"
        )
    return Resolved(source, settings, path)


def resolve_source(source: str, sources: Sources | None = None) -> Path:
    """Return the local path of a source; see ``resolve``."""
    return resolve(source, sources).path


def _download(source: str, settings: SourceSettings) -> Path:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise UserError(
            f"{source}: needs the package huggingface_hub; `pip install huggingface_hub`, or give a local file"
        ) from error
    revision = settings.revision or None
    if not COMMIT.fullmatch(settings.revision):
        logger.warning(
            "%s: revision '%s' is no commit and may change; pin the one that the data report names",
            source,
            settings.revision or "main",
        )
    else:
        try:  # a pinned file that is here needs no network
            return Path(
                hf_hub_download(
                    settings.repository, settings.file, repo_type="dataset", revision=revision, local_files_only=True
                )
            )
        except (LocalEntryNotFoundError, OSError, ValueError):
            pass
    # Without a network the client tries for half a minute before it says so; it tells each try.
    logger.info("%s: fetching %s of https://huggingface.co/datasets/%s", source, settings.file, settings.repository)
    try:
        return Path(hf_hub_download(settings.repository, settings.file, repo_type="dataset", revision=revision))
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
