"""The torch device of a job."""

from __future__ import annotations

import threading

from burnqed.files import UserError

# Held while a CUDA graph is captured and, in other threads of the process, while they use the GPU: what they do ends a
# capture, and a capture what they do ("operation not permitted when stream is capturing").
capturing = threading.Lock()


def torch_device(name: str) -> str:
    """Return the torch device of ``--device``; raise UserError when cuda is asked for and absent."""
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise UserError(
            "--device cuda: torch sees no GPU; use --device cpu, or install a CUDA build of torch and check nvidia-smi"
        )
    return "cuda" if name == "cuda" or (name == "auto" and torch.cuda.is_available()) else "cpu"
