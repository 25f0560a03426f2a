//! `rtoscope`: opens, analyses and exports RTOS event traces. [`main`] is the command; other
//! programs call [`answers`].

#![forbid(unsafe_code)]

pub mod answers;
mod args;
mod commands;
mod companion;
mod target_commands;
mod utc;
#[cfg(feature = "viewer")]
mod viewer;

use args::{Cli, Command};
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::list_settings;
use rtoscope_command::output;
use std::process::ExitCode;

/// Runs the command with the arguments of this program.
pub fn main() -> ExitCode {
    rtoscope_command::exit_code(run(rtoscope_command::parse::<Cli>(args::command()).command))
}

/// Returns the result of the command's checks.
fn run(command: Command) -> anyhow::Result<CheckOutcome> {
    match command {
        Command::Info(arguments) => commands::info::run(&arguments),
        Command::Events(arguments) => commands::events::run(&arguments),
        Command::CriticalPath(arguments) => commands::critical_path::run(&arguments),
        Command::Diagram(diagram) => commands::diagram::run(&diagram),
        Command::Export(arguments) => commands::export::run(&arguments),
        Command::Query(arguments) if arguments.engine.is_some() => companion::CLUSTER.run(),
        Command::Query(arguments) => match arguments.is_of_fleet() {
            true => companion::FLEET.run(),
            false => companion::SQL.run(),
        },
        Command::Ingest(_) | Command::Compact(_) | Command::Fetch(_) => companion::FLEET.run(),
        Command::Doctor(command) => return commands::doctor::run(&command),
        Command::Check(arguments) => return commands::check::run(&arguments),
        Command::Compare(arguments) => return commands::compare::run(&arguments),
        Command::Merge(arguments) => return commands::merge::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        #[cfg(feature = "viewer")]
        Command::View(arguments) => commands::view::run(arguments),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => commands::mcp::run(arguments),
        Command::Live(arguments) => commands::live::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Objects(arguments) => commands::objects::run(&arguments),
        Command::Catalogue(arguments) => commands::catalogue::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Settings => output::write_text(&list_settings()),
        Command::Schema(arguments) => commands::schema::run(&arguments),
        Command::Completions(arguments) => {
            commands::shell::completions(&arguments, args::command())
        }
        Command::Man => commands::shell::man(args::command()),
    }?;
    Ok(CheckOutcome::Passed)
}
