"""DuckDB reads the tables of a fleet through its own reader of Delta Lake, and gives the same answers
to every view and canned query as rtoscope, from the script that rtoscope prints.

`cargo xtask test fleet` runs these tests, with RTOSCOPE_FLEET_BIN set to the program.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

duckdb = pytest.importorskip("duckdb")
extensions = pytest.importorskip("duckdb_extensions")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conftest import ROOT, RTOSCOPE, _exports  # noqa: E402
from dialects import assert_same  # noqa: E402

FLEET = Path(os.environ.get("RTOSCOPE_FLEET_BIN") or ROOT / "target" / "fleet" / "debug" / "rtoscope-fleet")
GENERATE = Path(RTOSCOPE).with_name("rtoscope-generate")
VERSIONS = ("1.9", "1.10", "2.0")
DEVICES = 12


def _run(*arguments, program=FLEET):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def tables():
    """Tables of some devices, in two commits; only the first is compacted."""
    folder = _exports() / "delta"
    place = folder / "tables"
    for at in range(DEVICES):
        trace = folder / f"{at * 2 // DEVICES}" / f"d{at}" / VERSIONS[at % 3] / "trace.trx"
        trace.parent.mkdir(parents=True)
        _run("threadx", "--events", 400, "--seed", at + 1, "--output", trace, program=GENERATE)
    pattern = ("--path-pattern", "{device}/{firmware}/*", "--clock", "10MHz", "--to", place)
    _run("ingest", folder / "0", *pattern)
    _run("compact", place)
    _run("ingest", folder / "1", *pattern)
    return place


@cache
def database():
    """The tables and views in DuckDB."""
    extensions.import_extension("delta")
    connection = duckdb.connect()
    connection.execute(_run("query", tables(), "--emit", "duckdb"))
    return connection


def _views():
    script = _run("query", "--emit", "duckdb")
    return re.findall(r"^CREATE OR REPLACE VIEW (\w+)", script, re.M)


def _queries():
    return [line.split()[0] for line in _run("query", "--list").splitlines()]


def _found(sql):
    result = database().execute(sql)
    return [column[0] for column in result.description], result.fetchall()


def _expected(*words):
    return [json.loads(line) for line in _run("query", tables(), "--format", "jsonl", *words).splitlines()]


@pytest.mark.parametrize("view", _views() if FLEET.exists() else [])
def test_a_view_has_the_same_rows(view):
    sql = f"SELECT * FROM {view}"
    assert_same(*_found(sql), _expected(sql), in_order=False)


@pytest.mark.parametrize("query", _queries() if FLEET.exists() else [])
def test_a_canned_query_has_the_same_rows(query):
    sql = _run("query", "--emit", "duckdb", "--named", query)
    assert_same(*_found(sql), _expected("--named", query), in_order=True)


def test_a_query_for_a_device_opens_one_file():
    condition = "device = 'd3' AND bucket = substr(md5('d3'), 1, 1)"
    plan = database().execute(f"EXPLAIN ANALYZE SELECT * FROM events WHERE {condition}").fetchall()
    (number,) = re.findall(r"Total Files Read: (\d+)", plan[0][1])
    assert number == "1"
