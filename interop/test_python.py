"""The Python package: its tables, documents and plugin agree with the command."""

import json
import re
import subprocess
import sys

import duckdb
import pandas
import polars
import pyarrow
import pytest
from conftest import ROOT, generate, report, run, shared, table, traces, varied

rtoscope = pytest.importorskip("rtoscope", reason="`cargo xtask python` builds it")

pytest_plugins = ["pytester"]

SYSTEM = ROOT / "testdata/threadx/cm3_system.trx"
RULES = """
[[rule]]
table = "latency.threads"
row = "ui"
column = "wake_up.max"
max = "{limit}"
"""


def _options(trace):
    """The arguments of the command as parameters."""
    options, words = {}, list(trace.arguments)
    while words:
        word = words.pop(0)
        if word.startswith("-O"):
            key, _, value = (word[2:] or words.pop(0)).partition("=")
            options.setdefault("settings", {})[key] = value
        else:
            options[word.removeprefix("--")] = words.pop(0)
    return options


@shared
def _open(trace):
    return rtoscope.open(trace.path, **_options(trace))


@pytest.fixture
def system():
    return rtoscope.open(SYSTEM, clock="25MHz")


@pytest.mark.parametrize("trace", varied(), ids=str)
def test_every_table_is_that_of_the_export(trace):
    recording = _open(trace)
    for name, rows in recording.tables.items():
        read = pyarrow.table(rows)
        assert read.num_rows == len(rows), name
        assert read.column_names == [column.name for column in rows.columns], name
        assert read.schema == pyarrow.schema(rows), name
        assert read.to_pylist() == (table(trace, name) if read.num_rows else []), name


@pytest.mark.parametrize("trace", varied(), ids=str)
def test_documents_are_those_of_the_command(trace):
    recording = _open(trace)
    assert recording.report() == report(trace)
    assert recording.findings == report(trace)["findings"]
    info = json.loads(run("info", trace.path, *trace.arguments, "--format", "json"))
    assert recording.info == info
    assert recording.diagnostics == info["diagnostics"]


def test_pandas_polars_and_duckdb_read_tables(system):
    slices = system["slices"]
    expected = pyarrow.table(slices).column("duration").to_pylist()
    assert polars.DataFrame(slices)["duration"].to_list() == expected
    assert pandas.DataFrame.from_arrow(slices)["duration"].to_list() == expected
    assert duckdb.sql("SELECT sum(duration)::BIGINT FROM slices").fetchall() == [(sum(expected),)]
    some = pyarrow.table(slices.select("duration", "context"))
    assert some.column_names == ["duration", "context"]
    assert some.column("duration").to_pylist() == expected
    with pytest.raises(rtoscope.Error, match="no column 'x'|no column \"x\""):
        slices.select("x")


def test_texts_of_several_batches(tmp_path):
    """Each batch has a dictionary of its own."""
    path = tmp_path / "long.trx"
    generate(path, "threadx", "--events", 150_000)
    events = rtoscope.open(path)["events"].select("arguments")
    exported = run("export", path, "--to", "jsonl", "--table", "events", "--output", "-")
    expected = [json.loads(line)["arguments"] for line in exported.splitlines()]
    read = pyarrow.table(events)["arguments"]
    assert read.num_chunks > 1 and read.to_pylist() == expected
    assert pandas.DataFrame.from_arrow(events)["arguments"].tolist() == expected
    assert polars.DataFrame(events)["arguments"].to_list() == expected
    shown = sum("mutex" in text for text in expected)
    query = "SELECT count(*) FROM events WHERE arguments LIKE '%mutex%'"
    assert duckdb.sql(query).fetchall() == [(shown,)]


def test_a_scope_applies(system):
    whole, part = system.report("threads"), system.report("threads", to="1ms", threads=["ui"])
    assert part["end"] < whole["end"] and [row["name"] for row in part["threads"]] == ["ui"]


def test_check_and_compare(system):
    assert rtoscope.check(system, RULES.format(limit="5ms"))
    failed = rtoscope.check([SYSTEM], RULES.format(limit="3ms"), clock="25MHz")
    assert not failed and str(failed) == str(rtoscope.check(system, RULES.format(limit="3ms")))
    assert [result["worst"][0]["event"] for result in failed.failed] == [2313]
    document = rtoscope.compare(system, system)
    assert document == json.loads(run("compare", SYSTEM, SYSTEM, "--clock", "25MHz", "--format", "json"))


