"""`burnqed watch`: a run in the terminal, and as a page that renews itself without a server."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.commands.live import Live, Proof, look, recorded_config
from burnqed.config import Config
from burnqed.files import UserError, write_text
from burnqed.report.html_page import html_document, render

if TYPE_CHECKING:
    from rich.console import Group

PAGE = "live.html"
TREES = "trees"  # pages of searches that the live page links to
SHARE = 0.01  # of the time may go into looking
EVERY = 10.0  # seconds between looks at least

BODY = """<h1>{{ live.results.name }}: {{ live.jobs }}{{ ending }}</h1>
<p>{{ when }}. {{ live.money }}.{% if live.split %} Time of the newest evaluation: {{ live.split }}.{% endif %}</p>
{% if live.solved %}<h2>Solved so far</h2>
{{ table(live.solved) }}{% endif %}{% if live.running %}<h2>At work</h2>
<ul>
{% for job in live.running %}<li>{{ job.name }}: {{ job.text }}
<progress max="{{ job.total }}" value="{{ job.done }}"></progress></li>
{% endfor %}</ul>
{% endif %}{% if live.machine %}<h2>Machine</h2>
<ul>
{% for line in live.machine %}<li>{{ line }}</li>
{% endfor %}</ul>
{% endif %}<h2>Stages</h2>
<table><tbody>
{% for stage in live.stages %}<tr><td>{{ stage.run }} {{ stage.stage }}</td><td>{{ stage.done }} of {{ stage.total }}\
{% if stage.is_running %}, at work{% endif %}</td>
<td><progress max="{{ stage.total }}" value="{{ stage.done }}" style="width: 6rem"></progress></td></tr>
{% endfor %}</tbody></table>
{% if live.proofs %}<h2>Newest proofs</h2>
{% for proof, link in proofs %}<p><b>{{ proof.theorem }}</b>{% if link %} <a href="{{ link }}">search tree</a>{% endif %}</p>
<pre>{{ proof.tactics | join("\\n") }}</pre>
{% endfor %}{% endif %}"""


def page(live: Live, links: Mapping[str, str], ending: str = "") -> str:
    """Return the page; it renews itself until the run has an ``ending``."""
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(live.when))
    proofs = [(proof, links.get(proof.theorem, "")) for proof in live.proofs]
    body = render(BODY, live=live, when=when, proofs=proofs, ending=f", {ending}" if ending else "")
    document = html_document("burn-qed: live", body)
    renew = "" if ending or live.is_over else f'<meta http-equiv="refresh" content="{EVERY:.0f}">'
    return document.replace("<meta charset", f"{renew}<meta charset", 1)


def trees(results: Path, proofs: Sequence[Proof]) -> dict[str, str]:
    """Write the search trees of proofs that have none yet; return the link of each, as seen from the results folder."""
    from burnqed.commands.inspect_html import render_html

    links = {}
    for proof in proofs:
        if proof.trajectories is None:
            continue
        name = re.sub(r"[^\w.-]", "_", f"{proof.trajectories.parent.name}_{proof.theorem}")[:100]
        target = results / TREES / f"{name}.html"
        if not target.exists():
            write_text(target, render_html(proof.trajectories, proof.theorem))
        links[proof.theorem] = os.path.relpath(target, results)
    return links


def write_page(results: Path, cfg: Config, ending: str = "") -> Live:
    """Look once and write ``R/live.html``; return what was seen."""
    live = look(results, cfg)
    write_text(results / PAGE, page(live, trees(results, live.proofs), ending))
    return live


class LivePage:
    """Keeps ``R/live.html`` current in a thread of the driver; looking takes less than 1 % of the time."""

    def __init__(self, cfg: Config) -> None:
        self.cfg, self.results = cfg, Path(cfg.results)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        """Begin; nothing that goes wrong here may end the run."""
        self._thread.start()

    def _keep(self) -> None:
        wait = EVERY
        while not self._over.wait(wait):
            wait = max(EVERY, self._write("") / SHARE)

    def _write(self, ending: str) -> float:
        """Write the page; return the CPU seconds it took."""
        begun = time.thread_time()
        # Files come and go while a run is at work; the next look sees them whole.
        with contextlib.suppress(UserError, OSError, ValueError):
            write_page(self.results, self.cfg, ending)
        return time.thread_time() - begun

    def end(self, ending: str) -> None:
        """Write the page a last time, with how the run ended."""
        self._over.set()
        self._write(ending)


def watch_command(results: Path, cfg: Config | None, seconds: float, once: bool, html: bool) -> int:
    """Show a run until it is over or Ctrl-C; with ``html`` also write the page (the driver of a run does it by itself)."""
    from rich.console import Console
    from rich.live import Live as Display

    cfg = cfg or recorded_config(results)
    see = write_page if html else look
    if once:
        Console().print(_terminal(see(results, cfg)))
        return 0
    with Display(_terminal(see(results, cfg)), auto_refresh=False) as display:
        while True:
            live = see(results, cfg)
            display.update(_terminal(live), refresh=True)
            if live.is_over:
                return 0
            time.sleep(seconds)


def _terminal(live: Live) -> Group:
    from rich.console import Group, RenderableType
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    stages = Table.grid(padding=(0, 2))
    for stage in live.stages:
        bar = ProgressBar(total=stage.total, completed=stage.done, width=20)
        stages.add_row(
            f"{stage.run} {stage.stage}".strip(),
            bar,
            f"{stage.done}/{stage.total}",
            "at work" if stage.is_running else "",
        )
    solved = Table(*(live.solved[0] if live.solved else []), title="Solved so far", box=None)
    for row in live.solved:
        solved.add_row(*map(str, row.values()))
    lines = [f"{live.jobs}. {live.money}."]
    lines += [f"Time of the newest evaluation: {live.split}."] if live.split else []
    lines += [f"{job.name}: {job.text}" for job in live.running] + live.machine
    proofs = [f"{proof.theorem}: {'; '.join(proof.tactics)}" for proof in live.proofs[:3]]
    parts: list[RenderableType] = [
        Text("\n".join(lines)),
        stages,
        *([solved] if live.solved else []),
        Text("\n".join(proofs)),
    ]
    return Group(*parts)
