"""Value change dumps, read by wellen (as `pywellen`) and by `vcdvcd`, and
imported by sigrok-cli."""

import re
from collections import Counter, defaultdict
from fractions import Fraction

import pytest
import pywellen
import vcdvcd
from conftest import OWN, Trace, execute, export, exported, report, shared, traces
from samples import high_and_rises

THREADED = traces("threadx", "cswitch")
REACTIVE = traces("rkh")
STATES = (
    "running ready suspended sleep queue semaphore mutex event-flags block-pool "
    "byte-pool driver file network completed terminated other"
).split()


class Dump:
    """A dump as a reader sees it: `signals[scope][name]` is a list of times and values;
    a value is a text of bits, another text, or x."""

    def __init__(self, end, second, signals):
        self.end, self.second = end, second
        self.signals = defaultdict(dict)
        for path, changes in signals:
            *scope, name = path.split(".")
            self.signals["/".join(scope)][name] = changes

    def scope(self, *names):
        (file,) = {path.split("/")[0] for path in self.signals}
        return self.signals["/".join((file, *names))]

    def spans(self, changes):
        """How long the signal had each value."""
        spans = Counter()
        ends = [time for time, _ in changes[1:]] + [self.end]
        for (time, value), end in zip(changes, ends):
            assert time <= end
            spans[value] += end - time
        return spans

    def ticks(self, time, frequency):
        """A number of units as ticks, which must be whole ones."""
        ticks = Fraction(time, self.second) * frequency
        assert ticks.denominator == 1
        return int(ticks)


@shared
def _vcdvcd(path):
    """Parsed once for both readers: it takes most of the time of these tests."""
    return vcdvcd.VCDVCD(str(path))


@shared
def wellen(path):
    wave = pywellen.Waveform(str(path))
    signals = []

    def text(variable, value):
        if variable.is_string:
            return value
        if isinstance(value, int):
            return format(value, "b")
        assert set(value) == {"x"}
        return "x"

    for variable in wave.all_vars():
        changes = [(time, text(variable, value)) for time, value in variable.tv]
        signals.append((variable.full_name, changes))
    count, unit = re.fullmatch(r"(\d+)(\w+)", str(wave.timescale).replace(" ", "")).groups()
    # It does not show when the dump ends; the other reader does.
    return Dump(_vcdvcd(path).endtime, second(int(count), unit), signals)


@shared
def verilog(path):
    dump = _vcdvcd(path)
    scale = dump.timescale
    signals = []
    for name in dump.signals:
        changes = [(time, value.lstrip("0") or "0") for time, value in dump[name].tv]
        # Texts are not part of the standard, and this reader skips them.
        if changes:
            signals.append((name, changes))
    return Dump(dump.endtime, second(int(scale["magnitude"]), scale["unit"]), signals)


def second(count, unit):
    """How many of that time a second has."""
    exponent = {"s": 0, "ms": 3, "us": 6, "ns": 9, "ps": 12, "fs": 15}[unit]
    return Fraction(10**exponent, count)


READERS = pytest.mark.parametrize("read", [wellen, verilog])


def opened(trace, read):
    return read(exported(trace, "vcd", ".vcd"))


def frequency(document):
    """A tick becomes a nanosecond where the clock does not measure time."""
    known = document.get("frequency_hz")
    counts = document["health"]["clock"]["quality"] in ("good", "unknown")
    return known if known and counts else 10**9


@READERS
@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_cpu_time_is_as_reported(trace, read):
    document = report(trace)
    dump = opened(trace, read)
    hertz = frequency(document)

    def high(changes):
        return dump.ticks(dump.spans(changes)["1"], hertz)

    profile = document["profile"]
    assert dump.ticks(dump.end, hertz) == document["span"]
    threads = [row["duration"] for row in profile if row["kind"] == "thread"]
    assert [high(changes) for changes in dump.scope("threads").values()] == threads
    cores = dump.scope("cores")
    idle = sum(high(changes) for name, changes in cores.items() if name.endswith("_idle"))
    assert idle == sum(row["duration"] for row in profile if row["kind"] == "idle")
    if document["span"]:
        unknown = sum(
            dump.ticks(dump.spans(changes)["x"], hertz)
            for name, changes in cores.items()
            if name.endswith("_idle")
        )
        assert unknown == sum(row["duration"] for row in profile if row["kind"] == "unknown")


