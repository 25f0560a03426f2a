//! Datasets.

use super::{CommandResult, SYSTEM, data, query, query_json, rows};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHORT: &str = "threadx/cm3_short.trx";

pub(super) fn export(to: &Path, files: &[&Path], tags: &[&str]) -> CommandResult {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
    command.args(["export", "--to=parquet", "--clock=25MHz", "--output"]);
    command.current_dir(to.parent().unwrap());
    command.arg(to).args(files);
    command.args(tags.iter().map(|tag| format!("--tag={tag}")));
    CommandResult::of(command.output().unwrap())
}

/// A dataset with recordings that are all named trace.trx, one per device.
fn fleet() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (trace, fleet) = (folder.path().join("trace.trx"), folder.path().join("fleet"));
    for (device, recording) in [("1", SYSTEM), ("a/b", SHORT)] {
        fs::copy(data(recording), &trace).unwrap();
        export(
            &fleet,
            &[Path::new("trace.trx")],
            &[&format!("device={device}")],
        )
        .ok();
    }
    (folder, fleet)
}

fn query_fleet(fleet: &Path, question: &[&str]) -> Vec<Value> {
    let words = ["--format=jsonl"].iter().chain(question);
    let words = words.map(AsRef::as_ref);
    rows(&query([fleet.as_os_str()].into_iter().chain(words)).ok())
}

