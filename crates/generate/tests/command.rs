//! Runs the command.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn generate(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    let mut command = Command::cargo_bin("rtoscope-generate").unwrap();
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), output.stdout, error)
}

#[test]
fn a_seed_gives_one_recording_and_its_truth() {
    let folder = tempfile::tempdir().unwrap();
    for (format, schema) in [
        ("threadx", "rtoscope/truth/1"),
        ("rkh", "rtoscope/truth-rkh/1"),
        ("cswitch", "rtoscope/truth-cswitch/1"),
    ] {
        let recording = |arguments: &[&str]| {
            let arguments = [&[format, "--events", "3000"], arguments].concat();
            let (code, bytes, error) = generate(folder.path(), &arguments);
            assert_eq!(code, Some(0), "{format}: {error}");
            bytes
        };
        let piped = recording(&["--seed", "3"]);
        assert_ne!(piped, recording(&["--seed", "4"]), "{format}");
        let files = ["--seed", "3", "--output", "a", "--truth", "truth.json"];
        assert!(recording(&files).is_empty());
        assert_eq!(piped, fs::read(folder.path().join("a")).unwrap());
        let truth = fs::read(folder.path().join("truth.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        assert_eq!(truth["schema"], schema);
    }
}

#[test]
fn mistakes_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for (line, expected) in [
        ("rkh --cores 2 -o a", "--cores"),
        ("cswitch --byte-order big -o a", "--byte-order"),
        ("cswitch --one-shot -o a", "--capacity"),
        ("cswitch --raw --cores 2 -o a", "cores is 2"),
        ("rkh --pumps 33 -o a", "pumps is 33"),
        ("threadx --cores 33 -o a", "33"),
        ("threadx --truth a -o a", "separate files"),
    ] {
        let arguments: Vec<_> = line.split(' ').collect();
        let (code, output, error) = generate(folder.path(), &arguments);
        assert!(code != Some(0) && output.is_empty(), "{line}");
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
