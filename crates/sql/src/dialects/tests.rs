//! Everything that rtoscope has is translated.

use super::*;
use clap::ValueEnum as _;

fn target(dialect: SqlDialect) -> Target {
    Target::new(dialect, None).unwrap()
}

fn translated(sql: &str, dialect: SqlDialect) -> anyhow::Result<String> {
    let text = translate::translate(sql, &target(dialect))?;
    // On one line.
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(line.replace("( ", "(").replace(" )", ")"))
}

/// The translations for DuckDB, Spark and Trino.
fn translations(sql: &str) -> [String; 3] {
    let dialects = [SqlDialect::Duckdb, SqlDialect::Spark, SqlDialect::Trino];
    dialects.map(|dialect| translated(sql, dialect).unwrap())
}

#[test]
fn every_view_and_canned_query_has_a_text_for_each_engine() {
    for &dialect in SqlDialect::value_variants() {
        let target = target(dialect);
        assert!(target.views(None).unwrap().ends_with(";\n"));
        for query in CannedQuery::all() {
            let text = target.query(&query, &[]).unwrap();
            assert!(!text.contains('$'), "{text}");
        }
    }
}

#[test]
fn the_text_for_each_engine_is_reviewed() {
    for &dialect in SqlDialect::value_variants() {
        let view = views::all().find(|view| view.name == "cpu_by_second");
        let text = target(dialect).view(&view.unwrap()).unwrap();
        insta::assert_snapshot!(format!("cpu_by_second_{dialect}"), text);
    }
}

#[test]
fn integers_are_divided_as_integers() {
    assert_eq!(
        translations("SELECT a / b, a / 2.5, sum(a), sum(CAST(a AS DOUBLE)) / b"),
        [
            "SELECT a // b, a / 2.5e0, CAST(sum(a) AS BIGINT), sum(CAST(a AS DOUBLE)) / b",
            "SELECT a DIV b, a / 2.5e0, sum(a), sum(CAST(a AS DOUBLE)) / b",
            "SELECT a / b, a / 2.5e0, sum(a), sum(CAST(a AS DOUBLE)) / b",
        ]
    );
}

#[test]
fn the_place_of_nulls_is_written_out() {
    let sql =
        "SELECT row_number() OVER (ORDER BY a DESC) AS n FROM t ORDER BY a, b DESC NULLS LAST";
    let over = "row_number() OVER (ORDER BY a DESC NULLS FIRST)";
    let order = "AS n FROM t ORDER BY a NULLS LAST, b DESC NULLS LAST";
    assert_eq!(
        translations(sql),
        [
            format!("SELECT {over} {order}"),
            format!("SELECT CAST({over} AS BIGINT) {order}"),
            format!("SELECT {over} {order}"),
        ]
    );
}

#[test]
fn texts_and_patterns_keep_their_meaning() {
    let sql = r#"SELECT "end", '\''' FROM t WHERE a LIKE '\x\%' AND b LIKE 'y%'"#;
    let standard = r#"SELECT "end", '\''' FROM t WHERE a LIKE 'x\%' ESCAPE '\' AND b LIKE 'y%'"#;
    let spark = r"SELECT `end`, '\\\'' FROM t WHERE a LIKE 'x\\%' ESCAPE '\\' AND b LIKE 'y%'";
    assert_eq!(translations(sql), [standard, spark, standard]);
}

#[test]
fn tables_and_views_get_the_schema() {
    let sql = "WITH t AS (SELECT 1 FROM slices) SELECT 1 FROM t JOIN cpu_time AS c ON c.x = 1";
    let target = Target::new(SqlDialect::Spark, Some("hive.my traces")).unwrap();
    let text = translate::translate(sql, &target).unwrap();
    for found in [
        "hive.`my traces`.slices",
        " t\n",
        "JOIN hive.`my traces`.cpu_time AS c",
    ] {
        assert!(text.contains(found), "{text}");
    }
    for invalid in ["", "a.", "a\nb"] {
        assert!(Target::new(SqlDialect::Spark, Some(invalid)).is_err());
    }
}

#[test]
fn unknown_expressions_are_rejected() {
    for sql in [
        "SELECT histogram(a) FROM t",
        "SELECT a || b",
        "SELECT CAST(a AS DATE)",
        "SELECT a LIKE b",
        "SELECT (SELECT 1)",
        "SELECT *, unnest(generate_series(a, b)) AS n FROM t",
        "SELECT unnest(generate_series(a, b)) AS n FROM t WHERE a > 1",
        "SELECT unnest(a)",
        "SELECT 1; SELECT 2",
        "DROP TABLE t",
    ] {
        assert!(translated(sql, SqlDialect::Trino).is_err(), "{sql}");
    }
}

#[test]
fn names_in_queries_are_not_those_of_tables() {
    for script in views::all().chain(CannedQuery::all().map(|query| query.0)) {
        for name in rtoscope_tables::Table::ALL.iter().map(|table| table.name()) {
            let cte = format!("{name} AS (");
            assert!(!script.sql.contains(&cte), "{}: {cte}", script.name);
        }
    }
}
