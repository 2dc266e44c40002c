"""The back-end of the policy that the settings ask for."""

from __future__ import annotations

from pathlib import Path

from burnqed.config import ModelSettings, PolicySettings
from burnqed.policy.generator import TacticGenerator
from burnqed.policy.prompts import FORMATS


def load_generator(
    model_dir: Path, policy: PolicySettings, model: ModelSettings, device: str, quantization: str
) -> TacticGenerator:
    """Return the generator that the settings ask for, ready for use.

    Raises UserError when the model folder is unusable, or the server cannot be started or reached.
    """
    form = FORMATS[model.prompt_format]
    if policy.backend == "server":
        from burnqed.policy.server import ServerGenerator

        return ServerGenerator(model_dir, policy, form, model.max_length)
    from burnqed.policy.transformers_backend import TransformersGenerator

    return TransformersGenerator(model_dir, policy, form, model.max_length, device, quantization)
