"""Encode the states and goals of a run as mean-pooled hidden states of the policy model.

Run as: python workflow_scripts/encode_states.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import EncoderSettings, add_flags, settings_from
from burnqed.scripting import add_quantization_flag, run_script, script_parser, start_script, torch_device

logger = logging.getLogger("encode_states")


def main(argv: Sequence[str] | None = None) -> None:
    """Read texts, encode them, write the embeddings file."""
    parser = script_parser(__doc__)
    add_flags(parser, "encoder", EncoderSettings)
    add_quantization_flag(parser, "weights of the model")
    parser.add_argument("--model-dir", type=Path, required=True, help="merged policy model")
    texts_from = parser.add_mutually_exclusive_group(required=True)
    texts_from.add_argument("--pairs", type=Path, help="tactic pairs whose states are encoded")
    texts_from.add_argument(
        "--trajectories", type=Path, nargs="+", help="trajectories whose states and goals are encoded"
    )
    parser.add_argument("--output", type=Path, required=True, help="embeddings file to write")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "encoder", EncoderSettings)
    sources = [args.pairs] if args.pairs else args.trajectories

    with Sidecar(
        outputs=[args.output],
        inputs=[args.model_dir, *sources],
        settings={"encoder": settings.model_dump(), "quantization": args.quantization},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.value.embeddings import (
            texts_of_pairs,
            texts_of_trajectories,
            write_embeddings,
        )

        texts = texts_of_pairs(args.pairs) if args.pairs else texts_of_trajectories(sources)
        logger.info("%d distinct texts of %d files", len(texts), len(sources))

        import torch

        from burnqed.value.encoder import Encoder

        torch.set_num_threads(args.threads)
        encoder = Encoder(args.model_dir, settings, torch_device(args.device), args.quantization)
        write_embeddings(args.output, texts, encoder, key={"threads": args.threads})
        sidecar.extra["texts"] = len(texts)


if __name__ == "__main__":
    sys.exit(run_script(main))
