"""The settings and files of a finished run, put together again for single use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from burnqed import config
from burnqed.files import UserError, read_json

BLOCKS: dict[str, type[config.Settings]] = {
    "search": config.SearchSettings,
    "policy": config.PolicySettings,
    "encoder": config.EncoderSettings,
    "prover": config.ProverSettings,
    "verify": config.VerifySettings,
    "model": config.ModelSettings,
    "evaluation": config.EvaluationSettings,
}


def _newest_in(results: Path) -> Path | None:
    found = [
        (int(match.group(1)), path)
        for path in results.glob("iter_*")
        if (match := re.fullmatch(r"iter_(\d+)", path.name)) and (path / "model" / "config.json").is_file()
    ]
    return max(found)[1] if found else None


def newest_iteration(results: Path) -> Path | None:
    """Return the folder of the newest iteration that has a finished model, None when there is none.

    A folder of several runs stands for the one whose newest model was finished last.
    """
    own = _newest_in(results)
    if own is not None:
        return own
    runs = [found for folder in sorted(results.glob("*/")) if (found := _newest_in(folder))]
    return max(runs, key=lambda path: (path / "model" / "config.json").stat().st_mtime, default=None)


def recorded_blocks(iteration: Path) -> dict[str, Any]:
    """Return the settings that an iteration's evaluation or search was run with, empty without one."""
    candidates = [
        # The evaluation with the head comes first: only it records the encoder's settings.
        *sorted((iteration / "eval").glob("*.json.meta.json"), reverse=True),
        *sorted((iteration / "search").glob("*/*.parquet.meta.json")),
    ]
    for path in candidates:
        settings = read_json(path).get("settings")
        if isinstance(settings, dict) and "prover" in settings:
            return dict(settings)
    return {}


def _parse_setting(text: str) -> tuple[str, str, Any]:
    place, equals, value = text.partition("=")
    block, dot, key = place.partition(".")
    if not equals or not dot:
        raise UserError(f"--set {text}: write BLOCK.KEY=VALUE, for example --set search.temperature=1.0")
    if block not in BLOCKS:
        hint = config.nearest(block, BLOCKS) if block not in config.Config.model_fields else "it plays no part here"
        raise UserError(f"--set {text}: no block '{block}'; {hint}; blocks are {', '.join(BLOCKS)}")
    try:
        return block, key, json.loads(value)
    except json.JSONDecodeError:
        return block, key, value


def yaml_problem(error: Exception) -> str:
    """Return what is wrong with a YAML text, and where, on one line."""
    mark = getattr(error, "problem_mark", None)
    place = f"line {mark.line + 1}: " if mark else ""
    return place + " ".join(str(getattr(error, "problem", None) or error).split())


def read_config_file(path: Path) -> dict[str, Any]:
    """Read a YAML configuration file; raise UserError naming it when it is missing or damaged."""
    try:
        import yaml
    except ImportError as error:
        raise UserError("--config: needs the package pyyaml; give single settings with --set instead") from error
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; give the configuration of the run") from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}; give a YAML file") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not readable as YAML ({yaml_problem(error)}); fix that line") from error
    if not isinstance(value, dict):
        raise UserError(f"{path}: not a configuration; it needs keys and values")
    return value


def load_blocks(
    recorded: Mapping[str, Any], file: Path | None, changes: Sequence[str]
) -> tuple[dict[str, config.Settings], str]:
    """Return the settings by block and the quantisation.

    Later sources win: defaults, what the run recorded, the configuration file, single settings.
    Raises UserError naming the key that is wrong.
    """
    values: dict[str, dict[str, Any]] = {name: {} for name in BLOCKS}
    quantization = str(recorded.get("quantization", "none"))
    layers: list[Mapping[str, Any]] = [recorded]
    if file is not None:
        given = read_config_file(file)
        unknown = [name for name in given if name not in config.Config.model_fields]
        if unknown:
            hint = config.nearest(unknown[0], config.Config.model_fields)
            raise UserError(f"{file}: {unknown[0]}: unknown key; {hint}")
        layers.append(given)
        types, hardware = given.get("hardware_types"), given.get("hardware")
        if isinstance(types, dict) and isinstance(types.get(hardware), dict):
            quantization = str(types[hardware].get("quantization", quantization))
    for layer in layers:
        for name, block in layer.items():
            if name in values and isinstance(block, Mapping):
                # A newer version may know fewer keys than the one that made the run.
                known = BLOCKS[name].model_fields
                values[name].update({k: v for k, v in block.items() if layer is not recorded or k in known})
    for text in changes:
        block, key, value = _parse_setting(text)
        values[block][key] = value
    out: dict[str, config.Settings] = {}
    for name, kind in BLOCKS.items():
        try:
            out[name] = kind.model_validate(values[name])
        except ValidationError as error:
            raise UserError("\n  ".join(config.explain(error, name))) from None
    return out, quantization
