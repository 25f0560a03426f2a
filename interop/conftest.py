"""Interoperability tests: they run the real commands on real recordings, read each
export with the receiving tool's own reader, and compare the result with the reports.

`cargo xtask test interop` runs them all. By hand: `pytest interop`, with RTOSCOPE_BIN
set to the command if it is not in target/debug, RTOSCOPE_SQL_BIN to rtoscope-sql if it is
not in target/fleet/debug, and the packages of
requirements.txt, babeltrace2, sigrok-cli and Node.js installed.
"""

import atexit
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

# It compares for several modules.
pytest.register_assert_rewrite("dialects")

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "testdata"
# Recordings of other programs, if there are any beside the repository.
SHARED = ROOT.parent / "shared" / "traces"

# The recordings that slow tools read, and what each of them has that the others lack. A new
# recording belongs here only for the same reason.
REPRESENTATIVE = {
    "memory.bin.gz": "context switches, the kernel's own time, interrupts off",
    "abort_in_put.trx": "aborted waits, inversions without culprits",
    "be32_ppc_names.trx": "names with control characters and syntax; big-endian",
    "be64_s390x_wrap.trx": "words of 64 bits; a buffer that wrapped",
    "cm3_dwt_zero.trx": "a clock that stands still",
    "cm3_midinsert.trx": "nested interrupts; a half-written entry",
    "delayed_suspend.trx": "times of more than 32 bits",
    "last_tick.trx": "junk in the clock; full load",
    "linux32_filex.trx": "services of FileX; an address used again",
    "linux32_filter.trx": "filtered events",
    "linux32_filterbug.trx": "overwritten entries; no dispatches",
    "linux32_isr.trx": "nested and unfinished interrupts",
    "linux32_regover.trx": "a full registry",
    "linux32_services_all.trx": "all services of ThreadX",
    "linux32_userevents.trx": "unknown and user events of any number",
    "rv64_system.trx": "inversions; words of 64 bits with the highest bit",
    "smp32_cores.trx": "several cores, inversions across them",
    "smp_relinquish.trx": "several cores with unknown contexts; incomplete flows",
    "terminate_owner.trx": "a terminated owner of a mutex",
    "ahsm_all.bin": "hierarchical states; posts of unknown senders",
    "allrec_wide.bin": "all records of RKH, of the widest configuration",
    "dmg_attach.bin": "a stream without its start and configuration",
    "dmg_dropflag.bin": "damage; posts, timers and states of several objects",
    "ut.bin": "a unit test",
}
# The same of those beside the repository; the others there differ in how they are decoded only.
REPRESENTATIVE_SHARED = {
    "demo_filex.trx": "a clock that counts events",
    "dmg_esc_flag.bin": "gaps of unknown size",
    "nat_symonly.bin": "empty tables",
    "old_rkh22.bin": "RKH 2; gaps of unknown time",
}
# Those of them whose tables have all kinds of values in each column: nulls, numbers of more
# than 32 and 53 bits, odd texts, no rows. For tools that read all tables alike.
VARIED = {
    "abort_in_put.trx",
    "allrec_wide.bin",
    "be32_ppc_names.trx",
    "be64_s390x_wrap.trx",
    "cm3_dwt_zero.trx",
    "delayed_suspend.trx",
    "dmg_attach.bin",
    "dmg_dropflag.bin",
    "dmg_esc_flag.bin",
    "linux32_filterbug.trx",
    "memory.bin.gz",
    "old_rkh22.bin",
    "rv64_system.trx",
    "smp32_cores.trx",
    "terminate_owner.trx",
}


def _program(variable, name):
    return Path(os.environ.get(variable) or ROOT / "target" / name)


RTOSCOPE = _program("RTOSCOPE_BIN", "debug/rtoscope")
SQL = _program("RTOSCOPE_SQL_BIN", "fleet/debug/rtoscope-sql")
# `rtoscope` finds it there.
os.environ["PATH"] = f"{SQL.parent}{os.pathsep}{os.environ['PATH']}"

# How long a program may run, in seconds: less than a test (`--timeout` of `cargo xtask test`).
TIMEOUT = 100


@dataclass(frozen=True)
class Trace:
    """A recording, its format, and the options that the command needs to read it."""

    path: Path
    format: str
    arguments: tuple[str, ...] = ()

    @property
    def name(self):
        return self.path.stem

    def __str__(self):
        return self.path.name


@cache
def _recordings():
    kept = {}
    for trace in _found():
        # Some have other names beside the repository.
        kept.setdefault(trace.path.read_bytes(), trace)
    return tuple(kept.values())


