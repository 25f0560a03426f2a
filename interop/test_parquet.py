"""Parquet and Arrow: pyarrow and DuckDB read every table as the reports and JSON lines
have them."""

import json
from collections import Counter

import duckdb
import nanoarrow
import polars
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.ipc
import pyarrow.parquet
import pytest
from conftest import SQL, export, exported, report, run, shared, table, traces, varied

pytestmark = pytest.mark.skipif(not SQL.exists(), reason="rtoscope-sql is not built")


def _plain(table):
    """Without dictionaries."""
    for place, field in enumerate(table.schema):
        if pyarrow.types.is_dictionary(field.type):
            words = table.column(place).cast(field.type.value_type)
            table = table.set_column(place, field.name, words)
    return table


def _files(dataset):
    return {path.parent.name: path for path in sorted(dataset.glob("[!.]*/*.*"))}


@shared
def _tables(trace):
    """DuckDB with the tables of a recording's export."""
    database = duckdb.connect()
    database.execute(run("query", "--emit", "duckdb", exported(trace, "parquet")).decode())
    return database


@pytest.mark.parametrize("trace", varied(), ids=str)
def test_every_table_equals_the_json_lines(trace):
    datasets = {kind: exported(trace, kind) for kind in ("parquet", "arrow", "jsonl")}
    kinds = {kind: _files(dataset) for kind, dataset in datasets.items()}
    assert kinds["parquet"].keys() == kinds["arrow"].keys() == kinds["jsonl"].keys()
    assert "events" in kinds["parquet"]
    database = _tables(trace)
    for name in kinds["jsonl"]:
        with pyarrow.memory_map(str(kinds["arrow"][name])) as file:
            read = _plain(pyarrow.ipc.open_file(file).read_all())
        assert read.to_pylist() == table(trace, name), name
        viewed = database.sql(f'FROM "{name}"').to_arrow_table()
        assert viewed.column_names == read.column_names
        assert viewed.cast(read.schema).equals(read), name
        # The file lacks columns that follow from others.
        stored = pyarrow.parquet.read_table(kinds["parquet"][name], partitioning=None)
        columns = [column for column in stored.column_names if column != "ticks_per_second"]
        lacking = set(read.column_names) - set(columns)
        assert all(column.endswith("_ns") or column in ("duration", "latency") for column in lacking)
        found = _plain(stored).select(columns)
        assert found.equals(read.select(columns).cast(found.schema)), name
        _bounds_agree(database, kinds["parquet"][name], _plain(stored))


def _bounds_agree(database, path, read):
    """The same bounds, which DuckDB takes from the statistics of the file where it can."""
    file = database.read_parquet(str(path))
    bounds, expected = [], []
    for field in read.schema:
        if pyarrow.types.is_integer(field.type):
            bounds += [f'min("{field.name}")', f'max("{field.name}")']
            expected += pyarrow.compute.min_max(read.column(field.name)).as_py().values()
    ((count, *found),) = file.aggregate(", ".join(["count(*)", *bounds])).fetchall()
    assert (count, found) == (read.num_rows, expected), path


@pytest.mark.parametrize("trace", varied(), ids=str)
def test_cpu_time_by_duckdb_is_that_of_the_report(trace):
    database = _tables(trace)
    profile = [row for row in report(trace)["profile"] if row["duration"]]
    threads = database.sql(
        """
        SELECT c.address, sum(s.duration)::BIGINT
        FROM slices s JOIN contexts c USING (context_id)
        WHERE s.kind = 'thread'
        GROUP BY c.context_id, c.address HAVING sum(s.duration) > 0
        """
    ).fetchall()
    expected = [(int(row["address"], 16), row["duration"]) for row in profile if row["kind"] == "thread"]
    assert sorted(threads) == sorted(expected)
    kinds = database.sql("SELECT kind, sum(duration)::BIGINT FROM slices GROUP BY 1").fetchall()
    expected = Counter()
    for row in profile:
        expected[row["kind"]] += row["duration"]
    assert {kind: ticks for kind, ticks in kinds if ticks} == dict(expected)


