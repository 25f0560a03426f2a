"""Parameters as options of a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Union

Path = Union[str, "os.PathLike[str]"]
Value = Union[str, int, float, bool, "os.PathLike[str]", None]
Option = Union[Value, Iterable[Value], Mapping[str, Value]]


def arguments(options: Mapping[str, Option]) -> list[str]:
    """The options; one that is None or False is not given."""
    words = []
    for name, given in options.items():
        if name == "settings":
            if not isinstance(given, Mapping):
                raise TypeError("settings must be a mapping, such as {'log-base': '0x20000000'}")
            words += [f"--setting={key}={_text(value)}" for key, value in given.items()]
            continue
        option = "--" + name.rstrip("_").replace("_", "-")
        values: Iterable[object] = [given]
        if isinstance(given, Iterable) and not isinstance(given, str):
            values = given
        for value in values:
            if value is True:
                words.append(option)
            elif value is not None and value is not False:
                words.append(f"{option}={_text(value)}")
    return words


def _text(value: object) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
