"""Settings as command-line options: for the parsers of scripts, and for the commands of the workflow."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import types
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError

from burnqed.artifacts import UserError
from burnqed.config.base import Settings
from burnqed.config.experiment import MACHINE_KEYS, MACHINE_SETTINGS

S = TypeVar("S", bound=Settings)


def _plain_type(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one value and whether the field is a list."""
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    if get_origin(annotation) in (Union, types.UnionType):
        return next(a for a in get_args(annotation) if a is not type(None)), False
    return annotation, False


def _to_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"true or false, not '{text}'")
    return text.lower() == "true"


def add_flags(parser: argparse.ArgumentParser, block: str, kind: type[Settings]) -> None:
    """Add ``--block.key`` options for every key of a settings class, with its default and help.

    A workflow gives the machine's settings by the environment (MACHINE_SETTINGS); they replace the defaults.
    """
    machine = json.loads(os.environ.get(MACHINE_SETTINGS, "{}")).get(block, {})
    group = parser.add_argument_group(f"{block} settings", kind.__doc__)
    for name, info in kind.model_fields.items():
        value_type, is_list = _plain_type(info.annotation)
        choices = None
        if get_origin(value_type) is Literal:
            choices, value_type = get_args(value_type), str
        default = machine.get(name, info.get_default(call_default_factory=True))
        group.add_argument(
            f"--{block}.{name}",
            type=_to_bool if value_type is bool else value_type,
            nargs="*" if is_list else None,
            choices=choices,
            default=default,
            metavar=None if choices else name.upper(),
            help=f"{info.description} (default: {default})".replace("%", "%%"),
        )


def settings_from(args: argparse.Namespace, block: str, kind: type[S]) -> S:
    """Return the settings given by the options of ``add_flags``; raise UserError when one is wrong."""
    given = vars(args)
    try:
        return kind.model_validate({name: given[f"{block}.{name}"] for name in kind.model_fields})
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"--{block}.{first['loc'][0]}: {first['msg']}; got {first['input']!r}") from None


def flags(block: str, settings: Settings) -> str:
    """Return the command-line options that give these settings, but those of the machine, quoted for a shell."""
    words: list[str] = []
    for name, value in settings.model_dump(exclude=set(MACHINE_KEYS.get(block, ()))).items():
        words.append(f"--{block}.{name}")
        if isinstance(value, list):
            words += [str(item) for item in value]
        else:
            words.append(str(value).lower() if isinstance(value, bool) else str(value))
    return shlex.join(words)
