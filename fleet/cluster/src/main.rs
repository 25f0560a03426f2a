//! `rtoscope-cluster`: SQL queries on the tables of a fleet, run by a cluster of Apache DataFusion
//! Ballista. `rtoscope query --engine` runs it.

#![forbid(unsafe_code)]

mod cluster;
mod execution;
mod join_order;
mod planner;
mod running_jobs;
mod session;
mod traces_table;
mod window_order;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};
use cluster::Cluster;
use rtoscope_command::query::QueryArgs;
use rtoscope_command::{CheckOutcome, exit_code, signals};
use rtoscope_fleet::Snapshot;
use rtoscope_sql::query::run_on_cluster;
use std::process::ExitCode;

/// SQL queries on the tables of a fleet, run by a cluster
#[derive(Parser)]
#[command(name = "rtoscope-cluster", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run SQL queries on tables
    Query(Box<QueryArgs>),
}

fn main() -> ExitCode {
    let Command::Query(arguments) = rtoscope_command::parse::<Cli>(Cli::command()).command;
    exit_code(run(&arguments).map(CheckOutcome::of))
}

/// Runs the command; returns whether its check passed, if it is a check.
fn run(arguments: &QueryArgs) -> anyhow::Result<bool> {
    let engine = arguments.engine.as_deref().context("--engine is missing")?;
    let cluster = Cluster::parse(engine)?;
    let (root, sql) = arguments.tables_and_sql()?;
    // In the shell, Ctrl-C ends the query alone.
    if !arguments.shell {
        signals::on_termination(|code| {
            running_jobs::cancel_all();
            std::process::exit(code);
        })
        .context("cannot handle signals")?;
    }
    run_on_cluster(arguments, sql, async || {
        let snapshot = Snapshot::open(&root, arguments.as_of)
            .await
            .context("--engine applies to the tables of a fleet only")?;
        session::open(&snapshot, cluster).await
    })
}