@READERS
@pytest.mark.parametrize("trace", traces("threadx"), ids=str)
def test_states_last_as_long_as_reported(trace, read):
    document = report(trace)
    dump = opened(trace, read)
    hertz = frequency(document)
    states = dump.scope("states").values()
    assert len(states) == len(document["threads"])
    for thread, changes in zip(document["threads"], states):
        reported = thread["states"]
        expected = Counter(reported["waiting"])
        expected["running"] = reported["running"] + reported["interrupted"]
        expected["ready"] = reported["ready"]
        # A deleted thread has no state.
        gone = document["span"] - sum(expected.values()) - reported["unknown"]
        assert gone == 0 or thread["deleted"] and gone > 0
        expected["x"] = reported["unknown"] + gone
        found = Counter()
        for value, time in dump.spans(changes).items():
            name = "x" if value == "x" else STATES[int(value, 2)]
            found[name] += dump.ticks(time, hertz)
        assert +found == +expected, thread["name"]
    ready = dump.scope("ready").values()
    for thread, changes in zip(document["threads"], ready):
        high = dump.ticks(dump.spans(changes)["1"], hertz)
        assert high == thread["states"]["ready"]
    if read is not wellen:
        return
    for thread, changes in zip(document["threads"], dump.scope("details").values()):
        found = Counter()
        for value, time in dump.spans(changes).items():
            found[value.split(":")[0]] += dump.ticks(time, hertz)
        reported = thread["states"]
        for name, ticks in reported["waiting"].items():
            assert found[name] == ticks
        assert found["(unknown)"] == reported["unknown"] or thread["deleted"]


@READERS
@pytest.mark.parametrize("trace", traces(), ids=str)
def test_levels_reach_what_is_reported(trace, read):
    document = report(trace)
    levels = opened(trace, read).scope("levels")
    reported = []
    for row in document.get("objects") or []:
        if level := row.get("level"):
            reported.append((word(row["object"]), level["min"], level["max"]))
    found = []
    for name, changes in levels.items():
        known = [int(value, 2) for _, value in changes if value != "x"]
        if known:
            found.append((name, min(known), max(known)))
    names = [name for name, _, _ in reported]
    unique = {name for name, count in Counter(names).items() if count == 1}
    assert [row for row in sorted(found) if row[0] in unique] == [
        row for row in sorted(reported) if row[0] in unique
    ]
    assert sorted(row[1:] for row in found) == sorted(row[1:] for row in reported)


def word(name):
    return re.sub("[^A-Za-z0-9]", "_", name)[:100] or "_"


@READERS
@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_routines_begin_as_often_as_reported(trace, read):
    document = report(trace)
    dump = opened(trace, read)
    lines = dump.scope("isrs").values()
    assert len(lines) == len(document["isr"])
    for routine, changes in zip(sorted(document["isr"], key=number), lines):
        rises = sum(value == "1" for _, value in changes)
        # One that interrupts itself, or runs on several cores, is one pulse.
        if document["cores"] == 1 and routine["nested"] == 0:
            assert rises == routine["activations"], routine["name"]
        else:
            assert 0 < rises <= routine["activations"], routine["name"]
    if read is wellen and document["cores"] == 1:
        max_nesting = max((routine["max_nesting"] for routine in document["isr"]), default=0)
        depths = dump.scope("cores")["core_0_isr_depth"]
        depths = [int(value, 2) for _, value in depths if value != "x"]
        # The slices have no routine that took no time.
        assert max(depths, default=0) <= max_nesting


def number(routine):
    return -1 if routine["number"] is None else routine["number"]


