//! All outputs agree on whether a recording has times.

use crate::common::TestFolder;
use crate::report::{COUNTED, counted};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const HERE: TestFolder = TestFolder("threadx");

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&HERE.stdout(arguments)).unwrap()
}

/// Exports a recording to a file or folder of this name.
fn export(folder: &TempDir, recording: &str, clock: &str, format: &str) -> String {
    let to = folder.path().join(format);
    let to = to.to_str().unwrap();
    let options = ["--clock", clock, "--to", format, "--output", to];
    HERE.stdout(&[&["export", recording], &options[..]].concat());
    to.to_owned()
}

/// Calls `see` with the key and the value of each member of a document.
fn members(json: &Value, see: &mut impl FnMut(&str, &Value)) {
    match json {
        Value::Object(all) => all.iter().for_each(|(key, value)| {
            see(key, value);
            members(value, see);
        }),
        Value::Array(all) => all.iter().for_each(|value| members(value, see)),
        _ => {}
    }
}

fn assert_no_nanoseconds(json: &Value) {
    members(json, &mut |key, value| {
        if key.ends_with("_ns") || key == "frequency_hz" {
            assert_eq!(*value, Value::Null, "{key}");
        }
    });
}

fn contains(bytes: &[u8], text: &str) -> bool {
    let mut windows = bytes.windows(text.len());
    windows.any(|window| window == text.as_bytes())
}

#[test]
fn a_clock_that_counts_events_has_no_nanoseconds_anywhere() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("counted.trx");
    counted("linux32_inv_nondet.trx", &copy);
    let copy = copy.to_str().unwrap();
    let clock = ["--clock", "1MHz"];

    let info = json(&[&["info", copy, "--format", "json"], &clock[..]].concat());
    assert_eq!(info["clock"]["quality"], "event-counter");
    assert_no_nanoseconds(&info);
    assert!(info.to_string().contains(COUNTED));
    let report = json(&[&["report", copy, "--format", "json"], &clock[..]].concat());
    assert_eq!(report["span"], info["span"]);
    assert_no_nanoseconds(&report);
    assert!(report["findings"].to_string().contains(COUNTED));
    for command in ["info", "report"] {
        let text = HERE.stdout(&[&[command, copy], &clock[..]].concat());
        assert!(text.contains(COUNTED), "{text}");
    }
    let events = HERE.stdout(&[&["events", copy, "--format", "jsonl"], &clock[..]].concat());
    for event in events.lines() {
        assert_no_nanoseconds(&serde_json::from_str(event).unwrap());
    }
    for refused in [
        ["events", copy, "--filter", "time > 1ms"],
        ["report", copy, "--from", "1ms"],
        ["report", copy, "--to", "1ms"],
    ] {
        let error = HERE.usage_error(&[&refused, &clock[..]].concat());
        assert!(error.contains(COUNTED), "{refused:?}: {error}");
    }

    for format in ["chrome", "vcd", "html"] {
        let output = fs::read(export(&folder, copy, "1MHz", format)).unwrap();
        assert!(contains(&output, COUNTED), "{format}");
        assert!(!contains(&output, "1 MHz"), "{format}");
        assert!(!contains(&output, "clock in Hz"), "{format}");
    }
    let ctf = export(&folder, copy, "1MHz", "ctf");
    let metadata = fs::read_to_string(Path::new(&ctf).join("metadata")).unwrap();
    let described = format!("description = \"{COUNTED}\";\n\tfreq = 1000000000;");
    assert!(metadata.contains(&described), "{metadata}");
}

#[test]
fn a_recording_without_a_clock_can_be_refused() {
    let ask = |file: &str, options: &[&str]| {
        let arguments = [
            &["report", file, "--format=json", "--require-clock"],
            options,
        ]
        .concat();
        let output = HERE.run(&arguments);
        let [text, message] =
            [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        (output.status.code(), text, message)
    };
    let (code, text, message) = ask("cm3_short.trx", &[]);
    assert_eq!((code, &*text), (Some(3), ""));
    assert!(
        message.contains("the clock frequency of cm3_short.trx is unknown"),
        "{message}"
    );
    let (code, text, _) = ask("cm3_short.trx", &["--clock=25MHz"]);
    assert_eq!((code, text.is_empty()), (Some(0), false));
    let (code, _, message) = ask("cm3_dwt_zero.trx", &["--clock=25MHz"]);
    assert_eq!(code, Some(3));
    assert!(message.contains("the clock stood still"), "{message}");
}
