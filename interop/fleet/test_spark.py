"""Spark, with two executors in processes of their own, gives the same answers to every table,
view and canned query as rtoscope, on the files that it exports.

`cargo xtask test fleet` runs these tests; they need Java 17 and the packages of
requirements.txt beside this file.
"""

import os
import sys
from functools import cache
from pathlib import Path

import pytest

pyspark_sql = pytest.importorskip("pyspark.sql")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import dialects  # noqa: E402
from dialects import answer, assert_same, dataset, emit  # noqa: E402

DATASETS = ("recordings", "limits", "complete", "fleet")
VIEWS = [(name, view) for name in DATASETS for view in dialects.views(name)]
QUERIES = [(name, *case) for name in DATASETS for case in dialects.queries(name)]


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    # Nothing outside of this machine can connect.
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = pyspark_sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    _load = cache(lambda name: _database(session, name))
    yield lambda name: _load(name)
    session.stop()


def _database(session, name):
    """Tables and views of a dataset, in a schema of its name."""
    session.sql(f"CREATE SCHEMA {name}")
    for statement in dialects.statements(emit("spark", "--schema", name, dataset(name))):
        session.sql(statement)

    def rows(sql):
        result = session.sql(sql)
        return result.columns, [tuple(row) for row in result.collect()]

    return rows


@pytest.mark.parametrize("name", DATASETS)
def test_the_tables_have_the_same_rows(name, spark):
    for table in dialects.tables(name):
        found = spark(name)(f"SELECT * FROM {name}.{table}")
        assert_same(*found, answer(name, table), in_order=False)


@pytest.mark.parametrize("name, view", VIEWS)
def test_a_view_has_the_same_rows(name, view, spark):
    expected = answer(name, view)
    assert expected
    assert_same(*spark(name)(f"SELECT * FROM {name}.{view}"), expected, in_order=False)


@pytest.mark.parametrize("name, query, setting", QUERIES)
def test_a_canned_query_has_the_same_rows(name, query, setting, spark):
    expected = answer(name, (query, setting))
    assert expected
    text = dialects.query("spark", query, setting, "--schema", name)
    (statement,) = dialects.statements(text)
    assert_same(*spark(name)(statement), expected, in_order=True)
