//! Unit tests on the board that wait for the answers of `rtoscope expect --live`.

use super::command::Command;
use super::figures::{Figures, number};
use super::qemu::{Board, Serial};
use super::symbols::Symbols;
use super::toolchain::Toolchain;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::time::Duration;
use truth::DONE;
use truth::unit_tests::{FILTER_COMMANDS, UnitTestResults};

const LIMIT: Duration = Duration::from_secs(20);

/// The settings of the filter, one for each command that the program waits for.
const SETTINGS: &str = "SM=on,ao:1=on,signal:5=on";

/// The records of a test: its orders, those of the machine that pass, and its checks.
const RECORDS_PER_TEST: u32 = 4 + 3 + 2;

/// Runs the tests with the command at the other end of the serial port. The program's own
/// account of the answers must be that of the command.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<()> {
    let program = Toolchain::outputs(target, "release")?.join("unit-tests");
    let address = Symbols::read(&program)?.address("UNIT_TEST_RESULTS")?;
    let checker = Checker::start(command)?;
    let board = Board {
        serial: Serial::Host(checker.port),
        ..Board::new(&program)
    };
    let mut machine = board.boot()?;
    machine
        .wait(address, DONE, LIMIT)
        .context("the unit tests did not end")?;
    let memory = machine.read(address, UnitTestResults::BYTES)?;
    let results = UnitTestResults::from_memory(&memory).context("too little memory")?;
    // This closes the connection.
    drop(machine);
    let found = checker.end()?;
    let mut figures = Figures::default();
    figures.add("passed", results.passed, number(&found, &["passed"])?);
    figures.add("failed", results.failed, number(&found, &["failed"])?);
    figures.add("all tests", results.passed + results.failed, 3);
    let difference = &found["tests"][2]["difference"];
    let line = number(difference, &["line"])?;
    figures.add("line of the failure", results.failed_line, line);
    figures.add("records", results.records, (3 * RECORDS_PER_TEST).into());
    figures.add(
        "records before the filter",
        results.records_before_filter,
        0,
    );
    let commands = FILTER_COMMANDS.into();
    figures.add("commands for the filter", results.filter_commands, commands);
    figures.add("invalid messages", results.invalid_messages, 0);
    figures.check(&format!("{target}: unit tests with answers"))
}

/// `rtoscope expect --live`, waiting for the board.
struct Checker {
    process: Child,
    port: u16,
}

impl Checker {
    fn start(command: &Command) -> anyhow::Result<Self> {
        let mut process = command
            .process()
            .args(["expect", "--live", "tcp-listen://127.0.0.1:0"])
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
        Ok(Self {
            port: port.with_context(|| format!("rtoscope does not listen: {line}"))?,
            process,
        })
    }

    /// Its results, once the connection is closed.
    fn end(mut self) -> anyhow::Result<Value> {
        let mut printed = String::new();
        let mut output = self.process.stdout.take().context("no standard output")?;
        output.read_to_string(&mut printed)?;
        let status = self.process.wait()?;
        ensure!(status.code() == Some(1), "a test fails, but {status}");
        serde_json::from_str(&printed).context("what `expect` prints")
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
