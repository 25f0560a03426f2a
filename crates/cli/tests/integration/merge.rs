//! `rtoscope merge`: one time axis for several recordings. The camera's memory has two of one run,
//! by two recorders that read the same counter.

use crate::common::TestFolder;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CAMERA: TestFolder = TestFolder("firmware/camera");
const THREADX: TestFolder = TestFolder("threadx");

/// Timestamps of the first events.
const TRACE_START: i64 = 62_144;
const LOG_START: i64 = 105_673;

/// The display logs the end of a frame in both recordings.
const FRAME_END: &str =
    r#"kind == "marker end" and arg.marker == "show"(value) <- user event 4096(info1)"#;
const FRAME_BEGIN: &str =
    r#"kind == "marker begin" and arg.marker == "show"(value) -> user event 4096(info1)"#;

/// A folder with the two recordings, each in a file.
struct Camera(tempfile::TempDir);

impl Camera {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let camera = Self(folder);
        let trace = ["--no-config", "--input-format", "threadx"];
        let log = ["--config", "markers.toml"];
        for (name, options) in [("trace.trx", &trace[..]), ("log.cswl", &log[..])] {
            let path = camera.path(name);
            let output = ["convert", "memory.bin.gz", "-o", path.to_str().unwrap()];
            CAMERA.stdout(&[&output[..], options].concat());
        }
        camera
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let command = command.args(arguments).current_dir(self.0.path());
        command.output().unwrap()
    }

    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The second recording of `merge`, and the exit code.
    fn merge(&self, arguments: &[&str]) -> (Value, Option<i32>) {
        let options = ["--clock", "25MHz", "--format", "json"];
        let output = self.run(&[&["merge"], arguments, &options].concat());
        let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["schema"], "rtoscope/merge/1");
        (document["recordings"][1].take(), output.status.code())
    }
}

/// Changes the timestamps of a trace buffer that has not wrapped.
fn restamp(path: &Path, change: impl Fn(u32) -> u32) {
    let mut bytes = fs::read(path).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let [base, start, current] = [8, 24, 32].map(word);
    for entry in (start - base..current - base).step_by(32) {
        let stamp = &mut bytes[entry + 12..entry + 16];
        let changed = change(u32::from_le_bytes(stamp.try_into().unwrap()));
        stamp.copy_from_slice(&changed.to_le_bytes());
    }
    fs::write(path, bytes).unwrap();
}

/// Whether the offset, at 25 MHz, and the drift are within their bounds of the true ones.
fn assert_is_aligned(found: &Value, offset: i64, drift_ppm: f64) {
    let number = |key: &str| {
        found[key]
            .as_f64()
            .unwrap_or_else(|| panic!("{key}: {found}"))
    };
    let error = (number("offset_ticks") - offset as f64).abs() * 40.0;
    assert!(error <= number("start_uncertainty_ns"), "{found}");
    let error = (number("drift_ppm") - drift_ppm).abs();
    assert!(error <= number("drift_uncertainty_ppm"), "{found}");
}

#[test]
fn a_common_counter_is_exact() {
    let (found, code) = Camera::new().merge(&["trace.trx", "log.cswl", "--common-counter"]);
    assert_eq!(code, Some(0));
    assert_eq!(found["offset_ticks"], LOG_START - TRACE_START);
    assert_eq!(found["end_uncertainty_ns"], 0);
    assert_eq!(found["drift_ppm"], 0.0);
}

