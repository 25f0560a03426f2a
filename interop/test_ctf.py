"""Folders of the Common Trace Format, read by babeltrace2, equal the recordings."""

import json
import re
from collections import Counter, defaultdict

import pytest
from conftest import Trace, execute, export, exported, generate, report, representative, run, shared, traces

LINE = re.compile(r"\[(?P<cycles>\d+)\] (?P<event>.*?): (?P<rest>\{ cpu_id = .*)", re.DOTALL)
TOKEN = re.compile(
    r"""\s*(?:
        \(\s(?:"(?P<label>(?:[^"\\]|\\.)*)"|<unknown>)\s:\scontainer\s=\s(?P<labelled>\w+)\s\)
      | "(?P<text>(?:[^"\\]|\\.)*)"
      | (?P<number>-?(?:0x[0-9A-Fa-f]+|\d+)(?![\w]))
      | (?P<name>\w+)\s=
      | \[(?P<place>\d+)\]\s=
      | (?P<sign>[{}\[\],])
    )""",
    re.VERBOSE,
)
LOST = re.compile(r"WARNING: Tracer discarded (\d+) events? between ")
ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def unescaped(text):
    return re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), text)


@shared
def babeltrace(*arguments):
    """Its output, one line per event, and the number of lost events that it reports."""
    words = ["babeltrace2", "--clock-cycles", "--no-delta", *arguments]
    done = execute(*words, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line]
    lost = [LOST.match(warning) for warning in warnings]
    assert all(lost), done.stderr
    return done.stdout.splitlines(), sum(int(match[1]) for match in lost)


def groups(text):
    """The groups of fields of a line, each a dictionary; a number with a label is a pair."""
    found, position, path, name = [], 0, [], None
    while position < len(text):
        token = TOKEN.match(text, position)
        assert token, text[position:]
        position = token.end()
        kind = token.lastgroup
        if kind == "labelled":
            label = token["label"]
            value = (label if label is None else unescaped(label), int(token["labelled"], 0))
        elif kind == "text":
            value = unescaped(token["text"])
        elif kind == "number":
            value = int(token["number"], 0)
        elif kind == "name":
            name = token["name"]
            continue
        elif kind == "sign" and token["sign"] in "{[":
            path.append({} if token["sign"] == "{" else [])
            continue
        elif kind == "sign" and token["sign"] in "}]":
            value = path.pop()
            if not path:
                found.append(value)
                continue
        else:
            continue
        if isinstance(path[-1], dict):
            path[-1][name] = value
        else:
            path[-1].append(value)
        # The name of an array's field comes before its elements.
        name = None if not isinstance(path[-1], list) else name
    return found


def parsed(trace, line):
    match = LINE.fullmatch(line)
    packet, common, *own, fields = groups(match["rest"])
    host = trace.path.name.replace("\\", "\\\\") + " "
    assert match["event"].startswith(host)
    return {
        "cycles": int(match["cycles"]),
        "event": match["event"].removeprefix(host),
        "core": packet["cpu_id"],
        **common,
        "own": own[0] if own else {},
        "fields": fields,
    }


def is_shown_as(value, words):
    """Whether the event list shows a value with these words."""
    match value:
        case (str(label), _):
            return label == words
        case (None, number) | int(number):
            plain = re.match(r"-?(?:0x[0-9a-f]+|\d+)", words)
            if plain and words[plain.end() :] in ("", " bytes", " tick", " ticks"):
                digits = plain[0]
                return number == int(digits, 16 if "0x" in digits else 10)
            if re.fullmatch(r"\d+\.\d+\.\d+\.\d+", words):
                return number == int.from_bytes(map(int, words.split(".")))
            # Several bits by their names.
            return isinstance(value, tuple) and "|" in words
        case list(block):
            return words == "[" + " ".join(f"{byte:02x}" for byte in block) + "]"
        case _:
            return value == words


