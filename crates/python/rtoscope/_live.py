"""Live traces."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from typing import IO, Any, Optional

from ._native import Error
from ._options import Option, arguments

# Events of a batch, at most.
_MAX_BATCH = 10_000


def live(address: str, **options: Option) -> Iterator[list[dict[str, Any]]]:
    """Captures a trace while it is recorded: batches of events as they arrive.

    An event is a dictionary, as in `rtoscope live --format json`, whose options these are: `clock`,
    `elf`, `filter`, `duration`, `until`, `limit`, `save`, `input_format`. A batch has what has
    arrived since the last one. The capture runs in a process of its own, the command of this
    package; it ends when the iterator is closed or the program has no more references to it.
    """
    words = ["live", *arguments(options), "--format=json", "--", address]
    # Ctrl+C is for the caller, which then closes the iterator.
    flags: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    process = subprocess.Popen(
        [command(), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=flags,
        start_new_session=sys.platform != "win32",
    )
    assert process.stdout is not None and process.stderr is not None
    events: queue.Queue[Optional[bytes]] = queue.Queue(_MAX_BATCH)
    messages: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(process.stdout, events), daemon=True),
        threading.Thread(target=_collect, args=(process.stderr, messages), daemon=True),
    ]
    for reader in readers:
        reader.start()
    try:
        yield from _batches(events)
        readers[1].join()
        code = process.wait()
        if code:
            error = Error("\n".join(messages[-3:]) or f"rtoscope live: exit code {code}")
            error.file, error.offset, error.cause = address, None, None
            raise error
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            # The reader may wait for a place in the queue.
            while readers[0].is_alive():
                try:
                    events.get(timeout=0.1)
                except queue.Empty:
                    pass
            process.wait()


def command() -> str:
    """The path of the command `rtoscope`: RTOSCOPE_BIN, that of this package, or one on the path."""
    given = os.environ.get("RTOSCOPE_BIN")
    if given:
        return given
    own = shutil.which("rtoscope", path=sysconfig.get_path("scripts"))
    found = own or shutil.which("rtoscope")
    if not found:
        raise FileNotFoundError("the command rtoscope is not installed; RTOSCOPE_BIN can name it")
    return found


def _read(output: IO[bytes], events: queue.Queue[Optional[bytes]]) -> None:
    for line in output:
        events.put(line)
    events.put(None)


def _collect(output: IO[bytes], messages: list[str]) -> None:
    """Keeps the last messages."""
    for line in output:
        messages.append(line.decode(errors="replace").rstrip())
        del messages[:-16]


def _batches(events: queue.Queue[Optional[bytes]]) -> Iterator[list[dict[str, Any]]]:
    while True:
        lines = [events.get()]
        while lines[-1] is not None and len(lines) < _MAX_BATCH:
            try:
                lines.append(events.get_nowait())
            except queue.Empty:
                break
        batch = [json.loads(line) for line in lines if line is not None]
        if batch:
            yield batch
        if lines[-1] is None:
            return
