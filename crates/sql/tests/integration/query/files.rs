//! Several recordings.

use super::{SYSTEM, data, query, query_json, query_with_input, rows};
use serde_json::json;
use std::fs;
use std::process::Command;

#[test]
fn recordings_are_distinguished_by_file() {
    let files = [SYSTEM, "threadx/cm3_short.trx", "rkh/ut.bin"];
    let found = query_json(
        &files,
        "SELECT file, count(*) AS n FROM events GROUP BY file ORDER BY n DESC",
    );
    let counts: Vec<_> = found.iter().map(|row| row["n"].clone()).collect();
    let alone =
        files.map(|file| query_json(&[file], "SELECT count(*) AS n FROM events")[0]["n"].clone());
    let mut alone = alone.to_vec();
    alone.sort_by_key(|count| std::cmp::Reverse(count.as_u64()));
    assert_eq!(counts, alone);
    let all = query_json(&files, "SELECT format, file FROM recordings");
    let formats: Vec<_> = all
        .iter()
        .map(|row| row["format"].as_str().unwrap())
        .collect();
    assert_eq!(formats, ["threadx", "threadx", "rkh"]);
}

#[test]
fn the_same_file_twice_is_two_recordings() {
    let found = query_json(
        &[SYSTEM, SYSTEM],
        "SELECT file, events FROM recordings ORDER BY file",
    );
    assert_eq!(found.len(), 2);
    let second = found[1]["file"].as_str().unwrap();
    assert!(second.ends_with("cm3_system.trx (2)"), "{second}");
}

#[test]
fn damage_is_reported() {
    let sql = "SELECT count(*) FROM events";
    let result = query([data("rkh/dmg_flip.bin").as_os_str(), sql.as_ref()]);
    let hints = result
        .stderr
        .matches("run `rtoscope info` for details")
        .count();
    assert_eq!(hints, 1, "{}", result.stderr);
    let result = query([data(SYSTEM).as_os_str(), sql.as_ref()]);
    assert_eq!(result.stderr, "");
}

#[test]
fn filters_of_files_skip_the_others() {
    let files = [SYSTEM, "threadx/cm3_short.trx"];
    let count = |filter: &str| {
        let sql = format!("SELECT count(*) AS n FROM slices WHERE {filter}");
        query_json(&files, &sql)[0]["n"].as_u64().unwrap()
    };
    let all = count("true");
    let short = count("file LIKE '%short%'");
    let rest = count("NOT (file LIKE '%short%')");
    assert!(short > 0 && rest > 0);
    assert_eq!(short + rest, all);
    assert_eq!(count("file IS NULL"), 0);
    assert_eq!(count("file = 'none'"), 0);
    assert_eq!(count("file = 'none' OR core = 0"), all);
    let plan = query_json(
        &files,
        "EXPLAIN SELECT start FROM slices WHERE file LIKE '%short%'",
    );
    let plan = plan.last().unwrap()["plan"].as_str().unwrap();
    assert!(
        plan.contains("table=slices, columns=[start], recordings=1"),
        "{plan}"
    );
}

#[test]
fn rows_come_in_the_order_of_the_recordings() {
    let files = [SYSTEM, "threadx/cm3_short.trx"];
    let found = query_json(&files, "SELECT event, file FROM events WHERE core = 0");
    let first = found
        .iter()
        .take_while(|row| row["file"] == found[0]["file"]);
    assert_eq!(first.count(), 3000);
    let numbers = |from: usize, to: usize| found[from..to].iter().map(|row| row["event"].as_u64());
    assert!(numbers(0, 3000).eq((0..3000).map(Some)));
    assert!(numbers(3000, found.len()).eq((0..found.len() as u64 - 3000).map(Some)));
    let few = query_json(&files, "SELECT event FROM events LIMIT 2 OFFSET 2999");
    assert_eq!(few, [json!({"event": 2999}), json!({"event": 0})]);
}

#[test]
fn many_rows_are_counted_on_all_cores() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = (0..12)
        .map(|number| {
            let path = folder.path().join(format!("device {number}.trx"));
            fs::copy(data("threadx/cm3_short.trx"), &path).unwrap();
            path
        })
        .collect();
    let one = query_json(
        &["threadx/cm3_short.trx"],
        "SELECT count(*) AS n, sum(duration) AS d FROM slices",
    );
    let sql = "SELECT count(*) AS n, sum(duration) AS d, count(DISTINCT file) AS f FROM slices";
    let words = files.iter().map(|file| file.as_os_str());
    let found = query(words.chain(["--format=jsonl", sql].map(AsRef::as_ref))).ok();
    let found = &rows(&found)[0];
    let times = |name: &str| 12 * one[0][name].as_u64().unwrap();
    assert_eq!(*found, json!({"n": times("n"), "d": times("d"), "f": 12}));
}

