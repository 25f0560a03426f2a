"""Datasets, and the answers of rtoscope itself to its views and canned queries, with which
other engines are compared."""

import json
import re
import shutil
import tempfile
from decimal import Decimal
from functools import cache
from pathlib import Path

import pyarrow
import pyarrow.parquet
from conftest import OWN, SQL, _exports, execute, export, generate, run, traces

# Of all formats; with several cores, inversions, a clock that stands still, damage.
RECORDINGS = (
    "cm3_dwt_zero.trx",
    "cm3_midinsert.trx",
    "linux32_inv_nondet.trx",
    "linux32_services_all.trx",
    "rv64_system.trx",
    "ahsm_all.bin",
    "dmg_flip.bin",
    "memory.bin.gz",
)

# A name with what dialects escape in texts and patterns.
HOSTILE_NAME = "it's ${x} \\ 50%_"

# Datasets on which not all views are compared.
VIEWS = {"limits": ("cpu_time", "cpu_by_second"), "complete": ("cpu_time", "cpu_by_second"), "fleet": ("recording_metrics",)}

# What is asked of each dataset: canned queries have their parameter, or nothing.
SETTINGS = {
    "recordings": [("cpu-over-time", "n=7"), ("worst-wakeup", "n=3")],
    "limits": [
        ("cpu-by-thread", None),
        ("running-while-ready", None),
        ("running-while-ready", "thread=it's ${x} \\\\ 50\\%\\_"),
        ("running-while-ready", "thread=\\i_'s ${x} \\\\%"),
    ],
    "fleet": [("firmware-regressions", "z=1"), ("worst-devices", "n=2"), ("device-history", "device=d1%")],
}


@cache
def emit(dialect, *arguments):
    """A script for another engine."""
    return _run("--emit", dialect, *arguments).decode()


def statements(script):
    """The statements of a script, whose texts have no `;`."""
    lines = [line for line in script.split("\n") if not line.startswith("--")]
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]


@cache
def views(name):
    """The views to compare on a dataset."""
    if name in VIEWS:
        return VIEWS[name]
    return tuple(re.findall(r"^CREATE OR REPLACE VIEW (\w+)", emit("datafusion"), re.M))


@cache
def _list():
    """The list of canned queries."""
    return _run("--list").decode().splitlines()


@cache
def queries(name):
    """The canned queries to compare on a dataset, with settings of their parameters."""
    lines = [] if name in ("limits", "complete") else _list()
    needs_tags = name == "fleet"
    names = [line.split()[0] for line in lines if (" [tags " in line) == needs_tags]
    # Few devices are no evidence.
    defaults = [(query, None) for query in names if query != "firmware-regressions"]
    return (*defaults, *SETTINGS.get(name, []))


@cache
def tables(name):
    """The tables to compare on a dataset."""
    if name == "limits":
        # JSON has no NaN, a frequency of `recordings`.
        return ["flows", "mutex_holds", "slices", "thread_states"]
    if name == "fleet":
        # Its tags are the same in all tables, which `recordings` compares.
        return ["events", "findings", "recordings", "slices"]
    return sorted(path.stem for path in dataset(name).glob("[!.]*"))


def query(dialect, name, setting, *arguments):
    """The text of a canned query."""
    words = ["--set", setting] if setting else []
    return emit(dialect, "--named", name, *words, *arguments)


@cache
def _recordings_dataset():
    """The folder of a dataset of several recordings."""
    folder = _exports() / "recordings"
    for trace in traces():
        if trace.path.name in RECORDINGS:
            export(trace, "parquet", folder, "--tag", f"device={trace.format}")
    # Of unknown frequency.
    unknown = OWN / "threadx" / "smp32_cores.trx"
    run("export", unknown, "--to", "parquet", "--output", folder, "--tag", "device=unknown")
    return folder


@cache
def _limits_dataset():
    """The same with clocks and durations at the limits, and with a hostile name."""
    folder = _exports() / "limits"
    shutil.copytree(_recordings_dataset(), folder)
    for name in ("slices", "thread_states"):
        for path in (folder / name).rglob("*.parquet"):
            _rename(path)
    frequencies = (None, 0.0, 0.5, 1.0, 3.0, 1e6 / 3, 25e6, 1e9, 1e10, 2.0**53, -1.0, float("nan"))
    durations = (-5, 0, 1, 10**9 + 7, 2**53 + 1, 2**62, 2**63 - 1)
    qualities = ("good", "static", "event-counter", "lossy", "uneven", "unknown", "other")
    cases = [(f, d, qualities[at % 7]) for at, (f, d) in enumerate((f, d) for f in frequencies for d in durations)]
    ids = [f"limits-{at}" for at in range(len(cases))]
    same = {"file": ids, "recording_id": ids}
    clocks = {"frequency_hz": [f for f, _, _ in cases], "clock_quality": [q for _, _, q in cases]}
    _write(folder, "recordings", {**same, **clocks, "span_ns": [1] * len(ids), "cores": [1] * len(ids)})
    # Files have a whole number of ticks per second, up to 2⁵³.
    hertz = [None if f is None or not 1 <= f <= 2**53 else int(f) for f, _, _ in cases]
    ticks = [d for _, d, _ in cases]
    # As of damaged recordings: durations do not follow from other columns.
    _write(folder, "slices", {**same, "duration": ticks, "context": ids, "kind": ["thread"] * len(ids)})
    ends = {"start": [0] * len(ids), "end": ticks}
    _write(folder, "mutex_holds", {**same, **ends, "ticks_per_second": hertz})
    times = {"from_time": [0] * len(ids), "to_time": ticks}
    _write(folder, "flows", {**same, **times, "ticks_per_second": hertz})
    # Nothing follows, although there is a frequency.
    kept = {"start": 10, "end": 5, "duration": 7, "start_ns": 1, "end_ns": 3, "duration_ns": 4}
    row = {"file": "damaged", "recording_id": "damaged", "ticks_per_second": 1, **kept}
    _write(folder, "mutex_holds", {name: [value] for name, value in row.items()}, "damaged")
    return folder


