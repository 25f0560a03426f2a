//! Unit tests on the board that wait for the answers of `rtoscope check --live`.

use super::command::Command;
use super::figures::Figures;
use super::qemu::{self, Serial};
use super::run::Program;
use crate::shell::Background;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use truth::unit_tests::{FILTER_COMMANDS, UnitTestResults};

/// The settings of the filter, one for each command that the program waits for.
const SETTINGS: &str = "SM=on,ao:1=on,signal:5=on";

/// The records of a test: its orders, those of the machine that pass, and its checks.
const RECORDS_PER_TEST: u32 = 4 + 3 + 2;

/// Runs the tests with the command at the other end of the serial port. The program's own
/// account of the answers must be that of the command.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<()> {
    let program = Program::new(qemu::MPS2, target, "unit-tests", "")?;
    let (checker, port) = start(command)?;
    let mut running = program.boot(Serial::Host(port), &[])?;
    running.wait("UNIT_TEST_RESULTS")?;
    let memory = running.read("UNIT_TEST_RESULTS", 0, UnitTestResults::BYTES as u32)?;
    let results = UnitTestResults::from_memory(&memory).context("too little memory")?;
    // This closes the connection.
    drop(running);
    let found = end(checker)?;
    let mut figures = Figures::default();
    let rows = [
        ("passed", results.passed, "passed"),
        ("failed", results.failed, "failed"),
    ];
    figures.add_all("", &found, &rows)?;
    let message = found.pointer("/recordings/0/results/2/message");
    let line = message.and_then(Value::as_str).and_then(|message| {
        let (line, _) = message.strip_prefix("line ")?.split_once(':')?;
        line.parse::<u64>().ok()
    });
    let line = line.context("the failure has no line")?;
    figures.add("line of the failure", results.failed_line, line);
    figures.add("all tests", results.passed + results.failed, 3);
    figures.add("records", results.records, (3 * RECORDS_PER_TEST).into());
    let before = results.records_before_filter;
    figures.add("records before the filter", before, 0);
    let commands = FILTER_COMMANDS.into();
    figures.add("commands for the filter", results.filter_commands, commands);
    figures.add("invalid messages", results.invalid_messages, 0);
    figures.check(&format!("{target}: unit tests with answers"))
}

/// Starts `rtoscope check --live`, which waits for the board on a port.
fn start(command: &Command) -> anyhow::Result<(Background, u16)> {
    let mut process = command
        .process()
        .args(["check", "--live", "tcp-listen://127.0.0.1:0"])
        .args(["--target-filter", SETTINGS, "--format", "json"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("rtoscope")?;
    let errors = process.stderr.take().context("no standard error")?;
    let mut errors = BufReader::new(errors);
    let mut line = String::new();
    errors.read_line(&mut line)?;
    // It must not block on its messages.
    std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::stderr()));
    let port = line.trim().rsplit(':').next();
    let port = port.and_then(|port| port.parse().ok());
    let port = port.with_context(|| format!("rtoscope does not listen: {line}"))?;
    Ok((Background(process), port))
}

/// Its results, once the connection is closed.
fn end(mut checker: Background) -> anyhow::Result<Value> {
    let output = checker.0.stdout.take().context("no standard output")?;
    let found = serde_json::from_reader(output).context("what `check` prints")?;
    let status = checker.0.wait()?;
    ensure!(status.code() == Some(1), "a test fails, but {status}");
    Ok(found)
}
