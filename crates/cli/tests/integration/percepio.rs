//! Runs the commands on recordings of TraceRecorder.

use crate::common::TestFolder;
use serde_json::Value;

const HERE: TestFolder = TestFolder("percepio");

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&HERE.stdout(arguments)).unwrap()
}

#[test]
fn info_has_the_header_the_tasks_and_the_losses() {
    let info = json(&["info", "cm3_lossy1k.psf", "--format", "json"]);
    assert_eq!(info["format"], "percepio");
    assert_eq!(info["header"]["kernel"], "FreeRTOS");
    assert_eq!(info["header"]["timestamp_hz"], 25_000_000);
    assert_eq!(info["missing_events"], 2551);
    let nested = json(&["info", "cm3_nested.psf", "--format", "json"]);
    let tasks = nested["tasks"].as_array().unwrap();
    let consumer = tasks.iter().find(|task| task["name"] == "consB");
    assert_eq!(consumer.unwrap()["priority"], 4);
    let wide = json(&["info", "bare64.psf", "--format", "json"]);
    assert_eq!(wide["header"]["word_bits"], 64);
}

#[test]
fn the_report_names_tasks_and_interrupts() {
    let report = json(&["report", "cm3_nested.psf", "--format", "json"]);
    let named = |list: &str, name: &str| {
        let rows = report["context_switches"][list].as_array().unwrap();
        rows.iter().any(|row| row["name"] == name)
    };
    assert!(named("threads", "prodA"));
    assert!(named("handlers", "Timer0") && named("handlers", "Timer1"));
}

#[test]
fn events_and_exports_have_names_and_texts() {
    let listed = HERE.stdout(&["events", "cm3_ring.mem"]);
    assert!(listed.contains("statemachine statechange"), "{listed}");
    assert!(listed.contains("object=\"q1\""));
    let events = HERE.stdout(&["events", "cm3_nested.psf"]);
    assert!(events.contains("phase 1") && events.contains("task continue"));
    let folder = tempfile::tempdir().unwrap();
    for format in ["chrome", "perfetto", "vcd"] {
        let file = folder.path().join(format);
        let path = file.to_str().unwrap();
        HERE.stdout(&["export", "cm3_nested.psf", "--to", format, "-o", path]);
        let written = std::fs::read(&file).unwrap();
        let has = |text: &[u8]| written.windows(text.len()).any(|it| it == text);
        // Perfetto's packets are compressed.
        let is_complete = format == "perfetto" || has(b"consB") && has(b"Timer1");
        assert!(is_complete && !written.is_empty(), "{format}");
    }
}
