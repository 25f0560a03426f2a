//! Killed processes and full disks.
#![cfg(unix)]

use super::common::*;
use rtoscope_recording::Recorder;
use rtoscope_recording::{RecorderOptions, Recording, RecordingError, RecordingProblem};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The folder to which a process of these tests records.
const FOLDER: &str = "RTOSCOPE_TEST_RECORDING";

fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// The program of these tests.
fn program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Arguments to run a single test as a separate process.
fn test_arguments(test: &str) -> [&str; 4] {
    [test, "--exact", "--ignored", "--nocapture"]
}

/// Writes until it is killed, and prints the number of written bytes after each write.
#[test]
#[ignore = "is killed by another test"]
fn writes_until_it_is_killed() {
    let Some(folder) = folder() else {
        return;
    };
    let options = RecorderOptions {
        segment_bytes: Some(3 << 20),
        ..settings(&folder)
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    let mut output = std::io::stderr();
    let (mut offset, mut now) = (0_u64, 0);
    loop {
        let length = 1 + usize::from(byte(now)) * 300;
        recorder.write(&bytes(offset, length), after(now)).unwrap();
        offset += length as u64;
        now += 77_777;
        if now % 64 == 0 {
            recorder.interrupt("now and then", after(now)).unwrap();
        }
        output.write_all(&offset.to_le_bytes()).unwrap();
    }
}

#[test]
fn written_bytes_survive_the_process() {
    for least in [1, 100_000, 5_000_000, 20_000_000] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(program())
            .args(test_arguments("disk::writes_until_it_is_killed"))
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = child.stderr.take().unwrap();
        let mut written = 0;
        let mut number = [0; 8];
        while written < least {
            output.read_exact(&mut number).unwrap();
            written = u64::from_le_bytes(number);
        }
        child.kill().unwrap();
        // What it printed before it was killed.
        while output.read_exact(&mut number).is_ok() {
            written = u64::from_le_bytes(number);
        }
        child.wait().unwrap();
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(
            recording.problems().unwrap(),
            [RecordingProblem::Unfinished]
        );
        let there = check_bytes(&read(folder.path(), 0));
        assert!(there >= written, "{there} of {written}");
        assert_eq!(there, recording.bytes());
    }
}

/// Writes more than the maximum file size, and continues.
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
    // There is space for a part of the second chunk.
    let (bytes, failed) = write(1, 10);
    assert_eq!(bytes, 65_536);
    assert!(failed.unwrap_err().contains("cannot write"));
    // It is not retried all the time.
    let (bytes, failed) = write(2, 20);
    assert_eq!(bytes, 65_536);
    assert!(failed.unwrap_err().contains("000001.bin"));
    assert!(write(3, 1009).1.is_err());
    // There is space again.
    assert_eq!(write(4, 1010), (105_536, Ok(())));
    println!("all as expected");
}

#[test]
fn full_disks_lose_only_the_overflow() {
    let folder = tempfile::tempdir().unwrap();
    // Files are limited to 64 KiB; otherwise a signal would end the process.
    let script = "trap '' XFSZ; ulimit -f 128; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(program())
        .args(test_arguments("disk::writes_to_a_full_disk"))
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("all as expected"), "{output:?}");
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 105_536);
    let ReadItem::Broke(at, reason, missing) = &gave[2] else {
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

/// Writes more than the disk has room for, keeping the last segments.
#[test]
#[ignore = "is run by another test"]
fn keeps_the_last_segments_on_a_full_disk() {
    let Some(folder) = folder() else {
        return;
    };
    let options = RecorderOptions {
        segment_bytes: Some(30_000),
        max_segments: Some(3),
        ..settings(&folder)
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    for piece in 0..3 {
        let bytes = bytes(piece * 40_000, 40_000);
        recorder.write(&bytes, after(piece)).unwrap();
    }
    // It does not fit into one file.
    recorder.write(&bytes(120_000, 100_000), after(3)).unwrap();
    let summary = recorder.finish(after(4));
    assert_eq!((summary.bytes, summary.missing_bytes), (220_000, 0));
    assert!(summary.incomplete_reason.is_none());
    println!("all as expected");
}

#[test]
fn old_segments_make_room_for_the_newest_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 128; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(program())
        .args(test_arguments(
            "disk::keeps_the_last_segments_on_a_full_disk",
        ))
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("all as expected"), "{output:?}");
    let recording = Recording::open(folder.path()).unwrap();
    let newest = recording.segments().last().unwrap();
    assert_eq!(newest.end(), 220_000);
}

