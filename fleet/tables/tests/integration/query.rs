//! Queries read the files that they need.

use crate::support::Fleet;

#[test]
fn a_condition_on_devices_reads_their_buckets() {
    let fleet = Fleet::new(12);
    fleet.succeed(&Fleet::INGEST);
    let files = |condition: &str| -> usize {
        let sql = format!("EXPLAIN ANALYZE SELECT count(*) FROM events {condition}");
        let plan = fleet.query("tables", &sql).join("\n");
        let (_, count) = plan.split_once("count_files_scanned=").unwrap();
        count
            .split(|it: char| !it.is_ascii_digit())
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let all = files("WHERE event >= 0");
    assert!(all > 4, "{all}");
    assert_eq!(files("WHERE device = 'dev-0003'"), 1);
    assert_eq!(files("WHERE device IN ('dev-0003', 'dev-0003')"), 1);
    assert!(files("WHERE device IN ('dev-0003', 'dev-0004')") <= 2);
    assert!(files("WHERE device >= 'dev-0003'") > 2);
    let count = |condition: &str| {
        fleet.query(
            "tables",
            &format!("SELECT count(*) FROM events {condition}"),
        )
    };
    let one = count("WHERE device LIKE 'dev-0003%'");
    assert_ne!(one, ["0"]);
    assert_eq!(count("WHERE device = 'dev-0003'"), one);
    assert_eq!(count("WHERE 'dev-0003' = device AND event >= 0"), one);
    let both = count("WHERE device LIKE 'dev-000_' AND device < 'dev-0002'");
    assert_eq!(count("WHERE device IN ('dev-0000', 'dev-0001', 'x')"), both);
    let joined = "SELECT count(*) FROM events AS e JOIN recordings AS r \
                  ON e.recording_id = r.recording_id WHERE r.device = 'dev-0003'";
    assert_eq!(fleet.query("tables", joined), one);
}
