//! `rtoscope doctor`: text and exit codes.

use rtoscope_fixtures::testdata;
use std::process::{Command, Output};

fn doctor(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let command = command.current_dir(testdata(".")).args(["doctor"]);
    command.args(arguments).output().unwrap()
}

#[test]
fn failed_rules_come_first_with_place_and_advice() {
    let output = doctor(&["threadx/linux32_isr.trx", "--clock", "1GHz"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let failed = text.split("\n\n").nth(1).unwrap();
    assert!(
        failed.starts_with("failed  isr-exit: Each entry of a handler"),
        "{text}"
    );
    assert!(
        failed.contains("1 entry without an exit, the first of ISR 99 [event 86, 80.446 ms]"),
        "{text}"
    );
    assert!(failed.contains("Record the exit on every path"), "{text}");
    assert!(text.contains("\nPassed\n") && text.contains("\nNot checked\n"));
}

/// The text that names each fault: the rule, and its handler or thread.
#[test]
fn faults_of_ports_are_named() {
    for (recording, rule, message) in [
        (
            "yield_forgotten.cswl",
            "yield-from-isr",
            "threads that sample makes ready, such as sampler, start only after another handler: \
             530.280 µs later on average (17 times)",
        ),
        (
            "handler_unrecorded.cswl",
            "isr-recorded",
            "19 times a thread becomes ready while the core is idle and no handler is active, \
             always sampler",
        ),
        (
            "wrong_frequency",
            "clock-frequency",
            "50000000 Hz, but 25000000 Hz by the host's clock during the capture",
        ),
        (
            "exit_twice.cswl",
            "isr-enter",
            "40 exits without an entry: sample exits more often than it is entered",
        ),
        (
            "exit_missing.cswl",
            "isr-exit",
            "40 entries without an exit, all of sample",
        ),
    ] {
        let output = doctor(&[&format!("doctor/{recording}")]);
        assert_eq!(output.status.code(), Some(1), "{recording}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(", 1 failed,"), "{text}");
        assert!(text.contains(&format!("failed  {rule}: ")), "{text}");
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn sound_recordings_of_all_recorders_pass() {
    let log = [
        "firmware/memory.bin.gz",
        "--input-format",
        "cswitch",
        "--elf",
        "firmware/demo.elf",
        "-O",
        "log-base=0x20000000",
    ];
    let trace = ["firmware/memory.bin.gz", "--input-format", "threadx"];
    for arguments in [
        &log[..],
        &trace,
        &["firmware/stream.rkh"],
        &["threadx/cm3_system.trx"],
        &["doctor/sound.cswl"],
    ] {
        let output = doctor(arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(!text.contains("failed  "), "{text}");
    }
    assert_eq!(doctor(&["no-such-file"]).status.code(), Some(2));
}
