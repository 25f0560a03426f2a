"""Perfetto traces, read by Perfetto's own engine."""

import json
import struct
from bisect import bisect_left
from collections import Counter, defaultdict
from pathlib import Path

import perfetto_engine as perfetto
import pytest
from conftest import (
    OWN,
    export,
    exported,
    generate,
    merged_camera,
    report,
    representative,
    run,
    shared,
    table,
    traces,
)

THREADED = representative("threadx", "cswitch")
ALL = representative()

# Slices of these categories are no events.
OURS = ("wait", "isr", "step", "machine state", "active state", "timer", "mutex", "inversion",
        "interrupts off", "recording", "gap", "diagnostic", "finding", "irq")
# Clocks that measure no time.
UNTIMED = {
    "static": "the clock stood still: only the order of events is known",
    "event-counter": "the clock counts events: only the order of events is known",
}
EVENTS = f"category NOT IN {OURS}"

QUERIES = {
    "errors": perfetto.ERRORS,
    "threads": """
        SELECT utid, name FROM thread
        WHERE tid > 0 AND tid NOT IN (SELECT pid FROM process) ORDER BY tid""",
    "sched": """
        SELECT ts, dur, cpu, tid, utid, priority, thread.name AS name
        FROM sched JOIN thread USING (utid)""",
    "states": """
        SELECT utid, state, sum(dur) AS dur FROM thread_state
        WHERE dur >= 0 GROUP BY utid, state""",
    # Wake-ups, as the standard library measures them.
    "latencies": """
        INCLUDE PERFETTO MODULE sched.latency;
        SELECT woken.utid, latency_dur AS dur, woken.ts, waker.name AS waker
        FROM sched_latency_for_running_interval
        JOIN thread_state AS woken ON runnable_latency_id = woken.id
        JOIN thread AS waker ON woken.waker_utid = waker.utid""",
    "wakers": """
        SELECT state, waker_utid IS NOT NULL AS is_known, count(*) AS count
        FROM thread_state GROUP BY 1, 2""",
    "irqs": """
        INCLUDE PERFETTO MODULE linux.irqs;
        SELECT irq.ts, irq.dur, irq.name, parent.name AS parent FROM linux_hard_irqs AS irq
        LEFT JOIN slice AS parent ON irq.parent_id = parent.id""",
    "services": f"""
        SELECT category, name, count(*) AS count, max(dur) AS max_dur
        FROM slice WHERE {EVENTS} GROUP BY category, name""",
    "counters": """
        SELECT track_id, ts, value, name FROM counter
        JOIN counter_track ON track_id = counter_track.id
        ORDER BY track_id, counter.id""",
    "flows": """
        SELECT source.ts AS start, source.name AS cause, target.ts AS end, target.name AS effect
        FROM flow JOIN slice source ON slice_out = source.id
        JOIN slice target ON slice_in = target.id""",
    "ours": f"SELECT ts, dur, name, category FROM slice WHERE NOT ({EVENTS})",
    "about": """
        SELECT EXTRACT_ARG(arg_set_id, 'debug.times') AS times,
               EXTRACT_ARG(arg_set_id, 'debug.events') AS events
        FROM slice WHERE category = 'recording'""",
}


@shared
def written(trace):
    """The answers of the engine about a recording, which is queried once."""
    return dict(zip(QUERIES, perfetto.query(exported(trace, "perfetto"), *QUERIES.values())))


def at(row, name):
    """A time of a table as Perfetto has it: in ticks where it is not known in
    nanoseconds."""
    known = row.get(f"{name}_ns")
    return row[name] if known is None else known


