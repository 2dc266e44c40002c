"""Find which proofs no longer compile with the prover in use, and apply tables of renames.

Run as: python workflow_scripts/migrate_proofs.py --help
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import ProverSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Compile, rename step by step, report survival per step."""
    parser = script_parser(__doc__)
    add_flags(parser, "prover", ProverSettings)
    parser.add_argument("--proofs", type=Path, required=True, help="Lean project folder, or a file of whole proofs")
    parser.add_argument("--renames", type=Path, nargs="*", default=[], help="CSV tables old,new; applied in this order")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per text (default: 300)")
    parser.add_argument("--folder", type=Path, help="write every text that compiles here")
    parser.add_argument("--output", type=Path, required=True, help="report to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    prover = settings_from(args, "prover", ProverSettings)
    files = [] if args.proofs.is_dir() else [args.proofs]
    with Sidecar([args.output], inputs=[*files, *args.renames], settings={"prover": prover.model_dump()}):
        from burnqed.data.damage import Damage
        from burnqed.data.migration import migrate, read_renames
        from burnqed.data.whole_proofs import project_files, read_proofs

        tables = [(path.name, read_renames(path)) for path in args.renames]
        texts = project_files(args.proofs) if not files else list(read_proofs(args.proofs, Damage("skip"), Counter()))
        for step in migrate(texts, tables, prover, args.timeout, args.output, args.folder)["steps"]:
            logging.getLogger("migration").info("%s", step)


if __name__ == "__main__":
    sys.exit(run_script(main))