fn files(fleet: &Path, sql: &str) -> Vec<String> {
    let rows = query_fleet(fleet, &[sql]);
    rows.iter()
        .map(|row| row["file"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn recordings_of_the_same_name_are_not_mixed() {
    let (_folder, fleet) = fleet();
    let cpu = |rows: Vec<Value>| {
        let rows = rows.into_iter().map(|row| {
            let numbers = ["context", "kind", "duration", "slices"].map(|name| row[name].clone());
            json!(numbers).to_string()
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort();
        rows
    };
    let sql = "SELECT * FROM cpu_time";
    let alone = [SYSTEM, SHORT].map(|file| cpu(query_json(&[file], sql)));
    let mut alone = alone.concat();
    alone.sort();
    assert_eq!(cpu(query_fleet(&fleet, &[sql])), alone);
    let named = query_fleet(&fleet, &["--named", "cpu-by-thread"]);
    let distinct: BTreeSet<_> = named.iter().map(Value::to_string).collect();
    assert_eq!(distinct.len(), named.len());
    for table in ["recordings", "events", "slices", "cpu_time"] {
        let sql = format!("SELECT DISTINCT file FROM {table} ORDER BY file");
        let expected = ["device=1/trace.trx", "device=a%2Fb/trace.trx"];
        assert_eq!(files(&fleet, &sql), expected, "{table}");
    }
    let sql = "SELECT device, count(*) AS n FROM events WHERE file = 'device=1/trace.trx' GROUP BY device";
    assert_eq!(
        query_fleet(&fleet, &[sql]),
        [json!({"device": "1", "n": 3000})]
    );
    let first = &query_fleet(&fleet, &["SELECT * FROM events LIMIT 1"])[0];
    assert_eq!(first["device"], "1");
    assert!(first.get("instead of file").is_none());
}

#[test]
fn a_report_has_all_queries_for_fleets() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = folder.path().join("fleet");
    for (device, firmware, recording) in [("1", "a<b", SYSTEM), ("2", "2.0", SHORT)] {
        let (device, firmware) = (format!("device={device}"), format!("firmware={firmware}"));
        let tags = [&*device, &firmware, "day=2026-03-01"];
        export(&fleet, &[&data(recording)], &tags).ok();
    }
    let page = query([fleet.as_os_str(), "--report".as_ref()]).ok();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for section in [
        "recordings-by-firmware",
        "new-findings",
        "latency-by-firmware",
    ] {
        assert!(
            page.contains(&format!("<table data-query=\"{section}\">")),
            "{section}"
        );
    }
    // Two devices are too few for a regression.
    assert!(page.contains("<b>None.</b>"));
    assert!(page.contains("a&lt;b") && !page.contains("a<b"));
    let sql = "SELECT count(*) AS n, max(latency_ns) AS max FROM wake_up_latencies WHERE complete";
    let expected = &query_fleet(&fleet, &[sql])[0];
    let named = query_fleet(&fleet, &["--named", "latency-by-firmware"]);
    let sum: i64 = named
        .iter()
        .filter_map(|row| row["wake_ups"].as_i64())
        .sum();
    let max = named.iter().filter_map(|row| row["max_ns"].as_i64()).max();
    assert_eq!(
        (json!(sum), json!(max)),
        (expected["n"].clone(), expected["max"].clone())
    );
    let error = query([data(SYSTEM).as_os_str(), "--report".as_ref()]).error();
    assert!(error.contains("have no tag"), "{error}");
}

#[test]
fn a_report_leaves_out_what_recordings_have_no_tags_for() {
    let (_folder, fleet) = fleet();
    let result = query([fleet.as_os_str(), "--report".as_ref()]);
    assert!(
        result.stderr.contains("Firmware versions: skipped"),
        "{}",
        result.stderr
    );
    let page = result.ok();
    assert!(page.contains("id=\"worst-devices\""));
    assert!(!page.contains("id=\"recordings-by-firmware\""));
    assert!(page.contains("no tag firmware"));
}

#[test]
fn devices_of_a_fleet_are_named() {
    let (_folder, fleet) = fleet();
    let named = ["--named", "devices-with-unbounded-inversion"];
    let devices = query_fleet(&fleet, &named);
    assert_eq!(devices.len(), 2);
    let device = &devices[0];
    let inversions = &query_json(
        &[SYSTEM],
        "SELECT count(*) AS n FROM inversions WHERE unbounded",
    )[0];
    assert_eq!(device["device"], "1");
    assert_eq!(device["recordings"], 1);
    assert_eq!(device["inversions"], inversions["n"]);
    assert_eq!(device["recording_id"], "device=1/trace");
}

#[test]
fn unique_names_are_unchanged() {
    let (folder, fleet) = fleet();
    export(&fleet, &[&data("rkh/ut.bin")], &["device=3"]).ok();
    let sql = "SELECT file FROM recordings ORDER BY device";
    let names = files(&fleet, sql);
    assert_eq!(names[1], data("rkh/ut.bin").display().to_string());
    // The same recording twice, and once more in another dataset.
    let other = folder.path().join("other");
    let trace = Path::new("trace.trx");
    export(&other, &[trace, trace], &["device=1"]).ok();
    let words = [fleet.as_os_str(), other.as_os_str()];
    let sql = "SELECT file FROM recordings ORDER BY file";
    let result = query(
        words
            .into_iter()
            .chain(["--format=csv", sql].map(AsRef::as_ref)),
    )
    .ok();
    let ours = result.lines().filter(|line| line.contains("trace.trx"));
    let expected = [
        "fleet/device=1/trace.trx",
        "fleet/device=a%2Fb/trace.trx",
        "other/device=1/trace.trx",
        "trace.trx",
    ];
    assert!(ours.eq(expected), "{result}");
    let sql = "SELECT recording_id FROM recordings ORDER BY recording_id";
    let words = [fleet.as_os_str(), other.as_os_str()].into_iter();
    let result = query(words.chain(["--format=csv", sql].map(AsRef::as_ref))).ok();
    let expected = [
        "recording_id",
        "fleet/device=1/trace",
        "fleet/device=3/ut",
        "fleet/device=a%2Fb/trace",
        "other/device=1/trace",
        "other/device=1/trace-2",
    ];
    assert!(result.lines().eq(expected), "{result}");
}

#[test]
fn forgotten_tags_are_rejected() {
    let (_folder, fleet) = fleet();
    for tags in [&[][..], &["site=1"]] {
        let result = export(&fleet, &[&data(SYSTEM)], tags).error();
        assert!(result.contains("the tag device ("), "{result}");
        assert!(result.contains("trace.parquet"), "{result}");
    }
}

#[test]
fn a_tag_added_later_is_null_for_earlier_recordings() {
    let (_folder, fleet) = fleet();
    export(&fleet, &[&data("rkh/ut.bin")], &["device=3", "site=1"]).ok();
    let sql =
        "SELECT device, site, count(*) AS n FROM recordings GROUP BY device, site ORDER BY device";
    let expected = [
        json!({"device": "1", "site": null, "n": 1}),
        json!({"device": "3", "site": "1", "n": 1}),
        json!({"device": "a/b", "site": null, "n": 1}),
    ];
    assert_eq!(query_fleet(&fleet, &[sql]), expected);
    let sql = "SELECT DISTINCT device FROM events WHERE site = '1'";
    assert_eq!(query_fleet(&fleet, &[sql]), [json!({"device": "3"})]);
}

#[test]
fn recordings_with_other_tags_are_not_opened() {
    let (_folder, fleet) = fleet();
    // A file that is no longer Parquet cannot be read.
    let tables: Vec<_> = fs::read_dir(&fleet).unwrap().collect();
    for table in tables {
        let file = table.unwrap().path().join("device=a%2Fb/trace.parquet");
        // Tables without rows have no file.
        if file.exists() {
            fs::write(file, "nothing").unwrap();
        }
    }
    for sql in [
        "SELECT count(*) AS n FROM events WHERE device = '1'",
        "SELECT count(*) AS n FROM events WHERE device IN ('1', 'x') AND time >= 0",
        "SELECT count(*) AS n FROM events e JOIN recordings t ON t.recording_id = e.recording_id
            WHERE e.device = '1' AND t.device = '1'",
        "SELECT count(*) AS n FROM events WHERE recording_id = 'device=1/trace'",
        "SELECT count(*) AS n FROM events WHERE recording_id IN ('device=1/trace') AND time_ns >= 0",
    ] {
        assert_eq!(query_fleet(&fleet, &[sql]), [json!({"n": 3000})], "{sql}");
    }
    for sql in [
        "SELECT count(*) AS n FROM events WHERE time >= 0",
        "SELECT count(*) AS n FROM events WHERE recording_id LIKE 'device=1/%' AND time >= 0",
        "SELECT count(*) AS n FROM events WHERE recording_id = 'none' AND time >= 0",
    ] {
        query([fleet.as_os_str(), sql.as_ref()]).error();
    }
}

#[test]
fn several_datasets_are_filtered_by_recording() {
    let (folder, fleet) = fleet();
    let other = folder.path().join("other");
    export(&other, &[&data(SYSTEM)], &["device=1"]).ok();
    // Only the files of the recording are opened.
    for table in ["events", "recordings"] {
        fs::write(
            fleet.join(table).join("device=a%2Fb/trace.parquet"),
            "nothing",
        )
        .unwrap();
    }
    let sql = "SELECT device, count(*) AS n FROM events
        WHERE recording_id = 'other/device=1/cm3_system' OR recording_id = 'fleet/device=1/trace'
        GROUP BY device";
    let words = [fleet.as_os_str(), other.as_os_str()].into_iter();
    let result = query(words.chain(["--format=jsonl", sql].map(AsRef::as_ref))).ok();
    assert_eq!(rows(&result), [json!({"device": "1", "n": 6000})]);
}

/// Exports one table of a recording into a file, with its tags as columns.
pub(super) fn export_table(table: &str, device: &str, recording: &str, file: &Path) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
    command.args(["export", "--to=parquet", "--clock=25MHz", "--table", table]);
    command.arg(format!("--tag=device={device}"));
    command.arg(data(recording)).arg("--output").arg(file);
    assert!(command.status().unwrap().success());
}

#[test]
fn tags_can_be_columns_of_the_files() {
    let folder = tempfile::tempdir().unwrap();
    // One file per table, and files of other names in folders without tags.
    let (single, several) = (folder.path().join("single"), folder.path().join("several"));
    for table in ["recordings", "events", "slices"] {
        export_table(table, "1", SYSTEM, &single.join(format!("{table}.parquet")));
        for (device, recording) in [("1", SYSTEM), ("a/b", SHORT)] {
            let name = format!("{table}/part-{}-{table}.parquet", &device[..1]);
            export_table(table, device, recording, &several.join(name));
        }
    }
    let sql = "SELECT device, count(*) AS n FROM events GROUP BY device ORDER BY device";
    let short = query_json(&[SHORT], "SELECT count(*) AS n FROM events")[0]["n"].clone();
    let expected = [
        json!({"device": "1", "n": 3000}),
        json!({"device": "a/b", "n": short}),
    ];
    assert_eq!(query_fleet(&single, &[sql]), expected[..1]);
    assert_eq!(query_fleet(&several, &[sql]), expected);
    let sql =
        "SELECT device, sum(duration_ns) AS ns FROM slices WHERE device = 'a/b' GROUP BY device";
    let ns = query_json(&[SHORT], "SELECT sum(duration_ns) AS ns FROM slices")[0]["ns"].clone();
    assert_eq!(
        query_fleet(&several, &[sql]),
        [json!({"device": "a/b", "ns": ns})]
    );
    // Together with a dataset whose folders have the tag.
    let (_folder, fleet) = fleet();
    let sql = "SELECT device, count(*) AS n FROM events WHERE device <> 'a/b' GROUP BY device";
    let words = [fleet.as_os_str(), several.as_os_str()].into_iter();
    let result = query(words.chain(["--format=jsonl", sql].map(AsRef::as_ref))).ok();
    assert_eq!(rows(&result), [json!({"device": "1", "n": 6000})]);
}

#[test]
fn a_table_can_be_merged_alone() {
    let (_folder, fleet) = fleet();
    let sql = "SELECT count(*) AS n FROM events WHERE recording_id = 'device=1/trace'";
    let expected = query_fleet(&fleet, &[sql]);
    assert_eq!(expected, [json!({"n": 3000})]);
    // The file of a device gets another name, as if another tool had written it.
    let folder = fleet.join("events/device=1");
    fs::rename(folder.join("trace.parquet"), folder.join("data_0.parquet")).unwrap();
    assert_eq!(query_fleet(&fleet, &[sql]), expected);
    let other = "SELECT count(*) AS n FROM events WHERE upper(recording_id) = 'DEVICE=1/TRACE'";
    assert_eq!(query_fleet(&fleet, &[other]), expected);
}

#[test]
fn unknown_tags_are_rejected() {
    let (_folder, fleet) = fleet();
    let folder = fleet.join("events/firmware=1");
    fs::create_dir(&folder).unwrap();
    fs::copy(
        fleet.join("events/device=1/trace.parquet"),
        folder.join("a.parquet"),
    )
    .unwrap();
    let result = query([fleet.as_os_str(), "SELECT count(*) FROM events".as_ref()]).error();
    assert!(result.contains("the tag firmware"), "{result}");
    let sql = "SELECT count(*) AS n FROM slices WHERE device = '1' AND start < 0";
    assert_eq!(query_fleet(&fleet, &[sql]), [json!({"n": 0})]);
}

#[test]
fn the_same_dataset_twice_is_rejected() {
    let (folder, fleet) = fleet();
    let again = folder.path().join("fleet/../fleet");
    let result = query([fleet.as_os_str(), again.as_os_str(), "SELECT 1".as_ref()]).error();
    assert!(result.contains("the same dataset"), "{result}");
}

#[test]
fn recordings_are_joined_by_id() {
    let (_folder, fleet) = fleet();
    let sql = "SELECT t.recording_id, t.device, count(*) = max(t.events) AS all
        FROM recordings t JOIN events e ON e.recording_id = t.recording_id
        GROUP BY t.recording_id, t.device ORDER BY t.recording_id";
    let expected = [("device=1/trace", "1"), ("device=a%2Fb/trace", "a/b")];
    let expected =
        expected.map(|(id, device)| json!({"recording_id": id, "device": device, "all": true}));
    assert_eq!(query_fleet(&fleet, &[sql]), expected);
    // The same without a dataset.
    let sql = "SELECT recording_id FROM recordings ORDER BY recording_id";
    let ids = query_json(&[SYSTEM, SHORT, SYSTEM], sql);
    let expected = ["cm3_short", "cm3_system", "cm3_system-2"];
    assert_eq!(ids, expected.map(|id| json!({"recording_id": id})));
}

#[test]
fn decoding_options_are_rejected_for_datasets() {
    let (_folder, fleet) = fleet();
    for option in ["--clock=1MHz", "--buffer=1", "--symbols=nosuch.elf"] {
        let words = [option.as_ref(), fleet.as_os_str(), "SELECT 1".as_ref()];
        let result = query(words).error();
        assert!(
            result.contains(option.split('=').next().unwrap()),
            "{result}"
        );
    }
}

#[test]
fn a_dataset_without_recordings_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("recordings")).unwrap();
    let result = query([folder.path().as_os_str(), "SELECT 1".as_ref()]).error();
    assert!(result.contains("has no recordings"), "{result}");
}

#[test]
fn merged_files_keep_recording_names() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    let files = [data(SYSTEM), data(SHORT)];
    let files: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    for table in ["recordings", "events"] {
        fs::create_dir_all(dataset.join(table)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
        command.args(["export", "--to=parquet", "--table", table, "--output"]);
        command
            .arg(dataset.join(table).join("all.parquet"))
            .args(&files);
        assert!(command.status().unwrap().success());
    }
    let sql = "SELECT count(DISTINCT file) AS files, count(*) AS n FROM events";
    let both = query_json(
        &[SYSTEM, SHORT],
        "SELECT 2 AS files, count(*) AS n FROM events",
    );
    assert_eq!(query_fleet(&dataset, &[sql]), both);
    let missing = query([dataset.as_os_str(), "SELECT * FROM slices".as_ref()]).error();
    assert!(missing.contains("has no table slices"), "{missing}");
}
