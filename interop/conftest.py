"""Interoperability tests: they run the real commands on real recordings, read each
export with the receiving tool's own reader, and compare the result with the reports.

`cargo xtask test` runs them all. By hand: `pytest interop`, with RTOSCOPE_BIN set
to the command if it is not in target/debug, and the packages of
requirements.txt, babeltrace2, sigrok-cli and Node.js installed.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "testdata"
# Recordings of other programs, if there are any beside the repository.
SHARED = ROOT.parent / "shared" / "traces"


def _program(variable, name):
    return Path(os.environ.get(variable) or ROOT / "target" / "debug" / name)


RTOSCOPE = _program("RTOSCOPE_BIN", "rtoscope")


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


def _recordings():
    own = {path.name for path in OWN.glob("*/*")}
    shared = [path for path in sorted(SHARED.glob("*/*")) if path.name not in own]
    for path in sorted(OWN.glob("*/*")) + shared:
        folder = path.parent.name
        if path.suffix == ".trx":
            yield Trace(path, "threadx", ("--clock", "25MHz"))
        elif path.suffix == ".bin" and folder == "rkh":
            known = next(file for end in (".json", ".cfg") if (file := path.with_suffix(end)).exists())
            yield Trace(path, "rkh", ("--rkh-config", str(known)))
        elif path.name == "memory.bin.gz":
            truth = json.loads(path.with_name("truth.json").read_text())
            elf = str(path.with_name("demo.elf"))
            log = ("--symbols", elf, "--log-base", truth["memory_start"], "--clock", "25MHz")
            yield Trace(path, "cswitch", log)


def traces(*formats):
    """The recordings of these formats, or all."""
    return [trace for trace in _recordings() if not formats or trace.format in formats]


def run(*arguments, expect=0):
    """Runs the command and returns its standard output."""
    words = [str(RTOSCOPE), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != expect:
        raise AssertionError(f"{words}: {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def export(trace, to, output, *arguments):
    """Exports one recording or several, and returns the path of the output."""
    several = [trace] if isinstance(trace, Trace) else list(trace)
    files = [one.path for one in several]
    run("export", *files, *several[0].arguments, "--to", to, "--output", output, *arguments)
    return output


def report(trace, *kinds):
    """The reports of a recording, as the JSON document of `rtoscope report`."""
    text = run("report", trace.path, *kinds, *trace.arguments, "--format", "json")
    return json.loads(text)