def compare(event, listed, frequency):
    assert event["event"] == listed["kind"]
    assert event["context"][0] == listed["context"]
    if "core" in listed:
        assert event["cycles"] == listed["time"]
        assert event["core"] == listed["core"]
        assert event["context_address"] == int(listed["context_address"], 16)
        own = event["own"]
        assert own.get("priority") == listed["priority"]
        assert own.get("threshold") == listed["threshold"]
        interrupted = own.get("interrupted")
        assert (interrupted and interrupted[0]) == (listed["interrupted"] or None)
    elif listed["time_ns"] is not None:
        assert event["cycles"] * 10**9 // frequency == listed["time_ns"]
    fields = event["fields"]
    if not listed["arguments"] and "info1" in fields:
        infos = [listed[f"info{number}"] for number in range(1, 5)]
        assert list(fields.values()) == infos
        return
    values = [
        value for name, value in fields.items() if not (name + "\n").endswith("_length\n")
        or not isinstance(fields.get(name.removesuffix("_length")), list)
    ]
    words = list(listed["arguments"].values())
    assert len(values) == len(words), (fields, listed["arguments"])
    recorded = {argument[-1] for argument in listed.get("args", [])}
    for value, shown in zip(values, words):
        # The list shows the number of a pool without the offset that distinguishes it from
        # no pool.
        is_recorded = isinstance(value, tuple) and value[0] is None and value[1] in recorded
        assert is_shown_as(value, shown) or is_recorded, (value, shown, listed)
    if "info1" in listed:
        infos = {listed[f"info{number}"] for number in range(1, 5)}
        numbers = [value[1] if isinstance(value, tuple) else value for value in values]
        assert all(n in infos or n < 0 for n in numbers if isinstance(n, int))


@shared
def listed(trace):
    """The events of a recording as `rtoscope events` lists them."""
    text = run("events", trace.path, *trace.arguments, "--format", "json")
    return [json.loads(line) for line in text.splitlines()]


def lost_events(info):
    """How many events are known to be missing, and how many gaps are of unknown size."""
    gaps = info["gaps"]
    known = sum(gap["missing"] for gap in gaps if gap["missing"] is not None)
    return known, sum(gap["missing"] is None for gap in gaps)


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_events_are_those_of_the_recording(trace):
    info = json.loads(run("info", trace.path, *trace.arguments, "--format", "json"))
    folder = exported(trace, "ctf")
    lines, lost = babeltrace(folder)
    known, unknown = lost_events(info)
    assert lost == known
    assert len(lines) == info["events"] + unknown
    metadata = (folder / "metadata").read_text()
    frequency = int(re.search(r"freq = (\d+);", metadata)[1])
    events = [parsed(trace, line) for line in lines]
    gaps = [event for event in events if event["event"] == "lost"]
    assert len(gaps) == unknown
    events = [event for event in events if event["event"] != "lost"]
    events.sort(key=lambda event: event["number"])
    assert [event["number"] for event in events] == [event["event"] for event in listed(trace)]
    for event, line in zip(events, listed(trace)):
        compare(event, line, frequency)


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_the_schedule_is_read(trace):
    folder = exported(trace, "ctf")
    events, lost = babeltrace(folder)
    schedule, none = babeltrace(folder / "schedule")
    assert none == 0
    # They have one clock, so that they can be read together.
    both, lost_of_both = babeltrace(folder, folder / "schedule")
    assert len(both) == len(events) + len(schedule)
    assert lost_of_both == lost
    names = {LINE.fullmatch(line)["event"].removeprefix(f"{trace.path.name} ") for line in schedule}
    of_kernel = {"sched_switch", "sched_wakeup", "irq_handler_entry", "irq_handler_exit"}
    of_kernel |= {"lttng_statedump_process_state", "sched_pi_setprio"}
    assert names <= of_kernel


