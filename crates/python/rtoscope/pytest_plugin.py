"""A plugin of pytest: the fixture `trace`, and what the rules of `assert_trace` found."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, Optional

import pytest

from ._check import RulesViolated
from ._options import Option
from ._recording import Recording, open

_MARKER = "trace(file, **options): the recording of the fixture `trace`, relative to the test's folder"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rtoscope", "recordings")
    group.addoption("--recording", metavar="FILE", help="recording of the fixture `trace`, for tests without the marker")
    group.addoption(
        "--recording-option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="option of rtoscope.open, such as clock=25MHz, for all recordings of the fixture `trace`; repeatable",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session")
def _open_traces() -> dict[tuple[str, str], Recording]:
    """Tests of one recording open it once."""
    return {}


@pytest.fixture
def trace(request: pytest.FixtureRequest, _open_traces: dict[tuple[str, str], Recording]) -> Recording:
    """The open recording of the marker `trace`, or else of the option `--recording`."""
    marker = request.node.get_closest_marker("trace")
    file: Optional[Path] = None
    options: dict[str, Option] = {}
    for given in request.config.getoption("--recording-option"):
        name, _, value = given.partition("=")
        options[name.replace("-", "_")] = value
    if marker is not None:
        file = request.path.parent / marker.args[0]
        options.update(marker.kwargs)
    elif request.config.getoption("--recording"):
        file = request.config.invocation_params.dir / request.config.getoption("--recording")
    if file is None:
        pytest.fail("no recording: mark the test with `trace`, or give --recording FILE", pytrace=False)
    key = (str(file), _key(options))
    if key not in _open_traces:
        _open_traces[key] = open(file, **options)  # type: ignore[arg-type]
    return _open_traces[key]


def _key(options: Mapping[str, Any]) -> str:
    return repr(sorted(options.items()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    violated = call.excinfo.value if call.excinfo is not None else None
    if isinstance(violated, RulesViolated):
        report.sections.append(("rtoscope check", violated.details()))
    return report
