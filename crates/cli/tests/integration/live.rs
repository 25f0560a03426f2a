//! Runs `rtoscope live`.

use crate::common::TestFolder;
use crate::common::live::{Ended, Listening, wait_for_saved};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};

const RKH: TestFolder = TestFolder("rkh");
const THREADX: TestFolder = TestFolder("threadx");

/// The listing for a file on standard input.
fn piped(beside: TestFolder, file: &str, arguments: &[&str]) -> (String, String, i32) {
    let mut all = vec!["live", "-"];
    all.extend(arguments);
    let bytes = std::fs::read(beside.folder().join(file)).unwrap();
    let mut command = beside.command(&all);
    let output = command.write_stdin(bytes).output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        output.status.code().unwrap(),
    )
}

#[test]
fn live_events_match_the_file() {
    for (beside, file) in [(RKH, "nat_short.bin"), (THREADX, "cm3_short.trx")] {
        let (listed, error, code) = piped(beside, file, &["--format", "csv"]);
        assert_eq!(code, 0, "{error}");
        let expected = beside.stdout(&["events", file, "--format", "csv"]);
        assert_eq!(listed, expected, "{file}");
        assert!(error.contains("nothing missing"), "{error}");
    }
}

#[test]
fn filter_accepts_names_that_appear_later() {
    let filter = "context ~ \"*\" and kind == \"TS_DISP\" or event < 3";
    for wanted in [filter, "event >= 100 and event < 110"] {
        let arguments = ["--filter", wanted, "--columns", "event,time,kind"];
        let (listed, error, code) = piped(RKH, "nat_short.bin", &arguments);
        let events = |wanted: &str| {
            let arguments = ["--filter", wanted, "--columns", "event,time,kind"];
            RKH.run(&[&["events", "nat_short.bin"], arguments.as_slice()].concat())
        };
        let mut expected = events(wanted);
        if !expected.status.success() {
            // The stream does not have this name.
            expected = events("event < 3");
        }
        assert_eq!(code, 0, "{error}");
        let words = |text: &str| -> Vec<Vec<String>> {
            let lines = text.lines();
            lines
                .map(|line| line.split_whitespace().map(str::to_owned).collect())
                .collect()
        };
        let expected = String::from_utf8(expected.stdout).unwrap();
        assert_eq!(words(&listed), words(&expected));
    }
    let (listed, error, code) = piped(RKH, "nat_short.bin", &["--filter", "context == absent"]);
    // Only the header is printed.
    assert_eq!((listed.lines().count(), code), (1, 0));
    assert!(error.contains("no context is called `absent`"), "{error}");
}

#[test]
fn late_name_does_not_hide_earlier_events() {
    let stream = std::fs::read(RKH.folder().join("ahsm_all.bin")).unwrap();
    let (before_name, rest) = stream.split_at(300);
    let filter = "object != TERM";
    let arguments = ["--filter", filter, "--columns", "event", "--format", "csv"];
    let file = RKH.stdout(&[&["events", "ahsm_all.bin"], arguments.as_slice()].concat());
    assert!(file.lines().count() > 500);
    let mut capture = start(&arguments);
    let mut output = BufReader::new(capture.child.stdout.take().unwrap());
    let mut target = capture.connect();
    target.write_all(before_name).unwrap();
    // The last frame may be incomplete.
    let mut expected = file.lines().take(file.lines().count() - 1);
    let mut check = |count: usize| {
        for expected in expected.by_ref().take(count) {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line.trim_end(), expected);
        }
    };
    // Events are listed although the name is not known yet.
    check(4);
    target.write_all(rest).unwrap();
    check(usize::MAX);
    drop(target);
    // A trigger does not wait for a name, either.
    let until = [
        "--quiet",
        "--until",
        "object == TERM or event == 3",
        "--after",
        "1ms",
    ];
    let capture = start(&until);
    let mut target = capture.connect();
    target.write_all(before_name).unwrap();
    let error = capture.end().error;
    assert!(error.contains("event 3 matches --until"), "{error}");
}

#[test]
fn filter_needs_a_listing() {
    for option in [["--filter", "event < 3"], ["--limit", "3"]] {
        let error = RKH.usage_error(&[&["live", "-", "--quiet"], option.as_slice()].concat());
        assert!(error.contains(option[0]), "{error}");
    }
}

