//! Text logs beside a trace: the lines are generated from what the camera's program says of
//! its frames.

use rtoscope_fixtures::testdata;
use rtoscope_generate::ThreadXOptions;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::{Command, Output};

fn frames() -> Vec<(u64, u64)> {
    let text = rtoscope_fixtures::read_testdata("firmware/camera/truth.json");
    let truth: Value = serde_json::from_slice(&text).unwrap();
    let frames = truth["frames"].as_array().unwrap().iter();
    let times = frames.map(|frame| Some((frame["number"].as_u64()?, frame["shown"].as_u64()?)));
    times.flatten().collect()
}

fn rtoscope(command: &str, log: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("console.txt");
    std::fs::write(&path, log).unwrap();
    let mut rtoscope = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    rtoscope
        .current_dir(testdata("firmware/camera"))
        .args([command, "memory.bin.gz", "--input-format", "threadx"])
        .arg("--text-log")
        .arg(path)
        .args(options)
        .output()
        .unwrap()
}

fn rows(log: &str, options: &[&str]) -> Vec<Value> {
    let output = rtoscope("events", log, &[options, &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    lines.map(Result::unwrap).collect()
}

fn ticks_log() -> String {
    let mut log = String::new();
    for (number, shown) in frames() {
        writeln!(log, "[{shown:08}] <inf> display: frame {number}").unwrap();
        writeln!(log, "  shown").unwrap();
    }
    log
}

/// Each line must follow the event that records the same moment.
fn assert_lines_follow_their_events(rows: &[Value]) {
    let mut found = 0;
    let is_line = |row: &Value| row.get("text_log").is_some() && row["continuation"] == false;
    for (at, line) in rows.iter().enumerate().filter(|(_, row)| is_line(row)) {
        let Some((number, shown)) = frames().get(found).copied() else {
            panic!("{line}");
        };
        found += 1;
        assert_eq!(line["text"], format!("frame {number}"));
        let mut before = rows[..at].iter().rev();
        let event = before.find(|row| row["kind"] == "user event 4096");
        if let Some(event) = event.filter(|event| event["timestamp"] == shown) {
            assert_eq!(event["time"], line["time"]);
        } else {
            // The frame is not in the ring.
            assert!(rows.iter().all(|row| row["timestamp"] != shown), "{line}");
        }
    }
    assert_eq!(found, frames().len());
}

#[test]
fn lines_are_among_the_events_at_their_times() {
    let rows = rows(&ticks_log(), &[]);
    assert_lines_follow_their_events(&rows);
    let lines = rows.iter().filter(|row| row["source"] == "display");
    assert!(lines.clone().all(|line| line["level"] == "info"));
    let ticks: Vec<_> = rows.iter().map(|row| row["time"].as_i64()).collect();
    assert!(ticks.is_sorted());
}

#[test]
fn times_since_boot_are_placed() {
    let mut log = String::new();
    for (number, shown) in frames() {
        let nanoseconds = shown * 40;
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        writeln!(log, "{seconds}.{rest:09} INFO frame {number}").unwrap();
    }
    assert_lines_follow_their_events(&rows(&log, &["--clock", "25MHz"]));
}

#[test]
fn info_shows_the_overlap() {
    let output = rtoscope("info", &ticks_log(), &["--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let log = &document["text_logs"][0];
    assert_eq!(log["format"], "zephyr-ticks");
    assert_eq!(log["lines"], 2 * frames().len());
    assert_eq!(log["timed_lines"], log["lines"]);
    assert!(log["lines_within_trace"].as_u64().unwrap() > 0);
    let text = rtoscope("info", &ticks_log(), &[]).stdout;
    assert!(String::from_utf8(text).unwrap().contains("Text log"));
}

#[test]
fn other_files_are_refused() {
    let output = rtoscope("events", "no stamps\nat all\n", &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("tried zephyr, zephyr-ticks, defmt, esp-idf, linux"),
        "{said}"
    );
    let options = ["-O", "text-log-format={level} {text}"];
    let output = rtoscope("events", "", &options);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn listings_have_the_text() {
    for options in [&["--format", "csv"][..], &[]] {
        let output = rtoscope("events", &ticks_log(), options);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("display: frame 1"), "{text}");
    }
    let filtered = ["--filter", "kind == \"user event 4096\""];
    let rows = rows(&ticks_log(), &filtered);
    assert!(rows.iter().all(|row| row.get("text_log").is_none()));
}

#[test]
fn lines_are_between_the_events_of_a_long_recording() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ThreadXOptions {
        events: 10_000,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    std::fs::write(folder.path().join("long.trx"), bytes).unwrap();
    let list = |options: &[&str]| {
        let mut rtoscope = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        rtoscope.current_dir(&folder).args(["events", "long.trx"]);
        let output = rtoscope
            .args(["--format", "json"])
            .args(options)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let rows = |list: &str| -> Vec<Value> {
        let rows = list.lines().map(serde_json::from_str);
        rows.map(Result::unwrap).collect()
    };
    let mut log = String::new();
    for event in rows(&list(&[])).iter().step_by(7) {
        let timestamp = event["timestamp"].as_u64().unwrap();
        writeln!(log, "[{timestamp:08}] <inf> app: {}", event["event"]).unwrap();
    }
    std::fs::write(folder.path().join("console.txt"), &log).unwrap();
    let all = list(&["--text-log", "console.txt"]);
    let found = rows(&all);
    let (mut events, mut lines) = (0, 0);
    for row in &found {
        match row.get("text") {
            Some(text) => {
                assert_eq!(text, &(7 * lines).to_string());
                lines += 1;
            }
            None => {
                assert_eq!(row["event"], events);
                events += 1;
            }
        }
    }
    assert_eq!((events, lines), (10_000, log.lines().count()));
    let times: Vec<_> = found.iter().map(|row| row["time"].as_u64()).collect();
    assert!(times.is_sorted());
    let first = list(&["--text-log", "console.txt", "--limit", "5000"]);
    assert_eq!(first.lines().count(), 5000);
    assert!(all.starts_with(&first));
    let part = list(&["--text-log", "console.txt", "--range", "3000..9000"]);
    let start = all.find(part.lines().next().unwrap()).unwrap();
    assert!(all[start..].starts_with(&part));
}