#[test]
#[cfg(unix)]
fn hostile_file_names_are_accepted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 4] = [
        b"a'; DROP VIEW x; --\"",
        b"\xff\xfe",
        b"line\nbreak\t,",
        b"=1+1",
    ];
    let files = names.map(|name| folder.path().join(OsStr::from_bytes(name)));
    for file in &files {
        fs::copy(data(SYSTEM), file).unwrap();
    }
    let sql = "SELECT count(DISTINCT file) AS n, sum(events) AS e FROM recordings";
    let words = || files.iter().map(|file| file.as_os_str());
    let found = query(words().chain(["--format=jsonl", sql].map(AsRef::as_ref))).ok();
    assert_eq!(rows(&found), [json!({"n": 4, "e": 12000})]);
    let all = query(words().chain(["SELECT file FROM recordings"].map(AsRef::as_ref))).ok();
    assert_eq!(all.lines().count(), 6, "{all}");
    let csv =
        query(words().chain(["--format=csv", "SELECT file FROM recordings"].map(AsRef::as_ref)));
    let csv = csv.ok();
    assert!(csv.contains("line\nbreak\t,\"\n"), "{csv}");
}

#[test]
fn standard_input_is_read() {
    let bytes = fs::read(data(SYSTEM)).unwrap();
    let result = query_with_input(
        ["-", "--format=csv", "SELECT file, events FROM recordings"],
        &bytes,
    );
    assert_eq!(result.ok(), "file,events\nstandard input,3000\n");
}

#[test]
fn every_file_must_be_readable() {
    let files = [data(SYSTEM), data("none.trx"), data(SYSTEM)];
    let words = files.iter().map(|file| file.as_os_str());
    let result = query(words.chain(["SELECT 1".as_ref()]));
    assert!(result.error().contains("none.trx"));
}

#[test]
fn excluded_recordings_are_not_decoded() {
    let files = [
        data(SYSTEM),
        data("README.md"),
        data("threadx/cm3_short.trx"),
    ];
    let run = |sql: &str| {
        let words = files.iter().map(|file| file.as_os_str());
        query(words.chain(["--format=jsonl", sql].map(AsRef::as_ref)))
    };
    for (sql, expected) in [
        (
            "SELECT count(*) AS n FROM events WHERE file LIKE '%cm3_system%'",
            3000,
        ),
        (
            "SELECT count(*) AS n FROM events WHERE recording_id = 'cm3_system'",
            3000,
        ),
        (
            "SELECT events AS n FROM recordings WHERE recording_id = 'cm3_system'",
            3000,
        ),
        ("SELECT 1 AS n", 1),
    ] {
        assert_eq!(rows(&run(sql).ok()), [json!({"n": expected})], "{sql}");
    }
    for sql in [
        "SELECT count(*) AS n FROM events",
        "SELECT count(*) AS n FROM recordings",
    ] {
        let error = run(sql).error();
        assert!(error.contains("README.md"), "{error}");
    }
}

#[test]
fn datasets_are_queried_like_recordings() {
    let folder = tempfile::tempdir().unwrap();
    // A hostile folder name.
    let dataset = folder.path().join("data [a] 100%*");
    for (device, file) in [("1", SYSTEM), ("a/b", "threadx/cm3_short.trx")] {
        let done = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"))
            .args(["export", "--to=parquet", "--clock=25MHz"])
            .arg(format!("--tag=device={device}"))
            .arg(data(file))
            .arg("--output")
            .arg(folder.path().join(&device[..1]))
            .status();
        assert!(done.unwrap().success());
    }
    fs::rename(folder.path().join("1"), &dataset).unwrap();
    let both = [dataset, folder.path().join("a")];
    let query_dataset = |sql: &str| {
        let words = both.iter().map(|path| path.as_os_str());
        rows(&query(words.chain(["--format=jsonl", sql].map(AsRef::as_ref))).ok())
    };
    let sql = "SELECT context, sum(duration) AS n, max(duration_ns) AS ns FROM cpu_time GROUP BY context ORDER BY n DESC, context";
    assert_eq!(
        query_dataset(sql),
        query_json(&[SYSTEM, "threadx/cm3_short.trx"], sql)
    );
    let devices = "SELECT device, count(*) AS n FROM events GROUP BY device ORDER BY device";
    let devices: Vec<_> = query_dataset(devices)
        .into_iter()
        .map(|row| row["device"].clone())
        .collect();
    assert_eq!(devices, ["1", "a/b"]);
    let mixed = [
        both[0].as_os_str(),
        data(SYSTEM).as_os_str(),
        "SELECT 1".as_ref(),
    ]
    .map(ToOwned::to_owned);
    assert!(query(mixed).error().contains("cannot mix"));
}
