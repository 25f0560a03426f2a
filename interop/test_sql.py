"""SQL: `rtoscope query` gives the figures of the reports, and those that Perfetto and
DuckDB compute from the exports."""

import json
import os
import pty
import re
import select
import signal
import time
from collections import Counter

import duckdb
import perfetto_engine as perfetto
import pytest
from conftest import OWN, SQL, export, exported, merged_camera, report, run, traces, varied
from dialects import ask

pytestmark = pytest.mark.skipif(not SQL.exists(), reason="rtoscope-sql is not built")


def query(trace, sql):
    """The rows of a query, as the command writes them."""
    lines = run("query", trace.path, *trace.arguments, "--format", "jsonl", sql).splitlines()
    return [json.loads(line) for line in lines]


def _nonzero(pairs):
    total = Counter()
    for name, time_ in pairs:
        total[name] += time_
    return {name: ticks for name, ticks in total.items() if ticks}


def _by_report(trace):
    rows = report(trace)["profile"]
    return _nonzero((row["context"], row["duration"]) for row in rows if row["kind"] == "thread")


def _by_sql(rows):
    return _nonzero((row["context"], row["duration"]) for row in rows if row["context"] is not None)


def _by_duckdb(trace):
    (slices,) = (exported(trace, "parquet") / "slices").iterdir()
    sql = """SELECT context, sum("end" - start)::BIGINT FROM read_parquet(?) WHERE kind = 'thread' GROUP BY ALL"""
    return _nonzero(duckdb.connect().execute(sql, [str(slices)]).fetchall())


def _by_perfetto(trace):
    """Nanoseconds, by the engine's own `sched`."""
    sql = "SELECT thread.name AS context, dur AS ns FROM sched JOIN thread USING (utid)"
    (rows,) = perfetto.query(exported(trace, "perfetto"), sql)
    return rows


@pytest.mark.parametrize("trace", varied("threadx"), ids=str)
def test_cpu_time_four_ways(trace):
    reported = _by_report(trace)
    # One query, whose process takes longer than the others.
    sql = """
        SELECT context, duration, frequency_hz, span_ns FROM recordings
        LEFT JOIN cpu_time ON kind = 'thread'"""
    rows = query(trace, sql)
    assert _by_sql(rows) == reported
    assert _by_duckdb(trace) == reported
    found = Counter()
    slices = Counter()
    for row in _by_perfetto(trace):
        found[row["context"]] += row["ns"]
        slices[row["context"]] += 1
    clock = rows[0]
    # Without time, its nanoseconds are ticks.
    tick = 1e9 / clock["frequency_hz"] if clock["span_ns"] is not None else 1
    for context, ticks in reported.items():
        # Each slice begins and ends at a whole nanosecond.
        assert found[context] == pytest.approx(ticks * tick, abs=slices[context] + 1), context


QUESTIONS = [
    "SELECT device, count(*) AS n, max(time_ns) AS ns FROM events GROUP BY device ORDER BY device;",
    "SELECT device, firmware, context, duration, duration_ns FROM cpu_time"
    " JOIN recordings USING (recording_id) ORDER BY device, kind, context, cpu_time.duration;",
    "SELECT recording_id, events FROM recordings ORDER BY recording_id;",
    "SELECT count(*) AS n FROM slices WHERE device = '7' AND duration_ns > 100000;",
    "SELECT count(*) AS n FROM arguments WHERE recording_id LIKE 'device=7/%';",
    "SELECT kind, count(*) AS n FROM events WHERE firmware = '1.10' AND time > 1000 GROUP BY kind ORDER BY kind;",
]


def test_datasets_that_duckdb_has_merged(tmp_path):
    fleet = tmp_path / "fleet"
    for device, trace in zip(["7", "a/b c", "007"], traces("threadx")):
        tags = ("--tag", f"device={device}", "--tag", "firmware=1.10")
        export(trace, "parquet", fleet, *tags)
    database = duckdb.connect()
    database.execute(run("query", "--emit", "duckdb", fleet).decode())
    options = "hive_partitioning = true, hive_types_autocast = false, union_by_name = true"
    for layout in ("folders", "files", "views"):
        (tmp_path / layout).mkdir()
    for table in sorted(folder.name for folder in fleet.glob("[!.]*") if folder.is_dir()):
        files = f"read_parquet('{fleet}/{table}/**/*.parquet', {options})"
        to = tmp_path / "folders" / table
        database.execute(f"COPY (FROM {files}) TO '{to}' (FORMAT parquet, PARTITION_BY (device, firmware))")
        to = tmp_path / "files" / table
        database.execute(f"COPY (FROM {files}) TO '{to}.parquet' (FORMAT parquet)")
        to = tmp_path / "views" / table
        to.mkdir()
        database.execute(f"COPY (FROM \"{table}\") TO '{to}/all.parquet' (FORMAT parquet)")
    expected = ask(fleet, QUESTIONS)
    assert all(expected)
    for layout in ("folders", "files", "views"):
        for sql, rows, others in zip(QUESTIONS, ask(tmp_path / layout, QUESTIONS), expected):
            assert rows == others, (layout, sql)


