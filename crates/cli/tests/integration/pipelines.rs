//! Pipelines: what `report` says of the camera's frames, and what it refuses.

use rtoscope_fixtures::testdata;
use std::process::{Command, Output};

const TRACE: [&str; 4] = ["--input-format", "threadx", "--clock", "25MHz"];
const LOG: [&str; 8] = [
    "--input-format",
    "cswitch",
    "--clock",
    "25MHz",
    "-O",
    "log-base=0x20000000",
    "--symbols",
    "camera.elf",
];

fn report(options: &[&str], declaration: &[&str]) -> Output {
    run_on_camera(
        &["report", "memory.bin.gz", "pipeline"],
        options,
        declaration,
    )
}

fn check(declaration: &[&str]) -> Output {
    run_on_camera(&["check", "memory.bin.gz"], &TRACE, declaration)
}

fn run_on_camera(command_line: &[&str], options: &[&str], declaration: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command
        .current_dir(testdata("firmware/camera"))
        .args(command_line)
        .args(options)
        .args(declaration);
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn both_recordings_name_the_frames_and_culprits() {
    let messages = report(&TRACE, &["--config", "messages.toml"]);
    insta::assert_snapshot!("pipeline_of_messages", text(&messages));
    let markers = report(&LOG, &["--config", "markers.toml"]);
    insta::assert_snapshot!("pipeline_of_markers", text(&markers));
}

#[test]
fn only_commands_that_apply_declarations_accept_them() {
    let run = |command: &[&str], timing: [&str; 2]| {
        let mut rtoscope = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let in_camera = rtoscope.current_dir(testdata("firmware/camera"));
        let output = in_camera.args(command).args(TRACE).args(timing).output();
        output.unwrap()
    };
    let chain = ["--pipeline", "frame: decode -> show"];
    for command in ["info", "events", "objects", "convert", "live", "replay"] {
        let output = run(&[command, "memory.bin.gz"], chain);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(error.contains("'--pipeline'"), "{command}: {error}");
    }
    let output = run(&["export", "--to", "chrome", "memory.bin.gz"], chain);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(error.contains("apply only to html"), "{error}");
    let table = ["export", "--to", "csv", "--table", "pipeline_items"];
    let declared = ["--config", "messages.toml"];
    let output = run(&[&table[..], &["memory.bin.gz"]].concat(), declared);
    assert!(
        text(&output).contains("blocked on refresh"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_chain_of_the_command_line_is_checked() {
    let chain = "ISR 24 -> raw -> decoder -> decoded -> filter -> ready -> display";
    // One frame is dropped, whatever the deadline.
    let declared = format!("{chain} within 1s");
    let output = check(&["--pipeline", &declared]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("dropped in "), "{}", text(&output));
    // The filter gets what the decoder sends: nothing is dropped from there on.
    let declared = ["--pipeline", "decoder -> decoded -> filter within 100ms"];
    let output = check(&declared);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(
        text(&output).contains("passed     decoder -> decoded -> filter  23 items"),
        "{}",
        text(&output)
    );
    // Without a limit there is nothing to check.
    assert_eq!(check(&["--pipeline", chain]).status.code(), Some(2));
}

#[test]
fn chains_that_do_not_fit_are_refused() {
    for (options, chain, said) in [
        (
            &TRACE[..],
            "camera -> raw -> decoder",
            "no thread or interrupt service routine is named \"camera\"; available: ",
        ),
        (
            &TRACE,
            "ISR 24 -> table -> decoder",
            "no queue or semaphore is named \"table\"; available: ",
        ),
        (&TRACE, "ISR 24 -> raw", "the chain ends with \"raw\""),
        (&TRACE, "frame: decode", "no marker is named \"frame\""),
        (&TRACE, "decoder", "expected a chain such as"),
        (
            &LOG,
            "frame: decode -> cut",
            "no marker is named \"cut\"; available: ",
        ),
        (
            &LOG,
            "decoder -> raw -> filter",
            "no queue or semaphore is named \"raw\"",
        ),
    ] {
        let output = report(options, &["--pipeline", chain]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(said), "{chain}: {message}");
        assert_eq!(output.status.code(), Some(2), "{message}");
    }
}