def span(row):
    return at(row, "start"), at(row, "end") - at(row, "start")


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_the_engine_finds_nothing_wrong(trace):
    assert written(trace)["errors"] == []


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_sched_equals_the_slices(trace):
    slices = table(trace, "slices")
    several = len({row["core"] for row in slices}) > 1
    end = max(at(row, "end") for row in slices) if slices else 0
    # A slice that starts at the very end takes no time.
    found = [
        [row["cpu"], row["ts"], row["ts"] + row["dur"], "idle" if row["tid"] == 0 else row["name"]]
        for row in written(trace)["sched"]
        if row["ts"] < end
    ]
    expected = []
    for row in slices:
        name = row["context"]
        match row["kind"]:
            case "idle":
                name = "idle"
            case "isr":
                name = row["isr"]
            case "kernel":
                name = "(kernel)"
            case "unknown":
                name = "(unknown)"
        if row["kind"] in ("isr", "kernel", "initialize", "unknown") and several:
            name += f" on core {row['core']}"
        last = expected[-1] if expected else None
        # A handler that interrupts itself stays one task.
        if last and (last[0], last[2], last[3]) == (row["core"], at(row, "start"), name):
            last[2] = at(row, "end")
        # Nothing is exported before the first known state.
        elif row["kind"] != "unknown" or last and last[0] == row["core"]:
            expected.append([row["core"], at(row, "start"), at(row, "end"), name])
    # The engine does not keep the order of the cores' switches at one moment: what
    # moves to another core gets there a nanosecond later.
    ends = {(last, name): core for core, _, last, name in expected}
    last_of = {(core, last): row for row in expected for core, last in [(row[0], row[2])]}
    for row in list(expected):
        core, start, last, name = row
        if ends.get((start, name), core) != core:
            row[1] += 1
            before = last_of.get((core, start))
            if before and before[3] == f"(unknown) on core {core}":
                before[2] += 1
            elif before:
                expected.append([core, start, start + 1, f"(unknown) on core {core}"])
        # What lasts at the end of the recording is not known to stop.
        if name.startswith("(unknown)") and last == end:
            row[2] = start - 1
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_latencies_are_the_wake_ups_of_the_report(trace):
    answers = written(trace)
    contexts = [row for row in table(trace, "contexts") if row["kind"] == "thread"]
    utids = {row["context_id"]: thread["utid"] for row, thread in zip(contexts, answers["threads"])}
    wakes = Counter()
    states = defaultdict(list)
    for row in table(trace, "thread_states"):
        states[row["context_id"]].append(row)
    by_event = {row["event"]: row for row in table(trace, "events")}
    wakers = {}
    for context, rows in states.items():
        for before, ready, running in zip(rows, rows[1:], rows[2:]):
            start_known = ready["start_known"] and running["start_known"]
            if start_known and [row["state"] for row in (before, ready, running)] == ["waiting", "ready", "running"]:
                key = utids[context], at(ready, "start"), at(running, "start") - at(ready, "start")
                wakes[key] += 1
                wakers[key[:2]] = by_event[ready["event"]]["context_id"]
    found = Counter((row["utid"], row["ts"], row["dur"]) for row in answers["latencies"])
    assert found <= wakes
    # What takes no time cannot be seen: a clock that stands still, or a wake-up at the end.
    span = max((at(row, "end") for rows in states.values() for row in rows), default=0)
    missing = wakes - found
    assert all(start + length in (0, span) for _, start, length in missing), missing
    reported = Counter()
    if not wakes:
        return
    document = report(trace)
    # Where the clock does not measure time, this report is skipped.
    assert ("latency" in document) == (document["clock_quality"] not in UNTIMED)
    if "latency" in document:
        for thread in document["latency"]["threads"]:
            reported[thread["name"]] += thread["wake_up"]["count"] if thread["wake_up"] else 0
        names = {thread["utid"]: thread["name"] for thread in answers["threads"]}
        for (utid, _, _), count in wakes.items():
            reported[names[utid]] -= count
        assert not any(reported.values())
    # The waker is the context that logged the event.
    of_threads = {row["context_id"]: row["context"] for row in contexts}
    for row in answers["latencies"]:
        waker = of_threads.get(wakers[row["utid"], row["ts"]])
        assert waker is None or waker == row["waker"]


@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_preempted_and_woken_threads_have_their_states_and_wakers(trace):
    found = {(row["state"], row["is_known"]) for row in written(trace)["wakers"]}
    assert found <= {("R", 1), ("R", 0), *((state, 0) for state in ("R+", "Running", "S", "T", "X"))}