/// A recorder whose first segment is full and whose second cannot be started: a folder
/// has its file name.
fn blocked() -> (TempDir, Recorder, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        segment_bytes: Some(10),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    recorder.write(&bytes(0, 10), after(0)).unwrap();
    let blocked = folder.path().join("000002.bin");
    fs::create_dir(&blocked).unwrap();
    (folder, recorder, blocked)
}

#[test]
fn failed_segments_are_retried() {
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
    assert!(matches!(&gave[1], ReadItem::Broke(_, _, 10)), "{gave:?}");
}

#[test]
fn failed_interruptions_are_written_later() {
    let (folder, mut recorder, blocked) = blocked();
    assert!(recorder.interrupt("unplugged", after(1)).is_err());
    fs::remove_dir(&blocked).unwrap();
    let later = after(2000 * MILLISECOND);
    recorder.write(&bytes(10, 10), later).unwrap();
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 20);
    assert_eq!(gave[1], ReadItem::Broke(later, "unplugged".to_owned(), 0));
}

#[test]
fn missing_bytes_at_the_end_are_recorded() {
    let (folder, mut recorder, blocked) = blocked();
    let file = || {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(folder.path().join("rtoscope.loss")).unwrap();
        (metadata.ino(), metadata.len(), metadata.blocks())
    };
    let reserved = file();
    let missing = |bytes| [RecordingProblem::Missing { offset: 10, bytes }];
    for (at, offset, end) in [(1, 10, 40), (2, 40, 45)] {
        recorder
            .write(&bytes(offset, (end - offset) as usize), after(at))
            .unwrap_err();
        // At once: the process may be killed.
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(recording.missing_at_end(), end - 10);
        assert_eq!(recording.problems().unwrap(), missing(end - 10));
    }
    assert_eq!(file(), reserved);
    let finished = recorder.finish(after(3));
    assert_eq!((finished.bytes, finished.missing_bytes), (10, 35));
    let fault = finished.incomplete_reason.unwrap().to_string();
    assert!(fault.contains("000002.bin"), "{fault}");
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 10);
    let ReadItem::Broke(at, reason, 35) = &gave[1] else {
        panic!("{gave:?}");
    };
    assert_eq!(*at, after(3));
    assert!(
        reason.starts_with("35 bytes could not be written: "),
        "{reason}"
    );
    assert_eq!(gave.len(), 2);
    // Without a valid record, something may be missing.
    fs::remove_dir(blocked).unwrap();
    let mark = folder.path().join("rtoscope.loss");
    let mut damaged = fs::read(&mark).unwrap();
    damaged[16] ^= 1;
    let problems = || {
        let recording = Recording::open(folder.path()).unwrap();
        recording.problems().unwrap()
    };
    fs::write(&mark, damaged).unwrap();
    assert_eq!(problems(), [RecordingProblem::LossRecord]);
    fs::remove_file(&mark).unwrap();
    assert_eq!(problems(), [RecordingProblem::LossRecord]);
}

#[test]
fn loss_record_ends_with_the_next_segment() {
    let (folder, mut recorder, blocked) = blocked();
    recorder.write(&bytes(10, 30), after(1)).unwrap_err();
    fs::remove_dir(&blocked).unwrap();
    let later = after(2000 * MILLISECOND);
    recorder.write(&bytes(40, 10), later).unwrap();
    let finished = recorder.finish(later);
    assert_eq!((finished.bytes, finished.missing_bytes), (20, 30));
    assert!(finished.incomplete_reason.is_some());
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.missing_at_end(), 0);
    let missing = RecordingProblem::Missing {
        offset: 10,
        bytes: 30,
    };
    assert_eq!(recording.problems().unwrap(), [missing]);
}

