//! Formatted events, with the program that logged them, another build, and another program.

use crate::common::TestFolder;
use rtoscope_fixtures::{read_testdata, testdata};
use serde_json::Value;
use std::path::Path;

const FORMATS: TestFolder = TestFolder("firmware/formats");

/// The texts of the events, and the messages of `unknown-format`.
fn texts(recording: &str, argument: &str, elf: &Path) -> (Vec<String>, Vec<String>) {
    let elf = elf.to_str().unwrap();
    let events = ["events", recording, "--elf", elf, "--format", "json"];
    let text = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        Some(event["arguments"].get(argument)?.as_str()?.to_owned())
    };
    let texts = FORMATS.stdout(&events).lines().filter_map(text).collect();
    let info = ["info", recording, "--elf", elf, "--format", "json"];
    let info: Value = serde_json::from_str(&FORMATS.stdout(&info)).unwrap();
    let found = info["diagnostics"].as_array().unwrap().iter();
    let found = found.filter(|it| it["kind"] == "unknown-format");
    let messages = found.map(|it| it["message"].as_str().unwrap().to_owned());
    (texts, messages.collect())
}

#[test]
fn texts_come_from_the_program() {
    let elf = testdata("firmware/formats/formats.elf");
    let (stream, problems) = texts("formats.rkh", "str", &elf);
    assert_eq!(stream[1], "queue 1 of camera: -5%");
    assert_eq!((stream.len(), problems.len()), (5, 0));
    let (trace, problems) = texts("formats.trx", "text", &elf);
    assert_eq!(trace[2], "frame 2 from camera");
    assert_eq!((trace.len(), problems.len()), (4, 0));
}

#[test]
fn a_text_that_does_not_fit_is_a_diagnostic() {
    let mut elf = read_testdata("firmware/formats/formats.elf");
    let plain = b"\0plain\0";
    let at = elf.windows(plain.len()).position(|it| it == plain).unwrap();
    elf[at..at + plain.len()].copy_from_slice(b"\0%u %u\0");
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.elf");
    std::fs::write(&other, elf).unwrap();
    let (stream, problems) = texts("formats.rkh", "str", &other);
    assert_eq!(stream.len(), 4);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("1 formatted event without text, first event 4"));
}

#[test]
fn a_program_without_texts_is_a_diagnostic() {
    let other = testdata("firmware/stacks/dwarf.elf");
    let (stream, problems) = texts("formats.rkh", "str", &other);
    assert!(stream.is_empty());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("5 formatted events without text"));
    assert!(problems[0].contains(".rtoscope"), "{problems:?}");
}
