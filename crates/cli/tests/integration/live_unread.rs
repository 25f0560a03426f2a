//! Runs `rtoscope live` without reading its listing.

#![cfg(unix)]

use crate::common::TestFolder;
use crate::common::live::{TIMEOUT, wait_for_saved, wait_until};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const RKH: TestFolder = TestFolder("rkh");

/// Most of the 64 KiB of a pipe, in bytes.
const PIPE_NEARLY_FULL: u64 = 48 << 10;

/// More than fits into the pipe.
fn unread(arguments: &[&str]) -> Child {
    let mut stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    stream = stream.repeat(30);
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    let mut child = Command::new(program)
        .args(["live", "-", "--format", "csv"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::spawn(move || {
        let _ = input.write_all(&stream);
        std::thread::sleep(TIMEOUT);
    });
    child
}

#[test]
fn second_interrupt_ends_the_capture_without_a_reader() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut child = unread(&["--save", run.to_str().unwrap()]);
    let size = std::fs::metadata(RKH.folder().join("nat_short.bin")).unwrap();
    wait_for_saved(&run, 30 * size.len() as usize);
    let interrupt = |child: &Child| {
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
    };
    // A listing that does not fit into the pipe blocks the end of the capture.
    let listing = child.stdout.as_ref().unwrap();
    wait_until("a full pipe", || {
        rustix::io::ioctl_fionread(listing).unwrap() >= PIPE_NEARLY_FULL
    });
    // Interrupts that arrive together count once.
    let mut interrupts = 0;
    wait_until("the end after two interrupts", || {
        interrupt(&child);
        interrupts += 1;
        std::thread::sleep(Duration::from_millis(200));
        child.try_wait().unwrap().is_some()
    });
    assert!(interrupts > 1);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let count = RKH.stdout(&["events", run.to_str().unwrap(), "--format", "csv"]);
    assert!(count.lines().count() > 1000);
}

#[test]
fn silent_source_ends_at_the_deadline() {
    let mut child = unread(&["--quiet", "--duration", "300ms"]);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn duration_ends_the_capture_without_a_reader() {
    let mut child = unread(&["--duration", "200ms"]);
    wait_until("the end after the duration", || {
        child.try_wait().unwrap().is_some()
    });
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn failing_listing_does_not_end_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    let script = "exec \"$0\" live - --save \"$1\" > /dev/full";
    let mut child = Command::new("sh")
        .args(["-c", script])
        .args([&program, &run])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stream = std::fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut sent = 0;
    for part in stream.chunks(stream.len() / 4 + 1) {
        input.write_all(part).unwrap();
        sent += part.len();
        wait_for_saved(&run, sent);
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("standard output: "), "{error}");
    let saved = std::fs::read(run.join("000001.bin")).unwrap();
    assert_eq!(saved, stream);
}
