//! A memory image of the demonstration firmware, with a trace buffer and a
//! context-switch log: compares the firmware's own counters with the reports.
//! `cargo xtask firmware` compares much more, with a run of its own.

use rtoscope_fixtures::testdata;
use serde_json::{Value, json};
use std::process::Command;

fn report(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command
        .current_dir(testdata("firmware"))
        .arg("report")
        .args(arguments);
    let output = command.args(["--format", "json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn truth() -> Value {
    let text = rtoscope_fixtures::read_testdata("firmware/truth.json");
    serde_json::from_slice(&text).unwrap()
}

/// Finds the entry of a list with this value.
fn entry<'l>(list: &'l Value, key: &str, value: &Value) -> &'l Value {
    let mut entries = list.as_array().unwrap().iter();
    entries.find(|entry| entry[key] == *value).unwrap()
}

#[test]
fn trace_buffer_in_memory_matches_the_counters() {
    let truth = truth();
    let report = report(&["memory.bin.gz", "all", "--input-format", "threadx"]);
    assert_eq!(report["events"], truth["totals"]["txtb_events"]);
    for counter in ["dispatches", "context_switches"] {
        assert_eq!(report["performance"][counter], truth["totals"][counter]);
    }
    let threads = truth["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 6);
    for thread in threads {
        let found = entry(&report["threads"], "address", &thread["address"]);
        assert_eq!(found["name"], thread["name"]);
        for counter in ["dispatches", "resumptions", "time_slices"] {
            assert_eq!(found[counter], thread[counter], "{}", thread["name"]);
        }
        let preemptions = &found["preemptions"];
        assert_eq!(preemptions["solicited"], thread["solicited_preemptions"]);
        assert_eq!(preemptions["interrupt"], thread["interrupt_preemptions"]);
    }
    for handler in truth["handlers"].as_array().unwrap() {
        let found = entry(&report["isr"], "number", &handler["number"]);
        assert_eq!(found["activations"], handler["entries"]);
        assert_eq!(found["nested"], handler["nested"]);
        assert_eq!(found["total"], handler["ticks"]);
    }
}

#[test]
fn log_in_memory_matches_the_counters() {
    let truth = truth();
    let start = truth["memory_start"].as_str().unwrap();
    let base = format!("-Olog-base={start}");
    let log = ["--symbols", "demo.elf", &base];
    let report = report(&[&["memory.bin.gz", "all"], &log[..]].concat());
    let (found, totals) = (&report["context_switches"], &truth["totals"]);
    assert_eq!(report["events"], totals["cswitch_entries"]);
    assert_eq!(found["dispatches"], totals["dispatches"]);
    assert_eq!(found["idle"]["total"], totals["idle_ticks"]);
    let off = &found["interrupts_off"];
    assert_eq!(off["count"], totals["interrupts_off_sections"]);
    assert_eq!(off["total"], totals["interrupts_off_ticks"]);
    assert_eq!(off["duration"]["max"], totals["interrupts_off_max"]);
    for handler in truth["handlers"].as_array().unwrap() {
        let known = entry(&found["handlers"], "address", &handler["address"]);
        assert_eq!(known["activations"], handler["entries"]);
    }
}

#[test]
fn stream_matches_the_counters() {
    let truth = truth();
    let report = report(&["stream.rkh", "all"]);
    assert_eq!(report["events"], truth["totals"]["rkh_records"]);
    let records = truth["records"].as_object().unwrap();
    assert_eq!(report["services"].as_array().unwrap().len(), records.len());
    for (id, count) in records {
        let id = u8::from_str_radix(id.trim_start_matches("0x"), 16).unwrap();
        let found = entry(&report["services"], "id", &json!(id));
        assert_eq!(found["count"], *count, "{id:#x}");
    }
}

/// Two recordings one after the other, as of a target that was reset.
#[test]
fn a_reset_is_a_restart_in_every_format() {
    for file in [
        "freertos/stream.cswl",
        "threadx-stream/stream.txts",
        "stream.rkh",
    ] {
        let once = rtoscope_fixtures::read_testdata(&format!("firmware/{file}"));
        let run = |arguments: &[&str]| {
            let mut command = assert_cmd::Command::cargo_bin("rtoscope").unwrap();
            let command = command.args(arguments).write_stdin(once.repeat(2));
            String::from_utf8(command.output().unwrap().stdout).unwrap()
        };
        let info: Value = serde_json::from_str(&run(&["info", "-", "--format=json"])).unwrap();
        let gaps = info["gaps"].as_array().unwrap().iter();
        let restarts: Vec<_> = gaps.filter(|gap| gap["restart"] == true).collect();
        assert_eq!(restarts.len(), 1, "{file}");
        let first = restarts[0]["before_event"].as_u64().unwrap();
        assert_eq!(info["events"], 2 * first, "{file}");
        let range = format!("{}..{}", first - 1, first + 1);
        let events = run(&["events", "-", "--range", &range]);
        assert_eq!(
            events.lines().nth(2),
            Some("target restarted"),
            "{file}: {events}"
        );
    }
}
