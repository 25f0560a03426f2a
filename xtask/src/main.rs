//! Developer commands: `cargo xtask --help`.

#![forbid(unsafe_code)]

mod archives;
mod bench;
mod bless;
mod book;
mod cache;
mod check;
mod cost;
mod dependencies;
mod dist;
mod firmware;
mod fleet;
#[cfg(test)]
mod format_names;
mod fuzz;
mod hang;
mod header;
mod interop;
mod macos;
mod object_store_server;
mod packages;
mod page;
mod python;
mod recorders;
mod shell;
mod soak;
mod test;
mod toolchain;
mod vscode;
mod web;
mod windows;
mod words;
mod workspace;

#[path = "../../crates/server/build/lock.rs"]
mod lock;
#[path = "../../crates/server/build/npm.rs"]
#[allow(dead_code, reason = "it also builds the web app")]
mod npm;

use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

/// Developer commands of rtoscope
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check format and lints, and test what differs from the main branch, without the SQL
    /// engine
    Check,
    /// Check format, lints, documentation and generated files, and run all tests, in stages
    Test(test::TestArgs),
    /// Run a stage of the tests in this process
    #[command(hide = true)]
    Stage(test::StageArgs),
    /// Accept the current output of the command, recordings of the firmware and views of the
    /// viewer
    Bless,
    /// Build the book with mdBook and check its links
    Book,
    /// Build the page that needs no server: for a web host, and for `rtoscope export --to page`
    Page,
    /// Build the extension for Visual Studio Code
    Vscode,
    /// Check spelling and terms in code, docs and snapshots
    Words,
    /// Fuzz one target, or all of them in turn
    Fuzz(fuzz::FuzzArgs),
    /// Build the programs for microcontrollers, run them in QEMU and compare
    /// their recordings with their counters
    Firmware,
    /// Build archives of the static library for C programs on machines without Rust
    ReleaseArchives(archives::ArchiveArgs),
    /// Make archives and wheels of the command, for machines without Rust and Node.js
    Dist(dist::DistArgs),
    /// Make a wheel of the Python package and the command for this machine, with the dev profile
    Python,
    /// Count the instructions and bytes that the recorders take on a Cortex-M3
    Cost(cost::CostArgs),
    /// Run the benchmarks
    Bench,
    /// Write a synthetic recording with its ground truth: `cargo xtask generate --help`
    #[command(disable_help_flag = true)]
    Generate(GenerateArgs),
    /// Run recorders for a long time, which is no part of the tests
    #[command(subcommand)]
    Soak(soak::SoakCommand),
}

/// Arguments that `rtoscope-generate` parses.
#[derive(Args)]
struct GenerateArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    shell::this_program()?;
    match Cli::parse().command {
        Command::Check => check::run(),
        Command::Test(arguments) => test::run(&arguments),
        Command::Stage(arguments) => test::run_stage(&arguments),
        Command::Bless => bless::run(),
        Command::Book => book::test(),
        Command::Page => page::run(),
        Command::Vscode => vscode::run(),
        Command::Words => words::test(),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Firmware => firmware::run(),
        Command::ReleaseArchives(arguments) => archives::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Python => python::run(),
        Command::Cost(arguments) => cost::run(&arguments),
        Command::Bench => bench::run(),
        Command::Generate(GenerateArgs { arguments }) => workspace::generate(&arguments),
        Command::Soak(command) => soak::run(&command),
    }
}
