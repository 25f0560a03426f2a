//! Runs the commands on SystemView streams.

use crate::common::TestFolder;
use crate::common::live::Listening;
use serde_json::Value;
use std::io::{Read as _, Write as _};

const HERE: TestFolder = TestFolder("systemview");

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&HERE.stdout(arguments)).unwrap()
}

#[test]
fn info_has_what_the_target_says_about_itself() {
    let info = json(&["info", "cm3_overflow.bin", "--format", "json"]);
    assert_eq!(info["format"], "systemview");
    assert_eq!(info["system"]["O"], "FreeRTOS");
    assert_eq!(info["initialisation"]["timestamp_hz"], 25_000_000);
    assert_eq!(info["initialisation"]["ram_base"], "0x20000000");
    assert_eq!(info["missing_packets"], 5165);
    let noret = json(&["info", "cm3_noret.bin", "--format", "json"]);
    let tasks = noret["tasks"].as_array().unwrap();
    let consumer = tasks.iter().find(|task| task["name"] == "consB");
    assert_eq!(consumer.unwrap()["priority"], 4);
}

#[test]
fn the_report_names_tasks_and_interrupts() {
    let report = json(&["report", "cm3_nested.bin", "--format", "json"]);
    let named = |list: &str, name: &str| {
        let rows = report["context_switches"][list].as_array().unwrap();
        rows.iter().any(|row| row["name"] == name)
    };
    assert!(named("threads", "prodA"));
    assert!(named("handlers", "Timer0") && named("handlers", "SysTick"));
    // Its own idle task never runs, and the core is idle while it is ready.
    let text = HERE.stdout(&["report", "cm3_noret.bin"]);
    assert!(!text.contains("while the only core is idle"), "{text}");
}

#[test]
fn a_file_describes_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SYSVIEW_Own.txt");
    std::fs::write(
        &file,
        "# Own\n164 own_receive queue=%I ticks=%u | Returns %u\n",
    )
    .unwrap();
    let setting = format!("custom-events={}", file.display());
    let events = ["events", "cm3_noret.bin", "-O", &setting];
    let listed = HERE.stdout(&events);
    assert!(listed.contains("own_receive") && !listed.contains("xQueueReceive"));
    std::fs::write(&file, "nothing\n").unwrap();
    let error = HERE.usage_error(&events);
    assert!(error.contains("no line describes an event"), "{error}");
}

#[test]
fn a_target_is_greeted_and_started() {
    let stream = std::fs::read(HERE.folder().join("cm3_noret.bin")).unwrap();
    let arguments = [
        "--input-format",
        "systemview",
        "--until",
        "event == 4000",
        "--after",
        "1ms",
    ];
    let capture = Listening::start(&["live"], &arguments);
    let mut target = capture.connect();
    let mut hello = [0; 5];
    target.read_exact(&mut hello).unwrap();
    assert_eq!((&hello[..2], hello[4]), (&b"SV"[..], 1));
    target.write_all(&stream).unwrap();
    let ended = capture.end();
    assert_eq!(ended.code, 0, "{}", ended.error);
    assert!(ended.output.contains("xQueueReceive"), "{}", ended.error);
}
