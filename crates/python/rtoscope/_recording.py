"""Recordings and their tables."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional

from . import _native
from ._options import Option, Path, arguments

# The options that a check needs as the recording has them.
_CONFIG = ("config", "no_config")


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    type: str
    unit: Optional[str]
    about: str


@dataclass(frozen=True)
class _Description:
    about: str
    columns: tuple[Column, ...]


_TABLES = {
    name: _Description(about, tuple(Column(*column) for column in columns))
    for name, about, columns in _native.tables()
}


def tables() -> list[str]:
    """The names of all tables."""
    return list(_TABLES)


def open(file: Path, *, elf: Optional[Path] = None, **options: Option) -> Recording:
    """Opens a recording: a file, or the folder of a capture.

    The options are those of `rtoscope info` and of declared timing: `clock`, `elf` or `symbols`,
    `config`, `buffer`, `at`, `input_format`, `settings`, `pipeline`, `interval`, `text_log`.
    """
    return Recording(file, symbols=elf, **options) if elf is not None else Recording(file, **options)


class Table:
    """Some columns of a table of a recording.

    pandas, polars, DuckDB, pyarrow and others read it through Arrow's PyCapsule interface:
    `polars.DataFrame(table)`, `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`. Rows
    are computed as they are read.
    """

    def __init__(self, native: _native.Table, name: str, columns: tuple[Column, ...], parent: Recording) -> None:
        self._native = native
        self._parent = parent
        self.name = name
        self.columns = columns

    @property
    def about(self) -> str:
        """What a row is."""
        return _TABLES[self.name].about

    def select(self, *columns: str) -> Table:
        """The columns with these names, in this order. The others are not computed."""
        native = self._parent._native.table(self.name, list(columns))
        by_name = {column.name: column for column in _TABLES[self.name].columns}
        return Table(native, self.name, tuple(by_name[name] for name in columns), self._parent)

    def __len__(self) -> int:
        return len(self._native)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<rtoscope.Table {self.name}: {len(self)} rows, {len(self.columns)} columns>"


class _Tables(Mapping[str, Table]):
    """The tables of a recording by name."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def __getitem__(self, name: str) -> Table:
        columns = _TABLES[name].columns
        return Table(self._recording._native.table(name), name, columns, self._recording)

    def __iter__(self) -> Iterator[str]:
        return iter(_TABLES)

    def __len__(self) -> int:
        return len(_TABLES)


class Recording:
    """An open recording; `rtoscope.open` opens one."""

    def __init__(self, file: Path, **options: Option) -> None:
        self.file = os.fspath(file)
        # What other commands need to read it.
        self._options = {name: value for name, value in options.items() if name != "text_log"}
        self._native = _native.open(self.file, [*arguments(options), "--", self.file])

    @property
    def _config(self) -> dict[str, Option]:
        return {name: self._options[name] for name in _CONFIG if name in self._options}

    @property
    def tables(self) -> Mapping[str, Table]:
        """All tables by name; `recording["slices"]` is one of them."""
        return _Tables(self)

    def __getitem__(self, table: str) -> Table:
        return self.tables[table]

    @cached_property
    def info(self) -> dict[str, Any]:
        """The document of `rtoscope info`: format, clock, contents, problems."""
        document: dict[str, Any] = json.loads(self._native.info)
        return document

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """The problems of the recording."""
        found: list[dict[str, Any]] = self.info["diagnostics"]
        return found

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the analysis points out, the most severe first."""
        found: list[dict[str, Any]] = self.report("health")["findings"]
        return found

    def report(self, *reports: str, **options: Option) -> dict[str, Any]:
        """The document of `rtoscope report`: the named reports, or all.

        The options are those of the scope and of `rtoscope report`: `from_="1ms"`, `to`,
        `threads`, `core`, `context`, `windows`.
        """
        words = [*arguments(self._config), *arguments(options), "--", self.file, *reports]
        document: dict[str, Any] = json.loads(self._native.report(words))
        return document

    def lane(self, context: str) -> Lane:
        """The lane of a thread, or of another context, for a notebook. Names are as in reports;
        patterns such as `net*` and addresses select the first one that matches."""
        return Lane(context, self._native.lane(context))

    def _repr_html_(self) -> str:
        return _frame(self._native.glance(), 560)

    def __repr__(self) -> str:
        return f"<rtoscope.Recording {self.file!r}: {self.info['format']}, {self.info['events']} events>"


@dataclass(frozen=True, repr=False)
class Lane:
    """What a context did over time, which a notebook shows."""

    context: str
    #: A page with the lane.
    html: str

    def _repr_html_(self) -> str:
        return _frame(self.html, 130)

    def __repr__(self) -> str:
        return f"<rtoscope.Lane {self.context!r}>"


def _frame(page: str, height: int) -> str:
    """A page in a frame, so that its style does not change the notebook."""
    source = html.escape(page, quote=True)
    return f'<iframe srcdoc="{source}" width="100%" height="{height}" style="border: 0" sandbox></iframe>'
