"""The whole experiment as config.yaml describes it, the machines it runs on, and how wrong values are told."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from burnqed.config.base import MACHINE, Settings, value_shown
from burnqed.config.data import BenchmarkSettings, DataSettings, SourceSettings
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
)
from burnqed.config.sources import find_source, published_sources
from burnqed.config.training import (
    EBMSettings,
    EncoderSettings,
    JointSettings,
    ModelSettings,
    ScratchSettings,
    SFTSettings,
    TrainingSettings,
    ValueSettings,
)
from burnqed.files import UserError


class HardwareSettings(Settings):
    """One type of machine: what it costs and what it forces."""

    price_per_hour: float = Field(0.0, ge=0, description="price of one GPU hour, US dollars", json_schema_extra=MACHINE)
    quantization: Literal["none", "nf4"] = Field("none", description="weights in training; nf4: QLoRA, for 24 GB cards")
    encoder_quantization: Literal["same", "none", "nf4"] = Field(
        "same", description="weights in encoding, search and evaluation; same: as in training"
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="auto: the GPU when there is one", json_schema_extra=MACHINE
    )
    settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="other defaults for settings of the machine, by block (sft: {micro_batch_tokens: 2048})",
        json_schema_extra=MACHINE,
    )

    @field_validator("settings")
    @classmethod
    def _check_keys(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        for block, keys in value.items():
            for key in keys:
                if key not in MACHINE_KEYS.get(block, ()):
                    known = ", ".join(f"{name}.{k}" for name, ks in MACHINE_KEYS.items() for k in sorted(ks))
                    raise ValueError(f"{block}.{key} belongs to the experiment; a machine may set {known}")
        return value


class Config(Settings):
    """The whole experiment."""

    results: str = Field(
        "results", min_length=1, description="folder of everything the run makes", json_schema_extra=MACHINE
    )
    seed: int = Field(0, ge=0, description="seed of everything random")
    iterations: int = Field(5, ge=1, description="iterations of the loop (iter_0 .. iter_{n-1})")
    hardware: str = Field(
        "auto",
        description="type of machine (a key of `hardware_types`); auto: what the profile says, else cpu",
        json_schema_extra=MACHINE,
    )
    model: ModelSettings = ModelSettings()
    scratch: ScratchSettings = ScratchSettings()
    data: DataSettings = DataSettings()
    sources: dict[str, SourceSettings] = Field(
        default_factory=published_sources,
        description="sets by name; those given add to the published ones, or change some of their keys",
    )
    benchmarks: dict[str, BenchmarkSettings] = Field(
        default_factory=lambda: {"minif2f_test": BenchmarkSettings(source="minif2f_lean4")},
        description="held-out theorem sets by name; an overlay drops one by setting it to null",
    )
    training: TrainingSettings = TrainingSettings()
    sft: SFTSettings = SFTSettings()
    joint: JointSettings = JointSettings()
    policy: PolicySettings = PolicySettings()
    encoder: EncoderSettings = EncoderSettings()
    ebm: EBMSettings = EBMSettings()
    value: ValueSettings = ValueSettings()
    prover: ProverSettings = ProverSettings()
    verify: VerifySettings = VerifySettings()
    search: SearchSettings = SearchSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    study: StudySettings = StudySettings()
    value_lab: ValueLabSettings = ValueLabSettings()
    ablation: AblationSettings = AblationSettings()
    gates: GateSettings = GateSettings()
    hardware_types: dict[str, HardwareSettings] = Field(
        default_factory=lambda: {"cpu": HardwareSettings()},
        description="machine types by name",
        json_schema_extra=MACHINE,
    )

    @field_validator("sources", mode="before")
    @classmethod
    def _add_published(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        found: dict[str, Any] = {
            name: source.model_dump(exclude_unset=True) for name, source in published_sources().items()
        }
        for name, given in value.items():
            found[name] = {**found.get(name, {}), **given} if isinstance(given, dict) else given
        return found

    @field_validator("benchmarks", mode="before")
    @classmethod
    def _drop_null_benchmarks(cls, value: object) -> object:
        return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        asked = {"benchmark": [self.evaluation.benchmark], "benchmarks": self.evaluation.benchmarks}
        for key, name in ((key, name) for key, names in asked.items() for name in names):
            if name not in self.benchmarks:
                known = ", ".join(self.benchmarks) or "which is empty"
                raise ValueError(f"evaluation.{key}: '{name}' is not a key of `benchmarks` ({known})")
        for name, benchmark in self.benchmarks.items():
            try:
                find_source(benchmark.source, self.sources)
            except ValueError as error:
                raise ValueError(f"benchmarks.{name}.source: {error}") from error
        if self.hardware != "auto" and self.hardware not in self.hardware_types:
            raise ValueError(
                f"hardware: '{self.hardware}' is not a key of `hardware_types` ({', '.join(self.hardware_types)})"
            )
        if self.scratch.texts == "corpus" and self.data.source != "corpus":
            raise ValueError("scratch.texts: corpus needs data.source: corpus")
        modes = [self.training.mode_of(i) for i in range(self.iterations)]
        back = "joint" in modes and "sft" in modes[modes.index("joint") :]
        shapes = [(block.lora_rank, block.lora_alpha) for block in (self.sft, self.joint)]
        if back and shapes[0] != shapes[1]:
            raise ValueError(
                "training.mode: an iteration with sft after a joint one continues its adapter: "
                "give sft.lora_rank and sft.lora_alpha the values of joint.lora_rank and joint.lora_alpha"
            )
        quantization = self.machine.encoder_quantization.replace("same", self.machine.quantization)
        if self.policy.adapter == "serve" and quantization == "nf4":
            raise ValueError(
                f"policy.adapter: a 4-bit encoder (hardware_types.{self.hardware}) takes no adapter into its weights; set merge"
            )
        if sorted(set(self.evaluation.budgets)) != self.evaluation.budgets:
            raise ValueError("evaluation.budgets: give different budgets in rising order")
        return self

    @property
    def machine(self) -> HardwareSettings:
        """The settings of the machine type in use."""
        return self.hardware_types["cpu" if self.hardware == "auto" else self.hardware]

    def machine_facts(self) -> dict[str, Any]:
        """Return what jobs have to know of this machine: the value of their option ``--machine``."""
        return {
            "device": self.machine.device,
            "prices": {name: machine.price_per_hour for name, machine in self.hardware_types.items()},
            "settings": self.machine_settings(),
        }

    def machine_settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of MACHINE_KEYS by block: the machine type's where the experiment has its default."""
        found: dict[str, dict[str, Any]] = {}
        for name, keys in MACHINE_KEYS.items():
            block: Settings = getattr(self, name)
            own = self.machine.settings.get(name, {})
            changed = {
                key: value
                for key, value in own.items()
                if getattr(block, key) == type(block).model_fields[key].get_default(call_default_factory=True)
            }
            found[name] = {key: changed.get(key, getattr(block, key)) for key in sorted(keys)}
        return found


