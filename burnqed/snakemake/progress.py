"""Progress of a run: a live display on a terminal, one short line per finished job elsewhere.

Snakemake loads it as the logger plugin ``burnqed`` (``--logger burnqed``; every profile does).
Errors are shown in full with the end of the job's log. At the end the table of the run's summary
is printed, also when there was nothing to do.
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from burnqed.files import UserError, disk_full
from burnqed.snakemake.arguments import check_command_line
from burnqed.snakemake.state import RunState, clock_text
from burnqed.words import counted

LOG_LINES = 25
STORAGE = Path(".snakemake/storage")  # local copies of files in object storage
SHOWN_JOBS = 8
FULL_BYTES = 10_000_000
NOTHING_TO_DO = "Nothing to be done"

# Snakemake imports its plugins before it reads its command line: mistakes there are told now or not at all.
check_command_line(sys.argv)

_results: Path | None = None
_price: Callable[[Mapping[str, int]], str] | None = None


def announce_results(results: str, price: Callable[[Mapping[str, int]], str] | None = None) -> None:
    """Tell the display where the run puts its results, and what says the price of jobs by rule; the Snakefile calls it."""
    global _results, _price
    _results, _price = Path(results), price


def local_path(shown: str) -> str:
    """Return where a file is on this machine that Snakemake shows as `s3://bucket/file (send to storage)`."""
    path = shown.split(" (")[0]
    scheme, separator, rest = path.partition("://")
    return str(STORAGE / scheme / rest) if separator else path


def log_tail(path: str, lines: int = LOG_LINES) -> list[str]:
    """Return the last lines of a log file; a line saying so when there is none."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ["(no log was written)"]
    return text.splitlines()[-lines:] or ["(the log is empty)"]


def disk_note(results: Path | None) -> str:
    """Return a line when the disk of the results is full: then logs may say nothing, for they are cut, too."""
    if results is None or not results.exists():
        return ""
    free = shutil.disk_usage(results).free
    if free >= FULL_BYTES:
        return ""
    return f"The disk of {results} is full ({free / 1e6:.1f} MB free): free some space, then run the same command."


def storage_failure(text: str) -> str:
    """Return what failed in object storage, in two lines, from a message or a long traceback; else nothing."""
    failed = re.findall(r"Failed to [^\n]*\b\w+://\S+", text)
    reasons = re.findall(
        r"\b(?:ClientError|\w*(?:Connection|Timeout|Credentials)\w*(?:Error)?|S3\w+Error): [^\n]+", text
    )
    if not failed or not reasons:
        return ""
    return (
        f"{failed[-1]}: {reasons[-1]}\n"
        "What is stored stays there, and progress stays here. Check bucket, network and credentials."
    )