# The engine takes a hundred times as long for this module as for any other query.
GRAPHS = [trace for trace in THREADED if trace.name in ("memory.bin", "smp32_cores")]


@pytest.mark.parametrize("trace", GRAPHS, ids=str)
def test_the_wakeup_graph_has_the_wakers(trace):
    # Wakers of threads, where they are threads themselves.
    sql = """
        INCLUDE PERFETTO MODULE sched.thread_executing_span;
        SELECT node.id, node.utid, waker.utid AS waker FROM _wakeup_graph AS node
        LEFT JOIN _wakeup_graph AS waker ON node.waker_id = waker.id"""
    (graph,) = perfetto.query(exported(trace, "perfetto"), sql)
    wakes = sum(row["count"] for row in written(trace)["wakers"] if row["is_known"])
    assert sum(row["waker"] is not None for row in graph) <= wakes


def test_critical_paths_lead_to_the_wakers():
    [trace] = [trace for trace in traces("threadx") if trace.name == "cm3_system"]
    assert {row["state"] for row in written(trace)["wakers"]} >= {"R", "R+", "S", "Running"}
    threads = written(trace)["threads"]
    path = """
        INCLUDE PERFETTO MODULE sched.thread_executing_span;
        SELECT path.utid, path.ts, path.dur
        FROM _thread_executing_span_critical_path({utid}, trace_start(), trace_dur()) AS path
        ORDER BY path.ts"""
    queries = [path.format(utid=thread["utid"]) for thread in threads]
    paths = perfetto.query(exported(trace, "perfetto"), *queries)
    others = 0
    for thread, rows in zip(threads, paths):
        # Its parts do not overlap.
        assert all(one["ts"] + one["dur"] <= next["ts"] for one, next in zip(rows, rows[1:]))
        others += len({row["utid"] for row in rows} - {thread["utid"]})
    assert others > 5


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_interrupts_are_those_of_the_recording(trace):
    found = Counter((row["ts"], row["dur"], row["name"]) for row in written(trace)["irqs"])
    expected = Counter((*span(row), f"IRQ ({row['isr']})") for row in table(trace, "isrs"))
    assert found == expected


@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_priorities_of_slices_are_the_recorded_ones(trace):
    answers = written(trace)
    # Threads come first, in the order of the contexts.
    contexts = [row for row in table(trace, "contexts") if row["kind"] == "thread"]
    threads = {thread["utid"]: row for thread, row in zip(answers["threads"], contexts)}
    recorded = defaultdict(list)
    for row in table(trace, "events"):
        if row["priority"] is not None:
            recorded[row["context_id"]].append((at(row, "time"), row["priority"]))
    for row in answers["sched"]:
        if row["utid"] not in threads:
            assert row["priority"] == -1
            continue
        if row["dur"] == 0:
            # Only the last of the slices at one instant is there.
            continue
        thread = threads[row["utid"]]
        priorities = recorded[thread["context_id"]]
        first = bisect_left(priorities, (row["ts"],))
        end = bisect_left(priorities, (row["ts"] + row["dur"] + 1,))
        # Those recorded meanwhile, the last one before, and that of the registration.
        recorded_near = [priority for _, priority in priorities[max(first - 1, 0) : end]]
        registered = -1 if thread["priority"] is None else thread["priority"]
        assert row["priority"] in {*recorded_near, registered}


