//! `rtoscope.toml`: the options of a project.

use crate::common::TestFolder;
use rtoscope_fixtures::testdata;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HERE: TestFolder = TestFolder("firmware/camera");

/// What `markers.toml` says, as options.
const OPTIONS: [&str; 6] = [
    "--input-format=cswitch",
    "--clock=25MHz",
    "--symbols",
    "camera.elf",
    "-O",
    "log-base=0x20000000",
];

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let output: Output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A folder with a recording, and the file above it.
fn project(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recordings = folder.path().join("recordings");
    fs::create_dir(&recordings).unwrap();
    let recording = testdata("threadx/cm3_system.trx");
    fs::copy(recording, recordings.join("a.trx")).unwrap();
    fs::write(folder.path().join("rtoscope.toml"), file).unwrap();
    folder
}

#[test]
fn no_option_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("memory.bin.gz", "memory.bin.gz"),
        ("camera.elf", "camera.elf"),
        ("markers.toml", "rtoscope.toml"),
    ] {
        fs::copy(HERE.folder().join(from), folder.path().join(to)).unwrap();
    }
    for command in ["report", "events", "info"] {
        let (code, with_file, message) = run(folder.path(), &[command, "memory.bin.gz"]);
        assert_eq!(code, Some(0), "{command}: {message}");
        assert!(
            message.starts_with("rtoscope: using rtoscope.toml\n"),
            "{message}"
        );
        let with_options = HERE.stdout(&[&[command, "memory.bin.gz"], &OPTIONS[..]].concat());
        // Only the file declares the pipeline.
        let is_same = with_file == with_options;
        assert_eq!(is_same, command != "report", "{command}");
    }
    let (_, pipeline, _) = run(folder.path(), &["report", "memory.bin.gz", "pipeline"]);
    assert!(pipeline.contains("video"), "{pipeline}");
}

