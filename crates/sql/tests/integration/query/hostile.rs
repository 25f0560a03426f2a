//! File names and query texts that contain control sequences for terminals.

use super::{SYSTEM, data, query_with_input, rows};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Clears the screen, forges a line, sets colours, reverses the text: with C0,
/// DEL, C1 and a change of direction.
const NAME: &str = "a\u{1b}[2J\nrtoscope: forged\u{9b}31m\u{7f}\u{202e}";

struct HostileRecording {
    folder: tempfile::TempDir,
    recording: PathBuf,
    damaged: PathBuf,
    missing: PathBuf,
}

impl HostileRecording {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |prefix: &str| folder.path().join(format!("{prefix}{NAME}.trx"));
        let (recording, damaged, missing) = (at("whole"), at("damaged"), at("missing"));
        fs::copy(data(SYSTEM), &recording).unwrap();
        fs::write(&damaged, b"[[event]]").unwrap();
        Self {
            folder,
            recording,
            damaged,
            missing,
        }
    }

    fn run(&self, arguments: &[&str], file: &Path) -> Output {
        Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"))
            .current_dir(self.folder.path())
            .arg(arguments[0])
            .arg(file)
            .args(&arguments[1..])
            .output()
            .unwrap()
    }
}

/// A control sequence in an output, if there is one.
fn terminal_commands(text: &str) -> Option<&str> {
    let obeyed = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
    let is_forged = text
        .lines()
        .any(|line| line.starts_with("rtoscope: forged"));
    (is_forged || text.contains(obeyed)).then_some(text)
}

#[track_caller]
fn assert_harmless(output: &Output, what: &str) {
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8(text.clone()).unwrap();
        assert_eq!(terminal_commands(&text), None, "{what}");
    }
}

#[test]
fn terminal_output_has_no_control_sequences() {
    let hostile = HostileRecording::new();
    let names = "SELECT DISTINCT file, duration_ns FROM slices LIMIT 2";
    for arguments in [
        &["query", names][..],
        &["query", names, "--format=json"],
        &["query", names, "--format=jsonl"],
        &["query", names, "--expect-empty"],
        &["query", "SELECT '\u{9b}\t' AS \"b\u{9b}\u{202e}\""],
        &["query", "SELECT '\u{9b}\t\u{202e}', nothing FROM slices"],
        &["query", "SELECT 1", "--\u{9b}"],
        &["query", "SELECT 1", "--clock=\u{9b}"],
        &["export", "--to", "parquet", "--output", "missing\u{9b}/a/b"],
        &["export", "--to", "arrow", "--table=\u{9b}", "--output", "a"],
    ] {
        for file in [&hostile.recording, &hostile.damaged, &hostile.missing] {
            let output = hostile.run(arguments, file);
            assert_harmless(&output, &format!("{arguments:?}"));
        }
    }
}

#[test]
fn hostile_dataset_names_are_escaped() {
    let hostile = HostileRecording::new();
    let dataset = "set\u{202e}";
    let exported = hostile.run(
        &["export", "--to", "parquet", "--output", dataset],
        &hostile.recording,
    );
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    assert_harmless(&exported, "export");
    let at = |name: &str| hostile.folder.path().join(name);
    let dataset = at(dataset);
    let counted = hostile.run(&["query", "SELECT count(*) FROM events"], &dataset);
    assert_eq!(counted.status.code(), Some(0), "{counted:?}");
    let twice = dataset.to_str().unwrap();
    let refused = hostile.run(&["query", twice, "SELECT 1"], &dataset);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_harmless(&refused, "twice");
    let mixed = hostile.run(
        &["query", hostile.recording.to_str().unwrap(), "SELECT 1"],
        &dataset,
    );
    assert_eq!(mixed.status.code(), Some(2), "{mixed:?}");
    assert_harmless(&mixed, "mixed");
    // The engine does not read paths with control characters.
    let unreadable = at(&format!("set{NAME}"));
    fs::rename(&dataset, &unreadable).unwrap();
    let refused = hostile.run(&["query", "SELECT count(*) FROM events"], &unreadable);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_harmless(&refused, "unreadable");
}

#[test]
fn file_names_in_shell_errors_are_escaped() {
    let recording = data(SYSTEM);
    for command in [".read", ".output"] {
        let line = format!("{command} 'none\u{1b}[2J\u{9b}\u{202e}/x'\n");
        let error =
            query_with_input([recording.as_os_str(), "--shell".as_ref()], line.as_bytes()).error();
        assert!(error.contains("none\\x1b[2J\\xc2\\x9b"), "{error}");
        assert_eq!(terminal_commands(&error), None);
    }
}

#[test]
fn json_keeps_names_unchanged() {
    let hostile = HostileRecording::new();
    let arguments = ["query", "SELECT file FROM recordings", "--format=jsonl"];
    let output = hostile.run(&arguments, &hostile.recording);
    assert!(output.stdout.is_ascii());
    let found = rows(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(found[0]["file"], hostile.recording.to_str().unwrap());
}
