//! Runs `rtoscope export`: outputs and error messages.

use crate::common::TestFolder;
use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A file of the test data, such as `rkh/nat_short.bin`.
fn testdata(name: &'static str) -> PathBuf {
    let (folder, file) = name.split_once('/').unwrap();
    TestFolder(folder).folder().join(file)
}

fn export(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("rtoscope").unwrap();
    command.current_dir(folder.path()).arg("export");
    command
        .args(arguments)
        .arg(testdata("threadx/cm3_system.trx"));
    command
}

/// Runs the command, which must fail, and returns its standard error.
fn refused(folder: &TempDir, arguments: &[&str]) -> String {
    let output = export(folder, arguments)
        .assert()
        .code(2)
        .get_output()
        .clone();
    String::from_utf8(output.stderr).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn every_format_goes_to_a_file_or_stdout() {
    for to in ["perfetto", "chrome", "vcd", "sigrok", "html"] {
        let folder = TempDir::new().unwrap();
        export(&folder, &["--to", to, "-o", "out"])
            .assert()
            .success();
        let file = fs::read(folder.path().join("out")).unwrap();
        assert!(file.len() > 1000, "{to}");
        let piped = export(&folder, &["--to", to]).assert().success();
        assert_eq!(piped.get_output().stdout, file, "{to}");
        let piped = export(&folder, &["--to", to, "-o", "-"]).assert().success();
        assert_eq!(piped.get_output().stdout, file, "{to}");
        assert_eq!(names(folder.path()), ["out"]);
    }
}

#[test]
fn tables_are_a_dataset_or_one_file() {
    let folder = TempDir::new().unwrap();
    let tags = ["--tag", "device=4/2", "--tag", "firmware=1.2"];
    for _ in 0..2 {
        let all = [&["--to", "csv", "-o", "data"][..], &tags].concat();
        export(&folder, &all).assert().success();
    }
    let slices = folder.path().join("data/slices/device=4%2F2/firmware=1.2");
    assert_eq!(names(&slices), ["cm3_system.csv"]);
    let text = fs::read_to_string(slices.join("cm3_system.csv")).unwrap();
    // The path contains the tags.
    let header = text.lines().next().unwrap();
    assert!(
        !header
            .split(',')
            .any(|column| ["device", "firmware"].contains(&column))
    );
    let one = [&["--to", "csv", "--table", "slices"][..], &tags].concat();
    let piped = export(&folder, &one).assert().success();
    let tagged = String::from_utf8(piped.get_output().stdout.clone()).unwrap();
    for (at, (tagged, plain)) in tagged.lines().zip(text.lines()).enumerate() {
        let tags = if at == 0 {
            "device,firmware"
        } else {
            "4/2,1.2"
        };
        assert_eq!(tagged, format!("{plain},{tags}"));
    }
}

#[test]
fn a_file_is_no_folder_of_tables() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tables.csv"), "mine").unwrap();
    let mut refused = export(&folder, &["--to", "csv", "-o", "tables.csv"]);
    let refused = refused.assert().code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(
        message.contains("is no folder; only --table NAME"),
        "{message}"
    );
    let kept = fs::read_to_string(folder.path().join("tables.csv")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn several_recordings_share_an_output() {
    let folder = TempDir::new().unwrap();
    let other = testdata("rkh/nat_short.bin");
    let other = other.to_str().unwrap();
    let both = ["--to", "jsonl", "--table", "recordings", other];
    let piped = export(&folder, &both).assert().success();
    let text = String::from_utf8(piped.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 2);
    export(&folder, &["--to", "ctf", "-o", "both", other])
        .assert()
        .success();
    let both = folder.path().join("both");
    assert_eq!(names(&both), ["cm3_system", "nat_short"]);
    assert!(names(&both.join("nat_short")).contains(&"metadata".to_owned()));
    // This command wrote it, so it is replaced.
    export(&folder, &["--to", "ctf", "-o", "both"])
        .assert()
        .success();
    assert!(names(&both).contains(&"metadata".to_owned()));
}

#[test]
fn a_dataset_keeps_the_recordings_that_it_has() {
    let folder = TempDir::new().unwrap();
    let place = |from: &'static str, to: &str| {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(testdata(from), to).unwrap();
    };
    place("threadx/cm3_short.trx", "one/a.trx");
    place("threadx/derived_cm3_short.hex", "two/a.hex");
    place("threadx/cm3_system.trx", "three/a.trx");
    let dataset = |file: &str, options: &[&str]| {
        let mut command = Command::cargo_bin("rtoscope").unwrap();
        command.current_dir(folder.path()).args(["export", file]);
        command.args(["--to=csv", "-o", "fleet"]).args(options);
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let path = folder.path().join("fleet/recordings/a.csv");
    let events = || {
        let text = fs::read_to_string(&path).unwrap();
        text.lines()
            .last()
            .unwrap()
            .split(',')
            .nth(3)
            .unwrap()
            .to_owned()
    };
    // The same recording, in whatever form and with whatever clock.
    for (file, options) in [
        ("one/a.trx", &[][..]),
        ("one/a.trx", &["--clock=25MHz", "-O", "clock-direction=up"]),
        ("two/a.hex", &[]),
    ] {
        assert_eq!(dataset(file, options).0, Some(0), "{file}");
        assert_eq!(events(), "959");
    }
    // Another one.
    let (code, message) = dataset("three/a.trx", &[]);
    assert_eq!((code, &*events()), (Some(2), "959"));
    for part in ["two/a.hex", "three/a.trx", "--replace"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(dataset("three/a.trx", &["--tag=device=1"]).0, Some(0));
    assert_eq!(
        dataset("three/a.trx", &["--replace", "--tag=device=1"]).0,
        Some(0)
    );
    // Without the identity, as in datasets of other programs.
    fs::remove_file(folder.path().join("fleet/.identity/device=1/a.csv")).unwrap();
    let (code, message) = dataset("three/a.trx", &["--tag=device=1"]);
    assert_eq!(code, Some(2));
    assert!(
        message.contains("nothing shows whether it is three/a.trx"),
        "{message}"
    );
    assert_eq!(
        dataset("three/a.trx", &["--replace", "--tag=device=1"]).0,
        Some(0)
    );
    assert_eq!(dataset("three/a.trx", &["--tag=device=1"]).0, Some(0));
    let (code, message) = dataset("one/a.trx", &["--replace", "--table=events"]);
    assert_eq!(code, Some(2));
    assert!(
        message.contains("--replace applies only to datasets"),
        "{message}"
    );
}

#[test]
fn a_report_for_others_names_no_folder() {
    let folder = TempDir::new().unwrap();
    let page = export(&folder, &["--to", "html"]).assert().success();
    let page = String::from_utf8(page.get_output().stdout.clone()).unwrap();
    assert!(page.contains("<title>cm3_system.trx · rtoscope</title>"));
    let path = TestFolder("threadx").folder();
    assert!(!page.contains(path.to_str().unwrap()));
}

#[test]
fn failed_export_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("out"), "as it was").unwrap();
    for to in ["perfetto", "chrome", "vcd", "sigrok", "html"] {
        let said = refused(&folder, &["--to", to, "-o", "out", "missing.trx"]);
        assert!(said.contains("missing.trx"), "{said}");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"as it was");
    }
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/work"), "of a year").unwrap();
    let said = refused(&folder, &["--to", "ctf", "-o", "mine"]);
    assert!(said.contains("already exists"), "{said}");
    assert_eq!(names(&folder.path().join("mine")), ["work"]);
}

