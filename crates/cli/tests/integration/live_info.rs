//! Runs `rtoscope info` on recordings of `rtoscope live`.

use crate::common::TestFolder;
use crate::common::live::wait_for_saved;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const RKH: TestFolder = TestFolder("rkh");
const THREADX: TestFolder = TestFolder("threadx");

/// Records chunks that arrive one after the other.
fn save(pieces: &[&[u8]], arguments: &[&str], run: &Path) {
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    let mut child = Command::new(program)
        .args(["live", "-", "--quiet", "--save", run.to_str().unwrap()])
        .args(arguments)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut sent = 0;
    for piece in pieces {
        input.write_all(piece).unwrap();
        sent += piece.len();
        wait_for_saved(run, sent);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn missing_bytes_give_a_minimum_of_missing_records() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let stream = std::fs::read(RKH.folder().join("ahsm_all.bin")).unwrap();
    let pieces: Vec<_> = stream.chunks(5000).collect();
    save(&pieces, &["--rotate-size", "4kB"], &run);
    std::fs::remove_file(run.join("000002.bin")).unwrap();
    let said = RKH.stdout(&["info", run.to_str().unwrap()]);
    let losses = said.lines().find(|line| line.starts_with("losses"));
    assert!(losses.unwrap().contains("), at least "), "{said}");
    assert!(!said.contains("without sequence numbers"), "{said}");
}

#[test]
fn merged_ring_is_not_described() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let buffer = std::fs::read(THREADX.folder().join("cm3_short.trx")).unwrap();
    save(&[&buffer], &[], &run);
    let ring = |what: &str| {
        let said = THREADX.stdout(&["info", what]);
        said.lines().any(|line| line.starts_with("ring"))
    };
    assert!(ring("cm3_short.trx"));
    assert!(!ring(run.to_str().unwrap()));
}
