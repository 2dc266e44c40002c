"""The one runner of all jobs: options, logging, stopping, sidecar and exit status.

A workflow script declares its job as a class whose fields are its options, and starts it::

    @job
    class CountPairs(Job):
        '''Count the tactic pairs of a file.'''

        data: DataSettings                              # --data.KEY for each setting of the block
        pairs: Path = reads("tactic pairs (.jsonl)")    # --pairs, an input in the sidecar
        output: Path = writes("the count (.json)")      # --output, which gets the sidecar

        def run(self) -> None: ...

    if __name__ == "__main__":
        CountPairs.start()
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import os
import sys
import types
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import (
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from burnqed.config import Settings, add_flags, settings_from
from burnqed.files import UserError
from burnqed.jobs import gpus
from burnqed.jobs.kept import end_kept
from burnqed.jobs.secrets import SecretsHidden
from burnqed.jobs.sidecar import Sidecar, set_job_gpus
from burnqed.jobs.stop import exit_status
from burnqed.jobs.warm import IS_WARM

J = TypeVar("J", bound="Job")


def option(help: str, default: Any = MISSING) -> Any:
    """Declare an option; without a default it has to be given."""
    return _declare("option", help, default)


def reads(help: str, *, optional: bool = False) -> Any:
    """Declare a file or folder that the job reads, or a list of them."""
    return _declare("reads", help, None if optional else MISSING)


def writes(help: str, *, optional: bool = False, sidecar: bool = True) -> Any:
    """Declare a file or folder that the job writes; ``sidecar``: with its provenance beside it."""
    return _declare("writes" if sidecar else "beside", help, None if optional else MISSING)


def _declare(role: str, help: str, default: Any) -> Any:
    metadata = {"role": role, "help": help}
    if default is MISSING:
        return field(metadata=metadata)
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(kw_only_default=True, field_specifiers=(option, reads, writes))
def job(kind: type[J]) -> type[J]:
    """Make a job's class of its declarations."""
    made = dataclass(kw_only=True)(kind)
    made.types = get_type_hints(kind)
    return made