#[test]
fn truncated_end_is_not_damage() {
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let capture = start(&["--quiet", "--save", run.to_str().unwrap()]);
    let mut target = capture.connect();
    target.write_all(&stream[..stream.len() - 3]).unwrap();
    wait_for_saved(&run, stream.len() - 3);
    capture.signal("-INT");
    let error = capture.end().error;
    assert!(error.contains("; 1 frame cut off"), "{error}");
    assert!(!error.contains("damaged"), "{error}");
    drop(target);
}

#[test]
fn unreadable_sources_are_reported() {
    let headless = std::fs::read(RKH.folder().join("ahsm_all.bin")).unwrap()[3000..].to_vec();
    let text = b"hello, this is no trace\n".repeat(100);
    for (input, option) in [(headless, "-O rkh-config"), (text, "--input-format")] {
        let output = RKH.command(&["live", "-"]).write_stdin(input).output();
        let output = output.unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains(option), "{error}");
    }
}

#[test]
fn invalid_expression_is_refused_before_opening() {
    for option in ["--filter", "--until"] {
        let error = RKH.usage_error(&["live", "tcp-listen://:0", option, "time >"]);
        assert!(error.contains(option), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    RKH.usage_error(&["live", "-", "--until", "(", "--save", run.to_str().unwrap()]);
    assert!(!run.exists());
    let error = RKH.usage_error(&["live", "-", "--columns", "event,waited"]);
    assert!(error.contains("--save"), "{error}");
    let error = RKH.usage_error(&["live", "upd://:5000"]);
    assert!(error.contains("tcp-listen://"), "{error}");
    let error = RKH.usage_error(&["live", "-", "--save", "nothing", "--keep", "3"]);
    assert!(error.contains("--rotate-size"), "{error}");
}

#[test]
fn limit_ends_the_capture() {
    let arguments = ["--limit", "5", "--format", "json"];
    let (listed, error, code) = piped(RKH, "nat_short.bin", &arguments);
    assert_eq!(code, 0, "{error}");
    assert_eq!(listed.lines().count(), 5);
}

fn start(arguments: &[&str]) -> Listening {
    Listening::start(&["live"], arguments)
}

#[test]
fn trigger_ends_the_capture_and_history_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let capture = start(&[
        "--quiet",
        "--until",
        "event == 50",
        "--after",
        "1s",
        "--save",
        run.to_str().unwrap(),
    ]);
    let mut target = capture.connect();
    target.write_all(&stream).unwrap();
    let Ended { output, error, .. } = capture.end();
    assert_eq!(output, "");
    assert!(error.contains("event 50 "), "{error}");
    let all = RKH.stdout(&["events", "nat_short.bin", "--format", "csv"]);
    let saved = RKH.stdout(&["events", run.to_str().unwrap(), "--format", "csv"]);
    assert_eq!(saved, all);
    drop(target);
}

#[test]
fn a_capture_without_data_fails() {
    let Ended {
        code,
        output,
        error,
    } = start(&["--duration", "300ms"]).end();
    assert_eq!((output.as_str(), code), ("", 2));
    assert!(!error.contains("nothing missing"), "{error}");
    assert!(
        error.contains("nothing was received; waited for"),
        "{error}"
    );

    // A server of SWO whose target writes to stimulus port 1 only.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("swo://{}", server.local_addr().unwrap());
    let sent = std::thread::spawn(move || {
        let (mut debugger, _) = server.accept().unwrap();
        debugger.write_all(&[0x09, b'x', 0x09, b'y']).unwrap();
        // Open until the capture ends.
        let _ = debugger.read(&mut [0]);
    });
    let output = RKH.run(&["live", &address, "--duration", "1s"]);
    sent.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("4 bytes, none for stimulus port 0"),
        "{error}"
    );
}

