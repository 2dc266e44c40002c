"""Hold the results of an iteration against the red lines.

Run as: python workflow_scripts/check_gate.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, UserError, write_json
from burnqed.config import GateSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script

logger = logging.getLogger("check_gate")


def main(argv: Sequence[str] | None = None) -> None:
    """Write the gate file; fail when a red line is crossed and gates.on_fail is `stop`."""
    parser = script_parser(__doc__)
    add_flags(parser, "gates", GateSettings)
    parser.add_argument("--iteration", type=int, required=True, help="iteration to judge")
    parser.add_argument("--start", action="store_true", help="judge a small start: two evals, without and with --ebm")
    parser.add_argument("--evals", type=Path, nargs="+", required=True, help="eval files up to this iteration")
    parser.add_argument("--ebm", type=Path, help="energy head of this iteration")
    parser.add_argument("--output", type=Path, required=True, help="gate file to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "gates", GateSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[*args.evals, *([args.ebm] if args.ebm else [])],
        settings={"gates": settings.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.evaluation.gates import check_gates, check_start, render_gate, render_rates

        if args.start and args.ebm is None:
            raise UserError("--start: needs --ebm")
        if args.start:
            gate = check_start(settings, args.evals, args.ebm)
        else:
            gate = check_gates(settings, args.iteration, args.evals, args.ebm)
        write_json(args.output, gate)
    # A workflow manager removes the outputs of a failed job, so the log has to say it all.
    logger.info("%s", render_rates(args.iteration, args.evals))
    text = render_gate(gate)
    if gate["verdict"] == "stop":
        raise UserError(f"{text}\nthe run stops here; mend the cause, or set gates.on_fail: warn and run again")
    (logger.info if gate["verdict"] == "go" else logger.warning)("%s", text)


if __name__ == "__main__":
    sys.exit(run_script(main))
