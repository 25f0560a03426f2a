//! Several processes at once, and some that are killed.

use crate::support::Fleet;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

#[test]
fn processes_share_the_work_and_survive_kills() {
    let fleet = Fleet::new(30);
    let start = || {
        let mut program = fleet.program();
        program.args(Fleet::INGEST).args(["--batch", "7"]);
        program.stderr(Stdio::null()).spawn().unwrap()
    };
    let mut processes: Vec<_> = (0..4).map(|_| start()).collect();
    for killed in processes.iter_mut().take(2) {
        sleep(Duration::from_millis(150));
        // It may have ended.
        let _ = killed.kill();
        killed.wait().unwrap();
    }
    processes.drain(..2);
    processes.extend([start(), start()]);
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let counts = "SELECT count(*), count(DISTINCT recording_id), count(DISTINCT device) \
                  FROM recordings";
    assert_eq!(fleet.query("tables", counts), ["30,30,30"]);
    let events = "SELECT count(DISTINCT number) FROM (SELECT device, count(*) AS number FROM \
                  events GROUP BY device)";
    assert_eq!(fleet.query("tables", events), ["1"]);
}

#[test]
fn shards_are_all_recordings() {
    let fleet = Fleet::new(10);
    for shard in ["1/3", "2/3", "3/3"] {
        fleet.succeed(&[&Fleet::INGEST[..], &["--shard", shard]].concat());
    }
    assert_eq!(
        fleet.query("tables", "SELECT count(*) FROM recordings"),
        ["10"]
    );
}
