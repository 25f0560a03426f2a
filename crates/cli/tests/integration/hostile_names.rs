//! File names with terminal control sequences.

#![cfg(unix)]

use rtoscope_fixtures::{read_testdata, testdata};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Clears the screen, forges a line, sets the title and reverses the text: with C0,
/// DEL, C1 and a bidirectional control.
const NAME: &str = "a\u{1b}[2J\nrtoscope: forged\u{9b}31m\u{7f}\u{202e}.trx";

struct HostileFiles {
    folder: tempfile::TempDir,
    /// A valid recording.
    intact: PathBuf,
    /// A file that is not a recording.
    damaged: PathBuf,
    missing: PathBuf,
}

impl HostileFiles {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let trace = testdata("threadx/cm3_short.trx");
        let at = |prefix: &str| folder.path().join(format!("{prefix}{NAME}"));
        let (whole, damaged, missing) = (at("whole"), at("damaged"), at("missing"));
        fs::copy(trace, &whole).unwrap();
        fs::write(&damaged, b"[[event]]\nname = '\x9b'").unwrap();
        Self {
            intact: whole,
            damaged,
            missing,
            folder,
        }
    }

    /// Runs the command with files as its last arguments, or the first one as the value of a
    /// setting.
    fn run(&self, arguments: &[&str], files: &[&Path]) -> Output {
        let mut arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let mut files = files.iter();
        if let Some(setting) = arguments
            .last_mut()
            .filter(|it| it.as_encoded_bytes().ends_with(b"="))
        {
            setting.push(files.next().unwrap());
        }
        Command::new(env!("CARGO_BIN_EXE_rtoscope"))
            .current_dir(self.folder.path())
            .args(arguments)
            .args(files)
            .output()
            .unwrap()
    }
}

/// Finds a control sequence in an output.
fn hostile(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let obeyed = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
    let forged = text
        .lines()
        .any(|line| line.starts_with("rtoscope: forged"));
    (forged || text.contains(obeyed)).then(|| format!("{text:?}"))
}

#[test]
fn no_command_prints_control_characters() {
    let hostile_files = HostileFiles::new();
    for arguments in [
        &["info"][..],
        &["info", "--format", "json"],
        &["events", "--limit", "3"],
        &["events", "--limit", "3", "--format", "json"],
        &["events", "-Ocustom-events="],
        &["report"],
        &["report", "--format", "json"],
        &["objects"],
        &["objects", "--format", "json"],
        &["info", "--symbols"],
        &["diagram", "sequence"],
        &["diagram", "communication"],
        &["check"],
        &["convert", "--output", "out.bin"],
        &["export", "--format", "csv", "--output", "out"],
        &["replay"],
        &["catalogue", "-Ocustom-events="],
        &["no-such-command"],
    ] {
        for file in [
            &hostile_files.intact,
            &hostile_files.damaged,
            &hostile_files.missing,
        ] {
            let output = hostile_files.run(arguments, &[file]);
            assert_eq!(hostile(&output.stdout), None, "{arguments:?}");
            assert_eq!(hostile(&output.stderr), None, "{arguments:?}");
        }
    }
}

#[test]
fn errors_name_the_file() {
    let hostile_files = HostileFiles::new();
    let output = hostile_files.run(&["info"], &[&hostile_files.missing]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let shown = "missinga\\x1b[2J\\nrtoscope: forged\\xc2\\x9b31m\\x7f\\xe2\\x80\\xae.trx";
    assert!(error.contains(shown), "{error}");
}

#[test]
fn json_has_the_unescaped_name() {
    let hostile_files = HostileFiles::new();
    let output = hostile_files.run(&["info", "--format", "json"], &[&hostile_files.intact]);
    assert!(output.stdout.is_ascii());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let source = document["source"].as_str().unwrap();
    assert!(source.ends_with(NAME), "{source:?}");
}

/// Names in a recording come from the target, or from whoever created the file.
#[test]
fn recorded_names_cannot_control_the_terminal() {
    let mut stream = read_testdata("rkh/nat_short.bin");
    let mut places = stream.windows(6);
    let name = places.position(|bytes| bytes == b"server").unwrap();
    // CSI as a single character. The frame's checksum is still 0.
    stream[name..name + 6].copy_from_slice(b"\xC2\x9BAAAw");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stream.bin");
    fs::write(&file, stream).unwrap();
    for arguments in [
        &["info"][..],
        &["info", "--format", "json"],
        &["events"],
        &["events", "--format", "jsonl"],
        &["events", "--format", "csv"],
        &["objects"],
        &["report", "--format", "json"],
        &["diagram", "sequence", "--format", "mermaid"],
        &["diagram", "sequence", "--format", "svg"],
        &["diagram", "communication"],
        &["diagram", "communication", "--format", "mermaid"],
        &[
            "export", "--to", "csv", "--table", "events", "--output", "-",
        ],
        &[
            "export", "--to", "jsonl", "--table", "events", "--output", "-",
        ],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let output = command.args(arguments).arg(&file).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("AAAw"), "{arguments:?}");
        assert_eq!(hostile(&output.stdout), None, "{arguments:?}");
        assert_eq!(hostile(&output.stderr), None, "{arguments:?}");
    }
}
