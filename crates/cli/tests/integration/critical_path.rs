//! Runs `rtoscope critical-path`.

use crate::common::TestFolder;

const THREADX: TestFolder = TestFolder("threadx");
const RKH: TestFolder = TestFolder("rkh");

const FILE: &str = "cm3_system.trx";

#[test]
fn the_path_of_an_inversion_and_of_a_posted_event() {
    let path = |event| THREADX.stdout(&["critical-path", FILE, "--event", event]);
    insta::assert_snapshot!("critical_path_of_an_inversion", path("1384"));
    insta::assert_snapshot!(
        "critical_path_of_a_step",
        RKH.stdout(&["critical-path", "nat_short.bin", "--event", "333"])
    );
}

#[test]
fn an_event_that_does_not_exist_is_an_error() {
    let output = THREADX.run(&["critical-path", FILE, "--event", "3000"]);
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "there is no event 3000: the trace has 3000 events";
    assert!(error.contains(expected), "{error}");
}