/// A file size limit simulates a full disk.
#[cfg(unix)]
#[test]
fn full_disk_is_reported_and_listing_continues() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" live - --format csv --save \"$1\"";
    let stream = std::fs::File::open(RKH.folder().join("nat_short.bin")).unwrap();
    let output = Command::new("sh")
        .args(["-c", script])
        .args([&program, &run])
        .stdin(stream)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("saving fails: "), "{error}");
    assert!(error.contains("000001.bin"), "{error}");
    assert!(error.contains("the recording lacks "), "{error}");
    let all = RKH.stdout(&["events", "nat_short.bin", "--format", "csv"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), all);
    // The end of the recording states what is missing, for all readers.
    let size = std::fs::metadata(RKH.folder().join("nat_short.bin")).unwrap();
    let missing = size.len() - std::fs::metadata(run.join("000001.bin")).unwrap().len();
    let info = RKH.stdout(&["info", run.to_str().unwrap(), "--format", "json"]);
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let diagnostics = info["diagnostics"].as_array().unwrap();
    let diagnostic = diagnostics.iter().find(|it| it["kind"] == "missing-bytes");
    assert_eq!(diagnostic.unwrap()["count"], missing);
    let interruptions = info["recording"]["interruptions"].as_array().unwrap();
    assert_eq!(interruptions.last().unwrap()["missing_bytes"], missing);
    let report = RKH.stdout(&["report", run.to_str().unwrap(), "health"]);
    assert!(report.contains("missing-bytes"), "{report}");
    // Earlier data is there.
    let saved = RKH.stdout(&["events", run.to_str().unwrap(), "--format", "csv"]);
    let lines = saved.lines().count();
    assert!(lines > 100, "{lines}");
    assert!(
        saved
            .lines()
            .zip(all.lines())
            .all(|(one, other)| one == other)
    );
}

/// The system still accepts writes to files of a removed folder.
#[cfg(unix)]
#[test]
fn removed_recording_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let mut capture = start(&["--quiet", "--save", run.to_str().unwrap()]);
    let mut target = capture.connect();
    target.write_all(&stream).unwrap();
    wait_for_saved(&run, stream.len());
    std::fs::remove_dir_all(&run).unwrap();
    let mut error = String::new();
    // It reports this while the target is silent.
    while !error.contains("saving fails: ") {
        assert_ne!(capture.errors.read_line(&mut error).unwrap(), 0, "{error}");
    }
    capture.signal("-TERM");
    capture.errors.read_to_string(&mut error).unwrap();
    assert_eq!(capture.child.wait().unwrap().code(), Some(2), "{error}");
    let expected = format!(
        "the recording lacks {0} of the {0} received bytes",
        stream.len()
    );
    assert!(error.contains(&expected), "{error}");
    drop(target);
}

#[cfg(unix)]
#[test]
fn failed_start_leaves_the_folder_empty() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" live - --quiet --save \"$1\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .args([&program, &run])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("rtoscope.loss"), "{error}");
    assert_eq!(std::fs::read_dir(run).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn refused_connections_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let run = run.to_str().unwrap();
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let mut capture = start(&["--quiet", "--save", run]);
    let mut target = capture.connect();
    target.write_all(&stream).unwrap();
    wait_for_saved(Path::new(run), stream.len());
    let mut other = capture.connect();
    other.write_all(&stream).unwrap();
    capture.signal("-TERM");
    let mut error = String::new();
    capture.errors.read_to_string(&mut error).unwrap();
    assert_eq!(capture.child.wait().unwrap().code(), Some(0), "{error}");
    assert!(error.contains("; 1 connection not read"), "{error}");
    let info = RKH.stdout(&["info", run]);
    let expected = "refused-connections: the capture ended with 1 connection still unread";
    assert!(info.contains(expected), "{info}");
}

#[cfg(target_os = "linux")]
#[test]
fn dropped_datagrams_fail_the_capture_and_are_recorded() {
    /// More than the system buffers: flags between frames of RKH.
    const FLOOD: u64 = 100_000;
    const FLAGS: [u8; 16] = [0x7E; 16];
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let run = run.to_str().unwrap();
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let arguments = ["--quiet", "--save", run];
    let mut capture = Listening::at("udp://127.0.0.1:0", &["live"], &arguments);
    let target = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    target.connect(("127.0.0.1", capture.port)).unwrap();
    target.send(&stream).unwrap();
    wait_for_saved(Path::new(run), stream.len());
    capture.signal("-STOP");
    for _ in 0..FLOOD {
        target.send(&FLAGS).unwrap();
    }
    capture.signal("-INT");
    capture.signal("-CONT");
    let mut error = String::new();
    capture.errors.read_to_string(&mut error).unwrap();
    assert_eq!(capture.child.wait().unwrap().code(), Some(2), "{error}");
    let saved = std::fs::metadata(Path::new(run).join("000001.bin")).unwrap();
    let received = (saved.len() - stream.len() as u64) / FLAGS.len() as u64;
    assert!(received < FLOOD, "{error}");
    let dropped = format!("the system dropped {} datagrams", FLOOD - received);
    assert!(error.contains(&dropped), "{error}");
    let info = RKH.stdout(&["info", run]);
    assert!(
        info.contains(&format!("dropped-datagrams: {dropped}")),
        "{info}"
    );
}
