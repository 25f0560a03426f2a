//! Runs `rtoscope critical-path`.

use crate::common::TestFolder;
use serde_json::Value;

const THREADX: TestFolder = TestFolder("threadx");
const RKH: TestFolder = TestFolder("rkh");

const FILE: &str = "cm3_system.trx";

fn json(arguments: &[&str]) -> Value {
    let command = [&["critical-path", FILE, "--format", "json"], arguments].concat();
    let json: Value = serde_json::from_str(&THREADX.stdout(&command)).unwrap();
    assert_eq!(json["schema"], "rtoscope/critical-path/1");
    json
}

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
fn the_segments_add_up_to_the_path() {
    for (event, options) in [
        ("1384", &[][..]),
        ("1384", &["--from", "4200000"]),
        ("1384", &["--from", "event:100", "--limit", "40"]),
    ] {
        let path = json(&[&["--event", event], options].concat());
        let number = |value: &Value| value.as_u64().unwrap();
        let segments = path["segments"].as_array().unwrap();
        let sum: u64 = segments.iter().map(|it| number(&it["ticks"])).sum();
        assert_eq!(sum, number(&path["ticks"]));
        let [start, end] = ["start_ticks", "end_ticks"].map(|key| number(&path[key]));
        assert_eq!(end - start, sum);
        if options.first() == Some(&"--from") && options.len() == 2 {
            assert_eq!(start, 4_200_000);
            assert_eq!(path["origin"], "window");
        }
        if options.contains(&"--limit") {
            assert_eq!((segments.len(), &path["origin"]), (40, &"limit".into()));
        }
    }
}

#[test]
fn an_event_that_does_not_exist_is_an_error() {
    let output = THREADX.run(&["critical-path", FILE, "--event", "3000"]);
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "there is no event 3000: the trace has 3000 events";
    assert!(error.contains(expected), "{error}");
}
