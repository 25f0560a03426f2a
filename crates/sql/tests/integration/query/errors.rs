//! Error messages.

use super::{SYSTEM, data, query};

fn error(sql: &str) -> String {
    query([data(SYSTEM).as_os_str(), sql.as_ref()]).error()
}

#[test]
fn errors_point_at_the_sql() {
    let result = error("SELECT event\nFRO events");
    assert!(result.contains("in line 2:\n  FRO events\n"), "{result}");
    let result = error("SELECT evnt FROM events");
    assert!(result.contains("Did you mean 'events.event'?"), "{result}");
    assert!(
        result.contains("  SELECT evnt FROM events\n         ^^^^\n"),
        "{result}"
    );
    let result = error("SELECT * FROM slice");
    assert!(result.contains("Did you mean 'slices'?"), "{result}");
    let result = error("SELECT nonesuch(1)");
    assert!(result.contains("nonesuch"), "{result}");
    for open in [
        "SELECT 'a",
        "SELECT /* a",
        "",
        " -- nothing",
        "SELECT 1; SELECT 2",
    ] {
        assert!(error(open).starts_with("rtoscope: "), "{open}");
    }
}

#[test]
fn errors_during_execution_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    let sql = "SELECT CAST(kind AS INT) FROM events";
    let file = data(SYSTEM);
    let arguments = [
        file.as_os_str(),
        "-o".as_ref(),
        output.as_os_str(),
        sql.as_ref(),
    ];
    assert!(query(arguments).error().contains("Cannot cast"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn recordings_are_read_only() {
    for sql in [
        "COPY events TO 'out.csv'",
        "EXPLAIN ANALYZE COPY events TO 'out.csv'",
        "INSERT INTO events SELECT * FROM events",
        "DELETE FROM events",
    ] {
        let result = error(sql);
        assert!(
            result.starts_with("rtoscope: statements only read: "),
            "{result}"
        );
    }
}

#[test]
fn names_of_other_tools_are_explained() {
    for (sql, help) in [
        ("SELECT dur FROM slices", "Did you mean 'duration'?"),
        ("SELECT s.ts FROM slices s", "Did you mean 'start'?"),
        ("SELECT ts FROM events", "Did you mean 'timestamp'?"),
        ("SELECT * FROM threads", "Did you mean 'contexts'?"),
        (
            "SELECT * FROM slices WHERE context = \"ui\"",
            "Text is in single quotes: 'ui'",
        ),
    ] {
        let result = error(sql);
        assert!(result.contains(help), "{result}");
        assert!(!result.contains("Valid fields"), "{result}");
    }
}

#[test]
fn statements_that_nest_too_deeply_are_rejected() {
    for (item, separator, start) in [
        ("1", "+", "SELECT "),
        ("slices s", " JOIN ", "SELECT 1 FROM "),
        ("SELECT 1", " UNION ", ""),
    ] {
        let chain = vec![item; 5000].join(separator);
        let result = error(&format!("{start}{chain}"));
        assert!(result.contains("nests too deeply"), "{result}");
    }
    // No more than that, because it takes a while.
    let accepted = vec!["event"; 150].join(" + ");
    let accepted = format!("SELECT {accepted} AS n FROM events LIMIT 1");
    query([data(SYSTEM).as_os_str(), accepted.as_ref()]).ok();
}

#[test]
fn a_recording_that_no_table_needs_is_not_decoded() {
    let file = tempfile::NamedTempFile::with_suffix(".trx").unwrap();
    std::fs::write(file.path(), "nothing").unwrap();
    let run = |sql: &str| query([file.path().as_os_str(), sql.as_ref()]);
    assert!(run("SELECT 1 AS one").ok().contains("one"));
    assert!(run("SELECT count(*) FROM events").error().contains(".trx"));
}

#[test]
fn missing_arguments_are_reported() {
    let file = data(SYSTEM);
    let result = query([file.as_os_str()]).error();
    assert!(result.contains("no query for"), "{result}");
    let result = query(["nonesuch.trx", "SELECT 1"]).error();
    assert!(result.contains("nonesuch.trx"), "{result}");
    let result = query(["--named", "nonesuch", "x"]).error();
    assert!(result.contains("--list"), "{result}");
    let named = ["--named", "worst-wakeup", "--set", "m=1", "x"];
    assert!(query(named).error().contains("it has n"));
}

#[test]
fn subqueries_work_or_fail_with_a_clear_error() {
    let succeeds = |sql: &str| {
        let result = query([data(SYSTEM).as_os_str(), sql.as_ref()]);
        match result.status {
            Some(0) => true,
            _ => {
                let result = result.error();
                assert!(result.contains("rewrite it as a JOIN"), "{sql}: {result}");
                assert!(!result.contains("logical"), "{sql}: {result}");
                false
            }
        }
    };
    let by_key = "SELECT t.file, (SELECT count(*) FROM events e WHERE e.recording_id = t.recording_id) FROM recordings t";
    assert!(succeeds(by_key));
    for sql in [
        "SELECT event, (SELECT max(e.time) FROM events e WHERE e.time < s.start) FROM slices s LIMIT 1",
        "SELECT s.event, e.at FROM slices s, LATERAL (SELECT max(time) AS at FROM events e WHERE e.time < s.start) e LIMIT 1",
        "SELECT s.event, e.at FROM slices s CROSS JOIN LATERAL (SELECT time AS at FROM events e WHERE e.event >= s.event ORDER BY time LIMIT 1) e LIMIT 1",
        "SELECT event FROM slices s WHERE EXISTS (SELECT 1 FROM events e WHERE e.time > s.start LIMIT 1) LIMIT 1",
        "SELECT event FROM slices s WHERE start = (SELECT min(time) FROM events e WHERE e.time >= s.start) LIMIT 1",
    ] {
        succeeds(sql);
    }
}