def keep_quiet_when_full() -> None:
    """Let no logger show a traceback for a line that a full disk did not take: one line at the end says it.

    Snakemake also logs to a file, and Python would show some twenty lines for each record lost there.
    """
    report = logging.Handler.handleError
    if hasattr(report, "__wrapped__"):
        return

    def handle_error(handler: logging.Handler, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if error is None or not disk_full(error):
            report(handler, record)

    handle_error.__wrapped__ = report  # type: ignore[attr-defined]
    logging.Handler.handleError = handle_error  # type: ignore[method-assign,assignment]


class LogHandler(LogHandlerBase):
    """The handler Snakemake creates; records arrive one at a time, from one thread."""

    def __post_init__(self) -> None:
        keep_quiet_when_full()
        stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self._console = Console(file=stream, no_color=self.common_settings.nocolor or None, highlight=False)
        # A dry run, and all that is not a run, look as Snakemake makes them.
        self._plain = bool(self.common_settings.dryrun)
        self._lock_state = threading.RLock()
        self._state = RunState()
        self._live: Live | None = None
        self._early: list[logging.LogRecord] = []
        self._started = False
        self._failed = False
        self._show_summary = False
        self._planned: dict[str, int] = {}  # jobs of a dry run by rule

    @property
    def writes_to_stream(self) -> bool:
        return True

    @property
    def writes_to_file(self) -> bool:
        return False

    @property
    def has_filter(self) -> bool:
        return False

    @property
    def has_formatter(self) -> bool:
        return False

    @property
    def needs_rulegraph(self) -> bool:
        return False

    def emit(self, record: logging.LogRecord) -> None:
        """Show one record of Snakemake."""
        try:
            with self._lock_state:
                self._handle(record)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """End the display, and print what was held back or the summary of the run."""
        with self._lock_state:
            self._stop_live()
            for record in self._early:
                self._print_plain(record)
            self._early = []
            line = _price(self._planned) if _price is not None and self._planned else ""
            self._planned = {}
            if line:
                self._console.print(line, soft_wrap=True)
            started, self._started = self._started, False
            if started:
                try:
                    self._print_end()
                except UserError as error:
                    self._console.print(Text(str(error), style="red"), soft_wrap=True)
        super().close()

    def _handle(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        if self._plain:
            if event == LogEvent.RUN_INFO:
                self._planned = dict(vars(record)["stats"])
            self._print_plain(record)
        elif event == LogEvent.WORKFLOW_STARTED:
            self._started, self._early = True, []
        elif not self._started and record.levelno < logging.WARNING:
            self._early.append(record)
        elif event == LogEvent.RUN_INFO:
            self._on_plan(vars(record)["stats"])
        elif event == LogEvent.JOB_INFO:
            self._on_start(vars(record))
        elif event == LogEvent.JOB_FINISHED:
            self._on_finish(vars(record)["job_id"])
        elif event == LogEvent.JOB_ERROR:
            self._on_error(vars(record))
        elif record.levelno >= logging.WARNING:
            self._on_message(record)
        elif str(record.msg).startswith(NOTHING_TO_DO):
            self._show_summary = True
            self._console.print("Nothing to do: everything asked for exists and is up to date.")

    def _on_plan(self, stats: dict[str, int]) -> None:
        self._state.plan(stats)
        self._show_summary = "summarize" in stats or "all" in stats
        if self._console.is_terminal:
            self._live = Live(get_renderable=self._render, console=self._console, refresh_per_second=2, transient=True)
            self._live.start()
        else:
            self._console.print(counted(self._state.total, "job"), soft_wrap=True)

    def _on_start(self, info: dict[str, Any]) -> None:
        outputs = [local_path(str(path)) for path in info["output"]]
        self._state.start(info["jobid"], info["rule_name"], dict(info["wildcards"] or {}), outputs)

    def _on_finish(self, jobid: int) -> None:
        self._state.refresh()
        ended = self._state.finish(jobid)
        if ended is None or not ended[0].outputs:
            return
        job, seconds = ended
        # A job takes its progress file away at its end: what was read before may be no final count.
        proved = f", {job.proved} proved" if job.proved and job.done == job.total else ""
        width = len(str(self._state.total))
        count = f"{self._state.done:>{width}}/{self._state.total}"
        self._console.print(Text(f"{count} {job.name}: {clock_text(seconds)}{proved}"), soft_wrap=True)

    def _on_error(self, info: dict[str, Any]) -> None:
        self._failed = True
        job = self._state.running.get(info["jobid"])
        lines = Text(f"Failed: {job.name if job else info['rule_name']}", style="bold red")
        if info["output"]:
            lines.append(f"\n  to make: {', '.join(info['output'])}", style="not bold default")
        for path in info["log"]:
            lines.append(f"\n  log: {path}; its last lines:", style="not bold default")
            for line in log_tail(local_path(path)):
                lines.append(f"\n    {line}", style="not bold default")
        if not info["log"]:
            lines.append(f"\n  command: {info['shellcmd']}", style="not bold default")
        self._console.print(lines, soft_wrap=True)

    def _on_message(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        failure = storage_failure(text)
        if failure:
            self._failed, text = True, failure
        # A failed command is also reported with all its options; the message of its JOB_ERROR is the readable one.
        if text and "CalledProcessError in file" not in text:
            style = "red" if record.levelno >= logging.ERROR else "yellow"
            self._console.print(Text(text, style=style), soft_wrap=True)

    def _print_plain(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        if text and text != "None":
            blank = "\n" if getattr(record, "event", None) == LogEvent.JOB_INFO else ""
            self._console.print(Text(blank + text), soft_wrap=True)

    def _print_end(self) -> None:
        state = self._state
        if self._failed:
            full = disk_note(_results)
            if full:
                self._console.print(Text(full, style="red"), soft_wrap=True)
            self._console.print(f"Stopped after {clock_text(state.elapsed())}. The same command resumes from here.")
            return
        summary = _results / "summary.json" if _results else None
        if state.total and state.done == state.total:
            self._console.print(f"Done: {counted(state.total, 'job')} in {clock_text(state.elapsed())}.")
        if self._show_summary and summary and summary.exists() and state.done == state.total:
            from burnqed.report.summary import print_summary

            print_summary(summary)

    def _stop_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _render(self) -> RenderableType:
        with self._lock_state:
            state = self._state
            state.refresh()
            head = Table.grid(padding=(0, 2))
            # The first jobs are the shortest: an estimate from them alone would only raise hopes.
            early = state.elapsed() < 20 or state.done < state.total / 10
            left = None if early else state.remaining()
            head.add_row(
                ProgressBar(total=max(state.total, 1), completed=state.done, width=30),
                f"{state.done}/{state.total} jobs",
                f"{counted(state.proofs, 'proof')} found" if state.proofs else "",
                f"{clock_text(state.elapsed())} so far",
                "" if left is None else f"about {clock_text(left)} left",
            )
            jobs = Table.grid(padding=(0, 2))
            for job in list(state.running.values())[:SHOWN_JOBS]:
                part = f"{job.done}/{job.total}" if job.total else ""
                jobs.add_row("  " + job.name, part, f"{job.proved} proved" if job.proved else "")
            hidden = len(state.running) - SHOWN_JOBS
            more = Text(f"  and {hidden} more") if hidden > 0 else Text("")
            return Group(head, jobs, more) if hidden > 0 else Group(head, jobs)
