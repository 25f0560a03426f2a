//! Commands that signals end while they write.

#![cfg(unix)]

use clap::Parser as _;
use rtoscope_command::export::ExportArgs;
use rtoscope_command::output::{PartialFolder, atomic_output};
use rtoscope_tables::Table;
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

/// The output path of a process of these tests.
const OUTPUT: &str = "RTOSCOPE_TEST_OUTPUT";

/// Tests that write until a signal ends their process.
const WRITERS: [&str; 2] = [
    "killed::write_file_until_killed",
    "killed::write_folder_until_killed",
];

/// Reports on standard error that a partial output exists, and waits for the
/// signal.
fn wait_for_signal() -> ! {
    std::io::stderr().write_all(b"!").unwrap();
    loop {
        std::thread::park();
    }
}

#[test]
#[ignore = "is ended by another test"]
fn write_file_until_killed() {
    let path = PathBuf::from(std::env::var_os(OUTPUT).unwrap());
    let _ = atomic_output::write_file::<()>(Some(&path), |output| {
        output.write_all(&[0; 1 << 20])?;
        wait_for_signal()
    });
}

#[test]
#[ignore = "is ended by another test"]
fn write_folder_until_killed() {
    let path = PathBuf::from(std::env::var_os(OUTPUT).unwrap());
    let _ = atomic_output::write_folder(
        &path,
        |_| true,
        |folder| {
            fs::write(folder.join("stream"), "half")?;
            wait_for_signal()
        },
    );
}

#[derive(clap::Parser)]
struct Export {
    #[command(flatten)]
    arguments: ExportArgs,
}

#[test]
#[ignore = "is ended by another test"]
fn write_dataset_until_killed() {
    let output = std::env::var_os(OUTPUT).unwrap();
    let recording = rtoscope_fixtures::testdata("threadx/cm3_short.trx");
    let words = ["export", "--no-config", "--to", "csv", "--output"].map(OsString::from);
    let words = words.into_iter().chain([output, recording.into()]);
    let Export { arguments } = Export::try_parse_from(words).unwrap();
    let _ = arguments.write_tables(|file, _, output| {
        if file.table == Table::Slices {
            wait_for_signal();
        }
        Ok(output.write_all(b"row")?)
    });
}

/// A process that is writing.
fn start(test: &str, output: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture"])
        .env(OUTPUT, output)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut byte = [0];
    let mut stderr = child.stderr.take().unwrap();
    while byte != *b"!" {
        stderr.read_exact(&mut byte).unwrap();
    }
    child
}

fn end(mut child: Child, signal: &str) -> ExitStatus {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(status.success());
    child.wait().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn signal_removes_output_and_sets_exit_code() {
    for test in WRITERS {
        for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
            let folder = tempfile::tempdir().unwrap();
            let child = start(test, &folder.path().join("out"));
            assert_eq!(names(folder.path()).len(), 1, "{test}");
            let status = end(child, signal);
            assert_eq!(status.code(), Some(code), "{test} {signal}");
            assert!(names(folder.path()).is_empty(), "{test} {signal}");
        }
    }
}

#[test]
fn leftovers_of_a_killed_command_are_removed() {
    for test in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let child = start(test, &folder.path().join("out"));
        assert_eq!(end(child, "-KILL").signal(), Some(9));
        assert_eq!(names(folder.path()).len(), 1, "{test}");
        let living = start(test, &folder.path().join("living"));
        atomic_output::write_file(Some(&folder.path().join("next")), |output| {
            Ok(output.write_all(b"whole")?)
        })
        .unwrap();
        // The partial output of the process that is still writing remains.
        let found = names(folder.path());
        assert_eq!(found.len(), 2, "{test}: {found:?}");
        end(living, "-TERM");
        assert_eq!(names(folder.path()), ["next"]);
    }
}

#[test]
fn datasets_have_only_whole_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("out");
    let child = start("killed::write_dataset_until_killed", &dataset);
    assert!(PartialFolder::exists_in(&dataset));
    assert_eq!(end(child, "-KILL").signal(), Some(9));
    assert!(PartialFolder::exists_in(&dataset));
    assert_eq!(names(&dataset).len(), 1);
    // The next export removes what is left.
    let child = start("killed::write_dataset_until_killed", &dataset);
    assert_eq!(names(&dataset).len(), 1);
    assert_eq!(end(child, "-TERM").code(), Some(143));
    assert!(names(&dataset).is_empty());
}
