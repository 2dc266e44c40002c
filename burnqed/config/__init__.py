"""Typed settings of an experiment: one class per block of config.yaml.

The classes are the single source of key names, types, defaults (the published experiment) and
descriptions; the JSON schema and the command-line options of every workflow script are made from
them. Run as: ``python -m burnqed.config > docs/config.schema.json``.
"""

from burnqed.config.base import Settings
from burnqed.config.data import BenchmarkSettings, DataSettings, SourceSettings
from burnqed.config.experiment import MACHINE_KEYS, MACHINE_SETTINGS, Config, HardwareSettings, load_config
from burnqed.config.options import add_flags, flags, settings_from
from burnqed.config.search import (
    AblationSettings,
    EvaluationSettings,
    GateSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    VerifySettings,
)
from burnqed.config.training import (
    EBMSettings,
    EncoderSettings,
    JointSettings,
    ModelSettings,
    ScratchSettings,
    SFTSettings,
    TrainingSettings,
    joint_sft,
)

__all__ = [
    "MACHINE_KEYS",
    "MACHINE_SETTINGS",
    "AblationSettings",
    "BenchmarkSettings",
    "Config",
    "DataSettings",
    "EBMSettings",
    "EncoderSettings",
    "EvaluationSettings",
    "GateSettings",
    "HardwareSettings",
    "JointSettings",
    "ModelSettings",
    "PolicySettings",
    "ProverSettings",
    "SFTSettings",
    "ScratchSettings",
    "SearchSettings",
    "Settings",
    "SourceSettings",
    "TrainingSettings",
    "VerifySettings",
    "add_flags",
    "flags",
    "joint_sft",
    "load_config",
    "settings_from",
]
