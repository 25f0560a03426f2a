//! Serial ports, over pseudo-terminals.

use super::test_source::{TestSource, open, open_error, pattern};
use serialport::{SerialPort as _, TTYPort};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A connected target: its end of the line, and the device at the other.
fn plug() -> (TTYPort, PathBuf) {
    let (mut target, device) = TTYPort::pair().unwrap();
    target.set_timeout(Duration::from_secs(30)).unwrap();
    (target, PathBuf::from(device.name().unwrap()))
}

fn open_device(device: &Path, options: &str) -> TestSource {
    open(&format!("serial://{}?{options}", device.display())).unwrap()
}

#[test]
fn all_bytes_arrive_unchanged() {
    let (mut target, device) = plug();
    let sent = pattern(1 << 20);
    let mut ear = open_device(&device, "baud=921600");
    let who = ear.connected();
    assert_eq!(who, format!("{}, 921600 baud, 8N1", device.display()));
    thread::scope(|scope| {
        scope.spawn(|| target.write_all(&sent).unwrap());
        assert!(ear.bytes(sent.len()) == sent);
    });
    assert_eq!(ear.next_within(Duration::from_millis(50)), None);
}

#[test]
fn framing_and_flow_can_be_chosen() {
    for options in ["framing=7E2", "framing=8O1&flow=hardware", "flow=software"] {
        let (mut target, device) = plug();
        let mut ear = open_device(&device, options);
        ear.connected();
        target.write_all(b"text").unwrap();
        assert_eq!(ear.bytes(4), b"text");
    }
}

#[test]
fn unplugged_devices_are_reopened() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("ttyUSB0");
    let (mut target, device) = plug();
    symlink(device, &name).unwrap();
    let mut ear = open_device(&name, "baud=115200");
    ear.connected();
    target.write_all(b"half a fra").unwrap();
    assert_eq!(ear.bytes(10), b"half a fra");

    fs::remove_file(&name).unwrap();
    drop(target);
    let why = ear.lost();
    assert!(why.starts_with(&format!("{}: ", name.display())), "{why}");
    assert_eq!(ear.waiting(), format!("{} to be there", name.display()));
    let why = ear.waiting();
    assert!(why.contains("No such file"), "{why}");

    let (mut target, device) = plug();
    symlink(device, &name).unwrap();
    ear.connected();
    target.write_all(b"again").unwrap();
    assert_eq!(ear.bytes(5), b"again");
}

#[test]
fn open_errors_name_the_device() {
    let (said, cause) = open_error("serial:///dev/no-such-device");
    assert_eq!(said, "cannot open the serial port /dev/no-such-device");
    assert!(cause.contains("No such file"), "{cause}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let (said, cause) = open_error(&format!("serial://{path}"));
    assert_eq!(said, format!("cannot open the serial port {path}"));
    assert!(!cause.is_empty());
}

#[test]
fn devices_in_use_are_not_shared() {
    let (_target, device) = plug();
    let _ear = open_device(&device, "");
    let (said, cause) = open_error(&format!("serial://{}", device.display()));
    let expected = format!("cannot open the serial port {}", device.display());
    assert_eq!(said, expected);
    assert!(!cause.is_empty());
}
