"""Checks against rules, and comparisons."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path as _Path
from typing import Any, Iterator, Optional, Union

from . import _native
from ._options import Option, Path, arguments
from ._recording import Recording

Recordings = Union[Path, Recording, Iterable[Union[Path, Recording]]]


class Check:
    """The results of rules. `str` of it is the text of `rtoscope check`."""

    def __init__(self, document: dict[str, Any], text: str) -> None:
        #: The document of `rtoscope check`.
        self.document = document
        self._text = text

    @property
    def passed(self) -> bool:
        """Whether all rules passed; an undecided one has not."""
        return not self.document["failed"] and not self.document["undecided"]

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of all recordings."""
        return [result for recording in self.document["recordings"] for result in recording["results"]]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The results of rules that a recording violates."""
        return [result for result in self.results if result["outcome"] == "failed"]

    @property
    def undecided(self) -> list[dict[str, Any]]:
        """The results of rules that a recording does not decide."""
        return [result for result in self.results if result["outcome"] == "undecided"]

    def totals(self) -> str:
        """How many rules passed, failed and are undecided."""
        lines = self._text.splitlines()
        return next(line for line in reversed(lines) if not line.startswith("To explain"))

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<rtoscope.Check: {self.totals()}>"


def check(recordings: Recordings, rules: Optional[Path] = None, **options: Option) -> Check:
    """Checks recordings against rules: paths, or open recordings.

    `rules` is a file, or the text of one if it has several lines; without it, the rules are those
    of the project's file. The options are those of `rtoscope check`: `fail_on`, the scope and, for
    paths, the options of `rtoscope.open`.
    """
    given = _list(recordings)
    opened = [recording for recording in given if isinstance(recording, Recording)]
    if opened and len(opened) < len(given):
        raise TypeError("either open recordings, or paths")
    config = opened[0]._config if opened else {}
    files = [it.file if isinstance(it, Recording) else os.fspath(it) for it in given]
    with _rules_file(rules) as path:
        words = arguments({**config, "rules": path, **options})
        natives = [recording._native for recording in opened]
        document, text = _native.check([*words, "--", *files], natives)
    return Check(json.loads(document), text)


class RulesViolated(AssertionError):
    """Rules that a recording violates or does not decide."""

    def __init__(self, results: Check, recording: Recording) -> None:
        self.check = results
        self._recording = recording
        names = ", ".join(result["name"] for result in results.failed + results.undecided)
        super().__init__(f"{recording.file}: {results.totals()}: {names}")

    def commands(self) -> list[str]:
        """The commands that explain the events of the worst violations."""
        results = self.check.failed + self.check.undecided
        events = (offender["event"] for result in results for offender in result["worst"])
        known = dict.fromkeys(event for event in events if event is not None)
        words = ["rtoscope", "critical-path", self._recording.file, *arguments(self._recording._options)]
        return [shlex.join([*words, "--event", str(event)]) for event in known]

    def details(self) -> str:
        """The results, with the offenders and the commands that explain their events."""
        lines = [line for line in str(self.check).splitlines() if not line.startswith("To explain")]
        return "\n".join([*lines, *self.commands()])


def assert_trace(recording: Recording, rules: Optional[Path] = None, **options: Option) -> None:
    """Fails unless an open recording passes all rules; the parameters are those of `check`.

    In pytest, a section of the failure has the offenders and the commands that explain their events.
    """
    __tracebackhide__ = True
    results = check(recording, rules, **options)
    if not results.passed:
        raise RulesViolated(results, recording)


def compare(before: Recordings, after: Recordings, **options: Option) -> dict[str, Any]:
    """Compares recordings: the document of `rtoscope compare`. With several on each side, a figure
    has changed if their ranges are disjoint.

    The options are those of `rtoscope.open`, for paths.
    """

    def natives(recordings: Recordings) -> list[_native.Recording]:
        every = (it if isinstance(it, Recording) else Recording(it, **options) for it in _list(recordings))
        return [recording._native for recording in every]

    document: dict[str, Any] = json.loads(_native.compare(natives(before), natives(after)))
    return document


def _list(recordings: Recordings) -> list[Union[Path, Recording]]:
    if isinstance(recordings, (str, os.PathLike, Recording)):
        return [recordings]
    return list(recordings)


@contextmanager
def _rules_file(rules: Optional[Path]) -> Iterator[Optional[Path]]:
    if not isinstance(rules, str) or "\n" not in rules:
        yield rules
        return
    with tempfile.TemporaryDirectory(prefix="rtoscope-") as folder:
        path = _Path(folder, "rules.toml")
        path.write_text(rules, encoding="utf-8")
        yield path