@job
class Job:
    """One job of the workflow; its class's docstring and module's docstring are its help."""

    types: ClassVar[dict[str, Any]] = {}
    seed: int = option("seed of everything random", 0)
    threads: int = option("CPU threads of torch; results are bitwise equal only at equal thread count", 1)
    log: Path | None = option("also write the log to this file", None)
    device: Literal["auto", "cpu", "cuda"] | None = option(
        "auto: the GPU when there is one (default: what --machine says, else auto)", None
    )
    machine: str = option(
        "what this machine is, as JSON: its `device`, the `prices` of a GPU hour by type, and `settings` "
        "of the machine by block, which options replace",
        "{}",
    )
    gpus: int = option("GPUs of this job, as the workflow counts them", 0)
    gpu_model: str = option("their type, for the price (a key of hardware_types)", "")
    extra: dict[str, Any] = field(default_factory=dict, init=False)  # goes into the sidecar

    def run(self) -> None:
        """Do the work."""
        raise NotImplementedError

    def ran_elsewhere(self) -> bool:
        """Return whether other processes have done the work, so that nothing is left to do here."""
        return False

    @property
    def torch_device(self) -> str:
        """The torch device of this job; raises UserError when cuda is asked for and absent."""
        from burnqed.jobs.device import torch_device

        self.use_threads()
        return torch_device(self.device or "auto")

    def use_threads(self) -> None:
        """Let torch use as many threads as the job has."""
        import torch

        torch.set_num_threads(self.threads)

    @property
    def inputs(self) -> list[Path]:
        """The files and folders that the job reads."""
        return self._files("reads")

    @classmethod
    def start(cls) -> None:
        """Run the job of the command line and end the process with its status."""
        sys.exit(exit_status(cls.main))

    @classmethod
    def main(cls, argv: Sequence[str] | None = None) -> None:
        """Run the job that the options describe."""
        this = cls.parse(argv)
        this.begin()
        if this.ran_elsewhere():
            return
        if this.gpu_model:
            this.extra["gpu_model"] = this.gpu_model
        with Sidecar(
            outputs=this._files("writes") if os.environ.get("RANK", "0") == "0" else [],
            inputs=this.inputs,
            settings=this._settings(),
            seed=this.seed,
            price_per_gpu_hour=this._machine()["prices"].get(this.gpu_model, 0.0),
            extra=this.extra,
        ):
            this.run()

    @classmethod
    def parse(cls, argv: Sequence[str] | None = None) -> Self:
        """Return the job that the options describe; raise UserError for a wrong setting."""
        given = cls.parser().parse_args(argv)
        machine = _parse_machine(given.machine)
        values: dict[str, Any] = {}
        for one in _fields(cls):
            kind = cls.types[one.name]
            if isinstance(kind, type) and issubclass(kind, Settings):
                values[one.name] = settings_from(given, one.name, kind, machine["settings"].get(one.name, {}))
            else:
                value = getattr(given, one.name)
                values[one.name] = [] if value is None and _plain(kind)[1] else value
        values["device"] = values["device"] or machine["device"]
        return cls(**values)

    @classmethod
    def parser(cls) -> argparse.ArgumentParser:
        """Return the parser of the job's options."""
        parser = argparse.ArgumentParser(
            description=getattr(sys.modules.get(cls.__module__), "__doc__", None) or cls.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for one in _fields(cls):
            kind = cls.types[one.name]
            if isinstance(kind, type) and issubclass(kind, Settings):
                add_flags(parser, one.name, kind)
            else:
                _add_option(parser, one, kind)
        return parser

    def begin(self) -> None:
        """Set up logging, threads and GPUs."""
        handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
        if self.log:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            handlers.append(logging.FileHandler(self.log, mode="a", encoding="utf-8"))
        for handler in handlers:
            handler.setFormatter(SecretsHidden("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # else a line for each request
        for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
            os.environ[variable] = str(self.threads)
        # Threads that spin long make a job many times slower when the cores are shared; threads that never spin
        # (OMP_WAIT_POLICY=PASSIVE) cost a small model 40 % of its training speed.
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        if os.environ.get(IS_WARM):
            self._limit_loaded_libraries()
        each = gpus.jobs_per_gpu()
        if self.gpus and self.device != "cpu" and each:
            taken = gpus.take_gpus(self.gpus, gpus.visible_gpus(), each=each)
            policy = getattr(self, "policy", None)
            if getattr(policy, "backend", "") != "server":  # a job that asks one decides which it uses
                end_kept(taken, small=False)
        set_job_gpus(self.gpus / max(each, 1) if self.device != "cpu" else 0)

    def _limit_loaded_libraries(self) -> None:
        """Set the threads of libraries that were loaded before this job's environment was."""
        import threadpoolctl

        threadpoolctl.threadpool_limits(self.threads)
        if "torch" in sys.modules:
            self.use_threads()

    def _machine(self) -> dict[str, Any]:
        return _parse_machine(self.machine)

    def _files(self, role: str) -> list[Path]:
        """Return the files that the job was given in a role."""
        found = [getattr(self, one.name) for one in _fields(type(self)) if one.metadata.get("role") == role]
        return [path for value in found if value for path in (value if isinstance(value, list) else [value])]

    def _settings(self) -> dict[str, Any]:
        """Return the blocks of settings and the job's own options, as the sidecar keeps them."""
        common = {one.name for one in dataclasses.fields(Job)}
        kept: dict[str, Any] = {}
        for one in _fields(type(self)):
            value = getattr(self, one.name)
            if isinstance(value, Settings):
                kept[one.name] = value.model_dump()
            elif one.metadata.get("role") == "option" and one.name not in common:
                kept[one.name] = str(value) if isinstance(value, Path) else value
        return kept


def _fields(kind: type[Job]) -> list[dataclasses.Field[Any]]:
    """Return the fields that are options: the job's own, then those of all jobs."""
    common = {one.name for one in dataclasses.fields(Job)}
    found = [one for one in dataclasses.fields(kind) if one.init]
    return sorted(found, key=lambda one: one.name in common)


def _parse_machine(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
        return {"device": str(given.get("device", "auto")), "prices": dict(given.get("prices", {})),
                "settings": dict(given.get("settings", {}))}  # fmt: skip
    except (ValueError, TypeError, AttributeError) as error:
        raise UserError(f"--machine: not the JSON of a machine ({error}); give device, prices and settings") from None


def _add_option(parser: argparse.ArgumentParser, one: dataclasses.Field[Any], kind: Any) -> None:
    """Add the option of a field: a list takes several values, a truth value none."""
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    required = default is MISSING
    inner, many, choices = _plain(kind)
    text = one.metadata["help"]
    if not required and default not in (None, False, "", []):
        text += f" (default: {default})"
    flag = f"--{one.name.replace('_', '-')}"
    text = text.replace("%", "%%")
    if inner is bool:
        parser.add_argument(flag, action="store_true", default=False, help=text)
        return
    how: dict[str, Any] = {"type": inner, "choices": choices}
    if many:
        how["nargs"] = "+" if required else "*"
    parser.add_argument(flag, required=required, default=None if required else default, help=text, **how)


def _plain(kind: Any) -> tuple[Any, bool, tuple[Any, ...] | None]:
    """Return the type of one value, whether there are several, and the values allowed."""
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(one for one in get_args(kind) if one is not type(None))
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)
    if get_origin(kind) is Literal:
        return str, many, get_args(kind)
    return kind, many, None
