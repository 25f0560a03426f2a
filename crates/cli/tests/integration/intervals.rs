//! User-defined intervals in `report`.

use rtoscope_fixtures::testdata;
use serde_json::Value;
use std::process::{Command, Output};

/// From the interrupt of the camera to the display of the frame.
const FRAME: &str = r#"kind == "ISR enter" and arg.isr_number == 24 -> kind == "user event 4096""#;

fn report(options: &[&str]) -> Output {
    run(&["report", "memory.bin.gz", "intervals"], options)
}

fn run(command_line: &[&str], options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command
        .current_dir(testdata("firmware/camera"))
        .args(command_line)
        .args(["--input-format", "threadx", "--clock", "25MHz"])
        .args(options);
    command.output().unwrap()
}

fn json(options: &[&str]) -> Value {
    let output = report(&[options, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn intervals_have_figures_and_the_longest() {
    let declared = format!("{FRAME} [first] within 8ms");
    let output = report(&["--interval", &declared, "--interval", FRAME]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

#[test]
fn a_deadline_is_checked() {
    let code = |limit: &str| {
        let declared = format!("{FRAME} [first] within {limit}");
        run(&["check", "memory.bin.gz"], &["--interval", &declared])
            .status
            .code()
    };
    assert_eq!(code("1us"), Some(1));
    // What became of a frame that another one follows is unknown.
    assert_eq!(code("10s"), Some(3));
    let unlimited = run(&["check", "memory.bin.gz"], &["--interval", FRAME]);
    assert_eq!(unlimited.status.code(), Some(2));
}

#[test]
fn a_window_has_the_intervals_inside() {
    let whole = json(&["--interval", FRAME]);
    let part = json(&["--interval", FRAME, "--from", "50ms", "--to", "150ms"]);
    let count = |document: &Value| {
        document["intervals"][0]["duration"]["count"]
            .as_u64()
            .unwrap()
    };
    assert!(count(&part) < count(&whole));
    let all = whole["intervals"][0]["longest"].as_array().unwrap();
    let (start, end) = (1_250_000, 3_750_000);
    let inside = all.iter().filter(|it| {
        let at = it["start"].as_u64().unwrap();
        at >= start && at + it["duration"].as_u64().unwrap() <= end
    });
    assert_eq!(inside.count() as u64, count(&part));
}

#[test]
fn mistakes_are_explained() {
    for (declared, said) in [
        ("mutex", "expected two filters with an arrow between them"),
        ("a -> b [twice]", "in brackets, found \"twice\""),
        ("contxt == idle -> b", "no field is called `contxt`"),
        ("context == nothing -> event == 1", "from: "),
        ("event >= 0 -> event >= 0 [by size_of_it]", "to pair by"),
    ] {
        let output = report(&["--interval", declared]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{declared}");
        assert!(error.contains(said), "{declared}: {error}");
    }
}
