//! The recordings of the camera's program: compares its own times of each frame with the
//! events.

use rtoscope_fixtures::testdata;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::process::Command;

const TRACE: [&str; 2] = ["--input-format", "threadx"];

fn events(options: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command
        .current_dir(testdata("firmware/camera"))
        .args(["events", "memory.bin.gz", "--format", "json"])
        .args(options);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    lines.map(Result::unwrap).collect()
}

fn truth() -> Value {
    let text = rtoscope_fixtures::read_testdata("firmware/camera/truth.json");
    serde_json::from_slice(&text).unwrap()
}

fn frames(truth: &Value) -> &[Value] {
    truth["frames"].as_array().unwrap()
}

#[test]
fn trace_has_each_step_of_each_frame_at_its_time() {
    let truth = truth();
    let events = events(&TRACE);
    assert_eq!(json!(events.len()), truth["totals"]["txtb_events"]);
    // By event, object and the number of the frame.
    let mut steps = HashMap::new();
    for event in &events {
        let name = event["kind"].as_str().unwrap();
        let frame = match name {
            "tx_queue_send" => &event["info2"],
            "user event 4096" => &event["info1"],
            _ => continue,
        };
        let step = (name, event["object"].as_str(), frame.as_u64().unwrap());
        assert!(steps.insert(step, &event["timestamp"]).is_none(), "{event}");
    }
    let mut found = 0;
    for frame in frames(&truth) {
        let number = frame["number"].as_u64().unwrap();
        for (time, event, object) in [
            ("camera_sent", "tx_queue_send", Some("raw")),
            ("decoder_sent", "tx_queue_send", Some("decoded")),
            ("filter_sent", "tx_queue_send", Some("ready")),
            ("shown", "user event 4096", None),
        ] {
            let step = steps.get(&(event, object, number)).copied();
            assert_eq!(step, frame.get(time), "{time} of frame {number}");
            found += usize::from(step.is_some());
        }
    }
    assert_eq!(found, steps.len());
}

fn log_events(truth: &Value) -> Vec<Value> {
    let start = truth["memory_start"].as_str().unwrap();
    let base = format!("-Olog-base={start}");
    events(&["--symbols", "camera.elf", &base])
}

#[test]
fn log_has_each_interrupt_of_the_camera_at_its_time() {
    let truth = truth();
    let events = log_events(&truth);
    assert_eq!(json!(events.len()), truth["totals"]["cswitch_entries"]);
    let captures = events.iter().filter(|event| {
        let handler = event["arguments"]["handler"].as_str().unwrap_or_default();
        event["kind"] == json!("ISR enter") && handler.contains("::capture")
    });
    let captures: Vec<_> = captures.map(|event| &event["timestamp"]).collect();
    let captured = frames(&truth).iter().map(|frame| &frame["captured"]);
    assert_eq!(captures, captured.collect::<Vec<_>>());
}

#[test]
fn log_has_the_markers_of_each_frame_at_their_times() {
    let truth = truth();
    let events = log_events(&truth);
    let mut markers = HashMap::new();
    for event in &events {
        let kind = event["kind"].as_str().unwrap();
        if kind.starts_with("marker") {
            let arguments = &event["arguments"];
            let text = |key: &str| arguments[key].as_str().unwrap().to_owned();
            let marker = (kind, text("marker"), text("value"));
            assert!(
                markers.insert(marker, &event["timestamp"]).is_none(),
                "{event}"
            );
        }
    }
    let mut found = 0;
    for frame in frames(&truth) {
        let number = frame["number"].to_string();
        for (time, kind, marker) in [
            ("camera_sent", "marker begin", "frame"),
            ("decoder_received", "marker begin", "decode"),
            ("decoder_sent", "marker end", "decode"),
            ("filter_received", "marker begin", "filter"),
            ("filter_sent", "marker end", "filter"),
            ("display_received", "marker begin", "show"),
            ("shown", "marker end", "show"),
            ("shown", "marker end", "frame"),
        ] {
            let key = (kind, marker.to_owned(), number.clone());
            let marked = markers.get(&key).copied();
            assert_eq!(marked, frame.get(time), "{time} of frame {number}");
            found += usize::from(marked.is_some());
        }
    }
    assert_eq!(found, markers.len());
}