@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_thread_states_equal_the_table(trace):
    answers = written(trace)
    # Threads come first, in the order of the contexts.
    contexts = [row for row in table(trace, "contexts") if row["kind"] == "thread"]
    found = answers["threads"][: len(contexts)]
    assert [row["name"] for row in found] == [row["context"] for row in contexts]
    utids = {row["context_id"]: thread["utid"] for row, thread in zip(contexts, found)}
    found_states = defaultdict(Counter)
    for row in answers["states"]:
        found_states[row["utid"]][row["state"]] = row["dur"]
    cpu_time = Counter()
    for row in answers["sched"]:
        cpu_time[row["utid"]] += row["dur"]
    slices = defaultdict(list)
    several = len({row["core"] for row in table(trace, "slices")}) > 1
    for row in table(trace, "slices"):
        if row["kind"] == "thread":
            slices[row["context_id"]].append((at(row, "start"), at(row, "end")))
    for of_thread in slices.values():
        of_thread.sort()
    expected, starts, last, ends = defaultdict(Counter), defaultdict(list), {}, {}
    for row in table(trace, "thread_states"):
        context, state = row["context_id"], row["state"]
        if state == "running":
            starts[context].append(row["start_known"] and last.get(context) == "ready")
        last[context] = state
        if row["wait_reason"] in ("completed", "terminated"):
            state = "ended"
        # Nothing is exported before the first known state.
        if state == "unknown" and not expected[context]:
            continue
        start, end = at(row, "start"), at(row, "end")
        ran = slices[context]
        # A state counts while the thread does not run.
        near = ran[bisect_left(ran, start, key=lambda one: one[1]) : bisect_left(ran, (end,))]
        runs = sum(min(end, stop) - max(start, first) for first, stop in near)
        expected[context][state] += end - start - runs
        ends[context] = end
    # After its deletion, a thread has ended.
    for context, end in ends.items():
        expected[context]["ended"] += max(ends.values()) - end
    for context, utid in utids.items():
        exported, known = found_states[utid], expected[context]
        ran = sum(end - start for start, end in slices[context])
        assert cpu_time[utid] == exported["Running"]
        # What moves to another core gets there a nanosecond later.
        late = ran - cpu_time[utid]
        assert 0 <= late <= (len(slices[context]) if several else 0)
        # Where a latency is not known, a thread is ready for a nanosecond.
        hidden = sum(not start_known for start_known in starts[context])
        ready = exported["R"] + exported["R+"] - known["ready"] - known["running"] - late
        others = zip(("S", "X", "T"), ("waiting", "ended", "unknown"))
        assert 0 <= ready <= hidden
        assert ready == sum(known[state] - exported[letter] for letter, state in others)


@pytest.mark.parametrize("trace", representative("threadx"), ids=str)
def test_threads_have_the_time_of_the_report(trace):
    """A report adds ticks up and rounds then; here each slice is rounded."""
    document = report(trace)
    frequency = document.get("frequency_hz") or 10**9
    reported = Counter()
    for row in document["threads"]:
        reported[row["name"]] += row["states"]["running"]
    summed, slices = Counter(), Counter()
    for row in written(trace)["sched"]:
        summed[row["name"]] += row["dur"]
        slices[row["name"]] += 1
    for name, ticks in reported.items():
        exact = ticks * 10**9 / frequency
        assert abs(summed[name] - exact) <= slices[name], name


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_slices_are_the_services_of_the_report(trace):
    rows = written(trace)["services"]
    assert all(row["max_dur"] == 0 for row in rows)
    found = {(row["category"], row["name"]): row["count"] for row in rows}
    expected = Counter()
    for row in report(trace)["services"]:
        expected[row["component"], row["name"]] += row["count"]
    assert found == expected


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_counters_are_the_levels(trace):
    rows = written(trace)["counters"]
    found = defaultdict(list)
    for row in rows:
        found[row["track_id"], row["name"]].append((row["ts"], row["value"]))
    levels = defaultdict(list)
    for row in table(trace, "levels"):
        key = row["object"], row["object_address"], row["class"]
        # A level is exported from the first known one on.
        if levels[key] or row["level"] is not None:
            levels[key].append((at(row, "start"), row["level"]))
    expected = [(f"{key[2]} {key[0]}", values) for key, values in levels.items() if values]
    found = [(name, values) for (_, name), values in found.items()]
    order = lambda pair: (pair[0], [(time, -1 if value is None else value) for time, value in pair[1]])
    assert sorted(found, key=order) == sorted(expected, key=order)


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_flows_lead_from_causes_to_effects(trace):
    rows = written(trace)["flows"]
    found = Counter((row["start"], row["cause"], row["end"], row["effect"]) for row in rows)
    events = {row["event"]: row for row in table(trace, "events")}
    by_context = defaultdict(list)
    for number, row in events.items():
        by_context[row["context_id"]].append(number)
    expected = Counter()

    def expect(cause, effect, flows=expected):
        cause = events[cause]
        flows[(at(cause, "time"), cause["kind"], *effect)] += 1

    def of_event(number):
        return at(events[number], "time"), events[number]["kind"]

    wakes, possible = [], Counter()
    for row in table(trace, "flows"):
        if row["kind"] == "wake":
            wakes.append((row["from_event"], row["to_context_id"]))
        elif row["kind"] == "message" and trace.format != "rkh":
            expect(row["from_event"], of_event(row["to_event"]))
        # What active objects get from their queues has arrows from its posts.
        elif row["kind"] == "message":
            expect(row["from_event"], of_event(row["to_event"]), possible)
    for number, thread in wakes:
        later = [event for event in by_context[thread] if event > number]
        again = [event for event, other in wakes if other == thread and event > number]
        # An arrow needs an event of the thread before the next one begins.
        if later and not any(event < later[0] for event in again):
            expect(number, of_event(later[0]))
    for row in table(trace, "steps"):
        if row["post_event"] is not None:
            expect(row["post_event"], (at(row, "start"), row["signal"] or "(unknown)"))
    assert expected <= found <= expected + possible


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_slices_of_our_own_are_the_tables(trace):
    tables = {"isr": "isrs", "step": "steps", "machine state": "state_intervals", "timer": "timers",
              "mutex": "mutex_holds", "inversion": "inversions"}
    rows = [row for row in written(trace)["ours"] if row["category"] in tables]
    found = Counter((row["category"], row["ts"], row["dur"]) for row in rows)
    expected = Counter()
    for category, name in tables.items():
        for row in table(trace, name):
            expected[(category, *span(row))] += 1
    assert found == expected


