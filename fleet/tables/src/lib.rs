//! The tables of the event traces of many devices. `rtoscope` runs the program for `ingest`,
//! `compact`, `fetch`, and for `query` on such tables; [`Snapshot`] lists their files for a
//! cluster that reads them.

#![forbid(unsafe_code)]

mod bucket_conditions;
mod compact;
mod fetch;
mod ingest;
mod partition;
mod query;
mod schema;
mod snapshot;
mod sources;
mod store;
mod traces;
mod vacuum;

pub use bucket_conditions::BucketConditions;
pub use snapshot::{Snapshot, SnapshotFile, TRACES};

use clap::{CommandFactory as _, Parser, Subcommand};
use rtoscope_command::query::QueryArgs;
use rtoscope_command::{CheckOutcome, exit_code};
use std::process::ExitCode;

/// Tables of the event traces of many devices
#[derive(Parser)]
#[command(name = "rtoscope-fleet", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Add recordings to tables
    Ingest(Box<ingest::IngestArgs>),
    /// Rewrite small files of tables as large ones, and remove unused files
    Compact(compact::CompactArgs),
    /// Run SQL queries on tables
    Query(Box<QueryArgs>),
    /// Write the bytes of a recording to a file
    Fetch(fetch::FetchArgs),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let ended = run(rtoscope_command::parse::<Cli>(Cli::command()).command);
    exit_code(ended.map(CheckOutcome::of))
}

/// Runs a command and returns whether its check passed, if it is a check.
fn run(command: Command) -> anyhow::Result<bool> {
    match command {
        Command::Ingest(arguments) => ingest::run(&arguments)?,
        Command::Compact(arguments) => compact::run(&arguments)?,
        Command::Query(arguments) => return query::run(arguments),
        Command::Fetch(arguments) => fetch::run(&arguments)?,
    }
    Ok(true)
}