def test_duckdb_reads_recordings_with_different_tags(tmp_path):
    fleet = tmp_path / "fleet"
    tags = [(), ("device=1",), ("device=2", "site=a/b"), ("site=x", "device=2")]
    for trace, some in zip(traces("threadx"), tags):
        export(trace, "parquet", fleet, *(f"--tag={tag}" for tag in some))
    database = duckdb.connect()
    database.execute(run("query", "--emit", "duckdb", fleet).decode())
    sql = "SELECT device, site, count(*) AS n, max(duration) AS longest FROM slices GROUP BY ALL ORDER BY ALL"
    cursor = database.execute(sql)
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row)) for row in cursor.fetchall()]
    sql = "SELECT device, site, count(*) AS n, max(duration) AS longest FROM slices GROUP BY device, site"
    (expected,) = ask(fleet, [sql])
    key = lambda row: [str(value) for value in row.values()]
    assert rows and sorted(rows, key=key) == sorted(expected, key=key)


class Terminal:
    """A shell on a pseudo-terminal, which ends with the block of a `with` statement."""

    def __init__(self, home, *files):
        words = [str(SQL), "query", "--shell", *map(str, files)]
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "TERM": "xterm", "NO_COLOR": "1"}
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execve(words[0], words, environment)
        self.text = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()

    def type(self, text):
        os.write(self.end, text.encode())

    def until(self, pattern, seconds=60):
        """Waits for the pattern; returns and drops the text up to its end."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.end], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"no {pattern!r} in {self.text!r}"
            try:
                self.text += os.read(self.end, 4096).decode(errors="replace")
            except OSError as error:
                raise AssertionError(f"no {pattern!r} in {self.text!r}") from error
        before, self.text = self.text[: found.end()], self.text[found.end() :]
        return before

    def wait(self, seconds=60):
        """Its exit status, once it has ended."""
        deadline = time.monotonic() + seconds
        while select.select([self.end], [], [], max(0, deadline - time.monotonic()))[0]:
            try:
                self.text += os.read(self.end, 4096).decode(errors="replace")
            except OSError:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = None
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


SYSTEM = OWN / "threadx" / "cm3_system.trx"


def test_a_shell_on_a_terminal(tmp_path):
    with Terminal(tmp_path, SYSTEM) as terminal:
        terminal.until("rtoscope> ")
        # Two lines, with a name completed.
        terminal.type("SELECT count(*) AS n\r")
        terminal.type("FROM disp\t;\r")
        terminal.until(r"406\s+1 row[^>]*rtoscope> ")
        terminal.type("SELECT evnt FROM events;\r")
        terminal.until("Did you mean")
        # A line that is given up.
        terminal.until("rtoscope> ")
        terminal.type("SELECT 1 AS never")
        terminal.until("never")
        terminal.type("\x03")
        terminal.until("rtoscope> ")
        terminal.type(".quit\r")
        assert terminal.wait() == 0
    history = (tmp_path / "rtoscope" / "query-history").read_text()
    assert "FROM dispatches;" in history
    with Terminal(tmp_path, SYSTEM) as terminal:
        terminal.until("rtoscope> ")
        terminal.type("\x1b[A\x1b[A\x1b[A\r")
        terminal.until(r"406\s+1 row[^>]*rtoscope> ")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_ctrl_c_stops_a_query(tmp_path):
    hours = "SELECT sum(a.time + b.time + c.time) FROM events a, events b, events c, events d;"
    with Terminal(tmp_path, SYSTEM) as terminal:
        terminal.until("rtoscope> ")
        terminal.type(hours + "\r")
        terminal.until("d;")
        time.sleep(1)
        terminal.type("\x03")
        terminal.until("cancelled", seconds=30)
        terminal.until("rtoscope> ")
        terminal.type("SELECT 6 * 7 AS answer;\r")
        terminal.until(r"42\s+1 row[^>]*rtoscope> ")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_recordings_on_one_axis_join_by_time(tmp_path):
    axis = merged_camera(tmp_path)
    sql = """
        SELECT DISTINCT shown.event FROM events AS shown
        JOIN events AS logged ON shown.time = logged.time AND shown.file <> logged.file
        WHERE shown.kind = 'user event 4096' AND logged.kind = 'marker end'"""
    assert len(run("query", axis, "--format", "jsonl", sql).splitlines()) == 23
