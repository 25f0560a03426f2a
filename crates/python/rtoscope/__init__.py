"""rtoscope: opens and analyses event traces of real-time operating systems.

    import rtoscope

    trace = rtoscope.open("trace.trx", clock="25MHz")
    slices = polars.DataFrame(trace["slices"])

Options of the command are parameters here: `--input-format rkh` is `input_format="rkh"`, an option
that can be repeated takes a list, `--from` is `from_`, and `-O key=value` is
`settings={"key": "value"}`.
"""

from ._check import Check, RulesViolated, assert_trace, check, compare
from ._live import live
from ._native import Error
from ._recording import Column, Lane, Recording, Table, open, tables

__all__ = [
    "Check",
    "Column",
    "Error",
    "Lane",
    "Recording",
    "RulesViolated",
    "Table",
    "assert_trace",
    "check",
    "compare",
    "live",
    "open",
    "tables",
]
