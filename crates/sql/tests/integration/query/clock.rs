//! Recordings with an unknown clock frequency.

use super::{CommandResult, SYSTEM, data, query};
use std::path::Path;
use std::process::Command;

const SLOW: &str = "SELECT file, object, duration FROM mutex_holds WHERE duration_ns > 500";

fn query_static_clock(options: &[&str]) -> CommandResult {
    query(
        [data(SYSTEM).as_os_str()]
            .into_iter()
            .chain(options.iter().map(AsRef::as_ref)),
    )
}

#[test]
fn a_check_that_cannot_fail_is_rejected() {
    for sql in [
        SLOW,
        "SELECT * FROM cpu_time WHERE duration_ns > 1",
        "SELECT context, sum(duration_ns) AS ns FROM slices GROUP BY context HAVING sum(duration_ns) > 1",
        "SELECT h.event FROM events h JOIN slices s ON h.time_ns = s.start_ns",
        "WITH slow AS (SELECT object, duration_ns / 1000 AS us FROM mutex_holds) SELECT * FROM slow WHERE us > 5",
        "SELECT event FROM events WHERE time > (SELECT max(start_ns) FROM slices)",
        "SELECT second FROM cpu_by_second",
    ] {
        let result = query_static_clock(&["--expect-empty", sql]).undecided();
        assert!(
            result.contains("--clock") && result.contains("cm3_system"),
            "{result}"
        );
        assert!(result.contains("_ns"), "{result}");
    }
    let result = query_static_clock(&["--expect-empty", "--clock=25MHz", SLOW]);
    assert_eq!((result.status, &*result.stderr), (Some(1), ""));
}

#[test]
fn a_check_independent_of_time_runs() {
    for sql in [
        "SELECT file, duration_ns FROM mutex_holds WHERE duration < 0",
        "SELECT * FROM mutex_holds WHERE duration < 0 ORDER BY duration_ns LIMIT 3",
        "SELECT *, duration_ns / 1000 AS us FROM cpu_time WHERE duration < 0",
    ] {
        assert_eq!(
            query_static_clock(&["--expect-empty", sql]).status,
            Some(0),
            "{sql}"
        );
    }
    // Its result has times but does not depend on them.
    let result = query_static_clock(&["--expect-empty", "--named", "unbounded-inversions"]);
    assert_eq!(result.status, Some(1), "{}", result.stderr);
}

#[test]
fn queries_warn_once() {
    for sql in [
        SLOW,
        "SELECT context, duration_ns FROM cpu_time",
        "SELECT sum(duration_ns) FROM slices",
    ] {
        let result = query_static_clock(&[sql]);
        assert_eq!(result.status, Some(0));
        assert!(
            result.stderr.contains("--clock"),
            "{sql}: {}",
            result.stderr
        );
        assert_eq!(result.stderr.lines().count(), 1, "{}", result.stderr);
    }
    let plain = "SELECT * FROM slices";
    for sql in [
        plain,
        "SELECT s.* FROM slices s",
        "SELECT context, duration FROM cpu_time",
        "DESCRIBE mutex_holds",
    ] {
        assert_eq!(query_static_clock(&[sql]).stderr, "", "{sql}");
    }
    let shell = super::query_with_input(
        ["--shell".as_ref(), data(SYSTEM).as_os_str()],
        format!("{SLOW};\n{SLOW};\n").as_bytes(),
    );
    assert_eq!(shell.stderr.lines().count(), 1, "{}", shell.stderr);
}

#[test]
fn clocks_that_do_not_count_time_are_reported() {
    let file = data("threadx/cm3_dwt_zero.trx");
    let words = ["--clock=25MHz", "--expect-empty", SLOW].map(AsRef::as_ref);
    let result = query([file.as_os_str()].into_iter().chain(words)).undecided();
    assert!(
        result.contains("the clock stood still: only the order of events is known"),
        "{result}"
    );
}

#[test]
fn datasets_remember_their_clock() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let export = |file: &Path, options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
        command
            .args(["export", "--to=parquet", "--output"])
            .arg(&dataset);
        assert!(command.arg(file).args(options).status().unwrap().success());
    };
    export(&data(SYSTEM), &["--tag=device=1", "--clock=25MHz"]);
    export(&data("threadx/cm3_short.trx"), &["--tag=device=2"]);
    let ask = |sql: &str| {
        let words = [dataset.as_os_str(), "--expect-empty".as_ref(), sql.as_ref()];
        query(words)
    };
    let negative = SLOW.replace("> 500", "< 0");
    let result = ask(&negative).undecided();
    assert!(
        result.contains("cm3_short") && !result.contains("cm3_system"),
        "{result}"
    );
    assert_eq!(ask(&format!("{SLOW} AND device = '1'")).status, Some(1));
    assert_eq!(ask(&format!("{negative} AND device = '1'")).status, Some(0));
    ask(&format!("{SLOW} AND device = '2'")).undecided();
}
