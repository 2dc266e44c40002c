"""The scorer of a folder, whatever kind of value it holds."""

from __future__ import annotations

from pathlib import Path

from burnqed.config import EncoderSettings, ModelSettings
from burnqed.value import scorer
from burnqed.value.readers import Policy
from burnqed.value.scorer import EnergyScorer
from burnqed.value.values import CONFIG, SampledValue, ValueScorer, load_value, read_card


def load_scorer(
    folder: Path, model_dir: Path, encoder: EncoderSettings, device: str, quantization: str
) -> EnergyScorer | ValueScorer | SampledValue:
    """Return the scorer of an energy head's or a value's folder.

    Raises UserError when it and the model do not belong together.
    """
    if (folder / CONFIG).is_file():
        if read_card(folder).settings["reader"] == "free":
            return SampledValue(folder, model_dir, encoder.dtype, device)
        return ValueScorer(load_value(folder, Policy(model_dir, ModelSettings(), encoder, device, quantization)))
    return scorer.load_scorer(folder, model_dir, encoder, device, quantization)
