"""SQL for other engines: DuckDB, and DataFusion without rtoscope's functions, give the same
answers to every view and canned query as rtoscope, on the tables that it exports."""

from functools import cache

import datafusion
import dialects
import duckdb
import pytest
import sqlglot
from dialects import answers, assert_same, dataset, emit

pytestmark = pytest.mark.skipif(not dialects.SQL.exists(), reason="rtoscope-sql is not built")

DATASETS = ("recordings", "limits", "fleet") if dialects.SQL.exists() else ()
VIEWS = [(name, view) for name in DATASETS for view in dialects.views(name)]
QUERIES = [(name, *case) for name in DATASETS for case in dialects.queries(name)]
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
def _engine(engine, name):
    start, schema = ENGINES[engine]
    return start(dataset(name)), schema


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, view", VIEWS)
def test_a_view_has_the_same_rows(name, view, engine):
    rows, schema = _engine(engine, name)
    expected = answers(name)[view]
    assert expected
    found = rows(f"SELECT * FROM {schema}.{view}" if schema else f"SELECT * FROM {view}")
    assert_same(*found, expected, in_order=False)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, query, setting", QUERIES)
def test_a_canned_query_has_the_same_rows(name, query, setting, engine):
    rows, schema = _engine(engine, name)
    text = dialects.query(engine, query, setting, *(["--schema", schema] if schema else []))
    expected = answers(name)[query, setting]
    assert expected
    (statement,) = dialects.statements(text)
    assert_same(*rows(statement), expected, in_order=True)


@pytest.mark.parametrize("dialect", ["duckdb", "spark", "trino"])
def test_a_parser_of_the_dialect_reads_the_text(dialect):
    texts = [dialects.query(dialect, *case) for _, *case in QUERIES]
    for text in (emit(dialect), *texts):
        parsed = sqlglot.parse(text, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        assert not any(isinstance(statement, sqlglot.exp.Command) for statement in parsed)