#[test]
fn frames_align_both_recordings() {
    let camera = Camera::new();
    let files = ["log.cswl", "trace.trx"];
    let rules = ["--match", FRAME_BEGIN, "--match", FRAME_END];
    let (found, code) = camera.merge(&[&files[..], &rules].concat());
    assert_eq!(code, Some(0), "{found}");
    assert_is_aligned(&found, TRACE_START - LOG_START, 0.0);
    assert_eq!(found["matches"][0]["pairs"], 23);
    // The display needs 2.2 ms between its two events.
    assert!(
        found["end_uncertainty_ns"].as_u64().unwrap() < 2_000_000,
        "{found}"
    );
    // A counter that starts at another value, and is 80 ppm too fast.
    let drifted = |stamp: u32| {
        let fast = u64::from(stamp) * 1_000_080 / 1_000_000;
        (fast as u32).wrapping_add(0xFFF0_0000)
    };
    restamp(&camera.path("trace.trx"), drifted);
    let (found, _) = camera.merge(&[&files[..], &rules].concat());
    assert_is_aligned(&found, TRACE_START - LOG_START, 80.0);
    // Both log the end of a frame with one reading of the counter.
    let same_time = FRAME_END.replace("<-", "->");
    let rules = ["--match", FRAME_END, "--match", &same_time];
    let (found, _) = camera.merge(&[&files[..], &rules].concat());
    assert_is_aligned(&found, TRACE_START - LOG_START, 80.0);
    assert!(
        found["end_uncertainty_ns"].as_u64().unwrap() <= 200,
        "{found}"
    );
}

#[test]
fn doubtful_and_impossible_alignments_are_reported() {
    let camera = Camera::new();
    let files = ["log.cswl", "trace.trx"];
    let merge = |options: &[&str]| camera.merge(&[&files[..], options].concat());
    let (found, code) = merge(&["--match", FRAME_BEGIN]);
    assert_eq!(code, Some(3));
    assert_eq!(found["problems"][0]["kind"], "one-direction");
    assert_eq!(found["start_uncertainty_ns"], Value::Null);
    // Causes and effects interchanged.
    let begin = FRAME_BEGIN.replace("->", "<-");
    let end = FRAME_END.replace("<-", "->");
    let list = camera.path("axis.toml");
    let output = ["--output", list.to_str().unwrap()];
    let rules = ["--match", &begin, "--match", &end];
    let (found, code) = merge(&[&rules[..], &output].concat());
    assert_eq!(
        (code, &found["refused"]["kind"]),
        (Some(1), &"contradiction".into())
    );
    let events = found["refused"]["other_events"].as_array().unwrap();
    assert!(events.len() >= 2, "{found}");
    assert_eq!(found["offset_ticks"], Value::Null);
    assert!(!list.exists());
    // Each number occurs many times.
    let repeated = r#"marker begin(info3) -> user event 4096(info2)"#;
    let (found, code) = merge(&["--match", repeated]);
    assert_eq!(
        (code, &found["refused"]["kind"]),
        (Some(1), &"no-pairs".into())
    );
    assert_eq!(found["matches"][0]["repeated"], 1);
    let (found, code) = camera.merge(&["trace.trx", "trace.trx", "--absolute"]);
    assert_eq!(
        (code, &found["refused"]["kind"]),
        (Some(1), &"no-arrival".into())
    );
    let text = |arguments: &[&str]| {
        let output = camera.run(&[&["merge"], &files[..], arguments].concat());
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, error) = text(&[]);
    assert!(
        code == Some(2) && error.contains("nothing says how it is aligned"),
        "{error}"
    );
    let (code, error) = text(&["--common-counter", "-o", "axis"]);
    assert!(
        code == Some(2) && error.contains("must end with .toml"),
        "{error}"
    );
}