# The settings of the machine by block; those of all other roles belong to the experiment.
MACHINE_KEYS: dict[str, frozenset[str]] = {
    name: keys
    for name, info in Config.model_fields.items()
    if isinstance(info.annotation, type) and issubclass(info.annotation, Settings)
    if (keys := info.annotation.keys_of("machine"))
}


def _valid_keys(path: tuple[int | str, ...]) -> list[str]:
    """Return the keys allowed in the block that holds the offending key."""
    block: Any = Config
    for part in path[:-1]:
        if isinstance(block, type) and issubclass(block, BaseModel) and part in block.model_fields:
            block = block.model_fields[str(part)].annotation
        elif get_origin(block) is dict:
            block = get_args(block)[1]
    return list(block.model_fields) if isinstance(block, type) and issubclass(block, BaseModel) else []


def explain(error: ValidationError, *place: str) -> list[str]:
    """Return one line per wrong key: its path below ``place``, what is wrong, and the remedy."""
    lines = []
    for item in error.errors():
        path = (*place, *item["loc"])
        key = ".".join(str(part) for part in path)
        if item["type"] == "extra_forbidden":
            lines.append(f"{key}: unknown key; {nearest(str(path[-1]), _valid_keys(path))}")
        elif not key:
            lines.append(str(item["msg"]).removeprefix("Value error, "))
        else:
            lines.append(f"{key}: {item['msg']}{value_shown(item)}")
    return lines


def nearest(name: str, known: Iterable[str]) -> str:
    """Return what to do about an unknown name: the nearest known one, or to remove it."""
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean '{close[0]}'?" if close else "remove it"


def load_config(values: Mapping[str, object]) -> Config:
    """Check a configuration and return it typed.

    Raises UserError with one line per wrong key: its path, what is wrong, and the remedy.
    """
    try:
        return Config.model_validate(dict(values))
    except ValidationError as error:
        lines = explain(error)
        raise UserError(
            "wrong configuration (config.yaml, --configfile or --config):\n  " + "\n  ".join(lines)
        ) from None