@READERS
@pytest.mark.parametrize("trace", REACTIVE, ids=str)
def test_machines_are_in_their_states_as_long_as_reported(trace, read):
    document = report(trace)
    dump = opened(trace, read)
    hertz = frequency(document)
    if read is not wellen:
        # The machines' states are texts.
        assert not dump.scope("machines")
        return
    machines = dump.scope("machines")
    reported = {word(machine["object"]): machine for machine in document.get("states") or []}
    for name, changes in machines.items():
        expected = Counter()
        for row in reported[name.removesuffix("_state")]["states"]:
            expected[word(row["state"])] += row["duration"]
        found = Counter()
        for value, time in dump.spans(changes).items():
            if value != "(unknown)":
                found[value] += dump.ticks(time, hertz)
        assert +found == +expected, name


@READERS
def test_several_recordings_are_as_each_alone(read, tmp_path):
    several = [trace for trace in THREADED if trace.name in ("cm3_short", "linux32_isr")]
    assert len(several) == 2
    both = read(export(several, "vcd", tmp_path / "x.vcd"))
    for trace in several:
        alone = opened(trace, read)
        for scope in ("threads", "ready", "states", "cores", "levels"):
            one = alone.scope(scope)
            other = both.signals["/".join((f"{trace.name}_trx", scope))]
            assert one.keys() == other.keys()
            for name, changes in one.items():
                assert [
                    (Fraction(time, alone.second), value) for time, value in changes
                ] == [
                    (Fraction(time, both.second), value)
                    for time, value in other[name]
                    if Fraction(time, both.second) <= Fraction(alone.end, alone.second)
                ][: len(changes)]


@READERS
def test_without_a_frequency_a_tick_is_a_nanosecond(read):
    trace = Trace(OWN / "threadx" / "cm3_short.trx", "threadx")
    dump = opened(trace, read)
    assert dump.second == 10**9
    assert dump.end == report(trace)["span"]
    assert "times are ticks" in exported(trace, "vcd", ".vcd").read_text()


@READERS
@pytest.mark.parametrize("clock", ["3MHz", "32768Hz", "72MHz", "1GHz", "168MHz"])
def test_distinct_ticks_stay_distinct(read, clock):
    path = OWN / "threadx" / "cm3_short.trx"
    exact = opened(Trace(path, "threadx", ("--clock", "25MHz")), read)
    odd = opened(Trace(path, "threadx", ("--clock", clock)), read)
    value, unit = re.fullmatch(r"(\d+)(\w+)", clock).groups()
    hertz = int(value) * {"Hz": 1, "MHz": 10**6, "GHz": 10**9}[unit]
    for scope, signals in exact.signals.items():
        for name, changes in signals.items():
            others = odd.signals[scope][name]
            assert [value for _, value in changes] == [value for _, value in others]
            for (time, _), (other, _) in zip(changes, others):
                ticks = Fraction(time, exact.second) * 25 * 10**6
                error = ticks - Fraction(other, odd.second) * hertz
                assert 0 <= error < Fraction(1, 100)


def test_sigrok_imports_bits(tmp_path):
    # A short one: a sample is a unit of the dump, and the reader expands all of them.
    [trace] = [trace for trace in traces("threadx") if trace.name == "cm3_midinsert"]
    path = export(trace, "vcd", tmp_path / "x.vcd", "--bits")
    dump = wellen(path)
    lines = [changes for signals in dump.signals.values() for changes in signals.values()]
    assert all(value in ("0", "1", "x") for changes in lines for _, value in changes)
    done = execute("sigrok-cli", "-I", "vcd", "-i", path, "-O", "binary")
    assert done.returncode == 0 and not done.stderr, done.stderr
    unit = -(-len(lines) // 8)
    rate, _, samples = done.stdout.partition(b"\n")
    assert rate.startswith(b"META samplerate: ")
    assert len(samples) == dump.end * unit
    found, _ = high_and_rises(samples, unit, len(lines))
    assert found == [dump.spans(changes)["1"] for changes in lines]