#[test]
fn removed_folders_are_detected() {
    for is_checked in [true, false] {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("run");
        let mut recorder = begin(&folder);
        recorder.write(&bytes(0, 100), after(1)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        // The system accepts data written to a removed file.
        recorder.write(&bytes(100, 50), after(2)).unwrap();
        if is_checked {
            let error = recorder.check(after(300 * MILLISECOND)).unwrap_err();
            assert!(matches!(error, RecordingError::Removed { .. }), "{error}");
            assert_eq!((recorder.bytes(), recorder.missing()), (0, 150));
            let later = after(2000 * MILLISECOND);
            let error = recorder.write(&bytes(150, 10), later).unwrap_err();
            assert!(matches!(error, RecordingError::Removed { .. }), "{error}");
        }
        let finished = recorder.finish(after(3000 * MILLISECOND));
        assert_eq!(finished.bytes, 0);
        assert_eq!(finished.missing_bytes, if is_checked { 160 } else { 150 });
        let fault = finished.incomplete_reason.unwrap().to_string();
        assert!(fault.contains("run no longer exists"), "{fault}");
        assert!(!folder.exists());
    }
}

#[test]
fn removed_segments_are_detected_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 100), after(1)).unwrap();
    fs::remove_file(folder.path().join("000001.bin")).unwrap();
    let error = recorder
        .write(&bytes(100, 50), after(300 * MILLISECOND))
        .unwrap_err();
    assert!(error.to_string().contains("000001.bin"), "{error}");
    assert_eq!(
        Recording::open(folder.path()).unwrap().missing_at_end(),
        150
    );
    let later = after(2000 * MILLISECOND);
    recorder.write(&bytes(150, 10), later).unwrap();
    let finished = recorder.finish(later);
    assert_eq!((finished.bytes, finished.missing_bytes), (10, 150));
    assert_eq!(check_bytes(&read(folder.path(), 0)), 10);
}

/// Truncates the first segment, as another program would.
fn truncate(folder: &Path, length: u64) {
    let path = folder.join("000001.bin");
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(length).unwrap();
}

#[test]
fn truncated_segments_are_detected_at_the_next_write() {
    for length in [0, 40, 99] {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = begin(folder.path());
        recorder.write(&bytes(0, 100), after(1)).unwrap();
        truncate(folder.path(), length);
        let error = recorder.write(&bytes(100, 50), after(2)).unwrap_err();
        assert!(matches!(error, RecordingError::Truncated { .. }), "{error}");
        recorder.write(&bytes(150, 10), after(3)).unwrap();
        let finished = recorder.finish(after(4));
        let lost = 100 - length;
        assert_eq!(
            (finished.bytes, finished.missing_bytes),
            (length + 60, lost)
        );
        let fault = finished.incomplete_reason.unwrap().to_string();
        assert!(fault.contains("000001.bin was truncated"), "{fault}");
        assert_eq!(check_bytes(&read(folder.path(), 0)), length + 60);
        let missing = RecordingProblem::Missing {
            offset: length,
            bytes: lost,
        };
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(recording.problems().unwrap(), [missing]);
    }
}

#[test]
fn truncated_segments_are_detected_at_the_end() {
    for is_checked in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = begin(folder.path());
        recorder.write(&bytes(0, 100), after(1)).unwrap();
        truncate(folder.path(), 30);
        if is_checked {
            let error = recorder.check(after(2)).unwrap_err();
            assert!(matches!(error, RecordingError::Truncated { .. }), "{error}");
        }
        let finished = recorder.finish(after(3));
        assert_eq!((finished.bytes, finished.missing_bytes), (30, 70));
        assert!(finished.incomplete_reason.is_some());
        assert_eq!(check_bytes(&read(folder.path(), 0)), 30);
        let missing = RecordingProblem::Missing {
            offset: 30,
            bytes: 70,
        };
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(recording.problems().unwrap(), [missing]);
    }
}
