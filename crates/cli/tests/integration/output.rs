//! Outputs are written atomically, never overwrite inputs or foreign files, and
//! failures are always reported.

use crate::common::TestFolder;
use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with copies of test data.
fn folder(files: &[(&'static str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (from, name) in files {
        let (format, file) = from.split_once('/').unwrap();
        let from = TestFolder(format).folder().join(file);
        fs::copy(from, folder.path().join(name)).unwrap();
    }
    folder
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::cargo_bin("rtoscope").unwrap();
    command.current_dir(folder).args(line.split(' '));
    command
}

/// Runs the command, which must fail, and returns its standard error.
fn refused(folder: &Path, line: &str) -> String {
    let done = command(folder, line).assert().code(2);
    String::from_utf8(done.get_output().stderr.clone()).unwrap()
}

#[test]
fn inputs_are_never_overwritten() {
    let folder = folder(&[
        ("rkh/nat_short.bin", "a.bin"),
        ("threadx/cm3_short.trx", "b.trx"),
        ("rkh/nat_short.rules.toml", "rules"),
    ]);
    let folder = folder.path();
    fs::write(folder.join("events.toml"), "").unwrap();
    for line in [
        "diagram sequence a.bin -o a.bin",
        "check a.bin --rules rules --output rules",
        "convert b.trx -o b.trx",
        "export b.trx -O custom-events=events.toml --to vcd -o events.toml",
        "export a.bin --symbols a.bin b.trx --to vcd -o ./a.bin",
    ] {
        let kept = |name: &str| fs::read(folder.join(name)).unwrap();
        let before = ["a.bin", "b.trx", "rules", "events.toml"].map(kept);
        assert!(refused(folder, line).contains("would overwrite"), "{line}");
        assert_eq!(before, ["a.bin", "b.trx", "rules", "events.toml"].map(kept));
    }
}

#[test]
fn foreign_folders_are_kept() {
    let folder = folder(&[("threadx/cm3_short.trx", "a.trx")]);
    let folder = folder.path();
    let export = "export a.trx --to ctf -o out";
    let metadata = folder.join("out/metadata");
    // A file, another program's trace, and one of ours with an extra file.
    fs::write(folder.join("out"), "precious").unwrap();
    assert!(refused(folder, export).contains("already exists"));
    assert_eq!(fs::read(folder.join("out")).unwrap(), b"precious");
    fs::remove_file(folder.join("out")).unwrap();
    fs::create_dir(folder.join("out")).unwrap();
    fs::write(&metadata, "/* CTF 1.8 */\n\ntrace {};\n").unwrap();
    assert!(refused(folder, export).contains("already exists"));
    fs::remove_file(&metadata).unwrap();
    command(folder, export).assert().success();
    command(folder, export).assert().success();
    fs::copy(folder.join("a.trx"), folder.join("out/a.trx")).unwrap();
    let line = "export out/a.trx --to ctf -o out";
    assert!(refused(folder, line).contains("already exists"));
    assert!(folder.join("out/a.trx").exists());
    assert!(refused(folder, "export a.trx --to vcd -o out").contains("out: is a folder"));
}

#[test]
fn recording_may_be_named_metadata() {
    let folder = folder(&[
        ("threadx/cm3_short.trx", "metadata.trx"),
        ("threadx/cm3_short.trx", "other.trx"),
    ]);
    let line = "export metadata.trx other.trx --to ctf -o out";
    for _ in 0..2 {
        command(folder.path(), line).assert().success();
        assert!(!folder.path().join("out/metadata").exists());
        assert!(folder.path().join("out/metadata_/metadata").is_file());
    }
}

#[cfg(unix)]
#[test]
fn replaced_file_keeps_its_properties() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder(&[("threadx/cm3_short.trx", "a.trx")]);
    let folder = folder.path();
    let path = |name: &str| folder.join(name);
    let mode = |name: &str, mode| {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::write(path("private"), "").unwrap();
    mode("private", 0o600);
    symlink("private", path("link")).unwrap();
    symlink("later", path("dangling")).unwrap();
    for (name, place) in [("link", "private"), ("dangling", "later")] {
        let line = format!("export a.trx --to vcd -o {name}");
        command(folder, &line).assert().success();
        assert!(path(name).is_symlink());
        assert!(fs::read(path(place)).unwrap().len() > 1000, "{place}");
    }
    let metadata = fs::metadata(path("private")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    mode("private", 0o400);
    let said = refused(folder, "export a.trx --to vcd -o private");
    assert!(said.contains("private: is read-only"), "{said}");
    let said = refused(folder, "export a.trx --to vcd -o missing/x");
    assert!(
        said.starts_with("rtoscope: missing/x: ") && !said.contains(".part"),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_always_reported() {
    let folder = folder(&[("threadx/cm3_short.trx", "a.trx")]);
    let program = env!("CARGO_BIN_EXE_rtoscope");
    for line in [
        "info a.trx",
        "report a.trx",
        "objects a.trx",
        "events a.trx",
        "catalogue",
        "completions bash",
        "man",
        "convert a.trx",
        "export a.trx --to vcd",
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(program);
        command.current_dir(folder.path()).args(line.split(' '));
        let done = command.stdout(full).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{line}: {said}");
        assert_eq!(said.matches("No space left").count(), 1, "{line}: {said}");
    }
}

#[test]
fn failing_checks_set_the_exit_code_without_a_reader() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.current_dir(TestFolder("rkh").folder());
    command.args(["check", "ut.bin"]);
    let status = command.stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
}