def test_a_fleet_is_one_dataset(tmp_path):
    dataset = tmp_path / "fleet"
    fleet = {"a/b c=d%": 0, "ü'\"": 0, "7": 0}
    for device, trace in zip(fleet, traces("threadx")):
        export(trace, "parquet", dataset, "--tag", f"device={device}", "--tag", "firmware=1.2")
        # Again: the same rows, not twice.
        export(trace, "parquet", dataset, "--tag", f"device={device}", "--tag", "firmware=1.2")
        lines = run("export", trace.path, *trace.arguments, "--to", "jsonl", "--table", "events", "-o", "-")
        fleet[device] = len(lines.splitlines())
    files = f"{dataset}/events/**/*.parquet"
    counted = duckdb.sql(
        f"""
        SELECT device, firmware::VARCHAR, count(*)
        FROM read_parquet('{files}', hive_partitioning = true)
        GROUP BY ALL
        """
    ).fetchall()
    assert sorted(counted) == sorted((device, "1.2", count) for device, count in fleet.items())
    # Recordings may have the same name; `recording_id` distinguishes them.
    joined = duckdb.sql(
        f"""
        SELECT r.device, count(*)
        FROM read_parquet('{dataset}/recordings/**/*.parquet', hive_partitioning = true) r
        JOIN read_parquet('{files}', hive_partitioning = true) e USING (recording_id)
        WHERE e.device = r.device
        GROUP BY ALL
        """
    ).fetchall()
    assert dict(joined) == fleet
    events = pyarrow.dataset.dataset(dataset / "events", partitioning="hive").to_table()
    assert Counter(events.column("device").to_pylist()) == fleet
    assert set(events.column("firmware").to_pylist()) == {"1.2"}


def test_one_file_has_all_recordings_and_the_tags(tmp_path):
    several = traces("threadx")[:5]
    options = ("--table", "events", "--tag", "device=42")
    files = {to: export(several, to, tmp_path / f"events.{to}", *options) for to in ("parquet", "arrow")}
    table = pyarrow.parquet.read_table(files["parquet"])
    assert Counter(_plain(table).column("file").to_pylist()).keys() == {str(one.path) for one in several}
    assert set(table.column("device").to_pylist()) == {"42"}
    metadata = table.schema.metadata
    recordings = json.loads(pyarrow.parquet.read_metadata(files["parquet"]).metadata[b"rtoscope.recordings"])
    assert [recording["file"] for recording in recordings] == [str(one.path) for one in several]
    assert metadata[b"table"] == b"events"
    assert _plain(pyarrow.ipc.open_file(files["arrow"]).read_all()).equals(_plain(table))
    words = [one.path for one in several]
    stream = run("export", *words, *several[0].arguments, "--to", "arrow", "-o", "-", *options)
    assert _plain(pyarrow.ipc.open_stream(stream).read_all()).equals(_plain(table))
    sent = run("export", *words, *several[0].arguments, "--to", "parquet", "-o", "-", *options)
    assert sent == files["parquet"].read_bytes()


@pytest.mark.parametrize("table", ["events", "slices", "recordings", "state_intervals"])
def test_polars_and_nanoarrow_read_several_recordings(table, tmp_path):
    """They support neither delta nor replacement dictionaries."""
    several = [*traces("threadx")[:3], *traces("rkh")[:2]]
    words = [one.path for one in several]
    options = ("--to", "arrow", "--table", table)
    path = tmp_path / "several.arrow"
    run("export", *words, *options, "-o", path)
    expected = _plain(pyarrow.ipc.open_file(path).read_all())
    assert expected.num_rows > 0
    columns = expected.to_pydict()
    for frame in (polars.read_ipc(path), polars.scan_ipc(path).collect()):
        assert {name: frame[name].to_list() for name in frame.columns} == columns
    sent = run("export", *words, *options, "-o", "-")
    (tmp_path / "several.arrows").write_bytes(sent)
    frame = polars.read_ipc_stream(tmp_path / "several.arrows")
    assert {name: frame[name].to_list() for name in frame.columns} == columns
    stream = nanoarrow.ArrayStream.from_readable(sent)
    read = pyarrow.RecordBatchReader.from_stream(stream).read_all()
    assert _plain(read).equals(expected)
    assert duckdb.sql("SELECT count(*) FROM expected").fetchall() == [(expected.num_rows,)]


def test_columns_and_files_have_metadata(tmp_path):
    trace = traces("threadx")[0]
    path = export(trace, "parquet", tmp_path / "events.parquet", "--table", "events")
    file = pyarrow.parquet.ParquetFile(path)
    time = file.schema_arrow.field("time")
    assert time.metadata[b"unit"] == b"ticks" and time.metadata[b"about"]
    group = file.metadata.row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    order = [(columns[by.column_index].path_in_schema, by.descending) for by in group.sorting_columns]
    assert order == [("time", False)]
    statistics = {column.path_in_schema: column.statistics for column in columns}
    # Only of columns that filters by range use, and of those that name the recording.
    with_bounds = {name for name, statistic in statistics.items() if statistic is not None}
    assert with_bounds == {"file", "recording_id", "event", "time", "time_ns", "timestamp"}
    assert statistics["time"].min == 0
    assert file.metadata.created_by.startswith("rtoscope ")
