//! `rtoscope-sql`: the parts of rtoscope that take long to build. `rtoscope`
//! runs it for `query` and for some formats of `export`.

use anyhow::ensure;
use clap::{CommandFactory as _, Parser, Subcommand};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::query::QueryArgs;
use rtoscope_command::{CheckOutcome, exit_code};
use std::env;
use std::process::ExitCode;

/// RTOS event traces as tables: SQL, Parquet and Arrow
#[derive(Parser)]
#[command(name = "rtoscope-sql", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write tables of recordings as Parquet or Arrow
    Export(Box<ExportArgs>),
    /// Run SQL queries on recordings
    Query(Box<QueryArgs>),
    /// Answer queries of the viewer, one per line of standard input
    #[cfg(feature = "query")]
    #[command(hide = true)]
    Serve(Box<rtoscope_sql::serve::ServeArgs>),
}

fn main() -> ExitCode {
    let ended = run(rtoscope_command::parse::<Cli>(Cli::command()).command);
    exit_code(ended.map(CheckOutcome::of))
}

/// Runs a command and returns whether its check passed, if it is a check.
fn run(command: Command) -> anyhow::Result<bool> {
    // The `rtoscope` that runs this program may be another version.
    if let Ok(version) = env::var("RTOSCOPE_VERSION") {
        let own = env!("CARGO_PKG_VERSION");
        ensure!(
            version == own,
            "rtoscope has version {version} but rtoscope-sql has version {own}; install the same version of both"
        );
    }
    match command {
        Command::Export(arguments) => {
            rtoscope_sql::export::run(&arguments)?;
            Ok(true)
        }
        #[cfg(feature = "query")]
        Command::Query(arguments) => rtoscope_sql::query::run(arguments),
        #[cfg(feature = "query")]
        Command::Serve(arguments) => {
            rtoscope_sql::serve::run(&arguments)?;
            Ok(true)
        }
        #[cfg(not(feature = "query"))]
        Command::Query(_) => {
            anyhow::bail!("this rtoscope-sql was built without its default feature `query`")
        }
    }
}
