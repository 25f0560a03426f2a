"""Sessions, read by sigrok-cli."""

import re
import zipfile

import pytest
from conftest import OWN, Trace, execute, export, exported, report, representative
from samples import high_and_rises

THREADED = representative("threadx", "cswitch")
# Of larger sessions, only some are compared sample by sample.
MAX_BYTES = 1 << 23
LONG = ("linux32_services_all", "memory.bin")


def sigrok(path, *arguments):
    done = execute("sigrok-cli", "-i", path, *arguments)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


class Session:
    """A session as sigrok-cli reads it."""

    def __init__(self, path):
        self.path = path
        shown = sigrok(path, "--show").decode()
        self.rate = int(re.search(r"^Samplerate: (\d+)$", shown, re.M)[1])
        self.lines = re.findall(r"^- (.*): logic$", shown, re.M)
        self.unit = int(re.search(r"^Logic unitsize: (\d+)$", shown, re.M)[1])
        self.count = int(re.search(r"^Logic sample count: (\d+)$", shown, re.M)[1])

    def samples(self):
        samples = sigrok(self.path, "-O", "binary")
        assert len(samples) == self.count * self.unit
        return samples

    def high(self):
        """In how many samples each line is high, and how often it rises."""
        return high_and_rises(self.samples(), self.unit, len(self.lines))


def opened(trace):
    return Session(exported(trace, "sigrok", ".sr"))


def of_frequency(document):
    known = document.get("frequency_hz")
    counts = document["health"]["clock"]["quality"] in ("good", "unknown")
    return known if known and counts else 10**9


@pytest.mark.parametrize("trace", THREADED, ids=str)
def test_lines_are_high_as_long_as_reported(trace):
    document = report(trace)
    session = opened(trace)
    assert len(set(session.lines)) == len(session.lines)
    assert session.unit == -(-len(session.lines) // 8)
    hertz = of_frequency(document)
    assert abs(session.count - 1 - document["span"] * session.rate / hertz) <= 0.5
    profile = document["profile"]
    threads = [row for row in profile if row["kind"] == "thread"]
    # The recording itself comes first; the cores follow the interrupt handlers.
    assert session.lines[0] == "recorded"
    assert len(session.lines) > 1 + len(threads)
    if session.count * session.unit > MAX_BYTES and trace.name not in LONG:
        return
    high, rises = session.high()
    for row, samples, pulses in zip(threads, high[1:], rises[1:]):
        if session.rate == hertz:
            assert samples == row["duration"], row
        else:
            assert abs(samples - row["duration"] * session.rate / hertz) <= pulses, row
    rows = zip(session.lines, high)
    idle = sum(count for name, count in rows if re.fullmatch(r"core \d+ idle", name))
    if session.rate == hertz:
        assert idle == sum(row["duration"] for row in profile if row["kind"] == "idle")
    rises = dict(zip(session.lines, rises))
    for routine in document["isr"]:
        # Even those that took no time; neighbours may become one pulse.
        assert 0 < rises[routine["name"]] <= routine["activations"]


@pytest.mark.parametrize("trace", representative("rkh"), ids=str)
def test_active_objects_have_lines(trace):
    document = report(trace)
    session = opened(trace)
    objects = {machine["object"] for machine in document.get("states") or []}
    assert objects <= set(session.lines)
    assert session.count >= 1


def test_text_outputs_agree_with_the_samples():
    session = opened(Trace(OWN / "threadx" / "linux32_t16junk.trx", "threadx"))
    high, _ = session.high()
    # Lines of several bytes.
    assert session.unit > 1 and any(high)
    text = sigrok(session.path, "-O", "bits:width=0").decode()
    counted = dict.fromkeys(session.lines, 0)
    for line in text.splitlines():
        name, colon, bits = line.rpartition(":")
        if colon and name in counted:
            counted[name] += bits.count("1")
    assert list(counted.values()) == high


def test_chunks_are_numbered_and_packed():
    session = opened(Trace(OWN / "threadx" / "cm3_short.trx", "threadx", ("--clock", "25MHz")))
    with zipfile.ZipFile(session.path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        chunks = [f"logic-1-{number}" for number in range(1, len(names) - 1)]
        assert names == ["version", "metadata", *chunks]
        assert archive.read("version") == b"2"
        sizes = [archive.getinfo(chunk).file_size for chunk in chunks]
        assert sum(sizes) == session.count * session.unit
        assert all(size % session.unit == 0 and size <= 1 << 22 for size in sizes)


def test_long_recordings_are_sampled_less_often(tmp_path):
    trace = Trace(OWN / "threadx" / "cm3_short.trx", "threadx", ("--clock", "250Hz"))
    exact = opened(trace)
    assert exact.rate == 250
    both = [trace, Trace(OWN / "threadx" / "linux32_isr.trx", "threadx")]
    session = Session(export(both, "sigrok", tmp_path / "x.sr"))
    assert session.rate < 10**9
    assert any(name.startswith("linux32_isr.trx: ") for name in session.lines)
