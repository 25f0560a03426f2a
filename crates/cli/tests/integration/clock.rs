//! All outputs agree on the times of a recording: whether there are any, and how they
//! are rounded.

use crate::common::TestFolder;
use crate::report::{COUNTED, counted};
use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::fs;
use std::io::Read as _;
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

/// Rows of all tables of a dataset of JSON lines, with the path of their file.
fn rows(folder: &Path, see: &mut impl FnMut(&Path, Value)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rows(&path, see);
            continue;
        }
        for row in fs::read_to_string(&path).unwrap().lines() {
            see(&path, serde_json::from_str(row).unwrap());
        }
    }
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
        if key == "ns" || key.ends_with("_ns") || key == "frequency_hz" {
            assert_eq!(*value, Value::Null, "{key}");
        }
    });
}

fn contains(bytes: &[u8], text: &str) -> bool {
    let mut windows = bytes.windows(text.len());
    windows.any(|window| window == text.as_bytes())
}

/// The metadata of a sigrok session, a file of a ZIP archive.
fn sigrok_metadata(archive: &[u8]) -> String {
    const NAME: &[u8] = b"metadata";
    const LOCAL_HEADER_LEN: usize = 30;
    const EXTRA_LEN_OFFSET: usize = 28;
    let mut windows = archive.windows(NAME.len());
    let name = windows.position(|window| window == NAME).unwrap();
    let at = name - LOCAL_HEADER_LEN + EXTRA_LEN_OFFSET;
    let extra = usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let mut text = String::new();
    let mut decoder = DeflateDecoder::new(&archive[name + NAME.len() + extra..]);
    decoder.read_to_string(&mut text).unwrap();
    text
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
    assert_eq!(report["span_ticks"], info["span_ticks"]);
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

    let mut checked = 0;
    let mut explained = false;
    let tables = export(&folder, copy, "1MHz", "jsonl");
    rows(Path::new(&tables), &mut |path, row| {
        assert_no_nanoseconds(&row);
        explained |=
            path.starts_with(Path::new(&tables).join("findings")) && row["message"] == COUNTED;
        checked += 1;
    });
    assert!(checked > 900 && explained, "{checked}");
    let csv = ["--table", "slices", "--to", "csv"];
    let csv = HERE.stdout(&[&["export", copy], &csv[..], &clock].concat());
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let times: Vec<usize> = (0..header.len())
        .filter(|column| header[*column].ends_with("_ns"))
        .collect();
    assert_eq!(times.len(), 3);
    for line in lines {
        assert!(times.iter().all(|column| line[*column].is_empty()));
    }

    for format in ["chrome", "vcd", "html"] {
        let output = fs::read(export(&folder, copy, "1MHz", format)).unwrap();
        assert!(contains(&output, COUNTED), "{format}");
        assert!(!contains(&output, "1 MHz"), "{format}");
        assert!(!contains(&output, "frequency hz"), "{format}");
    }
    let session = fs::read(export(&folder, copy, "1MHz", "sigrok")).unwrap();
    let metadata = sigrok_metadata(&session);
    assert!(metadata.contains(COUNTED), "{metadata}");
    let ctf = export(&folder, copy, "1MHz", "ctf");
    let metadata = fs::read_to_string(Path::new(&ctf).join("metadata")).unwrap();
    let described = format!("description = \"{COUNTED}\";\n\tfreq = 1000000000;");
    assert!(metadata.contains(&described), "{metadata}");
}

#[test]
fn all_outputs_round_times_alike() {
    // A tick is a seventh of a microsecond.
    const RECORDING: &str = "linux32_inv_det.trx";
    let folder = TempDir::new().unwrap();
    let clock = ["--clock", "7MHz"];
    let info = json(&[&["info", RECORDING, "--format", "json"], &clock[..]].concat());
    let ticks = info["span_ticks"].as_u64().unwrap();
    let span = ticks * 1000 / 7;
    assert_ne!(span * 7, ticks * 1000, "the span is a whole number");
    assert_eq!(info["span_ns"], span);
    let report = json(&[&["report", RECORDING, "--format", "json"], &clock[..]].concat());
    assert_eq!(report["span_ns"], span);
    let events = HERE.stdout(&[&["events", RECORDING, "--format", "jsonl"], &clock[..]].concat());
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["time"], &last["time_ns"]),
        (&ticks.into(), &span.into())
    );
    for filter in [format!("time == {span}ns"), format!("time >= {span}ns")] {
        let filter = ["--filter", &filter, "--format", "jsonl"];
        let found = HERE.stdout(&[&["events", RECORDING], &filter[..], &clock].concat());
        assert_eq!(found.lines().last(), events.lines().last());
    }
    let from = ["--from", &format!("{span}ns"), "--format", "json"];
    let report = json(&[&["report", RECORDING], &from[..], &clock].concat());
    assert_eq!(report["start_ticks"], ticks);

    let tables = export(&folder, RECORDING, "7MHz", "jsonl");
    let mut spans = Vec::new();
    rows(Path::new(&tables), &mut |path, row| {
        if path.starts_with(Path::new(&tables).join("recordings")) {
            spans.push(row["span_ns"].clone());
        }
    });
    assert_eq!(spans, [Value::from(span)]);
    let chrome = fs::read(export(&folder, RECORDING, "7MHz", "chrome")).unwrap();
    let microseconds = format!("\"ts\":{}.{:03}", span / 1000, span % 1000);
    assert!(contains(&chrome, &microseconds), "{microseconds}");
    let vcd = fs::read_to_string(export(&folder, RECORDING, "7MHz", "vcd")).unwrap();
    assert!(vcd.contains("$timescale 1 ns $end"), "{}", &vcd[..500]);
    let end = vcd.lines().rev().find(|line| line.starts_with('#'));
    assert_eq!(end, Some(&*format!("#{span}")));
    let ctf = export(&folder, RECORDING, "7MHz", "ctf");
    let metadata = fs::read_to_string(Path::new(&ctf).join("metadata")).unwrap();
    assert!(metadata.contains("freq = 7000000;"), "{metadata}");
}
