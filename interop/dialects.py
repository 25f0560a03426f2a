"""Datasets, and the answers of rtoscope itself to its views and canned queries, with which
other engines are compared."""

import json
import os
import re
import shutil
import subprocess
from decimal import Decimal
from functools import cache
from pathlib import Path

import pyarrow
import pyarrow.parquet
from conftest import OWN, RTOSCOPE, _exports, export, run, traces

SQL = Path(os.environ.get("RTOSCOPE_SQL_BIN") or RTOSCOPE.with_name("rtoscope-sql"))

# Of all formats; with several cores, inversions, a clock that stands still, damage.
RECORDINGS = (
    "cm3_dwt_zero.trx",
    "cm3_system.trx",
    "linux32_inv_nondet.trx",
    "linux32_services_all.trx",
    "rv64_system.trx",
    "ahsm_all.bin",
    "dmg_flip.bin",
    "memory.bin.gz",
)

# A name with what dialects escape in texts and patterns.
HOSTILE_NAME = "it's ${x} \\ 50%_"

PARAMETERS = {
    "cpu-over-time": ["n=7"],
    "worst-wakeup": ["n=3"],
    "running-while-ready": [
        "thread=a%",
        "thread=" + HOSTILE_NAME.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_"),
        "thread=\\i_'s ${x} \\\\%",
        "thread=a\\",
    ],
}


def emit(dialect, *arguments):
    """A script for another engine."""
    return _run("--emit", dialect, *arguments).decode()


def statements(script):
    """The statements of a script, whose texts have no `;`."""
    lines = [line for line in script.split("\n") if not line.startswith("--")]
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]


def views():
    return tuple(re.findall(r"^CREATE OR REPLACE VIEW (\w+)", emit("datafusion"), re.M))


def queries():
    """The canned queries, with settings of their parameters."""
    names = [line.split()[0] for line in _run("--list").decode().splitlines()]
    settings = ((name, setting) for name in names for setting in PARAMETERS.get(name, ()))
    return (*((name, None) for name in names), *settings)


def query(dialect, name, setting, *arguments):
    """The text of a canned query."""
    words = ["--set", setting] if setting else []
    return emit(dialect, "--named", name, *words, *arguments)


@cache
def dataset():
    """The folder of a dataset of several recordings."""
    folder = _exports() / "dataset"
    if folder.exists():
        return folder
    for trace in traces():
        if trace.path.name in RECORDINGS:
            export(trace, "parquet", folder, "--tag", f"device={trace.format}")
    # Of unknown frequency.
    unknown = OWN / "threadx" / "smp32_cores.trx"
    run("export", unknown, "--to", "parquet", "--output", folder, "--tag", "device=unknown")
    return folder


@cache
def hostile_dataset():
    """The same with clocks and durations at the limits, and with a hostile name."""
    folder = _exports() / "hostile"
    shutil.copytree(dataset(), folder)
    for name in ("slices", "thread_states"):
        for path in (folder / name).rglob("*.parquet"):
            _rename(path)
    frequencies = (None, 0.0, 0.5, 1.0, 3.0, 1e6 / 3, 25e6, 1e9, 1e10, 2.0**53, -1.0, float("nan"))
    durations = (-5, 0, 1, 10**9 + 7, 2**53 + 1, 2**62, 2**63 - 1)
    qualities = ("good", "static", "event-counter", "unknown", "other", None)
    cases = [(f, d, qualities[at % 6]) for at, (f, d) in enumerate((f, d) for f in frequencies for d in durations)]
    ids = [f"limits-{at}" for at in range(len(cases))]
    same = {"file": ids, "recording_id": ids}
    clocks = {"frequency_hz": [f for f, _, _ in cases], "clock_quality": [q for _, _, q in cases]}
    _write(folder, "recordings", {**same, **clocks, "span_ns": [1] * len(ids), "cores": [1] * len(ids)})
    ticks = [d for _, d, _ in cases]
    _write(folder, "slices", {**same, "duration": ticks, "context": ids, "kind": ["thread"] * len(ids)})
    return folder


def _rename(path):
    table = pyarrow.parquet.read_table(path, partitioning=None)
    at = table.schema.get_field_index("context")
    names = [HOSTILE_NAME if name == "ui" else name for name in table.column(at).to_pylist()]
    field = table.schema.field(at)
    column = pyarrow.array(names, pyarrow.string()).cast(field.type)
    pyarrow.parquet.write_table(table.set_column(at, field, column), path)


def _write(folder, name, columns):
    """Adds a file to a table; other columns are null."""
    first = next(iter(sorted((folder / name).rglob("*.parquet"))))
    schema = pyarrow.parquet.read_schema(first)
    rows = len(columns["file"])
    fields = [field.with_nullable(True) for field in schema]
    arrays = [pyarrow.array(columns.get(field.name, [None] * rows), field.type) for field in fields]
    table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
    pyarrow.parquet.write_table(table, first.with_name("limits.parquet"))


@cache
def answers(folder):
    """What rtoscope answers on a dataset: the rows of each view and of each canned query."""
    results = _exports() / f"{folder.name}-answers"
    results.mkdir(exist_ok=True)
    commands = []
    for view in views():
        commands += [f".output {results}/{view}.jsonl", f"SELECT * FROM {view};"]
    for at, (name, setting) in enumerate(queries()):
        parameter, _, value = (setting or "").partition("=")
        words = [parameter + "='" + value.replace("'", "''") + "'"] if setting else []
        commands += [f".output {results}/{at}.jsonl", " ".join([f".named {name}", *words])]
    _run("--shell", "--format", "jsonl", folder, stdin="\n".join(commands) + "\n")
    found = {view: _rows(results / f"{view}.jsonl") for view in views()}
    numbered = {case: _rows(results / f"{at}.jsonl") for at, case in enumerate(queries())}
    return found | numbered


def _rows(path):
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def _run(*arguments, stdin=None):
    words = [str(SQL), "query", *map(str, arguments)]
    stdin = stdin.encode() if stdin else None
    done = subprocess.run(words, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


def assert_same(columns, rows, expected, in_order):
    """The same columns, values and types; in any order, unless rtoscope orders them."""
    expected = [list(row.items()) for row in expected]
    if expected:
        assert list(columns) == [name for name, _ in expected[0]]
    found = [[(name, _plain(value)) for name, value in zip(columns, row)] for row in rows]
    # `repr` keeps 1 and 1.0 apart.
    found, expected = [list(map(repr, rows)) for rows in (found, expected)]
    if not in_order:
        found.sort()
        expected.sort()
    assert found == expected


def _plain(value):
    """Where an engine has no unsigned types, 64-bit integers are decimals."""
    return int(value) if isinstance(value, Decimal) and value == int(value) else value
