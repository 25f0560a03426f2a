//! What only Windows has: its paths, devices and locks.

use crate::common::TestFolder;
use crate::common::live::{Listening, wait_for_saved};
use std::fs;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

const RKH: TestFolder = TestFolder("rkh");
const THREADX: TestFolder = TestFolder("threadx");

/// A copy of a recording in a folder.
fn copy(folder: &Path, name: &str) -> String {
    fs::create_dir_all(folder).unwrap();
    let to = folder.join(name);
    fs::copy(THREADX.folder().join("cm3_short.trx"), &to).unwrap();
    to.to_str().unwrap().to_owned()
}

#[test]
fn paths_have_drives_backslashes_and_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let file = copy(&folder.path().join("My traces"), "first one.trx");
    assert!(
        file.get(1..3) == Some(":\\") && file.contains("My traces\\first"),
        "{file}"
    );
    let expected = THREADX.stdout(&["events", "cm3_short.trx", "--format", "csv"]);
    let slashes = file.replace('\\', "/");
    let verbatim = format!("\\\\?\\{file}");
    for name in [&file, &slashes, &verbatim] {
        assert_eq!(
            THREADX.stdout(&["events", name, "--format", "csv"]),
            expected
        );
    }
    for name in [&file, &slashes] {
        let listed = RKH.run(&["live", name, "--format", "csv"]);
        assert_eq!(
            String::from_utf8(listed.stdout).unwrap(),
            expected,
            "{name}"
        );
    }
    // An error names a path as the user writes it.
    let error = THREADX.usage_error(&["export", &verbatim, "--to", "vcd", "-o", &file]);
    assert!(error.contains(&file) && !error.contains("\\\\?"), "{error}");
}

#[test]
fn paths_may_be_longer_than_260_characters() {
    let folder = tempfile::tempdir().unwrap();
    let mut long = folder.path().to_owned();
    while long.as_os_str().len() < 300 {
        long.push("a folder with a long name");
    }
    let file = copy(&long, "trace.trx");
    let [vcd, ctf, run] = ["out.vcd", "ctf", "run"].map(|name| {
        let path: PathBuf = long.join(name);
        path.to_str().unwrap().to_owned()
    });
    // The second time, it is replaced.
    for _ in 0..2 {
        THREADX.stdout(&["export", &file, "--to", "vcd", "-o", &vcd]);
        THREADX.stdout(&["export", &file, "--to", "ctf", "-o", &ctf]);
    }
    assert!(fs::metadata(&vcd).unwrap().len() > 1000);
    let saved = THREADX.run(&["live", &file, "--quiet", "--save", &run]);
    assert_eq!(saved.status.code(), Some(0), "{saved:?}");
    let csv = ["--format", "csv"];
    let events = |file: &str| THREADX.stdout(&[&["events", file], &csv[..]].concat());
    assert_eq!(events(&run), events("cm3_short.trx"));
}

#[test]
fn devices_are_written_to_and_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "a.trx");
    for output in ["NUL", "nul", "\\\\.\\NUL"] {
        let mut command = THREADX.command(&["export", "a.trx", "--to", "vcd", "-o", output]);
        command.current_dir(folder.path()).assert().success();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = THREADX.usage_error(&["live", "COM3"]);
    assert!(error.contains("write serial://COM3"), "{error}");
    let error = THREADX.usage_error(&["live", "serial://COM99?baud=115200"]);
    assert!(error.contains("COM99"), "{error}");
}

#[test]
fn locked_files_are_named_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = copy(folder.path(), "a.trx");
    let output = folder.path().join("out.vcd");
    fs::write(&output, "precious").unwrap();
    let path = output.to_str().unwrap();
    let lock = |path: &str| {
        fs::File::options()
            .read(true)
            .share_mode(0)
            .open(path)
            .unwrap()
    };
    let held = lock(path);
    let error = THREADX.usage_error(&["export", &file, "--to", "vcd", "-o", path]);
    assert!(error.contains("out.vcd"), "{error}");
    drop(held);
    assert_eq!(fs::read_to_string(&output).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let _held = lock(&file);
    let error = THREADX.usage_error(&["info", &file]);
    assert!(error.contains("a.trx"), "{error}");
}

#[test]
fn terminated_capture_keeps_what_it_received() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let stream = fs::read(RKH.folder().join("nat_short.bin")).unwrap();
    let mut capture = Listening::start(&["live"], &["--quiet", "--save", run.to_str().unwrap()]);
    let mut target = capture.connect();
    std::io::Write::write_all(&mut target, &stream).unwrap();
    wait_for_saved(&run, stream.len());
    // This is TerminateProcess.
    capture.child.kill().unwrap();
    capture.child.wait().unwrap();
    let all = RKH.stdout(&["events", "nat_short.bin", "--format", "csv"]);
    let saved = RKH.stdout(&["events", run.to_str().unwrap(), "--format", "csv"]);
    assert_eq!(saved, all);
}