@pytest.mark.parametrize("trace", ALL, ids=str)
def test_gaps_and_findings_are_exported(trace):
    answers = written(trace)
    losses = Counter((row["ts"], row["dur"]) for row in answers["ours"] if row["category"] == "gap")
    assert losses == Counter(map(span, table(trace, "gaps")))
    findings = [row["name"] for row in answers["ours"] if row["category"] == "finding"]
    assert sorted(findings) == sorted(row["message"] for row in table(trace, "findings"))
    (about,) = answers["about"]
    assert about["events"] == len(table(trace, "events"))
    known = any(row["time_ns"] is not None for row in table(trace, "events"))
    timed = "nanoseconds" if known else "1 ns is a tick of the target's clock"
    (recording,) = table(trace, "recordings")
    assert about["times"] == UNTIMED.get(recording["clock_quality"], timed)


def test_several_recordings_share_nothing(tmp_path):
    first, second = traces("threadx")[:2]
    paths = [
        export(several, "perfetto", tmp_path / f"{number}.pftrace")
        for number, several in enumerate([[first], [second], [first, second, first]])
    ]
    sums = """
        SELECT upid, sum(dur) AS dur, count(*) AS count FROM sched
        JOIN thread USING (utid) WHERE tid > 0 GROUP BY upid ORDER BY upid"""
    counts = "SELECT count(*) AS slices, (SELECT count(*) FROM flow) AS flows FROM slice"
    found = [perfetto.query(path, perfetto.ERRORS, sums, counts) for path in paths]
    (_, one, ones), (_, other, others), (errors, all_, together) = found
    assert errors == []
    plain = lambda rows: [(row["dur"], row["count"]) for row in rows]
    assert plain(all_) == plain(one) + plain(other) + plain(one)
    for name in ("slices", "flows"):
        assert together[0][name] == 2 * ones[0][name] + others[0][name]


