//! `rtoscope`: opens the event traces of real-time operating systems and says
//! what happened.

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod date;
mod input;
mod output;
mod scope;
#[cfg(feature = "viewer")]
mod viewer;

use arguments::{Cli, Command};
use clap::Parser;
use std::io;
use std::process::ExitCode;

/// A check failed.
const FAILED: u8 = 1;

/// Usage errors and unreadable input.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("rtoscope: {error:#}");
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Whether every check held that the command makes.
fn run(command: Command) -> anyhow::Result<bool> {
    match command {
        Command::Info(arguments) => commands::info::run(&arguments),
        Command::Events(arguments) => commands::events::run(&arguments),
        Command::Diagram(diagram) => commands::diagram::run(&diagram),
        Command::Expect(arguments) => return commands::expect::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        #[cfg(feature = "viewer")]
        Command::View(arguments) => commands::view::run(&arguments),
        Command::Live(arguments) => commands::live::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Dump(arguments) => commands::dump::run(&arguments),
        Command::Objects(arguments) => commands::objects::run(&arguments),
        Command::Catalogue(arguments) => commands::catalogue::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Generate(arguments) => commands::generate::run(&arguments),
        Command::Completions(arguments) => commands::shell::completions(&arguments),
        Command::Man => commands::shell::man(),
    }?;
    Ok(true)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
