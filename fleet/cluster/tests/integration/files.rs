//! A cluster reads exactly the files of a version of the tables.

use crate::support::{Cluster, Fleet};
use std::fs;
use std::path::{Path, PathBuf};

fn parquet_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let files = entries.flat_map(|path| match path.is_dir() {
        true => parquet_files(&path),
        false => vec![path],
    });
    files
        .filter(|path| path.extension().is_some_and(|it| it == "parquet"))
        .collect()
}

const COUNT: &str = "SELECT device, count(*), min(event), max(event) FROM events GROUP BY device";

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn files_outside_of_the_version_are_not_read() {
    let fleet = Fleet::of_devices(24);
    let cluster = Cluster::start(2);
    assert_eq!(fleet.assert_same_rows(&cluster, &["tables", COUNT]), 24);
    // Nothing refers to this file.
    let events = fleet.path("tables/table_name=events");
    let some = parquet_files(&events).remove(0);
    fs::copy(&some, some.with_file_name("other.parquet")).unwrap();
    assert_eq!(fleet.assert_same_rows(&cluster, &["tables", COUNT]), 24);
    // The old files stay.
    let before = parquet_files(&events).len();
    let compact = fleet.fleet_program(&["compact", "tables"]);
    assert!(compact.status.success());
    assert!(parquet_files(&events).len() > before);
    assert_eq!(fleet.assert_same_rows(&cluster, &["tables", COUNT]), 24);
    // The first batch.
    let first = ["tables", COUNT, "--as-of", "1"];
    assert_eq!(fleet.assert_same_rows(&cluster, &first), 3);
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn a_condition_on_the_device_reads_few_files() {
    let fleet = Fleet::of_devices(12);
    let cluster = Cluster::start(1);
    let files = |sql: &str| {
        let explain = format!("EXPLAIN {sql}");
        let arguments = ["tables", &explain, "--format", "json"];
        let output = fleet.cluster_query(&cluster.url(), &arguments).output();
        let plan = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(plan.contains("file_groups"), "{plan}");
        // Each file is in a group of its own, or listed with others.
        plan.matches(".parquet").count()
    };
    let all = files("SELECT count(*) FROM events");
    assert!(all > 4, "{all}");
    let one = files("SELECT count(*) FROM events WHERE device = 'dev-0003'");
    assert_eq!(one, 1);
    let sql = "SELECT device, count(*) FROM events WHERE device = 'dev-0003' GROUP BY device";
    assert_eq!(fleet.assert_same_rows(&cluster, &["tables", sql]), 1);
}

/// The bucket for the tests; the server's address and the keys are in the usual variables, which
/// the executors have as well.
const BUCKET: &str = "RTOSCOPE_TEST_BUCKET";

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster and starts the server"]
fn executors_read_a_bucket() {
    let bucket = std::env::var(BUCKET).unwrap();
    let fleet = Fleet::of_devices(4);
    let cluster = Cluster::start(2);
    let tables = format!("s3://{bucket}/cluster tables");
    fleet.ingest(&tables);
    assert_eq!(fleet.assert_same_rows(&cluster, &[&tables, COUNT]), 4);
}