def test_events_are_small_and_arguments_are_named(tmp_path):
    recording = tmp_path / "generated.trx"
    generate(recording, "threadx", "--events", 20_000)
    path = tmp_path / "generated.pftrace"
    run("export", recording, "--clock", "25MHz", "--to", "perfetto", "--output", path)
    assert path.stat().st_size <= 40 * 20_000
    sql = """
        SELECT EXTRACT_ARG(arg_set_id, 'debug.queue') AS queue, count(*) AS count
        FROM slice WHERE name = 'tx_queue_send' GROUP BY queue
    """
    errors, queues = perfetto.query(path, perfetto.ERRORS, sql)
    assert errors == []
    assert queues and all(row["queue"] for row in queues)


def test_arguments_of_one_name_stay_apart(tmp_path):
    definitions = tmp_path / "events.trxc"
    definitions.write_text("Start\n4098,same,SA,(1,2,3),(1,2,3),val,val,a.b[0],a_b_0_\nEnd\n")
    recording = OWN / "threadx" / "cm3_system.trx"
    arguments = (f"-Ocustom-events={definitions}",)
    path = tmp_path / "trace.pftrace"
    run("export", recording, *arguments, "--to", "perfetto", "--output", path)
    words = ("--to", "jsonl", "--table", "events", "--output", "-")
    text = run("export", recording, *arguments, *words).decode()
    events = [row for line in text.splitlines() if (row := json.loads(line))["kind"] == "same"]
    expected = [[row[f"info{number}"] for number in range(1, 5)] for row in events]
    keys = ("val", "val 2", "a_b_0_", "a_b_0_ 2")
    columns = ", ".join(f"EXTRACT_ARG(arg_set_id, 'debug.{key}') AS \"{key}\"" for key in keys)
    rows, errors = perfetto.query(
        path, f"SELECT {columns} FROM slice WHERE name = 'same' ORDER BY id", perfetto.ERRORS
    )
    assert errors == []
    assert expected and [[row[key] for key in keys] for row in rows] == expected


@pytest.mark.parametrize("depth", [400, 2000])
def test_deep_nesting_is_exported_as_instants(depth, tmp_path):
    source = (OWN / "threadx" / "cm3_system.trx").read_bytes()
    head = list(struct.unpack_from("<9I", source))
    _, _, base, *_, start, _, _ = head
    # As many routines begin as end, the innermost first.
    slots = [(3, number) for number in range(depth)]
    slots += [(4, number) for number in reversed(range(depth))]
    head[7:] = [start + 32 * len(slots), start]
    recording = tmp_path / "deep.trx"
    with recording.open("wb") as file:
        file.write(struct.pack("<9I", *head) + source[36 : start - base])
        for time, (kind, number) in enumerate(slots):
            file.write(struct.pack("<8I", 0xFFFF_FFFF, 0, kind, time, 0, number, 0, 0))
    path = tmp_path / "deep.pftrace"
    run("export", recording, "--to", "perfetto", "--output", path)
    routines, errors = perfetto.query(
        path, "SELECT ts, dur FROM slice WHERE category = 'isr' ORDER BY ts", perfetto.ERRORS
    )
    assert errors == []
    lengths = [2 * depth - 1 - 2 * start for start in range(depth)]
    lengths[500:] = [0] * len(lengths[500:])
    assert routines == [{"ts": start, "dur": length} for start, length in enumerate(lengths)]


def test_merged_recordings_share_an_axis(tmp_path):
    """The engine finds events of two recorders at one time, in two processes."""
    axis = merged_camera(tmp_path)
    merged = tmp_path / "merged.perfetto-trace"
    run("export", axis, "--to", "perfetto", "-o", merged)
    errors, shows, frames, processes = perfetto.query(
        merged,
        perfetto.ERRORS,
        "SELECT ts + dur AS ts FROM slice WHERE name = 'show' AND category = 'marker' ORDER BY 1",
        "SELECT DISTINCT ts FROM slice WHERE name = 'user event 4096' ORDER BY 1",
        "SELECT name FROM process WHERE name GLOB '*.trx' OR name GLOB '*.cswl' ORDER BY 1",
    )
    assert errors == []
    assert len(frames) == 23
    assert frames == shows
    assert [Path(row["name"]).name for row in processes] == ["log.cswl", "trace.trx"]