def test_errors_have_file_offset_and_cause(tmp_path):
    with pytest.raises(rtoscope.Error, match="missing.trx") as missing:
        rtoscope.open(tmp_path / "missing.trx")
    assert missing.value.file == str(tmp_path / "missing.trx") and missing.value.cause
    assert missing.value.offset is None
    damaged = tmp_path / "damaged.trx"
    damaged.write_bytes(SYSTEM.read_bytes()[:32])
    with pytest.raises(rtoscope.Error) as cut:
        rtoscope.open(damaged)
    assert cut.value.offset == 0, cut.value
    with pytest.raises(rtoscope.Error, match="--colour"):
        rtoscope.open(SYSTEM, colour="red")


def test_a_file_that_changes_is_an_error(tmp_path):
    path = tmp_path / "growing.trx"
    # Of larger files, the events stay there.
    generate(path, "threadx", "--events", "1100000")
    recording = rtoscope.open(path)
    path.write_bytes(path.read_bytes()[: 1 << 20])
    for read in [lambda: pyarrow.table(recording["events"]), lambda: recording.report("threads")]:
        with pytest.raises(Exception, match="changed while it was open"):
            read()


def test_a_notebook_shows_a_recording_and_a_lane(system):
    shown = system._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "cm3_system.trx" in shown
    assert all(pandas.io.common.escape(text) in shown for text in []) and shown.count("critical") > 1
    lane = system.lane("ui").html
    assert all(f'<path class="{state}"' in lane for state in ("running", "ready", "waiting"))
    with pytest.raises(rtoscope.Error, match="no context matches"):
        system.lane("nothing")


def test_live_returns_batches():
    batches = list(rtoscope.live(f"file://{SYSTEM}", clock="25MHz"))
    events = [event for batch in batches for event in batch]
    lines = run("live", f"file://{SYSTEM}", "--clock", "25MHz", "--format", "json").splitlines()
    assert events == [json.loads(line) for line in lines] and len(events) > 1000
    with pytest.raises(rtoscope.Error):
        list(rtoscope.live("file:///missing.trx"))


def test_an_iterator_ends_its_capture():
    batches = rtoscope.live("tcp-listen://localhost:0")
    batches.close()
    following = rtoscope.live(f"file://{SYSTEM}?follow=1", clock="25MHz")
    assert next(following)
    following.close()


def test_ctrl_c_interrupts(tmp_path):
    """The thread that works sees no signal; the interpreter does."""
    program = f"""
import os, signal, threading, rtoscope
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        rtoscope.open({str(SYSTEM)!r}, clock="25MHz").report()
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=100, check=True)
    assert done.stdout == b"interrupted\n"


def _python_blocks():
    page = (ROOT / "docs/src/python.md").read_text()
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_the_books_examples_run(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    names = {}
    blocks = [block for block in _python_blocks() if "assert_trace" not in block]
    assert len(blocks) == 4
    for block in blocks:
        exec(block, names)
    assert names["events"].num_rows == len(names["r"]["events"])
    assert "critical" in capsys.readouterr().out


@pytest.mark.parametrize("limit", ["3ms", "5ms"])
def test_the_plugin_shows_what_failed(pytester, limit):
    (example,) = [block for block in _python_blocks() if "assert_trace" in block]
    pytester.makepyfile(example)
    pytester.path.joinpath("cm3_system.trx").write_bytes(SYSTEM.read_bytes())
    pytester.path.joinpath("rules.toml").write_text(RULES.format(limit=limit))
    example = f"{example}\ndef test_option(trace):\n    assert len(trace['events'])\n"
    pytester.makepyfile(example)
    words = ("-p", "no:xdist", "--recording", "cm3_system.trx", "--recording-option", "clock=25MHz")
    result = pytester.runpytest_subprocess(*words, "-p", "no:randomly")
    if limit == "5ms":
        result.assert_outcomes(passed=2)
        return
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*RulesViolated: *cm3_system.trx: 1 check: 1 failed: *",
            "*- rtoscope check -*",
            "*ui  3.421 ms  [[]event 2313[]]",
            "rtoscope critical-path *cm3_system.trx --clock=25MHz --event 2313",
        ]
    )


def test_the_stubs_are_complete():
    mypy = [sys.executable, "-m", "mypy"]
    for words in (["stubtest", "rtoscope._native"], ["--strict", "-p", "rtoscope"]):
        module = ["-m", "mypy.stubtest"] if words[0] == "stubtest" else ["-m", "mypy"]
        words = words[1:] if words[0] == "stubtest" else words
        done = subprocess.run([sys.executable, *module, *words], capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stdout + done.stderr