@cache
def _complete_dataset():
    """Tables with all columns and with the tag as one, as files and as folders."""
    folder = _exports() / "complete"
    folder.mkdir()
    names = ("linux32_inv_nondet.trx", "linux32_services_all.trx")
    several = [trace for trace in traces("threadx") if trace.path.name in names]
    for at, name in enumerate(tables("recordings")):
        path = folder / f"{name}.parquet" if at % 2 else folder / name / "all.parquet"
        path.parent.mkdir(exist_ok=True)
        export(several, "parquet", path, "--table", name, "--tag", "device=threadx")
    return folder


@cache
def _fleet_dataset():
    """The folder of recordings of several devices and versions, on two days; one version has a
    clock of half the frequency, so that everything takes twice as long."""
    folder = _exports() / "fleet"
    with tempfile.TemporaryDirectory() as made:
        for at in range(12):
            trace = Path(made) / f"{at}.trx"
            firmware = ("1.9", "1.10", "2.0")[at % 3]
            generate(trace, "threadx", "--events", 400, "--seed", at + 1)
            run(
                *("export", trace, "--to", "parquet", "--output", folder),
                *("--clock", "5MHz" if firmware == "2.0" else "10MHz"),
                *("--tag", f"device=d{at}", "--tag", f"firmware=v{firmware}"),
                *("--tag", f"day=2026-03-0{1 + at // 6}", "--tag", f"recorded_at=06.00.{at:02}"),
            )
    return folder


def _rename(path):
    table = pyarrow.parquet.read_table(path, partitioning=None)
    at = table.schema.get_field_index("context")
    names = [HOSTILE_NAME if name == "ui" else name for name in table.column(at).to_pylist()]
    field = table.schema.field(at)
    column = pyarrow.array(names, pyarrow.string()).cast(field.type)
    pyarrow.parquet.write_table(table.set_column(at, field, column), path)


def _write(folder, name, columns, stem="limits"):
    """Adds a file to a table; other columns are null, or zero if they cannot be null."""
    first = next(iter(sorted((folder / name).rglob("*.parquet"))))
    schema = pyarrow.parquet.read_schema(first)
    if "ticks_per_second" in columns:
        # As in files of the first versions, which lack what follows from other columns.
        for column in ("duration", "latency", *(column for column in schema.names if column.endswith("_ns"))):
            if column in schema.names and column not in columns:
                schema = schema.remove(schema.get_field_index(column))
    for column in columns:
        if column not in schema.names:
            schema = schema.append(pyarrow.field(column, pyarrow.int64()))
    rows = len(columns["file"])
    arrays = []
    for field in schema:
        is_text = pyarrow.types.is_string(field.type) or pyarrow.types.is_dictionary(field.type)
        zero = None if field.nullable else "" if is_text else 0
        arrays.append(pyarrow.array(columns.get(field.name, [zero] * rows)).cast(field.type))
    table = pyarrow.Table.from_arrays(arrays, schema=schema)
    pyarrow.parquet.write_table(table, first.with_name(f"{stem}.parquet"))


def dataset(name):
    """The folder of a dataset: `recordings`, `limits`, `complete` or `fleet`."""
    made = {
        "recordings": _recordings_dataset,
        "limits": _limits_dataset,
        "complete": _complete_dataset,
        "fleet": _fleet_dataset,
    }
    return made[name]()


# How many questions a process answers: many, because it takes long to start; but a test
# waits for all of them.
QUESTIONS = 12


def answer(name, question):
    """What rtoscope answers on a dataset: the rows of a table, a view, or a canned query with
    its setting."""
    [group] = [group for group in (tables, views, queries) if question in group(name)]
    at = group(name).index(question)
    return _answers(name, group, at // QUESTIONS)[at % QUESTIONS]


@cache
def _answers(name, group, part):
    questions = group(name)[part * QUESTIONS :][:QUESTIONS]
    return ask(dataset(name), map(_command, questions))


def _command(question):
    if isinstance(question, str):
        return f"SELECT * FROM {question};"
    query, setting = question
    return f'.named {query} "{setting}"' if setting else f".named {query}"


def ask(folder, commands):
    """The rows that rtoscope answers to each command or statement, in one process."""
    results = Path(tempfile.mkdtemp(dir=_exports()))
    commands, lines = list(commands), []
    for at, command in enumerate(commands):
        lines += [f".output {results}/{at}.jsonl", command]
    _run("--shell", "--format", "jsonl", folder, stdin="\n".join(lines) + "\n")
    return [_rows(results / f"{at}.jsonl") for at in range(len(commands))]


def _rows(path):
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def _run(*arguments, stdin=None):
    done = execute(SQL, "query", *arguments, input=stdin and stdin.encode())
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
