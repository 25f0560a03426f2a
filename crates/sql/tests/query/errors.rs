//! Error messages.

use super::{SYSTEM, data, query};

fn error(sql: &str) -> String {
    query([data(SYSTEM).as_os_str(), sql.as_ref()]).error()
}

#[test]
fn errors_point_at_the_sql() {
    let said = error("SELECT event\nFRO events");
    assert!(said.contains("in line 2:\n  FRO events\n"), "{said}");
    let said = error("SELECT evnt FROM events");
    assert!(said.contains("Did you mean 'events.event'?"), "{said}");
    assert!(
        said.contains("  SELECT evnt FROM events\n         ^^^^\n"),
        "{said}"
    );
    let said = error("SELECT * FROM slice");
    assert!(said.contains("Did you mean 'slices'?"), "{said}");
    let said = error("SELECT nonesuch(1)");
    assert!(said.contains("nonesuch"), "{said}");
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
        "INSERT INTO events SELECT * FROM events",
        "DELETE FROM events",
    ] {
        let said = error(sql);
        assert!(said.starts_with("rtoscope: "), "{said}");
    }
}

#[test]
fn missing_arguments_are_reported() {
    let file = data(SYSTEM);
    let said = query([file.as_os_str()]).error();
    assert!(said.contains("nothing is asked"), "{said}");
    let said = query(["nonesuch.trx", "SELECT 1"]).error();
    assert!(said.contains("nonesuch.trx"), "{said}");
    let said = query(["--named", "nonesuch", "x"]).error();
    assert!(said.contains("--list"), "{said}");
    let named = ["--named", "worst-wakeup", "--set", "m=1", "x"];
    assert!(query(named).error().contains("it has n"));
}

#[test]
fn subqueries_work_or_fail_with_a_clear_error() {
    let answered = |sql: &str| {
        let said = query([data(SYSTEM).as_os_str(), sql.as_ref()]);
        match said.status {
            Some(0) => true,
            _ => {
                let said = said.error();
                assert!(said.contains("write it as a JOIN"), "{sql}: {said}");
                assert!(!said.contains("logical"), "{sql}: {said}");
                false
            }
        }
    };
    let by_key = "SELECT t.file, (SELECT count(*) FROM events e WHERE e.recording_id = t.recording_id) FROM trace t";
    assert!(answered(by_key));
    for sql in [
        "SELECT event, (SELECT max(e.time) FROM events e WHERE e.time < s.start) FROM slices s LIMIT 1",
        "SELECT s.event, e.at FROM slices s, LATERAL (SELECT max(time) AS at FROM events e WHERE e.time < s.start) e LIMIT 1",
        "SELECT s.event, e.at FROM slices s CROSS JOIN LATERAL (SELECT time AS at FROM events e WHERE e.event >= s.event ORDER BY time LIMIT 1) e LIMIT 1",
        "SELECT event FROM slices s WHERE EXISTS (SELECT 1 FROM events e WHERE e.time > s.start LIMIT 1) LIMIT 1",
        "SELECT event FROM slices s WHERE start = (SELECT min(time) FROM events e WHERE e.time >= s.start) LIMIT 1",
    ] {
        answered(sql);
    }
}
