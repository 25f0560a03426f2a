//! The shell.

use super::{SYSTEM, data, query_with_input, rows};
use serde_json::json;

fn shell(format: &str, input: &str) -> super::CommandResult {
    let file = data(SYSTEM);
    let format = format!("--format={format}");
    let words = [file.as_os_str(), "--shell".as_ref(), format.as_ref()];
    query_with_input(words, input.as_bytes())
}

#[test]
fn a_pipe_runs_several_statements() {
    let input = "SELECT 1 AS a,\n  ';' AS b; SELECT 2 AS c; -- done\n\nSELECT\n3 AS d";
    let result = shell("jsonl", input).ok();
    let expected = [json!({"a": 1, "b": ";"}), json!({"c": 2}), json!({"d": 3})];
    assert_eq!(rows(&result), expected);
}

#[test]
fn views_last_as_long_as_the_shell() {
    let input = "CREATE VIEW late AS SELECT event FROM events WHERE event > 2997;\nSELECT * FROM late;\n.tables\n";
    let result = shell("csv", input).ok();
    assert!(result.contains("event\n2998\n2999\n"), "{result}");
    assert!(result.contains("\nlate"), "{result}");
}

#[test]
fn the_first_error_ends_a_pipe() {
    let result = shell("csv", "SELECT 1 AS a;\nSELECT b;\nSELECT 3 AS c;\n");
    assert_eq!(result.status, Some(2));
    assert_eq!(result.stdout, "a\n1\n");
    assert!(result.stderr.contains("b"), "{}", result.stderr);
    assert_eq!(shell("csv", ".nonesuch\n").status, Some(2));
    assert_eq!(shell("csv", "SELECT 'a\n").status, Some(2));
}

#[test]
fn commands_list_tables_and_queries() {
    let result = shell(
        "csv",
        ".help\n.functions\n.schema slices\n.schema cpu_time\n.list\n.quit\nSELECT;\n",
    )
    .ok();
    for expected in [
        ".named NAME",
        "overlap(start1",
        "duration_ns",
        "percent",
        "worst-wakeup",
    ] {
        assert!(result.contains(expected), "{expected}: {result}");
    }
    let named = shell("jsonl", ".format csv\n.named worst-wakeup n=2\n").ok();
    assert_eq!(named.lines().count(), 3, "{named}");
    assert_eq!(shell("parquet", "").status, Some(2));
}

#[test]
fn names_can_contain_spaces() {
    let named = ".named running-while-ready 'thread=System Timer Thread'\n";
    let result = shell("jsonl", named).ok();
    let wanted = |row: &serde_json::Value| row["context"] == "System Timer Thread";
    assert!(rows(&result).iter().all(wanted), "{result}");
    let view = "CREATE VIEW \"My view\" AS SELECT 1 AS one;\n.schema \"My view\"\n";
    assert!(shell("csv", view).ok().contains("one"));
    let result = shell("csv", ".format xyz\n");
    assert!(result.stderr.contains("jsonl"), "{}", result.stderr);
}

#[test]
fn an_empty_pipe_runs_nothing() {
    assert_eq!(shell("csv", "").ok(), "");
    assert_eq!(shell("csv", "\n ;; -- nothing\n").ok(), "");
}

#[test]
fn files_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let [queries, output, again] =
        ["queries.sql", "out.csv", "again.sql"].map(|name| folder.path().join(name));
    std::fs::write(&queries, "SELECT 1 AS a;\nSELECT 2\n AS b").unwrap();
    std::fs::write(&again, format!(".read '{}'\n", again.display())).unwrap();
    let input = format!(
        ".output '{}'\n.read '{}'\n.output\nSELECT 3 AS c;\n",
        output.display(),
        queries.display()
    );
    assert_eq!(shell("csv", &input).ok(), "c\n3\n");
    let written = std::fs::read_to_string(&output).unwrap();
    assert_eq!(written, "a\n1\nb\n2\n");
    // Existing files are not overwritten.
    let result = shell("csv", &format!(".output '{}'\n", output.display())).error();
    assert!(result.contains("out.csv"), "{result}");
    let result = shell("csv", ".read none.sql\n").error();
    assert!(result.contains("none.sql"), "{result}");
    let result = shell("csv", &format!(".read '{}'\n", again.display())).error();
    assert!(result.contains("nested more than"), "{result}");
}

#[test]
fn queries_are_timed() {
    let result = shell(
        "csv",
        ".timer on\nSELECT 1 AS a;\n.timer off\nSELECT 2 AS b;\n",
    );
    assert_eq!(
        result.stderr.matches("Run time: 0.").count(),
        1,
        "{}",
        result.stderr
    );
    assert_eq!(result.ok(), "a\n1\nb\n2\n");
    for bad in [".timer", ".timer x", ".read", ".timer on off"] {
        assert_eq!(shell("csv", &format!("{bad}\n")).status, Some(2), "{bad}");
    }
}
