//! Files, including growing ones.

use super::test_source::{TestEvent, TestSource, open, open_error, pattern};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A file in a folder of its own.
fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace 100%.rkh");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn follow(path: &Path) -> TestSource {
    let mut ear = open(&format!("{}?follow=1", path.display())).unwrap();
    assert_eq!(ear.next(), TestEvent::Connected(path.display().to_string()));
    ear
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_file_is_read_to_its_end() {
    let bytes = pattern(3 << 20);
    let (_folder, path) = file(&bytes);
    let mut ear = open(path.to_str().unwrap()).unwrap();
    ear.connected();
    assert!(ear.bytes(bytes.len()) == bytes);
    assert_eq!(ear.next(), TestEvent::Ended);
    assert_eq!(ear.next(), TestEvent::Ended);
}

#[test]
fn growing_files_are_followed() {
    let (_folder, path) = file(b"");
    let mut ear = follow(&path);
    for piece in [&b"o"[..], b"ne piece", &pattern(700_000)] {
        assert_eq!(ear.next_within(Duration::from_millis(100)), None);
        append(&path, piece);
        assert!(ear.bytes(piece.len()) == piece);
    }
}

#[test]
fn truncated_files_start_over() {
    let (_folder, path) = file(b"the first of them");
    let mut ear = follow(&path);
    assert_eq!(ear.bytes(17), b"the first of them");
    fs::write(&path, b"the second").unwrap();
    assert_eq!(ear.lost(), format!("{}: it was truncated", path.display()));
    assert_eq!(ear.waiting(), format!("{} to be there", path.display()));
    ear.connected();
    assert_eq!(ear.bytes(10), b"the second");
}

#[test]
fn replaced_files_are_read_to_their_end_first() {
    let (folder, path) = file(b"old");
    let mut ear = follow(&path);
    assert_eq!(ear.bytes(3), b"old");
    let old = folder.path().join("old");
    fs::rename(&path, &old).unwrap();
    append(&old, b"er");
    fs::write(&path, b"new").unwrap();
    assert_eq!(ear.bytes(2), b"er");
    let why = ear.lost();
    assert!(why.ends_with("another file has taken its place"), "{why}");
    ear.connected();
    assert_eq!(ear.bytes(3), b"new");
}

#[test]
fn removed_files_may_return() {
    let (_folder, path) = file(b"here");
    let mut ear = follow(&path);
    assert_eq!(ear.bytes(4), b"here");
    fs::remove_file(&path).unwrap();
    ear.lost();
    ear.waiting();
    assert_eq!(ear.next_within(Duration::from_millis(300)), None);
    fs::write(&path, b"there").unwrap();
    ear.connected();
    assert_eq!(ear.bytes(5), b"there");
}

#[test]
fn open_errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let (said, _) = open_error(&path.to_string());
    let expected = format!("{path} is a folder: `rtoscope replay` reads a recording");
    assert_eq!(said, expected);
    let (said, cause) = open_error(&format!("{path}/missing"));
    assert_eq!(said, format!("cannot open {path}/missing"));
    assert!(!cause.is_empty());
}

#[cfg(unix)]
#[test]
fn named_pipes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let mut ear = open(path.to_str().unwrap()).unwrap();
    let what = ear.waiting();
    assert_eq!(what, format!("a writer of {}", path.display()));
    let mut writer = File::options().write(true).open(&path).unwrap();
    ear.connected();
    writer.write_all(b"first").unwrap();
    assert_eq!(ear.bytes(5), b"first");
    assert_eq!(ear.next_within(Duration::from_millis(50)), None);
    writer.write_all(b"last").unwrap();
    drop(writer);
    assert_eq!(ear.bytes(4), b"last");
    assert_eq!(ear.next(), TestEvent::Ended);
}
