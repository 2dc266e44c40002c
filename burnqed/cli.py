"""The `burnqed` command: prove, compare, import, inspect, doctor, estimate, run, summary.

Everything heavy is imported by the command that needs it, so that help and mistakes answer at once.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from burnqed.artifacts import UserError


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


def _import(args: argparse.Namespace) -> int:
    from burnqed.artifacts import write_json
    from burnqed.evaluation.evals import eval_table
    from burnqed.evaluation.foreign import import_results, read_benchmark

    benchmark = read_benchmark(args.benchmark, args.split) if args.benchmark else None
    value = import_results(
        args.source,
        args.label,
        benchmark=benchmark,
        split=args.split,
        budgets=args.budgets,
        mode=args.mode,
        unit=args.unit,
    )
    write_json(args.output, value)
    print(f"{args.label}, {value['settings']['mode']}, {value['settings']['recheck']}")
    print(eval_table(value, {}))
    for key, text in (("differing", "another statement than in the benchmark"), ("doubtful", "a doubtful proof")):
        if value[key]:
            print(f"{len(value[key])} theorems with {text}: {', '.join(value[key])}")
    return 0


def _inspect(args: argparse.Namespace) -> int:
    from burnqed.evaluation.inspect import render_list, render_tree

    if args.list or not args.theorem:
        print(render_list(args.trajectories))
        if not args.list:
            print("\ngive --theorem NAME to see one search")
        return 0
    if args.html is not None:
        from burnqed.artifacts import write_text
        from burnqed.evaluation.inspect_html import render_html

        write_text(args.html, render_html(args.trajectories, args.theorem, args.attempt, args.kind))
        print(f"{args.html} written; open it in a browser")
        return 0
    print(render_tree(args.trajectories, args.theorem, args.attempt, args.width, not args.all, args.kind))
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from burnqed.evaluation.doctor import run_doctor

    return run_doctor(args.results, args.config, args.set, args.profile)


def _estimate(args: argparse.Namespace) -> int:
    from burnqed.estimate import Assumptions, run_estimate

    given = Assumptions(**{name: getattr(args, name) for name in Assumptions.__dataclass_fields__})
    return run_estimate(args.config, args.hardware, args.jobs, args.results, given, args.gpus)


def _run(args: argparse.Namespace) -> int:
    from burnqed.snakemake.launch import launch

    words = args.arguments[1:] if args.arguments[:1] == ["--"] else args.arguments
    return launch(words, args.sync, args.sync_minutes, args.grace)


def _prove(args: argparse.Namespace) -> int:
    from burnqed.evaluation.prove import prove_command

    return prove_command(args)


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

    parser = argparse.ArgumentParser(
        prog="burnqed",
        description="Train a Lean 4 theorem prover by expert iteration, use it, and look at what it did.",
    )
    parser.add_argument("--version", action="version", version=f"burnqed {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
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

    published = add("import", _import, "Read another prover's published results into an eval file.")
    published.add_argument(
        "source",
        type=Path,
        help="search records of InternLM-Math's form (folder of shards), or a .jsonl of accepted proofs (name, lean)",
    )
    published.add_argument("--label", required=True, help="name of the prover in tables")
    published.add_argument("--benchmark", type=Path, help="the theorems that count: R/data/benchmarks/NAME.json")
    published.add_argument("--split", default="", help="only theorems of this split")
    published.add_argument(
        "--budgets",
        type=int,
        nargs="+",
        default=[],
        help="budgets to show beside the largest; for a list of proofs, its own",
    )
    published.add_argument("--mode", default="", help='how a list of proofs was found, "whole proofs, pass@8192"')
    published.add_argument("--unit", default="", help="what the budget of a list of proofs counts, for example samples")
    published.add_argument("--output", type=Path, required=True, help="eval file to write (.json)")

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

    from burnqed.estimate import HELP, Assumptions

    cost = add("estimate", _estimate, "Say what a run will cost: GPU hours and price per rule.")
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
    cost.add_argument("--gpus", type=int, default=1, help="GPUs at work at once (default: 1)")
    for name, text in HELP.items():
        value = getattr(Assumptions(), name)
        cost.add_argument(
            f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"{text} (default: {value})"
        )

    run = add(
        "run",
        _run,
        "Run Snakemake on a machine that may vanish: one driver per folder, SIGTERM reaches every job, the same command "
        "goes on after a kill.",
    )
    run.add_argument("--sync", default="", metavar="s3://BUCKET/PREFIX", help="keep a copy of the results there")
    run.add_argument("--sync-minutes", type=float, default=10.0, help="minutes between copies (default: 10)")
    run.add_argument(
        "--grace", type=float, default=30.0, help="seconds between SIGTERM and SIGKILL of the jobs (default: 30)"
    )
    run.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="of snakemake, after --: -- iter_4_eval --profile runpod"
    )

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
    """Run a command; return its exit status: 0, or 1 after a failure the user can mend."""
    args = build_parser().parse_args(argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s", stream=sys.stderr)
    try:
        status: int = args.run(args)
        return status
    except UserError as error:
        print(f"burnqed {args.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader (`| head`) has left; nothing is left to say, not even at exit.
        with contextlib.suppress(OSError):
            sys.stdout = Path("/dev/null").open("w")  # noqa: SIM115
        return 0
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
