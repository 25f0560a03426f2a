"""The Spark job of the book adds the same rows to the tables of a fleet as a direct ingest.

`cargo xtask test fleet` runs this test, with RTOSCOPE_FLEET_BIN set to the program.
"""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark.sql")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conftest import OWN, ROOT, RTOSCOPE  # noqa: E402

FLEET = Path(os.environ.get("RTOSCOPE_FLEET_BIN") or ROOT / "target" / "fleet" / "debug" / "rtoscope-fleet")
JOB = ROOT / "docs" / "src" / "fleet" / "spark_ingest.py"
RECORDINGS = ("threadx/cm3_short.trx", "threadx/cm3_system.trx", "threadx/rv64_system.trx", "rkh/ahsm_all.bin")
TABLES = ("recordings", "events", "slices", "findings", "thread_states")


def _manifest(path, recordings):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["path", "device", "recorded_at"])
        for number, recording in enumerate(recordings):
            writer.writerow([recording, f"dev-{number}", "2026-03-01"])


def _run(*words):
    environment = {
        **os.environ,
        # `rtoscope` runs the program for fleets.
        "PATH": f"{FLEET.parent}{os.pathsep}{os.environ['PATH']}",
        "RTOSCOPE_BIN": str(RTOSCOPE),
        "PYSPARK_PYTHON": sys.executable,
        # Nothing outside of this machine can connect.
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def _submit(manifest, tables):
    master = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"]
    submit = Path(sys.executable).with_name("spark-submit")
    return _run(submit, *master, JOB, manifest, tables, "3")


def _rows(tables, table):
    """The rows of a table, sorted; without where they are."""
    result = _run(RTOSCOPE, "query", tables, f"SELECT * FROM {table}", "--format", "csv")
    assert result.returncode == 0, result.stderr
    header, *rows = csv.reader(result.stdout.splitlines())
    kept = [at for at, name in enumerate(header) if not name.startswith("pack")]
    return header, sorted([row[at] for at in kept] for row in rows)


def test_the_job_adds_the_same_rows(tmp_path):
    manifest = tmp_path / "list.csv"
    _manifest(manifest, [OWN / name for name in RECORDINGS])
    result = _submit(manifest, tmp_path / "job")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^recordings 4\nadded 4\nknown 0\nfailed 0$", result.stdout, re.M), result.stdout
    direct = _run(RTOSCOPE, "ingest", "--manifest", manifest, "--to", tmp_path / "direct")
    assert direct.returncode == 0, direct.stderr
    for table in TABLES:
        job = _rows(tmp_path / "job", table)
        assert job == _rows(tmp_path / "direct", table)
        assert job[1]
    # Again, with one that cannot be decoded.
    other = tmp_path / "other.txt"
    other.write_text("no recording")
    _manifest(manifest, [*(OWN / name for name in RECORDINGS), other])
    result = _submit(manifest, tmp_path / "job")
    assert result.returncode == 2
    assert "added 0\nknown 4\nfailed 1\n" in result.stdout, result.stdout
    # spark-submit prints both streams of the job on its standard output.
    assert f"{other}: no usable" in result.stdout
