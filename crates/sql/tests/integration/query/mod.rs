//! `rtoscope-sql query` as users run it.
#![cfg(feature = "query")]

mod checks;
mod clock;
mod datasets;
mod dialects;
mod errors;
mod figures;
mod files;
mod formats;
mod functions;
#[cfg(unix)]
mod hostile;
mod joins;
mod named;
mod namesakes;
mod serve;
mod shell;
mod sweep;
mod views;

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The result of a command.
struct CommandResult {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl CommandResult {
    fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn ok(self) -> String {
        assert_eq!(self.status, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// Why a check could not be decided.
    fn undecided(self) -> String {
        assert_eq!(self.status, Some(3), "{}{}", self.stdout, self.stderr);
        self.stderr
    }

    fn error(self) -> String {
        assert_eq!(self.status, Some(2), "{}", self.stdout);
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
    command.arg("query").args(arguments);
    command
}

fn query<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> CommandResult {
    CommandResult::of(command(arguments).output().unwrap())
}

/// Runs a query with standard input.
fn query_with_input<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    input: &[u8],
) -> CommandResult {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // The command may exit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    CommandResult::of(child.wait_with_output().unwrap())
}

/// Rows of JSON lines.
fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The result of a query on recordings of this repository.
fn query_json(files: &[&str], sql: &str) -> Vec<Value> {
    let files = files.iter().map(|file| data(file).into_os_string());
    let rest = ["--clock=25MHz", "--format=jsonl", sql].map(Into::into);
    rows(&query(files.chain(rest)).ok())
}

/// A recording of this repository.
fn data(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata(name)
}

const SYSTEM: &str = "threadx/cm3_system.trx";