class KernelAnalysis:
    """Trace Compass' kernel analysis, as its handlers compute it."""

    # Bits of `prev_state` that it looks at: those below `TASK_NOLOAD`.
    MASK = 0x400 - 1
    # `ProcessStatus` by LTTng's status in a state dump.
    DUMPED = {2: "WAIT_CPU", 5: "WAIT_UNKNOWN"}

    def __init__(self):
        self.status, self.since, self.priority, self.names = {}, {}, {}, {}
        # The task of each CPU, and its active interrupt handlers.
        self.current, self.handlers = {}, defaultdict(set)
        # Time by thread and status.
        self.times = defaultdict(Counter)
        # What it would have to guess, or fails on.
        self.faults = []

    def enter(self, thread, status, now):
        if thread in self.status:
            self.times[thread][self.status[thread]] += now - self.since[thread]
        self.status[thread], self.since[thread] = status, now

    def handle(self, event):
        name, fields, cpu, now = (event[key] for key in ("event", "fields", "core", "cycles"))
        current = self.current.get(cpu)
        match name:
            case "sched_switch":
                before, after = fields["prev_tid"], fields["next_tid"]
                if current not in (None, before):
                    self.faults.append(event)
                if self.handlers[cpu]:
                    self.faults.append(event)
                # Readers keep no order of cores at one moment. A thread that moved to
                # another core at this moment runs on, whichever switch comes first.
                moved = any(task == before for core, task in self.current.items() if core != cpu)
                if not moved:
                    self.enter(before, self.switched_from(fields["prev_state"]), now)
                self.enter(after, "RUN", now)
                for side, thread in (("prev", before), ("next", after)):
                    self.set_priority(event, thread, fields[f"{side}_prio"])
                    self.names[thread] = fields[f"{side}_comm"]
                self.current[cpu] = after
            case "sched_wakeup":
                if self.status.get(fields["tid"]) != "RUN":
                    self.enter(fields["tid"], "WAIT_CPU", now)
            case "sched_pi_setprio":
                self.set_priority(event, fields["tid"], fields["oldprio"])
                self.priority[fields["tid"]] = fields["newprio"]
            case "irq_handler_entry":
                # One at a time: the first exit makes the task run again.
                if self.handlers[cpu]:
                    self.faults.append(event)
                self.handlers[cpu].add(fields["irq"])
                if current is not None:
                    self.enter(current, "INTERRUPTED", now)
            case "irq_handler_exit":
                if fields["irq"] not in self.handlers[cpu]:
                    self.faults.append(event)
                self.handlers[cpu].discard(fields["irq"])
                if current is not None:
                    self.enter(current, "RUN", now)
            case "lttng_statedump_process_state":
                self.names[fields["tid"]] = fields["name"]
                if fields["tid"] not in self.status:
                    self.enter(fields["tid"], self.DUMPED.get(fields["status"], "UNKNOWN"), now)

    def set_priority(self, event, thread, priority):
        if self.priority.setdefault(thread, priority) != priority:
            self.faults.append(event)

    def switched_from(self, state):
        state &= self.MASK
        if state == 0:
            return "WAIT_CPU"
        if state & 0x03:
            return "WAIT_BLOCKED"
        return "NOT_ALIVE" if state & 0x40 else "WAIT_UNKNOWN"


@pytest.mark.parametrize("trace", representative("threadx", "cswitch"), ids=str)
def test_trace_compass_counts_as_the_report(trace):
    folder = exported(trace, "ctf")
    lines, _ = babeltrace(folder / "schedule")
    analysis = KernelAnalysis()
    for line in lines:
        match = LINE.fullmatch(line)
        packet, fields = groups(match["rest"])
        event = match["event"].removeprefix(f"{trace.path.name} ")
        analysis.handle(
            {"cycles": int(match["cycles"]), "event": event, "core": packet["cpu_id"], "fields": fields}
        )
    assert not analysis.faults
    # At the end, each CPU goes to the task of unknown time.
    assert set(analysis.current.values()) <= {2}
    running = Counter()
    for thread, times in analysis.times.items():
        if thread > 2:
            running[analysis.names[thread]] += times["RUN"]
    reported = Counter()
    for row in report(trace)["profile"]:
        if row["kind"] == "thread":
            reported[row["context"]] += row["duration"]
    assert +running == +reported
    # An own record of a thread has its priority.
    last = {}
    for event in listed(trace):
        if event["priority"] is not None:
            last[event["context"]] = event["priority"]
    changed = {analysis.names[thread]: priority for thread, priority in analysis.priority.items()}
    assert all(changed.get(name, priority) == priority for name, priority in last.items())


def test_several_recordings_begin_at_once(tmp_path):
    several = [trace for trace in traces("threadx") if trace.name in ("cm3_short", "cm3_system")]
    folder = export(several, "ctf", tmp_path / "out")
    lines, lost = babeltrace(folder)
    counts = [json.loads(run("info", trace.path, "--format", "json"))["events"] for trace in several]
    assert (len(lines), lost) == (sum(counts), 0)
    assert LINE.fullmatch(lines[0])["cycles"] == LINE.fullmatch(lines[1])["cycles"]


def test_names_are_not_syntax(tmp_path):
    [plain] = [trace for trace in traces("threadx") if trace.name == "cm3_short"]
    names = [b'"};\n{\\\xff"', b"\x1b[31m /**", b"\\" * 9, b"\xc3\x9cber %s?"]
    for number, name in enumerate(names):
        recording = tmp_path / f'{number}"; \\ }}.trx'
        recording.write_bytes(plain.path.read_bytes().replace(b"log queue", name.ljust(9)[:9]))
        test_events_are_those_of_the_recording(Trace(recording, "threadx", plain.arguments))


def test_a_long_recording_is_read_to_its_end(tmp_path):
    recording = tmp_path / "long.trx"
    # Dozens of packets.
    generate(recording, "threadx", "--events", 100_000)
    folder = export(Trace(recording, "threadx"), "ctf", tmp_path / "out")
    lines, lost = babeltrace(folder)
    info = json.loads(run("info", recording, "--format", "json"))
    assert (len(lines), lost) == (info["events"], 0)
    assert info["events"] > 90_000
