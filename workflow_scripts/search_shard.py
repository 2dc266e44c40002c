"""Search for proofs of one shard of the training theorems and record every tactic tried.

Run as: python workflow_scripts/search_shard.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, input_digest
from burnqed.config import (
    MACHINE_KEYS,
    EncoderSettings,
    ModelSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    Settings,
    add_flags,
    settings_from,
)
from burnqed.scripting import add_quantization_flag, run_script, script_parser, start_script, torch_device

BLOCKS: dict[str, type[Settings]] = {
    "search": SearchSettings,
    "policy": PolicySettings,
    "encoder": EncoderSettings,
    "prover": ProverSettings,
    "model": ModelSettings,
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    for block, kind in BLOCKS.items():
        add_flags(parser, block, kind)
    add_quantization_flag(parser, "weights of the encoder and in-process policy")
    parser.add_argument("--model-dir", type=Path, required=True, help="the policy, which is also the encoder")
    parser.add_argument("--ebm", type=Path, help="energy head; without it the search follows the log-probability")
    parser.add_argument("--theorems", type=Path, required=True, help="theorem index")
    parser.add_argument("--iteration", type=int, required=True, help="iteration, for seeds and record")
    parser.add_argument(
        "--kind",
        choices=["main", "noisy", "negatives"],
        default="main",
        help="noisy: sample at search.noisy_temperature; negatives: try other tactics along known proofs "
        "(default: main)",
    )
    parser.add_argument("--paths", type=Path, help="kind negatives: trajectory file with the known proofs")
    parser.add_argument("--shard", type=int, required=True, help="number of the shard, 0 .. search.shards - 1")
    parser.add_argument("--output", type=Path, required=True, help="trajectory file of the shard")
    args = parser.parse_args(argv)
    start_script(args)
    if (args.paths is not None) != (args.kind == "negatives"):
        parser.error("--kind negatives and --paths go together")
    search = settings_from(args, "search", SearchSettings)
    policy = settings_from(args, "policy", PolicySettings)
    encoder = settings_from(args, "encoder", EncoderSettings)
    prover = settings_from(args, "prover", ProverSettings)
    model = settings_from(args, "model", ModelSettings)

    from burnqed.data.theorems import read_theorem_index
    from burnqed.search.negatives import known_proofs
    from burnqed.search.run import run_search
    from burnqed.search.shards import select_shard

    theorems = select_shard(read_theorem_index(args.theorems).theorems, search, args.shard)
    proofs = None
    if args.paths is not None:
        proofs = known_proofs(args.paths, theorems)
        theorems = [theorem for theorem in theorems if theorem.name in {name for name, _ in proofs}]
    inputs = [args.theorems, args.model_dir, *([args.ebm] if args.ebm else []), *([args.paths] if args.paths else [])]
    settings = {"search": search, "policy": policy, "encoder": encoder, "prover": prover, "model": model}
    with Sidecar(
        [args.output],
        inputs=inputs,
        settings={name: block.model_dump() for name, block in settings.items()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        generator = scorer = None
        if theorems:  # an empty shard needs no model
            from burnqed.policy.generator import load_generator

            in_process = policy.backend == "transformers" or args.ebm is not None
            device = torch_device(args.device) if in_process else "cpu"
            if in_process:
                import torch

                torch.set_num_threads(args.threads)
            if args.ebm is not None:
                from burnqed.value.scorer import load_scorer

                scorer = load_scorer(args.ebm, args.model_dir, encoder, device, args.quantization)
            generator = load_generator(args.model_dir, policy, model, device, args.quantization)
        run_search(
            theorems,
            generator=generator,
            scorer=scorer,
            prover=prover,
            settings=search,
            kind=args.kind,
            iteration=args.iteration,
            seed=args.seed,
            output=args.output,
            key={
                "model": input_digest(args.model_dir),
                "ebm": input_digest(args.ebm) if args.ebm else None,
                "policy": policy.model_dump(exclude=set(MACHINE_KEYS["policy"])),
                "encoder": encoder.model_dump(exclude={"batch_tokens", "progress_every"}),
                "model_settings": model.model_dump(),
                "quantization": args.quantization,
            },
            extra=sidecar.extra,
            close_backends=True,
            proofs=proofs,
        )


if __name__ == "__main__":
    sys.exit(run_script(main))