def _found():
    own = sorted(OWN.glob("*/*"))
    names = {path.name for path in own}
    assert names >= REPRESENTATIVE.keys()
    others = [path for path in sorted(SHARED.glob("*/*")) if path.name in REPRESENTATIVE_SHARED.keys() - names]
    for path in own + others:
        folder = path.parent.name
        if path.suffix == ".trx":
            yield Trace(path, "threadx", ("--clock", "25MHz"))
        elif path.suffix == ".bin" and folder == "rkh":
            known = next(file for end in (".json", ".cfg") if (file := path.with_suffix(end)).exists())
            version = ("-O", "rkh-version=2.0") if path.name.startswith("old") else ()
            yield Trace(path, "rkh", (f"-Orkh-config={known}", *version))
        elif path.name == "memory.bin.gz":
            truth = json.loads(path.with_name("truth.json").read_text())
            elf = str(path.with_name("demo.elf"))
            log = ("--symbols", elf, f"-Olog-base={truth['memory_start']}", "--clock", "25MHz")
            yield Trace(path, "cswitch", log)


def traces(*formats):
    """The recordings of these formats, or all: for what takes little time."""
    return [trace for trace in _recordings() if not formats or trace.format in formats]


def representative(*formats):
    """The recordings of these formats, or all, that have everything that any of them has."""
    names = REPRESENTATIVE.keys() | REPRESENTATIVE_SHARED.keys()
    return [trace for trace in traces(*formats) if trace.path.name in names]


def varied(*formats):
    """The recordings of these formats, or all, whose tables have all kinds of values."""
    return [trace for trace in representative(*formats) if trace.path.name in VARIED]


def execute(*words, **options):
    """Runs a program to its end, or ends it after `TIMEOUT`."""
    words = [str(word) for word in words]
    return subprocess.run(words, capture_output=True, check=False, timeout=TIMEOUT, **options)


def generate(output, *arguments):
    """Writes a synthetic recording."""
    program = Path(RTOSCOPE).with_name("rtoscope-generate")
    subprocess.run([program, *map(str, arguments), "--output", output], check=True)


def run(*arguments, expect=0):
    """Runs the command and returns its standard output."""
    done = execute(RTOSCOPE, *arguments)
    if done.returncode != expect:
        raise AssertionError(f"{done.args}: {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def merged_camera(folder):
    """A list of two recordings of one run on one axis: both log the end of each frame with the same
    reading of their counter."""
    camera = OWN / "firmware" / "camera"
    trace, log, axis = (folder / name for name in ("trace.trx", "log.cswl", "axis.toml"))
    image = camera / "memory.bin.gz"
    run("convert", image, "--no-config", "--input-format", "threadx", "-o", trace)
    run("convert", image, "--config", camera / "markers.toml", "-o", log)
    run("merge", trace, log, "--common-counter", "--clock", "25MHz", "-o", axis)
    return axis


def export(trace, to, output, *arguments):
    """Exports one recording or several, and returns the path of the output."""
    several = [trace] if isinstance(trace, Trace) else list(trace)
    files = [one.path for one in several]
    run("export", *files, *several[0].arguments, "--to", to, "--output", output, *arguments)
    return output


# What cases of one recording share, so that the command and the receiving tools run once.
# These cases come one after the other: only the last few answers are kept.
shared = lru_cache(maxsize=32)


@cache
def _exports():
    """A folder of this process for exports that several cases read."""
    folder = tempfile.TemporaryDirectory(prefix="rtoscope-interop-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@shared
def exported(trace, to, suffix=""):
    """The path of an export of one recording, which cases share and must not change.
    The file's name is the format's and the suffix."""
    folder = Path(tempfile.mkdtemp(prefix=f"{trace.name}-", dir=_exports()))
    return export(trace, to, folder / f"{to}{suffix}")


@shared
def report(trace):
    """All reports of a recording, as the JSON document of `rtoscope report`."""
    return json.loads(run("report", trace.path, *trace.arguments, "--format", "json"))


@shared
def table(trace, name):
    """The rows of a table, as rtoscope itself writes it: JSON lines."""
    (path,) = (exported(trace, "jsonl") / name).iterdir()
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def _recording(node_id):
    """The recording that a case is about, by its parameters, or nothing."""
    parameters = node_id.partition("[")[2].removesuffix("]").split("-")
    names = {str(trace) for trace in traces()}
    return next((word for word in parameters if word in names), "")


def pytest_collection_modifyitems(items):
    """Cases of one recording come one after the other."""
    items.sort(key=lambda item: _recording(item.nodeid))


def pytest_xdist_make_scheduler(config, log):
    """Cases of one recording, and those of the dialects' datasets, run in one process."""

    class ByRecording(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            module = nodeid.partition("::")[0]
            shares_datasets = module.endswith("test_dialects.py")
            return module if shares_datasets else _recording(nodeid) or nodeid

    return ByRecording(config, log)