#[test]
fn captures_are_placed_by_arrival() {
    const STREAM: TestFolder = TestFolder("firmware/threadx-stream");
    let camera = Camera::new();
    let bytes = fs::read(STREAM.folder().join("stream.txts")).unwrap();
    for name in ["first", "second"] {
        let folder = camera.path(name);
        let live = ["live", "-", "--quiet", "--save", folder.to_str().unwrap()];
        let mut command = STREAM.command(&live);
        assert!(
            command
                .write_stdin(&*bytes)
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    let (found, code) = camera.merge(&["first", "second", "--absolute"]);
    assert_eq!(code, Some(3), "{found}");
    assert_eq!(found["problems"][0]["kind"], "unknown-latency");
    // One was received after the other.
    assert!(found["offset_ns"].as_i64().unwrap() > 0, "{found}");
    assert_eq!(found["start_uncertainty_ns"], Value::Null);
}

#[test]
fn a_list_stands_for_its_recordings() {
    let camera = Camera::new();
    let settings = "[[interval]]\nname = 'x'\nfrom = 'core == 0'\nto = 'core == 1'\n";
    fs::write(camera.path("axis.toml"), settings).unwrap();
    let list = ["--common-counter", "--clock", "25MHz", "-o", "axis.toml"];
    let text = camera.stdout(&[&["merge", "trace.trx", "log.cswl"], &list[..]].concat());
    assert!(text.contains("1.741 ms"), "{text}");
    let written = fs::read_to_string(camera.path("axis.toml")).unwrap();
    assert!(written.contains("[[interval]]"), "{written}");
    assert!(written.contains("offset = \"43529 ticks\""), "{written}");
    // Timestamps of the one counter are times of the one axis.
    let csv = camera.stdout(&["export", "axis.toml", "--to", "csv", "--table", "events"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let [recording, time, stamp] = ["file", "time", "timestamp"]
        .map(|name| header.iter().position(|column| *column == name).unwrap());
    let mut rows = [0, 0];
    for line in lines {
        rows[usize::from(line[recording].contains("log"))] += 1;
        let [time, stamp] = [line[time], line[stamp]].map(|it| it.parse::<i64>().unwrap());
        assert_eq!(time, stamp - TRACE_START, "{line:?}");
    }
    assert_eq!(rows, [1041, 1972]);
    // Each report is of the window of the axis.
    let window = ["--from", "20ms", "--to", "30ms", "--format", "json"];
    let reports = camera.stdout(&[&["report", "axis.toml", "threads"], &window[..]].concat());
    let reports: Vec<Value> = serde_json::Deserializer::from_str(&reports)
        .into_iter()
        .map(|report| report.unwrap())
        .collect();
    let starts = [500_000, 500_000 - (LOG_START - TRACE_START)];
    assert_eq!(reports.len(), 2);
    for (report, start) in reports.iter().zip(starts) {
        assert_eq!(report["start"], start);
    }
    let chrome = camera.stdout(&["export", "axis.toml", "--to", "chrome"]);
    assert!(chrome.contains("\"trace.trx\"") && chrome.contains("\"log.cswl\""));
    let error = camera.run(&["info", "axis.toml"]);
    assert_eq!(error.status.code(), Some(2));
    // Again, with the clocks of the list.
    let again = camera.stdout(&["merge", "axis.toml", "--common-counter"]);
    assert!(again.contains("1.741 ms"), "{again}");
}

#[test]
fn pins_align_with_interrupts() {
    let folder = tempfile::tempdir().unwrap();
    let pins = folder.path().join("pins.vcd");
    let pins = pins.to_str().unwrap();
    let trace = "cm3_system.trx";
    let export = [
        "export", trace, "--clock", "25MHz", "--to", "vcd", "-o", pins,
    ];
    THREADX.stdout(&export);
    // The handler was active before the first edge that the pin shows.
    let enter = r#"kind == "isr enter" and info2 == 25 and event > 3"#;
    let rise = r#"kind == "rising edge" and object == "isrs.ISR_25""#;
    let exit = r#"kind == "isr exit" and info2 == 25"#;
    let fall = r#"kind == "falling edge" and object == "isrs.ISR_25""#;
    let enter = format!("{enter}(occurrence) -> {rise}(occurrence)");
    let exit = format!("{exit}(occurrence) <- {fall}(occurrence)");
    let rules = ["--match", &enter, "--match", &exit];
    let merge = ["merge", trace, pins, "--clock", "25MHz", "--format", "json"];
    let document = THREADX.stdout(&[&merge[..], &rules].concat());
    let document: Value = serde_json::from_str(&document).unwrap();
    let found = &document["recordings"][1];
    assert_is_aligned(found, 0, 0.0);
    assert_eq!(found["matches"][0]["pairs"], 154);
    let uncertainty = found["start_uncertainty_ns"].as_u64().unwrap();
    assert!(uncertainty < 1_000, "{found}");
}
