//! What fails, and how.

use crate::support::{Cluster, Fleet, free_port, wait_for};
use std::process::{Output, Stdio};

/// Asserts that a query failed as a whole; returns its messages.
fn messages_of_failure(output: &Output) -> String {
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    messages
}

#[test]
fn a_scheduler_that_cannot_be_reached_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("df://127.0.0.1:{}", free_port());
    let query = |tables: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtoscope-cluster"));
        command
            .args(["query", "--engine", &engine, tables, "SELECT 1"])
            .current_dir(folder.path());
        messages_of_failure(&command.output().unwrap())
    };
    let messages = query(".");
    assert!(messages.contains("tables of a fleet only"), "{messages}");
    let messages = query("gs://bucket/tables");
    assert!(messages.contains("error"), "{messages}");
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the tables"]
fn tables_alone_do_not_suffice() {
    let fleet = Fleet::of_devices(1);
    let engine = format!("df://127.0.0.1:{}", free_port());
    let mut query = fleet.cluster_query(&engine, &["tables", "SELECT * FROM recordings"]);
    let messages = messages_of_failure(&query.output().unwrap());
    assert!(
        messages.contains("cannot reach the scheduler"),
        "{messages}"
    );
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn a_cluster_without_executors_is_reported() {
    let fleet = Fleet::of_devices(1);
    let cluster = Cluster::start(0);
    let engine = format!("{}?wait=2", cluster.url());
    let mut query = fleet.cluster_query(&engine, &["tables", "SELECT count(*) FROM events"]);
    let messages = messages_of_failure(&query.output().unwrap());
    assert!(messages.contains("has 0 executors"), "{messages}");
    // The job does not start later.
    let jobs = cluster.api("jobs").unwrap();
    assert!(jobs.contains("rtoscope query"), "{jobs}");
    assert!(
        !jobs.contains("Running") && !jobs.contains("Queued"),
        "{jobs}"
    );
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn what_executors_lack_is_reported() {
    let fleet = Fleet::of_devices(1);
    let cluster = Cluster::start(1);
    let error = |sql: &str| {
        let mut query = fleet.cluster_query(&cluster.url(), &["tables", sql]);
        messages_of_failure(&query.output().unwrap())
    };
    let messages = error("SELECT format_time(span_ns) FROM recordings");
    assert!(
        messages.contains("format_time is not available"),
        "{messages}"
    );
    let messages = error("SELECT histogram(duration_ns) FROM slices");
    assert!(
        messages.contains("histogram is not available"),
        "{messages}"
    );
    let messages = error("SELECT * FROM events, generate_series(1, 3)");
    assert!(messages.contains("not a table of the fleet"), "{messages}");
    let messages = error("EXPLAIN ANALYZE SELECT count(*) FROM events");
    assert!(
        messages.contains("not supported on a cluster"),
        "{messages}"
    );
    let messages =
        error("SELECT count(*) FROM recordings a FULL JOIN recordings b ON a.events < b.events");
    assert!(
        messages.contains("not supported on a cluster"),
        "{messages}"
    );
    // An executor that fails.
    let messages = error("SELECT count(*) / (count(*) - count(*)) FROM events");
    assert!(messages.contains("DivideByZero"), "{messages}");
    // A file that is lost.
    std::fs::remove_dir_all(fleet.path("tables/table_name=slices")).unwrap();
    let messages = error("SELECT sum(duration) FROM slices");
    assert!(
        messages.contains("No such file") || messages.contains("not found"),
        "{messages}"
    );
}

/// A query that takes seconds.
const LONG: &str = "SELECT a.device, count(*), sum(a.event * b.event % 7) FROM events a \
                    JOIN events b ON a.event % 64 = b.event % 64 GROUP BY a.device";

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn a_lost_executor_does_not_change_the_answer() {
    let fleet = Fleet::of_devices(24);
    let mut cluster = Cluster::start(2);
    let arguments = ["tables", LONG, "--format", "csv"];
    let query = fleet
        .cluster_query(&cluster.url(), &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut query = query.unwrap();
    wait_for("the job", || cluster.has_job("Running"));
    cluster.executors[0].kill().unwrap();
    cluster.executors[0].wait().unwrap();
    assert!(
        query.try_wait().unwrap().is_none(),
        "the query was too short"
    );
    let output = query.wait_with_output().unwrap();
    let sorted = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[1..].sort_unstable();
        lines
    };
    let own = fleet.fleet_program(&["query", "tables", LONG, "--format", "csv"]);
    if output.status.success() {
        assert_eq!(sorted(&output.stdout), sorted(&own.stdout));
    } else {
        assert_eq!(output.status.code(), Some(2));
        assert!(!output.stderr.is_empty());
    }
    // The scheduler may take the other executor for busy, so that one is added.
    wait_for("the loss", || cluster.executor_count() == 1);
    cluster.add_executor();
    wait_for("the new executor", || cluster.executor_count() == 2);
    assert_eq!(fleet.assert_same_rows(&cluster, &["tables", LONG]), 24);
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn an_interrupted_query_is_cancelled() {
    let fleet = Fleet::of_devices(24);
    let cluster = Cluster::start(1);
    let query = fleet
        .cluster_query(&cluster.url(), &["tables", LONG, "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("the job", || cluster.has_job("Running"));
    let id = query.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.unwrap().success());
    let output = query.wait_with_output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{messages}");
    assert_eq!(messages, "");
    wait_for("the end of the job", || !cluster.has_job("Running"));
    assert!(cluster.has_job("Cancelled"), "{:?}", cluster.api("jobs"));
}
