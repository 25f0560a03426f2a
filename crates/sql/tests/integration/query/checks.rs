//! `--expect-empty` passes only where something was judged.

use super::{CommandResult, SYSTEM, data, query};
use rtoscope_tables::Table;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const SHORT: &str = "threadx/cm3_short.trx";
const LOG: &str = "firmware/nuttx/stream.cswl";
const STREAM: &str = "rkh/ahsm_all.bin";

fn check(file: &Path, options: &[&str], sql: &str) -> CommandResult {
    let options = options.iter().map(OsStr::new);
    let words = [file.as_os_str(), "--expect-empty".as_ref(), sql.as_ref()];
    query(words.into_iter().chain(options))
}

fn assert_undecided(file: &str, sql: &str, reason: &str) {
    let result = check(&data(file), &[], sql).undecided();
    assert!(
        result.contains("--expect-empty cannot decide") && result.contains(reason),
        "{sql}: {result}"
    );
}

#[test]
fn what_nothing_shows_is_undecided() {
    for (file, sql, reason) in [
        // Columns that are null in all rows.
        (
            LOG,
            "SELECT event FROM events WHERE priority > 3",
            "priority is null in all rows",
        ),
        (
            LOG,
            "SELECT max(priority) AS p FROM events HAVING max(priority) > 3",
            "priority is null in all rows",
        ),
        // Tables that the format does not record, or that have no row.
        (
            SYSTEM,
            "SELECT * FROM interrupts_off",
            "a ThreadX event trace does not record",
        ),
        (
            LOG,
            "SELECT * FROM mutex_holds",
            "a context-switch log does not record mutex_holds",
        ),
        (
            LOG,
            "SELECT * FROM inversions",
            "a context-switch log does not record inversions",
        ),
        (
            STREAM,
            "SELECT * FROM inversions",
            "an RKH trace stream does not record inversions",
        ),
        (LOG, "SELECT * FROM markers", "markers has no rows"),
        (
            SYSTEM,
            "SELECT * FROM intervals WHERE ending = 'lost'",
            "intervals has no rows",
        ),
        (
            SYSTEM,
            "SELECT * FROM deadline_misses",
            "no deadline is declared",
        ),
        // Times of a clock that stood still.
        (
            "threadx/cm3_dwt_zero.trx",
            "SELECT * FROM mutex_holds WHERE duration > 500",
            "it compares duration, but the clock stood still",
        ),
        // Names that do not exist.
        (
            SYSTEM,
            "SELECT * FROM activations WHERE context = 'uj' AND response > 1",
            "it has no context 'uj'",
        ),
        (
            SYSTEM,
            "SELECT * FROM mutex_holds WHERE owner IN ('ui', 'ghost') AND duration < 0",
            "it has no owner 'ghost'",
        ),
        (
            SYSTEM,
            "SELECT * FROM wake_up_latencies WHERE context LIKE 'net%' AND latency > 1000",
            "it has no ",
        ),
        (
            SYSTEM,
            "SELECT * FROM events WHERE kind = 'tx_que_flush'",
            "it has no kind 'tx_que_flush'",
        ),
        // Nothing to check at all.
        (
            SYSTEM,
            "SELECT * FROM mutex_holds LIMIT 0",
            "empty whatever the recordings contain",
        ),
        (
            SYSTEM,
            "SELECT 1 WHERE false",
            "empty whatever the recordings contain",
        ),
        (
            SYSTEM,
            "SELECT * FROM events WHERE file = 'none'",
            "no recording matches",
        ),
        (SYSTEM, "CREATE VIEW v AS SELECT 1", "not a query"),
        // Damage.
        (
            "rkh/dmg_flip.bin",
            "SELECT * FROM steps WHERE duration < 0",
            "damaged or missing",
        ),
        // Subqueries and joins.
        (
            LOG,
            "SELECT * FROM isrs WHERE core IN (SELECT core FROM markers)",
            "markers has no rows",
        ),
        (
            LOG,
            "SELECT * FROM events e JOIN markers m ON m.recording_id = e.recording_id",
            "markers has no rows",
        ),
        (
            LOG,
            "SELECT context FROM markers UNION ALL SELECT owner FROM mutex_holds",
            "has no rows",
        ),
    ] {
        assert_undecided(file, sql, reason);
    }
}

