"""CSV and JSON lines, read by Python, add up to the figures of the reports."""

import csv
import io
import json
from collections import Counter, defaultdict

import pytest
from conftest import exported, report, run, table, traces


def printed(trace, to, name, *arguments):
    """The bytes of one table alone."""
    words = ("--to", to, "--table", name, "--output", "-", *arguments)
    return run("export", trace.path, *trace.arguments, *words)


def records(text):
    """The rows of a table as the CSV reader sees them."""
    return list(csv.DictReader(io.StringIO(text.decode(), newline=""), strict=True))


def sums(rows, name, value):
    found = Counter()
    for row in rows:
        found[row[name]] += value(row)
    return {name: value for name, value in found.items() if value}


def shown(value):
    """A value of JSON as CSV has it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("trace", traces("threadx", "cswitch"), ids=str)
def test_cpu_time_is_that_of_the_profile(trace):
    rows = table(trace, "slices")
    profiles = defaultdict(list)
    for row in report(trace)["profile"]:
        profiles[row["kind"]].append(row)
    names = {"thread": "context", "isr": "isr"}
    for kind, profile in profiles.items():
        of_kind = [row for row in rows if row["kind"] == kind]
        if kind in names:
            found = sums(of_kind, names[kind], lambda row: row["duration"])
            assert found == sums(profile, "context", lambda row: row["duration"])
        else:
            assert sum(row["duration"] for row in of_kind) == sum(row["duration"] for row in profile)
    # A tick is 40 ns of a clock of 25 MHz.
    for row in rows:
        if row["duration_ns"] is not None:
            assert row["duration_ns"] == row["duration"] * 40
        assert row["duration"] == row["end"] - row["start"] > 0


@pytest.mark.parametrize("trace", traces("threadx"), ids=str)
def test_states_are_those_of_the_threads(trace):
    found = Counter()
    for row in table(trace, "thread_states"):
        state = row["wait_reason"] if row["state"] == "waiting" else row["state"]
        found[row["context"], state] += row["duration"]
    reported = Counter()
    for row in report(trace)["threads"]:
        states = row["states"]
        reported[row["name"], "running"] += states["running"] + states["interrupted"]
        for state in ("ready", "unknown"):
            reported[row["name"], state] += states[state]
        for wait, ticks in states["waiting"].items():
            reported[row["name"], wait] += ticks
    assert +found == +reported


@pytest.mark.parametrize("trace", traces(), ids=str)
def test_events_are_those_of_the_services(trace):
    found = Counter((row["kind"], row["component"]) for row in records(printed(trace, "csv", "events")))
    reported = Counter()
    for row in report(trace)["services"]:
        reported[row["name"], row["component"]] += row["count"]
    assert found == reported


@pytest.mark.parametrize("trace", traces("rkh"), ids=str)
def test_machines_are_those_of_the_reports(trace):
    document = report(trace)
    waits = defaultdict(list)
    for row in table(trace, "flows"):
        if row["kind"] == "post":
            key = row["to_context"], row["object"], row["from_context"]
            waits[key].append(row["latency"])
    for row in document.get("signals", []):
        found = waits.pop((row["object"], row["signal"], row["sender"]), [])
        reported = row["queueing"] or {"count": 0, "max": 0}
        assert (len(found), max(found, default=0)) == (reported["count"], reported["max"])
    assert not waits
    found = Counter()
    for row in table(trace, "state_intervals"):
        found[row["object"], row["state"]] += row["duration"]
    reported = Counter()
    for machine in document.get("states", []):
        for state in machine["states"]:
            reported[machine["object"], state["state"]] += state["duration"]
    assert +found == +reported


NAMES = ["be64_s390x_wrap", "linux32_names", "nat_short", "memory.bin"]


TRACES = [trace for trace in traces() if trace.name in NAMES]


def compare(objects, rows):
    assert len(objects) == len(rows)
    for one, other in zip(objects, rows):
        assert list(one) == list(other)
        for column, value in one.items():
            if isinstance(value, float) or column == "frequency_hz":
                assert shown(value) == other[column] or float(other[column]) == value
            else:
                assert shown(value) == other[column], column


@pytest.mark.parametrize("trace", TRACES, ids=str)
def test_both_readers_see_the_same(trace):
    folders = sorted(exported(trace, "csv").glob("[!.]*"))
    assert len(folders) >= 25
    for folder in folders:
        (file,) = folder.iterdir()
        compare(table(trace, folder.name), records(file.read_bytes()))


def test_tags_are_columns_of_a_table_alone():
    trace = TRACES[0]
    value = 'a "quoted", odd one'
    texts = [printed(trace, to, "events", "--tag", f"board={value}") for to in ("jsonl", "csv")]
    objects = [json.loads(line) for line in texts[0].decode().split("\n")[:-1]]
    assert objects and all(row["board"] == value for row in objects)
    compare(objects, records(texts[1]))


@pytest.mark.parametrize("to", ["jsonl", "csv"])
def test_a_table_is_the_same_alone(to):
    trace = next(trace for trace in traces() if trace.name == "nat_short")
    folders = sorted(exported(trace, to).glob("[!.]*"))
    assert len(folders) >= 25
    # Which table it is does not depend on the format.
    for folder in folders if to == "jsonl" else folders[::5]:
        (file,) = folder.iterdir()
        assert printed(trace, to, folder.name) == file.read_bytes()


def test_words_of_64_bits_are_exact():
    trace = next(trace for trace in traces() if trace.name == "be64_s390x_wrap")
    listed = run("events", trace.path, *trace.arguments, "--format", "json").decode()
    listed = [json.loads(line) for line in listed.split("\n")[:-1]]
    rows = table(trace, "events")
    assert len(rows) == len(listed)
    for row, event in zip(rows, listed):
        assert row["event"] == event["event"] and row["timestamp"] == event["timestamp"]
        assert row["time"] == event["time"] and row["context"] == event["context"]
        for number in range(1, 5):
            found = row[f"info{number}"]
            assert found is None or found == event[f"info{number}"]
    assert max(row["info1"] or 0 for row in rows) > 2**32