#[test]
fn input_recording_is_never_overwritten() {
    let folder = TempDir::new().unwrap();
    let mine = folder.path().join("mine.trx");
    fs::copy(testdata("threadx/cm3_short.trx"), &mine).unwrap();
    let before = fs::read(&mine).unwrap();
    let arguments = ["--to", "vcd", "-o", "./mine.trx", mine.to_str().unwrap()];
    let said = refused(&folder, &arguments);
    assert!(said.contains("overwrite"), "{said}");
    assert_eq!(fs::read(&mine).unwrap(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    let folder = TempDir::new().unwrap();
    let said = refused(&folder, &["--to", "vcd", "-o", "/dev/full"]);
    assert!(said.contains("/dev/full: No space left"), "{said}");
}

#[test]
fn inapplicable_options_are_refused() {
    let folder = TempDir::new().unwrap();
    let said = |arguments: &[&str]| refused(&folder, arguments);
    assert!(said(&["--to", "vcd", "--tag", "a=b"]).contains("--tag"));
    assert!(said(&["--to", "ctf"]).contains("--output"));
    assert!(said(&["--to", "csv"]).contains("--table"));
    let twice = ["--to", "csv", "-o", "x", "--tag", "a=1", "--tag", "a=2"];
    assert!(said(&twice).contains("twice"));
    assert!(said(&["--to", "csv", "-o", "x", "--tag", "file=1"]).contains("column"));
    assert!(said(&["--to", "csv", "-o", "x", "--bits"]).contains("vcd"));
    assert!(said(&["--to", "xml", "-o", "x"]).contains("perfetto"));
    assert_eq!(names(folder.path()).len(), 0);
}

/// Runs the program alone in a folder, with an empty path.
#[test]
fn missing_companion_program_is_reported() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("rtoscope");
    // A copy could still be open for writing in a process that another test starts.
    fs::hard_link(env!("CARGO_BIN_EXE_rtoscope"), &program).unwrap();
    let trace = testdata("threadx/cm3_system.trx");
    let trace = trace.to_str().unwrap();
    for arguments in [
        &["export", trace, "--to", "parquet", "-o", "out"][..],
        &["query", trace, "select 1"],
    ] {
        let mut command = Command::new(&program);
        let done = command.args(arguments).env("PATH", "").assert().code(2);
        let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        assert!(
            said.contains("cargo install --path crates/sql") && said.contains("rtoscope-sql"),
            "{said}"
        );
        assert!(
            said.contains("Rust 1.") && said.contains("a quarter of an hour"),
            "{said}"
        );
    }
}
