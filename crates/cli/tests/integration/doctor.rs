//! `rtoscope doctor`: text, JSON and exit codes.

use rtoscope_fixtures::testdata;
use serde_json::{Value, json};
use std::process::{Command, Output};

fn doctor(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let command = command.current_dir(testdata(".")).args(["doctor"]);
    command.args(arguments).output().unwrap()
}

fn rule<'d>(document: &'d Value, name: &str) -> &'d Value {
    let mut rules = document["rules"].as_array().unwrap().iter();
    rules.find(|rule| rule["rule"] == name).unwrap()
}

#[test]
fn failed_rules_come_first_with_place_and_advice() {
    let output = doctor(&["threadx/linux32_isr.trx", "--clock", "1GHz"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let failed = text.split("\n\n").nth(1).unwrap();
    assert!(
        failed.starts_with("failed  isr-exit: Each entry of a handler"),
        "{text}"
    );
    assert!(
        failed.contains("1 entry without an exit, the first of ISR 99 [event 86, 80.446 ms]"),
        "{text}"
    );
    assert!(failed.contains("Record the exit on every path"), "{text}");
    assert!(text.contains("\nPassed\n") && text.contains("\nNot checked\n"));
}

#[test]
fn documents_have_all_rules() {
    let output = doctor(&["threadx/linux32_isr.trx", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "rtoscope/doctor/1");
    assert_eq!(
        (&document["format"], &document["events"]),
        (&json!("threadx"), &json!(568))
    );
    let counts = ["passed", "failed", "not_checked"].map(|it| document[it].as_u64().unwrap());
    let rules = document["rules"].as_array().unwrap().len() as u64;
    assert_eq!((counts[1], counts.iter().sum()), (1, rules));
    let broken = rule(&document, "isr-exit");
    assert_eq!(broken["verdict"], "failed");
    assert_eq!(
        (&broken["count"], &broken["event"], &broken["ns"]),
        (&json!(1), &json!(86), &json!(null))
    );
    assert!(broken["ticks"].is_u64() && broken["advice"].is_string());
    let unknown = rule(&document, "clock-frequency");
    assert_eq!(unknown["verdict"], "not-checked");
    assert_eq!(
        (&unknown["count"], &unknown["advice"]),
        (&json!(0), &json!(null))
    );
}

#[test]
fn sound_recordings_of_all_recorders_pass() {
    let log = [
        "firmware/memory.bin.gz",
        "--input-format",
        "cswitch",
        "--elf",
        "firmware/demo.elf",
        "-O",
        "log-base=0x20000000",
    ];
    let trace = ["firmware/memory.bin.gz", "--input-format", "threadx"];
    for arguments in [
        &log[..],
        &trace,
        &["firmware/stream.rkh"],
        &["threadx/cm3_system.trx"],
    ] {
        let output = doctor(arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(!text.contains("failed  "), "{text}");
    }
    assert_eq!(doctor(&["no-such-file"]).status.code(), Some(2));
}
