"""CSV and JSON lines, read by Python, add up to the figures of the reports."""

import csv
import io
import json
from collections import Counter, defaultdict

import pytest
from conftest import report, run, traces

TABLES = [
    "recordings",
    "events",
    "contexts",
    "objects",
    "slices",
    "thread_states",
    "dispatches",
    "isrs",
    "interrupts_off",
    "flows",
    "mutex_holds",
    "inversions",
    "levels",
    "posts",
    "steps",
    "state_intervals",
    "transitions",
    "timers",
    "findings",
    "gaps",
    "diagnostics",
]


def lines(trace, table, *arguments):
    """The rows of a table as the JSON reader sees them."""
    text = run("export", trace.path, *trace.arguments, "--to", "jsonl", "--table", table,
               "--output", "-", *arguments)
    return [json.loads(line) for line in text.decode().split("\n")[:-1]]


def records(trace, table, *arguments):
    """The rows of a table as the CSV reader sees them."""
    text = run("export", trace.path, *trace.arguments, "--to", "csv", "--table", table,
               "--output", "-", *arguments)
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
    rows = lines(trace, "slices")
    profiles = defaultdict(list)
    for row in report(trace, "profile")["profile"]:
        profiles[row["kind"]].append(row)
    names = {"thread": "context", "isr": "isr"}
    for kind, profile in profiles.items():
        of_kind = [row for row in rows if row["kind"] == kind]
        if kind in names:
            found = sums(of_kind, names[kind], lambda row: row["duration"])
            assert found == sums(profile, "context", lambda row: row["ticks"])
        else:
            assert sum(row["duration"] for row in of_kind) == sum(row["ticks"] for row in profile)
    # A tick is 40 ns of a clock of 25 MHz.
    for row in rows:
        if row["duration_ns"] is not None:
            assert row["duration_ns"] == row["duration"] * 40
        assert row["duration"] == row["end"] - row["start"] > 0


@pytest.mark.parametrize("trace", traces("threadx"), ids=str)
def test_states_are_those_of_the_threads(trace):
    found = Counter()
    for row in lines(trace, "thread_states"):
        state = row["wait_reason"] if row["state"] == "waiting" else row["state"]
        found[row["context"], state] += row["duration"]
    reported = Counter()
    for row in report(trace, "threads")["threads"]:
        states = row["states"]
        reported[row["name"], "running"] += states["running"] + states["interrupted"]
        for state in ("ready", "unknown"):
            reported[row["name"], state] += states[state]
        for wait, ticks in states["waiting"].items():
            reported[row["name"], wait] += ticks
    assert +found == +reported


@pytest.mark.parametrize("trace", traces(), ids=str)
def test_events_are_those_of_the_services(trace):
    found = Counter((row["kind"], row["component"]) for row in records(trace, "events"))
    reported = Counter()
    for row in report(trace, "services")["services"]:
        reported[row["name"], row["component"]] += row["count"]
    assert found == reported


@pytest.mark.parametrize("trace", traces("rkh"), ids=str)
def test_machines_are_those_of_the_reports(trace):
    document = report(trace, "signals", "states")
    waits = defaultdict(list)
    for row in lines(trace, "flows"):
        if row["kind"] == "post":
            key = row["to_context"], row["object"], row["from_context"]
            waits[key].append(row["latency"])
    for row in document.get("signals", []):
        found = waits.pop((row["object"], row["signal"], row["sender"]), [])
        reported = row["queueing"] or {"count": 0, "max": 0}
        assert (len(found), max(found, default=0)) == (reported["count"], reported["max"])
    assert not waits
    found = Counter()
    for row in lines(trace, "state_intervals"):
        found[row["object"], row["state"]] += row["duration"]
    reported = Counter()
    for machine in document.get("states", []):
        for state in machine["states"]:
            reported[machine["object"], state["state"]] += state["ticks"]
    assert +found == +reported


@pytest.mark.parametrize("name", ["be64_s390x_wrap", "linux32_names", "nat_short", "memory.bin"])
@pytest.mark.parametrize("table", TABLES)
def test_both_readers_see_the_same(name, table):
    trace = next(trace for trace in traces() if trace.name == name)
    tag = ("--tag", 'board=a "quoted", odd one')
    objects, rows = lines(trace, table, *tag), records(trace, table, *tag)
    assert len(objects) == len(rows)
    for one, other in zip(objects, rows):
        assert list(one) == list(other)
        assert one["board"] == 'a "quoted", odd one'
        for column, value in one.items():
            if isinstance(value, float) or column == "frequency_hz":
                assert shown(value) == other[column] or float(other[column]) == value
            else:
                assert shown(value) == other[column], column


def test_words_of_64_bits_are_exact():
    trace = next(trace for trace in traces() if trace.name == "be64_s390x_wrap")
    listed = run("events", trace.path, *trace.arguments, "--format", "json").decode()
    listed = [json.loads(line) for line in listed.split("\n")[:-1]]
    rows = lines(trace, "events")
    assert len(rows) == len(listed)
    for row, event in zip(rows, listed):
        assert row["event"] == event["index"] and row["timestamp"] == event["raw"]
        assert row["time"] == event["ticks"] and row["context"] == event["context"]
        for number in range(1, 5):
            found = row[f"argument{number}"]
            assert found is None or found == int(event[f"info{number}"], 16)
    assert max(row["argument1"] or 0 for row in rows) > 2**32
