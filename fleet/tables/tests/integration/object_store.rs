//! Tables and recordings in an S3 server, which `cargo xtask test fleet` starts.

use crate::support::Fleet;

/// The bucket for the tests; the server's address and the keys are in the usual variables.
const BUCKET: &str = "RTOSCOPE_TEST_BUCKET";

#[test]
#[ignore = "`cargo xtask test fleet` starts the server"]
fn tables_in_a_bucket_are_those_of_a_folder() {
    let bucket = std::env::var(BUCKET).unwrap();
    let fleet = Fleet::new(5);
    fleet.succeed(&Fleet::INGEST);
    let tables = format!("s3://{bucket}/tables");
    let mut ingest = Fleet::INGEST;
    ingest[7] = &tables;
    let messages = fleet.succeed(&ingest);
    assert!(messages.contains("5 recordings added"), "{messages}");
    let messages = fleet.succeed(&ingest);
    assert!(messages.contains("5 known before"), "{messages}");
    let sql = "SELECT device, recording_id, events FROM recordings ORDER BY device";
    let rows = fleet.query(&tables, sql);
    assert_eq!(rows.len(), 5);
    assert_eq!(rows, fleet.query("tables", sql));
    fleet.succeed(&["compact", &tables, "--vacuum", "1ms"]);
    assert_eq!(rows, fleet.query(&tables, sql));
    let id = rows[0].split(',').nth(1).unwrap();
    fleet.succeed(&["fetch", &tables, id, "-o", "fetched.trx"]);
    let read = |path| std::fs::read(fleet.path(path)).unwrap();
    assert!(read("fetched.trx") == read("src/dev-0000/1.0/trace.trx"));
}