#[test]
fn the_nearest_file_above_the_recording_is_used() {
    let folder = project("[recording]\nclock = '1MHz'\n");
    let info = |arguments: &[&str]| {
        let arguments = [&["info", "recordings/a.trx"], arguments].concat();
        let (code, text, message) = run(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{message}");
        (
            text.contains("1000000 Hz"),
            text.contains("2000000 Hz"),
            message,
        )
    };
    let (is_file, _, message) = info(&[]);
    assert!(
        is_file && message.replace('\\', "/").ends_with("/rtoscope.toml\n"),
        "{message}"
    );
    // The same from the folder of the recording.
    let beside = run(&folder.path().join("recordings"), &["info", "a.trx"]);
    assert!(beside.1.contains("1000000 Hz"), "{}", beside.2);
    // The command line wins, and the file can be ignored.
    assert!(info(&["--clock", "2MHz"]).1);
    assert_eq!(info(&["--no-config"]), (false, false, String::new()));
    fs::write(
        folder.path().join("recordings/rtoscope.toml"),
        "[recording]\nclock = '2MHz'",
    )
    .unwrap();
    assert!(info(&[]).1);
    assert!(info(&["--config", "rtoscope.toml"]).0);
}

#[test]
fn a_found_file_names_only_files_below_it() {
    let folder = project("[recording]\nsymbols = '../secret.elf'\n");
    let (code, _, message) = run(folder.path(), &["info", "recordings/a.trx"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("not below the folder"), "{message}");
    let named = ["info", "recordings/a.trx", "--config", "rtoscope.toml"];
    let (code, _, message) = run(folder.path(), &named);
    assert_eq!(code, Some(2));
    assert!(
        message.contains("secret.elf") && !message.contains("below"),
        "{message}"
    );
    #[cfg(unix)]
    {
        let link = folder.path().join("link.elf");
        std::os::unix::fs::symlink(testdata("firmware/demo.elf"), link).unwrap();
        fs::write(
            folder.path().join("rtoscope.toml"),
            "[recording]\nsymbols = 'link.elf'",
        )
        .unwrap();
        let (code, _, message) = run(folder.path(), &["info", "recordings/a.trx"]);
        assert_eq!(code, Some(2));
        assert!(message.contains("not below the folder"), "{message}");
    }
}

#[test]
fn mistakes_have_a_place() {
    for (file, expected) in [
        ("[recording]\nclok = '1MHz'", "recording.clok"),
        ("[recording]\noutput = 'x'", "recording.output"),
        ("[record]", "line 1: unknown field `record`"),
        (
            "[settings]\nlog-bas = 1\n[recording]\ninput-format = 'cswitch'",
            "did you mean `log-base`",
        ),
        ("[settings]\nclock-mask = [", "line 2"),
        ("[settings]\nclock-mask = 1.5", "expected a text, a number"),
        ("[[deadline]]\nname = 1", "line 2"),
    ] {
        let folder = project(file);
        let (code, _, message) = run(folder.path(), &["info", "recordings/a.trx"]);
        assert_eq!(code, Some(2), "{file}: {message}");
        assert!(message.contains(expected), "{file}: {message}");
        assert!(message.contains("rtoscope.toml"), "{file}: {message}");
    }
}

#[test]
fn settings_of_logs_leave_other_recordings_alone() {
    let folder = project("[settings]\nlog-base = 0x20000000\nclock-mask = 0xffff\n");
    let (code, text, message) = run(folder.path(), &["info", "recordings/a.trx"]);
    assert_eq!(code, Some(0), "{message}");
    assert!(text.contains("mask 0xffff)"), "{text}");
}

#[test]
fn settings_are_listed() {
    let settings = HERE.stdout(&["settings"]);
    assert!(settings.contains("\n  log-base=<ADDRESS>"), "{settings}");
}

#[test]
fn help_fits_on_a_screen() {
    let help = HERE.stdout(&["--help"]);
    let commands = help.lines().filter_map(|line| line.strip_prefix("  "));
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let commands: Vec<_> = commands.filter(|name| !name.starts_with('-')).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for name in &commands {
        // Other programs print the help of the first three.
        if ["ingest", "compact", "fetch", "help"].contains(name) {
            continue;
        }
        let mut command = HERE.command(&[name, "--help"]);
        let text = command.env("COLUMNS", "100").output().unwrap().stdout;
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        assert!((1..=50).contains(&lines), "{name}: {lines} lines");
    }
}

#[test]
fn each_command_is_in_a_group() {
    let all = HERE.stdout(&["completions", "bash"]);
    let help = HERE.stdout(&["--help"]);
    let names = all
        .lines()
        .filter_map(|line| line.trim().strip_prefix("rtoscope,"));
    let names: Vec<_> = names.filter_map(|line| line.strip_suffix(')')).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
    }
}

#[test]
fn the_files_of_other_recordings_are_named() {
    let folder = project("[recording]\nclock = '1MHz'\n");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("rtoscope.toml"), "[recording]\nclock = '2MHz'\n").unwrap();
    for name in ["recordings/b.trx", "other/c.trx", "other/d.trx"] {
        fs::copy(testdata("threadx/cm3_short.trx"), folder.path().join(name)).unwrap();
    }
    let export = |files: &[&str]| {
        let options = ["--to=csv", "--table=recordings"];
        let (code, text, message) = run(folder.path(), &[&["export"], files, &options].concat());
        assert_eq!(code, Some(0), "{message}");
        (text, message)
    };
    let (text, message) = export(&["recordings/a.trx", "other/c.trx", "other/d.trx"]);
    let not_used: Vec<_> = message
        .lines()
        .filter(|it| it.contains("not using"))
        .collect();
    assert_eq!(not_used.len(), 1, "{message}");
    let shown = not_used[0].replace('\\', "/");
    assert!(shown.contains("other/rtoscope.toml"), "{message}");
    assert_eq!(text.matches(",1000000,").count(), 3, "{text}");
    let (_, message) = export(&["recordings/a.trx", "recordings/b.trx"]);
    assert!(!message.contains("not using"), "{message}");
}
