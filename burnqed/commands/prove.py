"""`burnqed prove`: search for a proof of one statement, re-check it, and print it."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from types import TracebackType

from burnqed import config
from burnqed.evaluation.run import ProverStack, search_and_check
from burnqed.evaluation.stack import load_blocks, newest_iteration, recorded_blocks
from burnqed.files import UserError
from burnqed.leantext.declarations import TextError, read_statement
from burnqed.records.theorems import Theorem
from burnqed.search.plan import Searches
from burnqed.words import counted

DEFAULT_NAME = "burnqed_statement"


class Ticker:
    """A line on the terminal that says for how long the work has gone on; silent elsewhere."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._done = threading.Event()
        self._shown = sys.stderr.isatty()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        start = time.monotonic()
        while not self._done.wait(0.2):
            print(
                f"\r{self.text} {time.monotonic() - start:.0f} s ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def __enter__(self) -> Ticker:
        if self._shown:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._shown:
            self._thread.join()
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def theorem_from_text(text: str, header: str = "") -> Theorem:
    """Return the theorem a user typed: a proposition or a declaration; UserError when unreadable."""
    try:
        parts = read_statement(text)
    except TextError as error:
        raise UserError(
            f"the statement cannot be read: {error}; give a proposition, or a declaration: theorem name (h : p) : q\n"
            f"  {text.strip()}"
        ) from error
    whole = "\n\n".join(part for part in (header.strip(), parts.preamble) if part)
    return Theorem(name=parts.name or DEFAULT_NAME, statement=parts.proposition, header=whole)


def stack_from(args: argparse.Namespace) -> tuple[ProverStack, int, Path]:
    """Return model and settings of the options, the budget, and the model's place for messages.

    Raises UserError when there is no trained model, or a given file does not exist.
    """
    iteration = newest_iteration(args.results) if args.results.is_dir() else None
    model = args.model_dir
    if model is None:
        if iteration is None:
            raise UserError(
                f"{args.results}: no trained model (iter_*/model); run `make rehearsal` first, "
                "or give --model-dir or --results"
            )
        model = iteration / "model"
    elif not (model / "config.json").is_file():
        raise UserError(f"--model-dir {model}: not a model folder (no config.json); give R/iter_i/model")
    # A model given by its place in a run brings that run's settings and head with it.
    home = model.resolve().parent
    recorded = recorded_blocks(home) or (recorded_blocks(iteration) if iteration else {})
    ebm = args.ebm
    if ebm is None and not args.no_ebm and (home / "ebm" / "config.json").is_file():
        ebm = model.parent / "ebm"
    if ebm is not None and not (ebm / "config.json").is_file():
        raise UserError(f"--ebm {ebm}: not an energy head (no config.json); give R/iter_i/ebm")
    if not recorded and args.config is None and not args.set:
        raise UserError(f"{model}: no record of the settings it was evaluated with; give the run's --config FILE")
    blocks, quantization = load_blocks(recorded, args.config, args.set)
    search, evaluation = blocks.pop("search"), blocks.pop("evaluation")
    assert isinstance(search, config.SearchSettings)
    assert isinstance(evaluation, config.EvaluationSettings)
    if args.time is not None:
        if args.time <= 0:
            raise UserError(f"--time {args.time}: give a positive number of seconds")
        search = search.model_copy(update={"max_seconds": args.time})
    budget = args.budget if args.budget is not None else max(evaluation.budgets)
    if budget < 1:
        raise UserError(f"--budget {budget}: give at least 1 node")
    if args.attempts < 1:
        raise UserError(f"--attempts {args.attempts}: give at least 1")
    stack = ProverStack(
        search=search,
        **blocks,  # type: ignore[arg-type]
        quantization=quantization,
        model_dir=model,
        ebm=ebm,
        device=args.device,
        threads=args.threads,
    )
    return stack, budget, model


async def refusal(theorem: Theorem, settings: config.ProverSettings) -> str:
    """Return why the prover does not take a statement, "" when it does; raise UserError when no prover starts."""
    from burnqed.prover.pool import LeanPool, StatementError

    async with LeanPool(settings.model_copy(update={"workers": 1})) as pool:
        try:
            session = await pool.open(theorem)
        except StatementError as error:
            return str(error)
        await session.close()
    return ""


def prove_command(args: argparse.Namespace) -> int:
    """Search, re-check and print; the status is 0 only when a re-checked proof was printed."""
    text = sys.stdin.read() if args.statement == "-" else args.statement
    theorem = theorem_from_text(text, args.header)
    stack, budget, model = stack_from(args)
    # The statement comes before the model, which takes much longer to load.
    wrong = asyncio.run(refusal(theorem, stack.prover))
    if wrong:
        raise UserError(
            f"the prover does not accept the statement: {wrong}\n  {theorem.statement}\n"
            "fix it, or give the imports and opens that it needs with --header"
        )
    from burnqed.prover.leanfile import proof_source

    logging.getLogger("burnqed.search").setLevel(logging.ERROR)
    note = f"{model}{' with ' + str(stack.ebm) if stack.ebm else ''}, up to {counted(budget, 'node')}"
    print(f"searching with {note}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="burnqed-prove-") as folder, Ticker("searching"):
        output = args.keep or Path(folder) / "search.parquet"
        searches = Searches([theorem], "prove", 0, args.seed, budget, args.attempts)
        items = search_and_check(stack, searches, output)
    # The shortest proof that stands; else one that does not, else the search that went deepest.
    item = max(items, key=lambda i: (i.verified, i.result.proved, -len(i.result.proof), i.result.depth))
    result = item.result
    if result.stop_reason == "start_failed":
        raise UserError(f"the prover did not start the search: {result.message}; `burnqed doctor` says what is missing")
    nodes, tactics = sum(i.result.expansions for i in items), sum(i.result.tactics for i in items)
    if not result.proved:
        reasons = {
            "exhausted": "no open state is left: every tactic that the model proposed fails or leads to a known state",
            "expansions": "the budget is spent; raise --budget",
            "tactics": "search.max_tactics is reached; raise it with --set",
            "seconds": "the time is up; raise --time",
        }
        stops = Counter(i.result.stop_reason for i in items)
        print(
            f"no proof found in {counted(len(items), 'search', 'searches')} ({counted(nodes, 'node')} expanded, "
            f"{counted(tactics, 'tactic')} tried, deepest state "
            f"{result.depth}); another --seed or more --attempts sample other tactics",
            file=sys.stderr,
        )
        for reason, count in stops.most_common():
            print(f"  {count} x {reasons.get(reason, reason)}", file=sys.stderr)
        return 1
    source = proof_source(theorem, result.proof)
    if not item.verified:
        print(
            f"a proof was found, but the re-check refused it: {item.reason}\n\n{source}",
            file=sys.stderr,
        )
        return 1
    print(source.rstrip())
    print(
        f"re-checked in a fresh process ({stack.prover.kind}); {counted(nodes, 'node')}, "
        f"{counted(tactics, 'tactic')} tried",
        file=sys.stderr,
    )
    return 0
