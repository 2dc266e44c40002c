"""Settings as command-line options: for the parsers of scripts, and for the commands of the workflow."""

from __future__ import annotations

import argparse
import shlex
import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError

from burnqed.config.base import Settings, value_shown
from burnqed.files import UserError

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
    """Add ``--block.key`` options for every key of a settings class, with its default in the help."""
    group = parser.add_argument_group(f"{block} settings", kind.__doc__)
    for name, info in kind.model_fields.items():
        value_type, is_list = _plain_type(info.annotation)
        choices = None
        if get_origin(value_type) is Literal:
            choices, value_type = get_args(value_type), str
        default = info.get_default(call_default_factory=True)
        group.add_argument(
            f"--{block}.{name}",
            type=_to_bool if value_type is bool else value_type,
            nargs="*" if is_list else None,
            choices=choices,
            metavar=None if choices else name.upper(),
            help=f"{info.description} (default: {default})".replace("%", "%%"),
        )


def settings_from(
    args: argparse.Namespace, block: str, kind: type[S], machine: Mapping[str, object] | None = None
) -> S:
    """Return the settings given by the options of ``add_flags``; raise UserError when one is wrong.

    ``machine``: defaults of this machine for its own settings, used where no option is given.
    """
    values = {name: value for name, value in (machine or {}).items() if name in kind.keys_of("machine")}
    values |= {name: given for name in kind.model_fields if (given := vars(args)[f"{block}.{name}"]) is not None}
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"--{block}.{first['loc'][0]}: {first['msg']}{value_shown(first)}") from None


def flags(block: str, settings: Settings) -> list[str]:
    """Return the command-line options that give these settings, but those of the machine and the plan, each quoted for a shell."""
    found = []
    untold = settings.keys_of("machine") | settings.keys_of("plan")
    for name, value in settings.model_dump(exclude=set(untold)).items():
        values = [str(item) for item in value] if isinstance(value, list) else [_word(value)]
        found.append(shlex.join([f"--{block}.{name}", *values]))
    return found


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
