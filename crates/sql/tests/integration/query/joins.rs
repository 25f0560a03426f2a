//! Joins, whose order DataFusion chooses.

use super::{SYSTEM, data, query_json, query_with_input, rows};
use serde_json::{Value, json};

#[test]
fn a_join_has_all_columns_in_either_order() {
    let tables = ["recordings", "events", "contexts", "slices", "objects"];
    let pairs = tables.iter().flat_map(|a| tables.map(|b| (a, b)));
    let mut statements = String::new();
    for (a, b) in pairs {
        for join in ["JOIN", "FULL JOIN"] {
            statements +=
                &format!("SELECT * FROM {a} a {join} {b} b ON a.file = b.file LIMIT 1;\n");
        }
        statements += &format!("(SELECT file FROM {a} UNION ALL SELECT file FROM {b}) LIMIT 1;\n");
    }
    let file = data(SYSTEM);
    let words = ["--shell", "--format=jsonl"].map(AsRef::as_ref);
    let result = query_with_input(
        words.into_iter().chain([file.as_os_str()]),
        statements.as_bytes(),
    );
    assert_eq!(rows(&result.ok()).len(), statements.lines().count());
}

#[test]
fn columns_of_both_sides_are_distinct() {
    let sql = "SELECT * FROM events e JOIN contexts c ON e.file = c.file AND e.context_id = c.context_id LIMIT 1";
    let row = &query_json(&[SYSTEM], sql)[0];
    assert_eq!(row["file"], row["file_2"]);
}

fn plan(rows: &[Value]) -> String {
    let plans = rows.iter().map(|row| row["plan"].as_str().unwrap());
    plans.collect()
}

/// The plan of a statement on the recording, twice.
fn plan_of(sql: &str) -> String {
    plan(&query_json(&[SYSTEM, SYSTEM], &format!("EXPLAIN {sql}")))
}

/// The rows of each statement on the recording, twice. One shell runs them all: its start
/// takes longer than a statement.
fn run_all(statements: &[String]) -> Vec<Vec<Value>> {
    let separator = "SELECT true AS is_end";
    let input: String = statements
        .iter()
        .map(|sql| format!("{sql};\n{separator};\n"))
        .collect();
    let file = data(SYSTEM);
    let words = ["--shell", "--format=jsonl"].map(AsRef::as_ref);
    let words = words.into_iter().chain([file.as_os_str(); 2]);
    let answer = rows(&query_with_input(words, input.as_bytes()).ok());
    let mut parts: Vec<Vec<Value>> = answer
        .split(|row| *row == json!({"is_end": true}))
        .map(<[Value]>::to_vec)
        .collect();
    // What follows the last separator.
    assert_eq!(parts.pop(), Some(vec![]));
    assert_eq!(parts.len(), statements.len());
    parts
}

/// Overlaps by index equal those by comparison of all pairs. A condition that
/// mixes columns of both sides has no index.
#[test]
fn overlapping_intervals_use_an_index() {
    let (start, end) = ("greatest(a.start, b.start)", "least(a.\"end\", b.\"end\")");
    let conditions = [
        (
            "a.start < b.\"end\" AND b.start < a.\"end\"",
            format!("{start} < {end} OR a.start < b.\"end\" AND b.start < a.\"end\""),
        ),
        (
            "a.start <= b.\"end\" AND a.\"end\" >= b.start",
            format!("{start} <= {end}"),
        ),
        (
            "a.start BETWEEN b.start AND b.\"end\"",
            "a.start - b.start >= 0 AND b.\"end\" - a.start >= 0".to_owned(),
        ),
        (
            "a.start < b.\"end\" AND b.start < a.\"end\" AND a.event + b.event > 100",
            "a.event + b.event > 100 AND a.start - b.\"end\" < 0 AND b.start - a.\"end\" < 0"
                .to_owned(),
        ),
    ];
    let columns = "a.recording_id, a.context_id, a.start, b.core, b.start AS slice, b.isr";
    // Only a few rows, because all pairs are compared.
    let tables = "(SELECT * FROM thread_states ORDER BY start, recording_id, event LIMIT 300) a
        JOIN (SELECT * FROM slices ORDER BY start, recording_id, event LIMIT 300) b ON";
    let mut statements = Vec::new();
    for (by_index, by_pairs) in conditions {
        for key in [
            "a.recording_id = b.recording_id AND",
            "a.file = b.file AND a.context_id = b.context_id AND",
            "",
        ] {
            let sql = |condition: &str| format!("SELECT {columns} FROM {tables} {key} {condition}");
            let order = "ORDER BY recording_id, context_id, start, core, slice, isr";
            for sql in [sql(by_index), sql(&format!("({by_pairs})"))] {
                statements.push(format!("EXPLAIN {sql}"));
                statements.push(format!("{sql} {order}"));
            }
        }
    }
    let answers = run_all(&statements);
    for (statements, answers) in statements.chunks(4).zip(answers.chunks(4)) {
        let [fast_plan, fast, slow_plan, slow] = answers else {
            panic!("{} answers", answers.len());
        };
        assert!(plan(fast_plan).contains("IntervalJoin"), "{statements:?}");
        assert!(!plan(slow_plan).contains("IntervalJoin"), "{statements:?}");
        assert!(!fast.is_empty(), "{statements:?}");
        assert_eq!(fast, slow, "{statements:?}");
    }
}

#[test]
fn joins_without_intervals_are_unchanged() {
    for condition in [
        "a.start < b.start",
        "a.start < b.start AND a.\"end\" < b.\"end\"",
        "a.object_address > b.start AND a.start < b.\"end\"",
    ] {
        let sql =
            format!("SELECT * FROM mutex_holds a JOIN slices b ON a.file = b.file AND {condition}");
        assert!(!plan_of(&sql).contains("IntervalJoin"), "{condition}");
    }
    let outer = "SELECT * FROM mutex_holds a LEFT JOIN slices b
        ON a.file = b.file AND a.start < b.\"end\" AND b.start < a.\"end\"";
    assert!(!plan_of(outer).contains("IntervalJoin"));
}