#[test]
fn what_was_judged_passes() {
    for (file, sql) in [
        (SYSTEM, "SELECT * FROM mutex_holds WHERE duration < 0"),
        (
            SYSTEM,
            "SELECT * FROM mutex_holds WHERE owner = 'ui' AND duration < 0",
        ),
        (
            SYSTEM,
            "SELECT * FROM activations WHERE context LIKE 'u%' AND response < 0",
        ),
        // The thread exists, although it holds no mutex.
        (
            SYSTEM,
            "SELECT * FROM mutex_holds WHERE owner = 'System Timer Thread'",
        ),
        (
            SYSTEM,
            "SELECT * FROM findings WHERE severity = 'critical' AND event < 0",
        ),
        (SYSTEM, "SELECT * FROM events WHERE kind = 'tx_queue_flush'"),
        (SHORT, "SELECT * FROM diagnostics"),
        (LOG, "SELECT * FROM gaps WHERE missing > 3"),
        (LOG, "SELECT * FROM isrs WHERE duration < 0"),
        (STREAM, "SELECT * FROM steps WHERE duration < 0"),
        // Null has a meaning there.
        (
            SYSTEM,
            "SELECT * FROM events WHERE interrupted IS NOT NULL AND context = 'ui'",
        ),
        (LOG, "SELECT * FROM events WHERE priority IS NOT NULL"),
        // One of the alternatives has rows; the others need none.
        (
            LOG,
            "SELECT isr FROM isrs WHERE core > 9 UNION ALL SELECT name FROM markers",
        ),
        (
            LOG,
            "SELECT * FROM isrs i LEFT JOIN markers m ON m.recording_id = i.recording_id \
             WHERE i.duration < 0",
        ),
        (
            LOG,
            "SELECT * FROM isrs WHERE duration < 0 AND core NOT IN (SELECT core FROM markers)",
        ),
        // The damage does not concern what is about the recording.
        (
            "rkh/dmg_flip.bin",
            "SELECT * FROM diagnostics WHERE kind = 'clock-jump'",
        ),
        (
            "rkh/dmg_flip.bin",
            "SELECT * FROM recordings WHERE events > 100000",
        ),
    ] {
        let result = check(&data(file), &[], sql);
        assert_eq!(result.status, Some(0), "{sql}: {}", result.stderr);
        assert!(
            !result.stderr.contains("--expect-empty"),
            "{}",
            result.stderr
        );
    }
    // A row is a failure, whatever else could not be judged.
    let damaged = check(&data("rkh/dmg_flip.bin"), &[], "SELECT * FROM steps");
    assert_eq!(damaged.status, Some(1));
}

#[test]
fn the_number_of_rows_can_be_required() {
    let sql = "SELECT * FROM isrs WHERE duration < 0";
    let result = check(&data(LOG), &["--min-rows=1000000"], sql).undecided();
    assert!(
        result.contains("isrs has ") && result.contains("fewer than 1000000"),
        "{result}"
    );
    let none = "SELECT * FROM markers";
    assert_eq!(check(&data(LOG), &["--min-rows=0"], none).status, Some(0));
    let unrecorded = "SELECT * FROM mutex_holds";
    check(&data(LOG), &["--min-rows=0"], unrecorded).undecided();
    let problems = "SELECT * FROM inversions";
    let without = data("threadx/linux32_isr.trx");
    assert_eq!(check(&without, &["--min-rows=9"], problems).status, Some(0));
}

#[test]
fn each_recording_must_be_judged() {
    let [one, other] = [data(SYSTEM), data(LOG)];
    let ask = |sql: &str| {
        let words = ["--expect-empty".as_ref(), OsStr::new(sql)];
        query(
            [one.as_os_str(), other.as_os_str()]
                .into_iter()
                .chain(words),
        )
    };
    let result = ask("SELECT * FROM mutex_holds WHERE duration < 0").undecided();
    assert!(
        result.contains("nuttx/stream.cswl: ") && !result.contains("cm3_system"),
        "{result}"
    );
    let only = "SELECT * FROM mutex_holds WHERE duration < 0 AND file LIKE '%.trx'";
    assert_eq!(ask(only).status, Some(0));
    let joined = "SELECT * FROM mutex_holds h JOIN recordings r ON r.recording_id = h.recording_id \
                  WHERE h.duration < 0 AND r.format = 'threadx'";
    let joined = ask(joined);
    assert_eq!(joined.status, Some(0), "{}", joined.stderr);
}

