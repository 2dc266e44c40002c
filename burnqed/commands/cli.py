"""The `burnqed` command; `burnqed --help` lists what it does.

Everything heavy is imported by the command that needs it, so that help and mistakes answer at once.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import logging
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from burnqed.commands.benchmarks import add_commands
from burnqed.commands.check import add_check
from burnqed.files import UserError
from burnqed.words import counted


class Parser(argparse.ArgumentParser):
    """A parser that tells a mistake in one line, with the nearest word there is, and no page of usage."""

    def error(self, message: str) -> NoReturn:
        """End with status 2."""
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            close = difflib.get_close_matches(wrong[1], re.findall(r"[\w-]+", wrong[2]), 1)
            message = f"{message}; did you mean {close[0]}?" if close else message
        print(f"{self.prog}: {message}; `{self.prog} --help` shows what there is", file=sys.stderr)
        sys.exit(2)

    def unknown(self, words: Sequence[str]) -> NoReturn:
        """End because of options that this parser does not have."""
        close = difflib.get_close_matches(words[0].partition("=")[0], list(self._option_string_actions), 1)
        self.error(f"unknown option {words[0]}" + (f"; did you mean {close[0]}?" if close else ""))


def _compare(args: argparse.Namespace) -> int:
    from burnqed.evaluation.compare import compare_evals, in_run_order, render_comparison

    comparison = compare_evals(
        in_run_order(args.evals),
        against=args.against,
        force=args.force,
        confidence=args.confidence,
        seed=args.seed,
    )
    print(render_comparison(comparison, args.names))
    return 0


def _inspect(args: argparse.Namespace) -> int:
    from burnqed.commands.inspect import render_list, render_tree

    if args.list or not args.theorem:
        print(render_list(args.trajectories))
        if not args.list:
            print("\ngive --theorem NAME to see one search")
        return 0
    if args.html is not None:
        from burnqed.commands.inspect_html import render_html
        from burnqed.files import write_text

        write_text(args.html, render_html(args.trajectories, args.theorem, args.attempt, args.kind))
        print(f"{args.html} written; open it in a browser")
        return 0
    print(render_tree(args.trajectories, args.theorem, args.attempt, args.width, not args.all, args.kind))
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from burnqed.commands.doctor import run_doctor

    return run_doctor(args.results, args.config, args.set, args.profile)


def _estimate(args: argparse.Namespace) -> int:
    from burnqed.commands.estimate import run_estimate
    from burnqed.commands.speeds import HELP

    given = {name: getattr(args, name) for name in HELP if getattr(args, name) is not None}
    where = (args.config, args.hardware, args.jobs, args.results)
    return run_estimate(*where, given, args.gpus, targets=args.target, measured=args.measured)


def _trial(args: argparse.Namespace) -> int:
    from burnqed.commands.trial import run_trial

    return run_trial(args.profile, args.config, args.hardware, args.minutes, not args.no_doctor)


def _run(args: argparse.Namespace) -> int:
    from burnqed.snakemake.launch import launch

    words = args.arguments[1:] if args.arguments[:1] == ["--"] else args.arguments
    return launch(words, args.sync, args.sync_minutes, args.grace)


def _lean(args: argparse.Namespace) -> int:
    from burnqed.commands.lean import lean_command

    return lean_command(args.arguments)


def _prove(args: argparse.Namespace) -> int:
    from burnqed.commands.prove import prove_command

    return prove_command(args)


def _watch(args: argparse.Namespace) -> int:
    from burnqed.commands.estimate import read_settings
    from burnqed.commands.watch import watch_command

    cfg = read_settings(args.config, "") if args.config else None
    return watch_command(args.results, cfg, args.seconds, args.once, args.html)


def _publish(args: argparse.Namespace) -> int:
    from burnqed.commands.publish import publish

    output = args.output or args.results.resolve().with_name(f"{args.results.resolve().name}-published")
    return publish(args.results, output, repository=args.repo, dry_run=args.dry_run, licence=args.license)


def _tensorboard(args: argparse.Namespace) -> int:
    from burnqed.commands.tensorboard import write_events

    output = args.output or args.results / "tensorboard"
    print(f"{output}: {counted(write_events(args.results, output), 'value')} (tensorboard --logdir {output})")
    return 0


def _summary(args: argparse.Namespace) -> int:
    from burnqed.report.summary import print_summary

    path = args.results / "summary.json" if args.results.is_dir() else args.results
    print_summary(path)
    return 0


def _settings_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, default=Path("results"), help="results folder (default: results)")
    parser.add_argument("--config", type=Path, help="configuration file, over the run's own settings")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="BLOCK.KEY=VALUE",
        help="one setting, over everything else; may be repeated (search.temperature=1.0)",
    )


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the `burnqed` command."""
    from burnqed import __version__

    parser = Parser(
        prog="burnqed",
        description="Train a Lean 4 theorem prover by expert iteration, use it, and look at what it did.",
    )
    parser.add_argument("--version", action="version", version=f"burnqed {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run, parser=sub)
        return sub

    prove = add("prove", _prove, "Prove a statement with a trained model and re-check the proof.")
    prove.add_argument(
        "statement",
        help='a proposition, or "theorem name (h : p) : q"; - reads it from standard input',
    )
    prove.add_argument("--model-dir", type=Path, help="policy model (default: the newest iteration in --results)")
    head = prove.add_mutually_exclusive_group()
    head.add_argument("--ebm", type=Path, help="energy head (default: that of the newest iteration)")
    head.add_argument("--no-ebm", action="store_true", help="search without an energy head")
    prove.add_argument("--budget", type=int, help="nodes to expand at most (default: the run's largest budget)")
    prove.add_argument(
        "--attempts", type=int, default=8, help="searches side by side, sampled differently (default: 8)"
    )
    prove.add_argument("--time", type=float, help="seconds at most (default: the run's setting)")
    prove.add_argument("--seed", type=int, default=0, help="seed of the sampling (default: 0)")
    prove.add_argument("--threads", type=int, default=1, help="CPU threads of the model (default: 1)")
    prove.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"], help="default: auto")
    prove.add_argument("--header", default="", help="imports and opens the statement needs (Lean)")
    prove.add_argument(
        "--keep",
        type=Path,
        help="keep the search's trajectories here (.parquet), for `burnqed inspect`",
    )
    _settings_options(prove)

    compare = add(
        "compare",
        _compare,
        "Compare evaluations: rates, paired differences, theorems won and lost.",
    )
    compare.add_argument(
        "evals",
        type=Path,
        nargs="+",
        metavar="EVAL",
        help="eval files, in order (results/*/eval/*.json)",
    )
    compare.add_argument(
        "--against",
        choices=["previous", "first"],
        default="previous",
        help="the reference of each file (default: previous)",
    )
    compare.add_argument("--force", action="store_true", help="compare the common theorems of different benchmarks")
    compare.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        help="level of the intervals of differences (default: 0.95)",
    )
    compare.add_argument("--names", type=int, default=20, help="theorem names shown per list (default: 20)")
    compare.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")

    add_check(add)
    add_commands(add)

    inspect = add("inspect", _inspect, "Show the tree of one search, as text or as an HTML page.")
    inspect.add_argument("trajectories", type=Path, help="trajectory file (.parquet)")
    inspect.add_argument("--theorem", help="name of the theorem")
    inspect.add_argument("--attempt", type=int, default=0, help="attempt (default: 0)")
    inspect.add_argument("--kind", help="main, noisy or negatives (default: main where there is one)")
    inspect.add_argument("--html", type=Path, metavar="FILE", help="write the tree as an HTML page instead")
    inspect.add_argument("--list", action="store_true", help="list the theorems and how their searches ended")
    inspect.add_argument("--all", action="store_true", help="show each failed tactic too, instead of counting them")
    inspect.add_argument("--width", type=int, default=100, help="characters per line (default: 100)")

    doctor = add("doctor", _doctor, "Check this machine: python, torch, GPU, memory, disk, prover, sandbox.")
    _settings_options(doctor)
    doctor.add_argument(
        "--profile", metavar="NAME", help="the profile of the run, by name or folder (rehearsal, runpod)"
    )

    from burnqed.commands.speeds import CHEAP, DEAR, HELP, Assumptions

    cost = add("estimate", _estimate, "Say what a run will take and cost: hours and price per rule, with ranges.")
    cost.add_argument(
        "jobs",
        nargs="?",
        default="",
        help="output of `snakemake TARGET -n --quiet rules`, - for standard input (default: the whole experiment)",
    )
    cost.add_argument(
        "--config",
        type=Path,
        nargs="+",
        default=[Path("config.yaml")],
        help="configuration files, later ones over earlier ones (default: config.yaml)",
    )
    cost.add_argument("--hardware", default="", help="machine type, a key of hardware_types")
    cost.add_argument("--results", type=Path, help="results folder (default: that of the configuration)")
    cost.add_argument(
        "--target",
        nargs="+",
        default=["all"],
        metavar="NAME",
        help="targets of Snakemake (default: all; ablation_value)",
    )
    cost.add_argument(
        "--measured", type=Path, metavar="RESULTS", help="results of a trial or run on this machine, for its speeds"
    )
    cost.add_argument("--gpus", type=int, default=1, help="GPUs at work at once (default: 1)")
    for name, text in HELP.items():
        value = getattr(Assumptions(), name)
        ends = (
            f", {getattr(CHEAP, name)} - {getattr(DEAR, name)}" if getattr(CHEAP, name) != getattr(DEAR, name) else ""
        )
        cost.add_argument(f"--{name.replace('_', '-')}", type=type(value), help=f"{text} (default: {value}{ends})")

    trial = add(
        "trial",
        _trial,
        "Run every rule once on this machine and stack, killed and resumed, and say what a run will take and cost here.",
    )
    trial.add_argument("--profile", required=True, metavar="NAME", help="the profile of the run, by name or folder")
    trial.add_argument(
        "--config",
        type=Path,
        nargs="*",
        default=[],
        help="your own settings: prover.project, policy.server_python, model",
    )
    trial.add_argument("--hardware", default="", help="machine type (default: what the profile says)")
    trial.add_argument(
        "--minutes", type=float, default=10.0, help="end after so long; the same command continues (default: 10)"
    )
    trial.add_argument("--no-doctor", action="store_true", help="leave out `burnqed doctor`")

    lean = add(
        "lean",
        _lean,
        "Run the Lean that a search would use: the project's, the one on PATH, or the embedded one. Its own options and "
        "files follow; --config FILE and --set prover.project=FOLDER choose it.",
    )
    lean.add_argument("arguments", nargs="*", help="of lean: --version; --json FILE")

    run = add(
        "run",
        _run,
        "Run Snakemake on a machine that may vanish: one driver per folder, SIGTERM reaches every job, the same command "
        "resumes after a kill.",
    )
    run.add_argument("--sync", default="", metavar="s3://BUCKET/PREFIX", help="keep a copy of the results there")
    run.add_argument("--sync-minutes", type=float, default=10.0, help="minutes between copies (default: 10)")
    run.add_argument(
        "--grace", type=float, default=30.0, help="seconds between SIGTERM and SIGKILL of the jobs (default: 30)"
    )
    run.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="of snakemake, after --: -- iter_4_eval --profile runpod"
    )

    watch = add("watch", _watch, "Show what a run is doing: stages, solved so far, machine, cost, newest proofs.")
    watch.add_argument(
        "results", type=Path, nargs="?", default=Path("results"), help="results folder (default: results)"
    )
    watch.add_argument("--config", type=Path, nargs="+", help="configuration files (default: what the run noted)")
    watch.add_argument("--seconds", type=float, default=5.0, help="between two looks (default: 5)")
    watch.add_argument("--once", action="store_true", help="look once")
    watch.add_argument("--html", action="store_true", help="also write live.html, as the run's driver does by itself")

    share = add(
        "publish",
        _publish,
        "Write a finished run to share: model with a card made from its records, proofs as a Lake project, records as an "
        "RO-Crate; upload the model.",
    )
    share.add_argument("results", type=Path, help="results folder of a finished run")
    share.add_argument("--output", type=Path, help="folder to write (default: RESULTS-published)")
    share.add_argument("--repo", default="", metavar="OWNER/NAME", help="repository on the model hub, made private")
    share.add_argument("--dry-run", action="store_true", help="write the folders, upload nothing; needs no account")
    share.add_argument("--license", default="", help="licence to state; without it none is stated")

    events = add("tensorboard", _tensorboard, "Write training curves and solve rates as event files of TensorBoard.")
    events.add_argument("results", type=Path, help="results folder")
    events.add_argument("--output", type=Path, help="folder to write (default: RESULTS/tensorboard)")

    summary = add("summary", _summary, "Print the final table of a run.")
    summary.add_argument(
        "results",
        type=Path,
        nargs="?",
        default=Path("results"),
        help="results folder (default: results)",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status: 0, or 1 after a failure the user can fix."""
    words = list(sys.argv[1:] if argv is None else argv)
    is_lean = words[:1] == ["lean"]  # what follows is Lean's: options that argparse does not know
    args, unknown = build_parser().parse_known_args(words[:1] if is_lean else words)
    if unknown:
        args.parser.unknown(unknown)
    if is_lean:
        args.arguments = words[1:]
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s", stream=sys.stderr)
    try:
        status: int = args.run(args)
        return status
    except UserError as error:
        print(f"burnqed {args.command}: {error}", file=sys.stderr)
        return 1
    except PermissionError as error:
        print(
            f"burnqed {args.command}: {error.filename}: {error.strerror}; choose a place you may use", file=sys.stderr
        )
        return 1
    except BrokenPipeError:
        # The reader (`| head`) has left; nothing is left to say, not even at exit.
        with contextlib.suppress(OSError):
            sys.stdout = Path("/dev/null").open("w")  # noqa: SIM115
        return 0
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
