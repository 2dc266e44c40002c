"""The commands about published sets and proofs: compare-benchmarks, import, export."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from burnqed.files import UserError
from burnqed.records.theorems import TheoremIndex
from burnqed.words import counted

Add = Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]


def read_index(source: str, split: str = "") -> TheoremIndex:
    """Read a benchmark by its name, its words, or a path: an index of a run, or anything published."""
    from burnqed.config import published_sources
    from burnqed.data.build import read_source
    from burnqed.data.sources import resolve, split_asked
    from burnqed.records.damage import Damage
    from burnqed.records.theorems import read_theorem_index

    path = Path(source)
    if path.is_file() and path.suffix == ".json" and _is_index(path):
        return read_theorem_index(path)
    sources = published_sources()
    resolved = resolve(source, sources)
    return read_source(resolved, split or split_asked(source, sources), Damage("skip", max_share=0.1))


def _is_index(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as stream:
        head = stream.read(4096)
    return '"theorems"' in head or '"source"' in head[:40]


def _compare_benchmarks(args: argparse.Namespace) -> int:
    from burnqed.data.versions import compare_versions, render_versions

    first, second = (read_index(source, args.split) for source in (args.first, args.second))
    print(render_versions(compare_versions(first, second), (args.first, args.second), args.show))
    return 0


def _import(args: argparse.Namespace) -> int:
    if not args.proofs and not args.output:
        raise UserError("give --proofs FILE (attempts for `burnqed check`), --output FILE (an eval file), or both")
    benchmark = read_index(args.benchmark, args.split) if args.benchmark else None
    if args.proofs:
        _import_proofs(args, benchmark)
    if args.output:
        _import_eval(args, benchmark)
    return 0


def _import_proofs(args: argparse.Namespace, benchmark: TheoremIndex | None) -> None:
    from burnqed.data.claims import read_claims
    from burnqed.records.attempts import write_attempts

    fields = dict(pair.split("=", 1) for pair in args.fields if "=" in pair)
    claims = read_claims(args.source, benchmark=benchmark, fields=fields, rejected=args.rejected)
    write_attempts(args.proofs, claims.attempts)
    theorems = len({attempt.theorem.name for attempt in claims.attempts})
    print(
        f"{args.proofs}: {counted(len(claims.attempts), 'proof')} of {counted(theorems, 'theorem')}, from {counted(claims.entries, 'entry', 'entries')}"
    )
    differing = {attempt.theorem.name for attempt in claims.attempts if attempt.differs}
    if differing:
        print(
            f"{counted(len(differing), 'theorem')} proved in another statement than the benchmark's: {_some(sorted(differing))}"
        )
    for reason, count in sorted(claims.dropped.items()):
        print(f"left out, {reason.replace('_', ' ')}: {count}")
    print(f"nothing is believed yet: burnqed check {args.proofs}")


def _some(names: list[str], shown: int = 20) -> str:
    return ", ".join(names[:shown]) + (f", and {len(names) - shown} more" if len(names) > shown else "")


def _import_eval(args: argparse.Namespace, benchmark: TheoremIndex | None) -> None:
    from burnqed.commands.foreign import import_results
    from burnqed.evaluation.evals import eval_table
    from burnqed.files import write_json

    if not args.label:
        raise UserError("--label: give the prover's name for tables")
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
            print(f"{counted(len(value[key]), 'theorem')} with {text}: {', '.join(value[key])}")


def _export(args: argparse.Namespace) -> int:
    from burnqed.data.exporting import export_lake, export_leandojo, export_rows, proved

    if args.form == "leandojo":
        theorems = read_index(args.theorems).theorems if args.theorems else []
        count = export_leandojo(args.output, Path(args.source), {theorem.name: theorem for theorem in theorems})
        print(f"{args.output}: {counted(count, 'theorem')} with tactics")
        return 0
    if Path(args.source).suffix == ".jsonl" and _holds_attempts(Path(args.source)):
        from burnqed.records.attempts import read_attempts

        items, split, lean = proved(read_attempts(Path(args.source))), args.split, ""
    else:
        index = read_index(args.source, args.split)
        items = [(theorem, "") for theorem in index.theorems]
        split, lean = str(index.source.get("split") or args.split), str(index.source.get("lean") or "")
    if args.form == "lake":
        count = export_lake(args.output, items, args.lean or lean)
    else:
        count = export_rows(args.output, items, split, args.form)
    print(f"{args.output}: {counted(count, 'theorem')}, {sum(bool(proof) for _, proof in items)} with a proof")
    return 0


def _holds_attempts(path: Path) -> bool:
    """Return whether the rows are proofs of ours: re-checked ones, or attempts."""
    import json

    with path.open(encoding="utf-8", errors="replace") as stream:
        try:
            row = json.loads(stream.readline())
        except ValueError:
            return False
    return isinstance(row, dict) and "proof" in row and "statement" in row and ("header" in row or "theorem" in row)


def add_commands(add: Add) -> None:
    """Add the parsers of these commands."""
    compare = add(
        "compare-benchmarks",
        _compare_benchmarks,
        "List the statements in which two versions of a benchmark differ.",
    )
    for name in ("first", "second"):
        compare.add_argument(name, help="a named source (its words will do), a path, or an index of a run")
    compare.add_argument("--split", default="", help="split of both to compare (default: all)")
    compare.add_argument("--show", type=int, default=20, help="differing statements shown (default: 20)")

    published = add("import", _import, "Read others' proofs and results: attempts to check, or an eval file.")
    published.add_argument(
        "source",
        type=Path,
        help="Lean files, rows with whole proofs or attempts (JSON, JSON lines, Parquet), step-level search records, or "
        "proofs.jsonl of a run",
    )
    published.add_argument("--proofs", type=Path, help="attempts to write for `burnqed check` (.jsonl)")
    published.add_argument("--rejected", action="store_true", help="with --proofs: also what its author says failed")
    published.add_argument(
        "--fields", nargs="+", default=[], metavar="ROLE=KEY", help="keys of the rows by role (statement, proof, name)"
    )
    published.add_argument("--output", type=Path, help="eval file to write (.json)")
    published.add_argument("--label", default="", help="with --output: name of the prover in tables")
    published.add_argument(
        "--benchmark", default="", help="the theorems that count: an index of a run, a source or a path"
    )
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

    export = add("export", _export, "Write theorems and proofs in the forms that other provers read.")
    export.add_argument(
        "source", help="theorem index, named source or path; proofs.jsonl; for leandojo: trajectories.parquet"
    )
    export.add_argument(
        "--form",
        choices=["deepseek", "goedel", "lake", "leandojo"],
        default="deepseek",
        help="deepseek, goedel: JSON lines; lake: a Lake project, a file a theorem; leandojo: traced tactics (default: deepseek)",
    )
    export.add_argument("--output", type=Path, required=True, help="file, or for lake the folder, to write")
    export.add_argument("--split", default="", help="split to read, and to write into the rows")
    export.add_argument(
        "--lean", default="", help="lake: version of the toolchain, v4.27.0 (default: what the source says)"
    )
    export.add_argument("--theorems", default="", help="leandojo: index with the theorems' file paths")
