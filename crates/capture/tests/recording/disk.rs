//! Processes that are killed, and disks that are full.
#![cfg(unix)]

use super::common::*;
use rtoscope_capture::Recorder;
use rtoscope_capture::recording::{Recording, RecordingSettings};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Where a process of these tests records to.
const FOLDER: &str = "RTOSCOPE_TEST_RECORDING";

fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// The program of these tests.
fn program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// What makes it run nothing but one test that is a process of another one.
fn only(test: &str) -> [&str; 4] {
    [test, "--exact", "--ignored", "--nocapture"]
}

/// Writes until it is killed, and says after each write how much that was.
#[test]
#[ignore = "is killed by another test"]
fn writes_until_it_is_killed() {
    let Some(folder) = folder() else {
        return;
    };
    let wish = RecordingSettings {
        segment_bytes: Some(3 << 20),
        ..settings(&folder)
    };
    let mut recorder = Recorder::create(wish, after(0)).unwrap();
    let mut told = std::io::stderr();
    let (mut offset, mut now) = (0_u64, 0);
    loop {
        let length = 1 + usize::from(byte(now)) * 300;
        recorder.write(&bytes(offset, length), after(now)).unwrap();
        offset += length as u64;
        now += 77_777;
        if now % 64 == 0 {
            recorder.interrupt("now and then", after(now)).unwrap();
        }
        told.write_all(&offset.to_le_bytes()).unwrap();
    }
}

#[test]
fn what_was_written_survives_the_process() {
    for least in [1, 100_000, 5_000_000, 20_000_000] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(program())
            .args(only("disk::writes_until_it_is_killed"))
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = child.stderr.take().unwrap();
        let mut written = 0;
        let mut number = [0; 8];
        while written < least {
            told.read_exact(&mut number).unwrap();
            written = u64::from_le_bytes(number);
        }
        child.kill().unwrap();
        // What it said before it was gone.
        while told.read_exact(&mut number).is_ok() {
            written = u64::from_le_bytes(number);
        }
        child.wait().unwrap();
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(recording.problems().unwrap(), []);
        let there = check_bytes(&read(folder.path(), 0));
        assert!(there >= written, "{there} of {written}");
        assert_eq!(there, recording.bytes());
    }
}

/// Writes more than a file may have, and goes on.
#[test]
#[ignore = "is run by another test"]
fn writes_to_a_full_disk() {
    let Some(folder) = folder() else {
        return;
    };
    let mut recorder = Recorder::create(settings(&folder), after(0)).unwrap();
    let mut write = |piece: u64, at: u64| {
        let written = recorder.write(&bytes(piece * 40_000, 40_000), after(at * MILLISECOND));
        (recorder.bytes(), written.map_err(|error| error.to_string()))
    };
    assert_eq!(write(0, 0), (40_000, Ok(())));
    // Of the second there is room for a part.
    let (bytes, failed) = write(1, 10);
    assert_eq!(bytes, 65_536);
    assert!(failed.unwrap_err().contains("cannot write"));
    // It is not tried all the time.
    let (bytes, failed) = write(2, 20);
    assert_eq!(bytes, 65_536);
    assert!(failed.unwrap_err().contains("000001.bin"));
    assert!(write(3, 1009).1.is_err());
    // There is room again.
    assert_eq!(write(4, 1010), (105_536, Ok(())));
    println!("all as expected");
}

#[test]
fn a_full_disk_loses_only_what_it_has_no_room_for() {
    let folder = tempfile::tempdir().unwrap();
    // Files may have 64 KiB here; a signal would end the process else.
    let script = "trap '' XFSZ; ulimit -f 128; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(program())
        .args(only("disk::writes_to_a_full_disk"))
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("all as expected"), "{output:?}");
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 105_536);
    let Gave::Broke(at, reason, missing) = &gave[2] else {
        panic!("{:?}", gave[2]);
    };
    let lost = 160_000 - 65_536;
    assert_eq!((*at, *missing), (after(1010 * MILLISECOND), lost));
    assert!(
        reason.starts_with("94464 bytes could not be written: "),
        "{reason}"
    );
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.segments()[1].offset, 160_000);
    assert_eq!(recording.problems().unwrap().len(), 1);
}

/// A recorder whose first segment is full and whose second cannot be begun: no
/// file can be where a folder has its name.
fn blocked() -> (TempDir, Recorder, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let wish = RecordingSettings {
        segment_bytes: Some(10),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(wish, after(0)).unwrap();
    recorder.write(&bytes(0, 10), after(0)).unwrap();
    let blocked = folder.path().join("000002.bin");
    fs::create_dir(&blocked).unwrap();
    (folder, recorder, blocked)
}

#[test]
fn a_segment_that_cannot_be_begun_is_tried_again() {
    let (folder, mut recorder, blocked) = blocked();
    let error = recorder.write(&bytes(10, 10), after(1)).unwrap_err();
    assert!(error.to_string().contains("000002.bin"), "{error}");
    assert!(recorder.interrupt("too late", after(2)).is_err());
    fs::remove_dir(&blocked).unwrap();
    let later = 2000 * MILLISECOND;
    recorder.write(&bytes(20, 10), after(later)).unwrap();
    assert_eq!(recorder.bytes(), 20);
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 20);
    assert!(matches!(&gave[1], Gave::Broke(_, _, 10)), "{gave:?}");
}

#[test]
fn a_break_that_cannot_be_written_is_written_later() {
    let (folder, mut recorder, blocked) = blocked();
    assert!(recorder.interrupt("unplugged", after(1)).is_err());
    fs::remove_dir(&blocked).unwrap();
    let later = after(2000 * MILLISECOND);
    recorder.write(&bytes(10, 10), later).unwrap();
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 20);
    assert_eq!(gave[1], Gave::Broke(later, "unplugged".to_owned(), 0));
}
