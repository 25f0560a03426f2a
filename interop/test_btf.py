"""Best Trace Format, read by a small reader that follows the specification: state charts of
processes, cores that run one process at a time, and semaphores."""

from collections import Counter, defaultdict

import pytest
from conftest import exported, report, representative

# The events of tasks and ISRs, and the state after each from those that the specification allows.
# A task without an event before may be in any state.
PROCESS = {
    "activate": ({"terminated"}, "active"),
    "start": ({"active"}, "running"),
    "preempt": ({"running"}, "ready"),
    "resume": ({"ready"}, "running"),
    "terminate": ({"running"}, "terminated"),
    "wait": ({"running"}, "waiting"),
    "release": ({"waiting"}, "ready"),
}
# Kernels suspend and terminate threads that do not run, which OSEK does not know.
LENIENT = {"wait": {"ready", "active", "waiting", "terminated"}, "terminate": {"ready", "active", "waiting"}}
SEMAPHORE = {
    "lock": ({"free"}, "full"),
    "unlock": ({"full"}, "free"),
    "overfull": ({"full"}, "overfull"),
    "full": ({"overfull"}, "full"),
}


class File:
    """Run times of processes by type and name, and dispatches of tasks."""

    def __init__(self, path):
        self.times, self.unit = Counter(), None
        self.states, self.cores = {}, defaultdict(lambda: None)
        self.since, last = {}, 0
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                key, _, value = line[1:].partition(" ")
                if key == "timeScale":
                    self.unit = {"ps": 10**12, "ns": 10**9}[value]
                continue
            fields = line.split(",")
            assert len(fields) in (7, 8), line
            time, source, source_instance, kind, target, instance, event = fields[:7]
            time = int(time)
            int(source_instance), int(instance)
            assert time >= last, line
            last = time
            if kind in ("T", "I"):
                self.process(time, source, kind, (kind, target, instance), event)
            elif kind == "SEM" and source == target:
                before, after = SEMAPHORE[event]
                state = self.states.get((kind, target))
                assert state is None or state in before, line
                self.states[kind, target] = after
            else:
                assert kind == "SEM" or event in ("idle", "execute"), line
        self.end = last
        for core, process in list(self.cores.items()):
            if process:
                self.leave(last, core, process)

    def process(self, time, source, kind, process, event):
        before, after = PROCESS[event]
        # A task keeps its state from one instance to the next.
        key = process if kind == "I" else process[:2]
        state = self.states.get(key)
        allowed = before | LENIENT.get(event, set())
        assert state is None or state in allowed, (time, process, event, state)
        self.states[key] = after
        if after == "running":
            assert self.cores[source] is None, (time, process, self.cores[source])
            self.cores[source], self.since[source] = process, time
        elif state == "running":
            self.leave(time, source, process)

    def leave(self, time, core, process):
        assert self.cores[core] == process
        self.times[process[:2]] += time - self.since[core]
        self.cores[core] = None


@pytest.mark.parametrize("trace", representative("threadx", "cswitch", "systemview"), ids=str)
def test_processes_run_as_long_as_reported(trace):
    document = report(trace)
    file = File(exported(trace, "btf", ".btf"))
    hertz = document.get("frequency_hz")
    measures = document["health"]["clock"]["quality"] in ("good", "unknown", "lossy", "uneven")
    hertz = hertz if hertz and measures else 10**9
    for kind, letter in (("thread", "T"), ("isr", "I")):
        reported = [row["duration"] for row in document["profile"] if row["kind"] == kind]
        expected = sorted(ticks * file.unit / hertz for ticks in reported if ticks)
        kernel = ("I", "(interrupt or scheduler)")
        found = sorted(
            time
            for process, time in file.times.items()
            if process[0] == letter and process != kernel and time
        )
        assert len(found) == len(expected)
        # Each start and end is rounded down.
        runs = document["events"] * 2 if file.unit % hertz else 0
        assert all(abs(one - other) <= runs for one, other in zip(found, expected))
