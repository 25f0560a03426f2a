//! `rtoscope-sql`: the part of rtoscope that takes long to build. `rtoscope`
//! runs it for `query` and some formats of `export`.

use anyhow::ensure;
use clap::{Parser, Subcommand};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::query::QueryArgs;
use std::env;
use std::process::ExitCode;

/// Event traces of real-time operating systems as tables: in SQL, Parquet and
/// Arrow
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
    /// Ask recordings questions in SQL
    Query(Box<QueryArgs>),
}

fn main() -> ExitCode {
    rtoscope_command::exit_code(run(rtoscope_command::parse::<Cli>().command))
}

/// Whether every check held that the command makes.
fn run(command: Command) -> anyhow::Result<bool> {
    // Who runs this for the user may be another version.
    if let Ok(version) = env::var("RTOSCOPE_VERSION") {
        let own = env!("CARGO_PKG_VERSION");
        ensure!(
            version == own,
            "rtoscope is of version {version}, but rtoscope-sql of {own}; install both of one version"
        );
    }
    match command {
        Command::Export(arguments) => {
            rtoscope_sql::export::run(&arguments)?;
            Ok(true)
        }
        #[cfg(feature = "query")]
        Command::Query(arguments) => rtoscope_sql::query::run(&arguments),
        #[cfg(not(feature = "query"))]
        Command::Query(_) => {
            anyhow::bail!(
                "this rtoscope-sql was built without queries, its default feature `query`"
            )
        }
    }
}
