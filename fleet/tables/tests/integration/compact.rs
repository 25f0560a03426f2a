//! Large files in place of small ones.

use crate::support::Fleet;

#[test]
fn compacted_tables_have_the_same_rows_in_fewer_files() {
    let fleet = Fleet::new(12);
    let ingest = [
        &Fleet::INGEST[..],
        &["--batch", "2", "--bucket-digits", "0"],
    ]
    .concat();
    fleet.succeed(&ingest);
    let sums = || {
        let sql = "SELECT count(*), sum(hash), min(device), max(device) FROM (SELECT device, \
                   event * 31 + length(kind) * 7 AS hash FROM events)";
        fleet.query("tables", sql)
    };
    let device = "SELECT event FROM events WHERE device = 'dev-0005'";
    let (before, order, files) = (
        sums(),
        fleet.query("tables", device),
        fleet.files("parquet"),
    );
    let commits = fleet.files("json");
    let messages = fleet.succeed(&["compact", "tables"]);
    assert!(messages.contains("files merged into"), "{messages}");
    assert_eq!(
        fleet.files("json"),
        commits + 1,
        "one commit for all tables"
    );
    assert_eq!(sums(), before);
    assert_eq!(fleet.query("tables", device), order);
    // The old files are there for readers of old versions.
    let with_old = fleet.files("parquet");
    assert!(with_old > files, "{with_old} {files}");
    let removed = format!("{files} unused files removed");
    for removed in [&*removed, "0 unused files removed"] {
        let messages = fleet.succeed(&["compact", "tables", "--vacuum", "1ms"]);
        assert!(messages.contains(removed), "{messages}");
    }
    assert!(fleet.files("parquet") < files / 3);
    assert_eq!(sums(), before);
    // New recordings are added to compacted tables, and known ones are not.
    let messages = fleet.succeed(&ingest);
    assert!(
        messages.contains("0 recordings added, 12 known before"),
        "{messages}"
    );
}

#[test]
fn a_damaged_file_does_not_keep_others_from_being_merged() {
    let fleet = Fleet::new(4);
    let ingest = [
        &Fleet::INGEST[..],
        &["--batch", "2", "--bucket-digits", "0"],
    ]
    .concat();
    fleet.succeed(&ingest);
    let damaged = fleet.paths("tables/table_name=objects").remove(0);
    std::fs::write(&damaged, b"PAR1, but no table").unwrap();
    let output = fleet.run(&["compact", "tables", "--vacuum", "1ms"]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{messages}");
    let name = damaged.file_name().unwrap().to_string_lossy();
    assert!(messages.contains(&*name), "{messages}");
    let error = "partitions whose files could not be merged and stay as they were: 1";
    assert!(messages.contains(error), "{messages}");
    assert!(damaged.exists());
    let events = |device| format!("SELECT count(*) FROM events WHERE device = '{device}'");
    assert_ne!(fleet.query("tables", &events("dev-0001")), ["0"]);
    assert_eq!(
        fleet.paths("tables/table_name=events").len(),
        3,
        "{messages}"
    );
}

#[test]
fn a_vacuum_removes_what_killed_processes_left() {
    let fleet = Fleet::new(2);
    fleet.succeed(&Fleet::INGEST);
    let files = fleet.paths("tables");
    let day = fleet.paths("tables/table_name=events").remove(0);
    let day = day.parent().unwrap().strip_prefix(fleet.path("")).unwrap();
    let day = day.to_str().unwrap();
    for left in [
        &format!("{day}/0074b572.parquet"),
        &format!("{day}/0074b572.parquet#1"),
        "tables/_raw/0074b572.zst",
        "tables/_raw/0074b572.zst#2",
    ] {
        fleet.write(left, b"left");
    }
    let messages = fleet.succeed(&["compact", "tables", "--vacuum", "1h"]);
    assert!(messages.contains("0 unused files removed"), "{messages}");
    std::thread::sleep(std::time::Duration::from_millis(2));
    let messages = fleet.succeed(&["compact", "tables", "--vacuum", "1ms"]);
    assert!(messages.contains("4 unused files removed"), "{messages}");
    let is_data = |path: &&std::path::PathBuf| !path.to_string_lossy().contains("_delta_log");
    let after = fleet.paths("tables");
    let (before, after): (Vec<_>, Vec<_>) = (
        files.iter().filter(is_data).collect(),
        after.iter().filter(is_data).collect(),
    );
    assert_eq!(before, after);
    let sql = "SELECT recording_id FROM recordings WHERE device = 'dev-0001'";
    let id = fleet.query("tables", sql).remove(0);
    fleet.succeed(&["fetch", "tables", &id, "-o", "fetched.trx"]);
}
