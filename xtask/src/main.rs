//! Developer commands: `cargo xtask --help`.

#![forbid(unsafe_code)]

mod bench;
mod bless;
mod book;
mod cost;
mod firmware;
#[cfg(test)]
mod format_names;
mod fuzz;
mod glossary;
mod header;
mod interop;
mod packages;
mod recorders;
mod shell;
mod test;
mod web;
mod words;

use clap::{Parser, Subcommand};

/// Developer commands of rtoscope
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check format, lints, documentation and generated files, and run all tests
    Test,
    /// Update generated files: the event reference, output snapshots, the
    /// viewer's types and reference views
    Bless,
    /// Build the book with mdBook and check its links
    Book,
    /// Check spelling and terms in code, docs and snapshots
    Words,
    /// Fuzz one target, or all of them in turn
    Fuzz(fuzz::FuzzArgs),
    /// Build the programs for microcontrollers, run them in QEMU and compare
    /// their recordings with their counters
    Firmware,
    /// Count the instructions and bytes that the recorders take on a Cortex-M3
    Cost(cost::CostArgs),
    /// Run the benchmarks
    Bench,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Test => test::run(),
        Command::Bless => bless::run(),
        Command::Book => book::test(),
        Command::Words => words::test(),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Firmware => firmware::run(),
        Command::Cost(arguments) => cost::run(&arguments),
        Command::Bench => bench::run(),
    }
}
