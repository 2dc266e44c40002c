"""The documentation site builds, and every link inside it leads somewhere."""

from __future__ import annotations

import html.parser
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.conftest import ROOT

pytest.importorskip("mkdocs")
pytest.importorskip("mkdocstrings")


class Links(html.parser.HTMLParser):
    """Targets of links, and the places that links can lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.targets += [found["href"] or ""] if tag == "a" and "href" in found else []
        self.places |= {found["id"] or ""} if "id" in found else set()


def test_the_site_builds_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    command += ["--config-file", str(ROOT / ".mkdocs.yml"), "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.resolve(): Links(path) for path in tmp_path.rglob("*.html")}
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md"))) - 1
    assert "burnqed.search.engine.TheoremSearch.run" in pages[tmp_path / "api" / "search.html"].places
    for page, links in pages.items():
        for target in links.targets:
            if "://" in target or target.startswith(("mailto:", "/")) or page.name == "404.html":
                continue
            name, _, place = target.partition("#")
            other = (page.parent / name).resolve() if name else page
            other = other / "index.html" if other.is_dir() else other
            if other in pages:
                assert not place or place in pages[other].places, f"{page.name}: {target}"
            else:  # a file of the repository, beside the site
                assert (
                    ROOT / "docs" / page.parent.relative_to(tmp_path) / name
                ).resolve().exists() or other.exists(), f"{page}: {target}"
