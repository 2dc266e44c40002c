"""A copy of a run's files in object storage, good enough to resume from on another machine.

Every version of a file is an object of its own; a manifest, written last, says which versions belong
together. A machine that vanishes in the middle of a copy therefore leaves the state of the copy before.
Modification times travel along: they are what Snakemake decides by.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnqed.files import UserError
from burnqed.jobs.progress import PROGRESS
from burnqed.snakemake.s3 import ask, connect
from burnqed.words import counted

logger = logging.getLogger(__name__)
MANIFEST = "manifest.json"
# What a run consists of besides its code: results, and what Snakemake knows about them.
ROOTS = ("results", ".snakemake/metadata", ".snakemake/incomplete")
SKIPPED = (".partial", ".lock", ".driver.jobs")
Version = list[int]  # modification time in ns, size in bytes


class Mirror:
    """The files of one working folder under ``s3://bucket/prefix``.

    Every method that talks to the storage raises UserError when it is not reachable, absent or refuses;
    messages never hold credentials.
    """

    def __init__(self, url: str, folder: Path, client: Any = None) -> None:
        if not url.startswith("s3://") or not url[5:].strip("/"):
            raise UserError(f"--sync {url}: write s3://BUCKET/PREFIX")
        self.url = url.rstrip("/")
        self.bucket, _, prefix = self.url[5:].partition("/")
        self.prefix = f"{prefix}/" if prefix else ""
        self.folder = folder
        self._client = client or connect()

    def restore(self) -> int:
        """Fetch the files that are missing here; files that exist here stay. Return how many were fetched."""
        manifest = self._manifest()
        missing = [path for path in manifest if not (self.folder / path).exists()]
        for path in missing:
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
            self._do("download_file", self.bucket, self._key(path, manifest[path]), str(partial))
            os.utime(partial, ns=(time.time_ns(), manifest[path][0]))
            partial.replace(target)
        if missing:
            print(f"{counted(len(missing), 'file')} fetched from {self.url}", flush=True)
        return len(missing)

    def push(self) -> int:
        """Copy new and changed files; return how many. What vanished here vanishes there."""
        old = self._manifest()
        for _ in range(3):
            found = dict(self._files())
            uploaded = 0
            for path, version in found.items():
                if old.get(path) != version:
                    try:
                        self._do("upload_file", str(self.folder / path), self.bucket, self._key(path, version))
                    except FileNotFoundError:
                        break
                    uploaded += 1
            # A folder that was removed or replaced meanwhile must not be copied by half.
            if all(dict(self._files()).get(path) == version for path, version in found.items() if PROGRESS not in path):
                break
        else:
            logger.warning("%s: files change too fast to be copied; the copy before stays", self.url)
            return 0
        if found != old:
            text = json.dumps(found, indent=0, sort_keys=True).encode()
            self._do("put_object", Bucket=self.bucket, Key=f"{self.prefix}{MANIFEST}", Body=text)
            for path, version in old.items():
                if found.get(path) != version:
                    self._do("delete_object", Bucket=self.bucket, Key=self._key(path, version))
        return uploaded

    def try_push(self) -> bool:
        """Copy, or say why it failed and that nothing is lost here; return whether it worked."""
        try:
            count = self.push()
        except UserError as error:
            print(f"{error}\nThe run's files are complete on this machine; they are not copied.", flush=True)
            return False
        if count:
            print(f"{counted(count, 'file')} copied to {self.url}", flush=True)
        return True

    def keep_copying(self, stop: threading.Event, seconds: float) -> None:
        """Copy every so many seconds until told to stop."""
        while not stop.wait(seconds):
            self.try_push()

    def _files(self) -> Iterator[tuple[str, Version]]:
        for root in ROOTS:
            for base, _, names in os.walk(self.folder / root):
                for name in names:
                    if not name.endswith(SKIPPED) and not name.startswith("status-"):
                        path = Path(base) / name
                        try:
                            stat = path.stat()
                        except FileNotFoundError:
                            continue
                        yield str(path.relative_to(self.folder)), [stat.st_mtime_ns, stat.st_size]

    def _key(self, path: str, version: Version) -> str:
        return f"{self.prefix}{path}@{version[0]}-{version[1]}"

    def _manifest(self) -> dict[str, Version]:
        try:
            answer = self._do("get_object", Bucket=self.bucket, Key=f"{self.prefix}{MANIFEST}")
        except KeyError:
            return {}
        try:
            manifest: dict[str, Version] = json.loads(answer["Body"].read())
        except ValueError as error:
            raise UserError(f"{self.url}/{MANIFEST}: not readable ({error}); delete it to start afresh") from None
        return manifest

    def _do(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return ask(self._client, self.url, method, *args, **kwargs)