#[test]
fn declared_deadlines_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.trx");
    fs::copy(data(SYSTEM), &file).unwrap();
    let misses = |declared: &str| {
        fs::write(folder.path().join("rtoscope.toml"), declared).unwrap();
        check(&file, &["--clock=25MHz"], "SELECT * FROM deadline_misses")
    };
    let long = "[[deadline]]\nname = 'a'\nthread = 'logger'\ndeadline = '1000s'\n";
    let result = misses(long);
    assert!(
        result.status == Some(0)
            || result
                .stderr
                .contains("1 of 1 deadlines could not be judged"),
        "{}",
        result.stderr
    );
    misses("[recording]\nclock = '1MHz'\n").undecided();
}

#[test]
fn datasets_are_judged_in_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    for (device, file) in [("1", SHORT), ("2", LOG)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
        command.args([
            "export",
            "--to=parquet",
            "--clock=25MHz",
            "--tag=firmware=1",
        ]);
        command
            .arg(format!("--tag=device={device}"))
            .arg("--output");
        command.arg(&dataset).arg(data(file));
        assert!(command.status().unwrap().success());
    }
    let ask = |sql: &str| check(&dataset, &[], sql);
    for (sql, reason) in [
        (
            "SELECT * FROM inversions WHERE duration < 0",
            "does not record inversions",
        ),
        (
            "SELECT * FROM inversions WHERE device = '3'",
            "no recording matches",
        ),
        (
            "SELECT * FROM events WHERE priority > 99",
            "priority is null in all rows",
        ),
        ("SELECT * FROM deadline_misses", "no deadline is declared"),
        (
            "SELECT * FROM activations WHERE context = 'ghost'",
            "it has no context 'ghost'",
        ),
    ] {
        let result = ask(sql).undecided();
        assert!(result.contains(reason), "{sql}: {result}");
    }
    for sql in [
        "SELECT * FROM mutex_holds WHERE duration_ns < 0 AND device = '1'",
        "SELECT * FROM gaps",
        "SELECT * FROM cpu_time WHERE duration_ns < 0",
    ] {
        let result = ask(sql);
        assert_eq!(result.status, Some(0), "{sql}: {}", result.stderr);
    }
    for (set, reason) in [
        ("--set=firmware=9.9", "versions like 9.9: there are none"),
        (
            "--set=firmware=1",
            "version 1: too few devices for a z of 5: 1, and 0 of other versions",
        ),
    ] {
        let words = ["--expect-empty", "--named=firmware-regressions", set].map(OsStr::new);
        let result = query([dataset.as_os_str()].into_iter().chain(words)).undecided();
        assert!(result.contains(reason), "{result}");
    }
    fs::remove_dir_all(dataset.join("gaps")).unwrap();
    // Without a check, it is an error, too.
    let read = query([dataset.as_os_str(), "SELECT * FROM gaps".as_ref()]);
    for result in [ask("SELECT * FROM gaps").undecided(), read.error()] {
        let expected = "the dataset has no table gaps; export its recordings again";
        assert!(result.contains(expected), "{result}");
    }
}

#[test]
fn recordings_without_a_clock_can_be_refused() {
    let ask = |file: &str, options: &[&str]| {
        let file = data(file);
        let options = options.iter().map(OsStr::new);
        let words = [file.as_os_str(), "--require-clock".as_ref()];
        let sql = ["SELECT count(*) AS n FROM events".as_ref()];
        query(words.into_iter().chain(options).chain(sql))
    };
    let result = ask(SYSTEM, &[]);
    assert_eq!((result.status, &*result.stdout), (Some(3), ""));
    assert!(
        result.stderr.contains("the clock frequency of"),
        "{}",
        result.stderr
    );
    assert_eq!(ask(SYSTEM, &["--clock=25MHz"]).status, Some(0));
    let result = ask("threadx/cm3_dwt_zero.trx", &["--clock=25MHz"]).undecided();
    assert!(result.contains("the clock stood still"), "{result}");
}

/// What a check without a row says of each table of each format.
#[test]
fn every_table_has_an_answer_for_each_format() {
    let mut answers = String::new();
    for &table in Table::ALL {
        let _ = write!(answers, "{table}");
        for file in [SHORT, STREAM, LOG] {
            let sql = format!("SELECT * FROM {table} WHERE random() > 1");
            let result = check(&data(file), &[], &sql);
            let answer = match result.status {
                Some(0) => "passes".to_owned(),
                Some(3) => {
                    let (_, reason) = result.stderr.trim_end().split_once("decide: ").unwrap();
                    let (_, reason) = reason.split_once(": ").unwrap();
                    reason.to_owned()
                }
                other => panic!("{sql}: {other:?} {}", result.stderr),
            };
            let _ = write!(answers, " | {answer}");
        }
        answers.push('\n');
    }
    insta::assert_snapshot!(answers);
}
