"""Chrome's trace events, read by Perfetto's engine and by Python's json."""

import json
from collections import Counter, defaultdict

import pytest
from conftest import export, exported, report, representative, shared, traces
from perfetto_engine import query

RUNNING = """
    SELECT thread.name AS name, SUM(slice.dur) AS ns, COUNT(*) AS slices
    FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
    WHERE slice.category = 'running' GROUP BY utid ORDER BY name, ns
"""
EVENTS = """
    SELECT name, COUNT(*) AS count, COUNT(DISTINCT EXTRACT_ARG(arg_set_id, 'args.event')) AS numbers
    FROM slice WHERE category LIKE 'event,%' GROUP BY name
"""
LEVELS = """
    SELECT track.name AS name, MIN(value) AS min, MAX(value) AS max
    FROM counter JOIN counter_track AS track ON counter.track_id = track.id
    WHERE track.name LIKE '% level' GROUP BY track.id
"""
FLOWS = "SELECT COUNT(*) AS count FROM flow"
# The states at the ends of wake-up flows.
WOKEN = """
    SELECT DISTINCT target.name FROM flow JOIN slice target ON slice_in = target.id
    WHERE target.category = 'state'
"""
INVERSIONS = "SELECT COUNT(*) AS count FROM slice WHERE category = 'inversion'"
# What the engine could not import.
ERRORS = """
    SELECT name, value FROM stats WHERE value != 0 AND severity IN ('error', 'data_loss')
"""
FINDINGS = "SELECT name FROM slice WHERE category LIKE 'finding,%'"


@shared
def written(trace):
    """The events of a recording's export."""
    return json.loads(exported(trace, "chrome").read_text())


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_the_engine_reads_the_figures_of_the_reports(trace):
    path = exported(trace, "chrome")
    errors, running, events, levels, flows, woken, inversions, findings = query(
        path, ERRORS, RUNNING, EVENTS, LEVELS, FLOWS, WOKEN, INVERSIONS, FINDINGS
    )
    assert errors == []
    document = report(trace)

    threads = [row for row in document["profile"] if row["kind"] == "thread" and row["duration"]]
    reported = sorted((row["context"], row.get("duration_ns", row["duration"])) for row in threads)
    assert [row["name"] for row in running] == [name for name, _ in reported]
    for row, (_, ns) in zip(running, reported):
        # Both ends of each slice are rounded down to a nanosecond.
        assert abs(row["ns"] - ns) <= row["slices"]

    services = Counter()
    for row in document["services"]:
        services[row["name"]] += row["count"]
    assert {row["name"]: row["count"] for row in events} == services
    # Of instants at the same time, the engine keeps the arguments of the first 512.
    if document["health"]["clock"]["quality"] != "static":
        assert sum(row["numbers"] for row in events) == document["events"]

    objects = [row for row in document.get("objects", []) if row["level"]]
    bounds = sorted((row["level"]["min"], row["level"]["max"]) for row in objects)
    assert sorted((row["min"], row["max"]) for row in levels) == bounds

    assert inversions[0]["count"] == len(document.get("inversions", []))
    assert sorted(row["name"] for row in findings) == sorted(
        finding["message"] for finding in document["findings"]
    )
    assert flows[0]["count"] == sum(event["ph"] == "f" for event in written(trace))
    assert {row["name"] for row in woken} <= {"running"}


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_slices_nest_in_speedscope(trace):
    """As Speedscope's importer does it: an end is the sum of two floating-point
    numbers, what ends at a time ends before anything begins there, and only the
    innermost slice can end."""
    tracks = defaultdict(list)
    for number, event in enumerate(written(trace)):
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"], number))
    for slices in tracks.values():
        open_ends = []
        # Of slices that begin together, the longest is the outermost.
        for start, end, _ in sorted(slices, key=lambda row: (row[0], -row[1], row[2])):
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1], (start, end, open_ends)
            open_ends.append(end)


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_equal_slices_of_cores_and_threads_are_one_frame(trace):
    """Speedscope adds up what has the same name and arguments."""
    frames = defaultdict(set)
    for event in written(trace):
        category = event["cat"].split(",")[0]
        if event["ph"] == "X" and category in ("running", "core"):
            arguments = json.dumps(event.get("args"), sort_keys=True)
            frames[event["tid"], category, event["name"]].add(arguments)
    cores = report(trace)["cores"]
    assert all(len(arguments) <= cores for arguments in frames.values())


def test_a_cut_file_is_read(tmp_path):
    trace = next(trace for trace in traces() if trace.path.name == "cm3_midinsert.trx")
    complete = exported(trace, "chrome").read_bytes()
    cut = tmp_path / "cut.json"
    before = 0
    for part in range(1, 6):
        end = len(complete) * part // 6 + part
        cut.write_bytes(complete[:end])
        errors, slices = query(cut, ERRORS, "SELECT COUNT(*) AS count FROM slice")
        assert errors == []
        slices = slices[0]["count"]
        assert slices >= before
        before = slices
    assert before > 0


def test_recordings_are_processes(tmp_path):
    several = [trace for trace in traces("threadx") if trace.path.name.startswith("cm3_")]
    path = export(several, "chrome", tmp_path / "trace.json")
    errors, processes = query(
        path, ERRORS, "SELECT name FROM process WHERE name IS NOT NULL ORDER BY pid"
    )
    assert errors == []
    assert len(processes) == len(several)
    for process, trace in zip(processes, several):
        assert trace.path.name in process["name"]
