"""SQL for other engines: DuckDB, and DataFusion without rtoscope's functions, give the same
answers to every view and canned query as rtoscope, on the tables that it exports."""

from functools import cache

import datafusion
import dialects
import duckdb
import pytest
import sqlglot
from dialects import answers, assert_same, dataset, emit, hostile_dataset

pytestmark = pytest.mark.skipif(not dialects.SQL.exists(), reason="rtoscope-sql is not built")

VIEWS = dialects.views() if dialects.SQL.exists() else ()
QUERIES = dialects.queries() if dialects.SQL.exists() else ()
SCHEMA = "traces"


def _duckdb(folder):
    database = duckdb.connect()
    for table in folder.iterdir():
        files = f"read_parquet('{table}/**/*.parquet', hive_partitioning = true)"
        database.execute(f"CREATE VIEW {table.name} AS FROM {files}")
    database.execute(emit("duckdb"))

    def rows(sql):
        result = database.execute(sql)
        return [column[0] for column in result.description], result.fetchall()

    return rows


def _datafusion(folder):
    context = datafusion.SessionContext()
    context.sql(f"CREATE SCHEMA {SCHEMA}").collect()
    for table in folder.iterdir():
        files = f"STORED AS PARQUET LOCATION '{table}/'"
        context.sql(f"CREATE EXTERNAL TABLE {SCHEMA}.{table.name} {files}").collect()
    for statement in dialects.statements(emit("datafusion", "--schema", SCHEMA)):
        context.sql(statement).collect()

    def rows(sql):
        result = context.sql(sql)
        return result.schema().names, [tuple(row.values()) for row in result.to_pylist()]

    return rows


# The engines, and the schema of the tables in them.
ENGINES = {"duckdb": (_duckdb, None), "datafusion": (_datafusion, SCHEMA)}


@cache
def _engine(name, folder):
    start, schema = ENGINES[name]
    return start(folder), schema


ON_EACH = [
    pytest.mark.parametrize("folder", [dataset, hostile_dataset], ids=["recordings", "limits"]),
    pytest.mark.parametrize("engine", ENGINES),
]


def on_each(test):
    for mark in ON_EACH:
        test = mark(test)
    return test


@on_each
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_the_same_rows(view, engine, folder):
    folder = folder()
    rows, schema = _engine(engine, folder)
    expected = answers(folder)[view]
    assert expected
    found = rows(f"SELECT * FROM {schema}.{view}" if schema else f"SELECT * FROM {view}")
    assert_same(*found, expected, in_order=False)


@on_each
@pytest.mark.parametrize("case", QUERIES, ids=str)
def test_a_canned_query_has_the_same_rows(case, engine, folder):
    folder = folder()
    rows, schema = _engine(engine, folder)
    text = dialects.query(engine, *case, *(["--schema", schema] if schema else []))
    expected = answers(folder)[case]
    # Only one dataset has the hostile name.
    assert expected or case[1] is not None
    (statement,) = dialects.statements(text)
    assert_same(*rows(statement), expected, in_order=True)


@pytest.mark.parametrize("dialect", ["duckdb", "spark", "trino"])
def test_a_parser_of_the_dialect_reads_the_text(dialect):
    texts = [emit(dialect), *(dialects.query(dialect, *case) for case in QUERIES)]
    for text in texts:
        parsed = sqlglot.parse(text, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        assert not any(isinstance(statement, sqlglot.exp.Command) for statement in parsed)
