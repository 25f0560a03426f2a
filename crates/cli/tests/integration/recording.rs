//! Runs the commands on recordings of captures.

use crate::common::{self, TestFolder};
use rtoscope_decode::live::HostTime;
use rtoscope_recording::Recorder;
use rtoscope_recording::RecorderOptions;
use serde_json::Value;
use std::fs;
use std::path::Path;

const RKH: TestFolder = TestFolder("rkh");
const THREADX: TestFolder = TestFolder("threadx");

/// 2024-02-29 12:34:56 UTC.
const BEGUN: u64 = 1_709_210_096_000_000_000;

const MILLISECOND: u64 = 1_000_000;

fn settings(folder: &Path) -> RecorderOptions {
    RecorderOptions {
        folder: folder.into(),
        source: "tcp-listen://127.0.0.1:7000".to_owned(),
        segment_bytes: None,
        segment_time: None,
        max_segments: None,
    }
}

/// Records the bytes as a capture would: 100 per millisecond.
fn record(settings: RecorderOptions, bytes: &[u8]) -> Recorder {
    let mut now = BEGUN;
    let mut recorder = Recorder::create(settings, HostTime(now)).unwrap();
    for piece in bytes.chunks(100) {
        recorder.write(piece, HostTime(now)).unwrap();
        now += MILLISECOND;
    }
    recorder
}

fn read(beside: TestFolder, name: &str) -> Vec<u8> {
    fs::read(beside.folder().join(name)).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn recording_equals_the_sent_trace() {
    let generated = tempfile::tempdir().unwrap();
    let log = generated.path().join("log.cswl");
    common::write_generated_log(&log);
    let log = log.to_str().unwrap();
    for (beside, name) in [
        (RKH, "nat_short.bin"),
        (RKH, "ahsm_all.bin"),
        (THREADX, "cm3_short.trx"),
        (RKH, log),
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(record(settings(folder.path()), &read(beside, name)));
        let folder = folder.path().to_str().unwrap();
        for command in [
            &["events", "FILE", "--format", "csv"][..],
            &["events", "FILE", "--range", "10..20"],
            &["objects", "FILE"],
            &[
                "report", "FILE", "load", "--clock", "1MHz", "--format", "text",
            ],
        ] {
            let of = |file: &str| {
                let place =
                    |argument: &&'static str| if *argument == "FILE" { file } else { *argument };
                let arguments: Vec<_> = command.iter().map(place).collect();
                beside.stdout(&arguments).replace(file, "FILE")
            };
            assert_eq!(of(folder), of(name), "{name} {command:?}");
        }
    }
}

#[test]
fn info_describes_the_capture() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = read(RKH, "nat_short.bin");
    let mut recorder = record(settings(folder.path()), &bytes);
    let broke = HostTime(BEGUN + 500 * MILLISECOND);
    recorder
        .interrupt("the target closed the connection", broke)
        .unwrap();
    recorder
        .write(&bytes, HostTime(BEGUN + 750 * MILLISECOND))
        .unwrap();
    drop(recorder);
    let path = folder.path().to_str().unwrap();
    let document = json(&RKH.stdout(&["info", path, "--format", "json"]));
    assert_eq!(document["schema"], "rtoscope/info/1");
    assert_eq!(document["container"], "recording");
    let recording = &document["recording"];
    assert_eq!(recording["source"], "tcp-listen://127.0.0.1:7000");
    assert_eq!(recording["started"], "2024-02-29T12:34:56.000000000Z");
    assert_eq!(recording["last_received"], "2024-02-29T12:34:56.750000000Z");
    assert_eq!(recording["segments"], 1);
    assert_eq!(recording["bytes"], 2 * bytes.len());
    assert_eq!(recording["removed_bytes"], 0);
    let interruptions = recording["interruptions"].as_array().unwrap();
    assert_eq!(interruptions.len(), 1);
    assert_eq!(interruptions[0]["at"], "2024-02-29T12:34:56.500000000Z");
    assert_eq!(
        interruptions[0]["reason"],
        "the target closed the connection"
    );
    assert_eq!(interruptions[0]["missing_bytes"], 0);
    let once = json(&RKH.stdout(&["info", "nat_short.bin", "--format", "json"]));
    assert_eq!(interruptions[0]["before_event"], once["events"]);
    assert!(once.get("recording").is_none());
    let kinds = document["diagnostics"].as_array().unwrap().iter();
    let interrupted = kinds
        .clone()
        .find(|it| it["kind"] == "interrupted")
        .unwrap();
    assert_eq!(interrupted["event"], once["events"]);
    let text = RKH.stdout(&["info", path]);
    let expected = "last data  2024-02-29 12:34:56.750 UTC\nstored     31074 bytes in 1 segment\n";
    assert!(text.contains(expected), "{text}");
    // The same, with a trailing separator.
    let slashed = format!("{path}/");
    let of = |path: &str| RKH.stdout(&["events", path, "--limit", "5"]);
    assert_eq!(of(&slashed), of(path));
}

#[test]
fn changed_bytes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    drop(record(settings(folder.path()), &read(RKH, "nat_short.bin")));
    let file = folder.path().join("000001.bin");
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000..5100].fill(0);
    fs::write(&file, &bytes).unwrap();
    let path = folder.path().to_str().unwrap();
    let document = json(&RKH.stdout(&["info", path, "--format", "json"]));
    let mut diagnostics = document["diagnostics"].as_array().unwrap().iter();
    let found = diagnostics.find(|it| it["kind"] == "bad-checksum").unwrap();
    let [offset, count] = ["offset", "count"].map(|name| found[name].as_u64().unwrap());
    assert!(offset <= 5000 && offset + count >= 5100 && count < 3000);
    let message = found["message"].as_str().unwrap();
    let place = format!("000001.bin: {count} bytes from offset {offset} on");
    assert!(message.starts_with(&place), "{message}");
    fs::write(&file, vec![0; bytes.len()]).unwrap();
    let refusal = RKH.usage_error(&["info", path]);
    assert!(
        refusal.contains("do not match their checksums"),
        "{refusal}"
    );
    let sent = RKH.run(&["replay", path, "--to", "-", "--speed", "max"]);
    let stderr = String::from_utf8(sent.stderr).unwrap();
    assert!(stderr.contains("do not match their checksums"), "{stderr}");
}

#[test]
fn impossible_requests_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let refusal = RKH.usage_error(&["info", path]);
    assert!(
        refusal.contains("is a directory without a recording"),
        "{refusal}"
    );
    drop(record(settings(folder.path()), &[]));
    let refusal = RKH.usage_error(&["info", path]);
    assert!(refusal.contains("the recording is empty"), "{refusal}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    drop(record(settings(folder.path()), &[0x55; 5000]));
    let refusal = RKH.usage_error(&["info", path]);
    assert!(refusal.contains("--input-format"), "{refusal}");
    let refusal = RKH.usage_error(&["info", path, "--buffer", "1"]);
    assert!(refusal.contains("--buffer"), "{refusal}");
    let refusal = RKH.usage_error(&["convert", path, "--output", "x.trx"]);
    assert!(refusal.contains("not a single buffer"), "{refusal}");
    fs::write(
        folder.path().join("rtoscope.json"),
        "{\"schema\":\"rtoscope/recording/9\"}",
    )
    .unwrap();
    let refusal = RKH.usage_error(&["info", path]);
    assert!(refusal.contains("rtoscope/recording/9"), "{refusal}");
}
