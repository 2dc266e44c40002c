"""Typed settings of an experiment: one class per block of config.yaml.

The classes are the single source of key names, types, defaults (the published experiment) and
descriptions; the JSON schema and the command-line options of every workflow script are made from
them. ``python -m burnqed.config`` prints the schema, for editors that check YAML.
"""

from burnqed.config.base import Settings
from burnqed.config.data import BenchmarkSettings, DataSettings, SourceSettings
from burnqed.config.experiment import MACHINE_KEYS, Config, HardwareSettings, explain, load_config, nearest
from burnqed.config.options import add_flags, flags, settings_from
from burnqed.config.search import (
    AblationSettings,
    EvaluationSettings,
    GateSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    StudySettings,
    ValueLabSettings,
    VerifySettings,
    arm_parts,
)
from burnqed.config.sources import AmbiguousName, find_source, published_sources
from burnqed.config.training import (
    EBMSettings,
    EncoderSettings,
    JointSettings,
    ModelSettings,
    ScratchSettings,
    SFTSettings,
    TrainingSettings,
    ValueSettings,
    joint_sft,
)

__all__ = [
    "MACHINE_KEYS",
    "AblationSettings",
    "AmbiguousName",
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
    "StudySettings",
    "TrainingSettings",
    "ValueLabSettings",
    "ValueSettings",
    "VerifySettings",
    "add_flags",
    "arm_parts",
    "explain",
    "find_source",
    "flags",
    "joint_sft",
    "load_config",
    "nearest",
    "published_sources",
    "settings_from",
]
