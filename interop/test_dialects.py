"""SQL for other engines: DuckDB, and DataFusion without rtoscope's functions, give the same
answers to every table, view and canned query as rtoscope, on the files that it exports."""

import re
from functools import cache

import datafusion
import dialects
import duckdb
import pytest
import sqlglot
from conftest import export, traces
from dialects import answer, assert_same, dataset, emit

pytestmark = pytest.mark.skipif(not dialects.SQL.exists(), reason="rtoscope-sql is not built")

DATASETS = ("recordings", "limits", "complete", "fleet") if dialects.SQL.exists() else ()
VIEWS = [(name, view) for name in DATASETS for view in dialects.views(name)]
QUERIES = [(name, *case) for name in DATASETS for case in dialects.queries(name)]
SCHEMA = "traces"


def _duckdb(folder):
    database = duckdb.connect()
    database.execute(emit("duckdb", folder))

    def rows(sql):
        result = database.execute(sql)
        return [column[0] for column in result.description], result.fetchall()

    return rows


def _datafusion(folder):
    context = datafusion.SessionContext()
    context.sql(f"CREATE SCHEMA {SCHEMA}").collect()
    for statement in dialects.statements(emit("datafusion", "--schema", SCHEMA, folder)):
        context.sql(statement).collect()

    def rows(sql):
        result = context.sql(sql)
        return result.schema().names, [tuple(row.values()) for row in result.to_pylist()]

    return rows


# The engines, and the schema of the tables in them.
ENGINES = {"duckdb": (_duckdb, None), "datafusion": (_datafusion, SCHEMA)}


@cache
def _engine(engine, name):
    start, schema = ENGINES[engine]
    return start(dataset(name)), schema


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", DATASETS)
def test_the_tables_have_the_same_rows(name, engine):
    rows, schema = _engine(engine, name)
    for table in dialects.tables(name):
        found = rows(f"SELECT * FROM {schema}.{table}" if schema else f"SELECT * FROM {table}")
        assert_same(*found, answer(name, table), in_order=False)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, view", VIEWS)
def test_a_view_has_the_same_rows(name, view, engine):
    rows, schema = _engine(engine, name)
    expected = answer(name, view)
    assert expected
    found = rows(f"SELECT * FROM {schema}.{view}" if schema else f"SELECT * FROM {view}")
    assert_same(*found, expected, in_order=False)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, query, setting", QUERIES)
def test_a_canned_query_has_the_same_rows(name, query, setting, engine):
    rows, schema = _engine(engine, name)
    text = dialects.query(engine, query, setting, *(["--schema", schema] if schema else []))
    expected = answer(name, (query, setting))
    assert expected
    (statement,) = dialects.statements(text)
    assert_same(*rows(statement), expected, in_order=True)


@pytest.mark.parametrize("dialect", ["duckdb", "spark", "trino"])
def test_a_parser_of_the_dialect_reads_the_text(dialect):
    texts = [dialects.query(dialect, *case) for _, *case in QUERIES]
    folders = [emit(dialect, dataset(name)) for name in DATASETS]
    for text in (emit(dialect), *folders, *texts):
        # No parser knows the statement that finds folders.
        text = re.sub("^MSCK REPAIR TABLE .*;$", "", text, flags=re.M)
        parsed = sqlglot.parse(text, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        assert not any(isinstance(statement, sqlglot.exp.Command) for statement in parsed)


def test_columns_are_computed_only_where_files_lack_them():
    for dialect in ("datafusion", "duckdb", "spark", "trino"):
        assert "coalesce" in emit(dialect, dataset("recordings"))
        # A view has it, too.
        views = emit(dialect).count("coalesce")
        assert emit(dialect, dataset("complete")).count("coalesce") == views


def test_tags_keep_their_texts(tmp_path):
    tags = {"007": "1.10", "it's a": "é", "a/b %2F": "${x}"}
    for (device, firmware), trace in zip(tags.items(), traces("threadx")):
        export(trace, "parquet", tmp_path / "fleet", "--tag", f"device={device}", "--tag", f"Firmware={firmware}")
    sql = 'SELECT DISTINCT device, "Firmware" FROM recordings'
    database = duckdb.connect()
    database.execute(emit("duckdb", tmp_path / "fleet"))
    assert dict(database.execute(sql).fetchall()) == tags
    context = datafusion.SessionContext()
    for statement in dialects.statements(emit("datafusion", tmp_path / "fleet")):
        context.sql(statement).collect()
    assert {row["device"]: row["Firmware"] for row in context.sql(sql).to_pylist()} == tags
