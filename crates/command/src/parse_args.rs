//! Parsing of command lines.

use crate::config_file;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Parser};
use rtoscope_trace::printable::multiline;
use std::env;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

/// The arguments that were parsed last, if a project's file has options.
static EXPANDED: Mutex<Option<ExpandedArguments>> = Mutex::new(None);

#[derive(Clone)]
struct ExpandedArguments {
    given: Vec<OsString>,
    /// With the options of the file.
    all: Vec<OsString>,
}

/// Parses the arguments of this program by `command`, which defines those of `T`, and the options
/// of a project's file. Prints an error and exits if they are invalid.
pub fn parse<T: FromArgMatches>(command: Command) -> T {
    let given: Vec<_> = env::args_os().collect();
    let mut command = with_short_help(command);
    let matches = match_arguments(&mut command, &given);
    let expanded = config_file::expand(&command, &matches, &given);
    let mut matches = match expanded {
        Ok(None) => matches,
        Ok(Some(arguments)) => {
            let matches = match_arguments(&mut command, &arguments);
            remember(given, Some(arguments));
            matches
        }
        Err(error) => crate::exit_code::exit_with(&error),
    };
    let parsed = T::from_arg_matches_mut(&mut matches);
    parsed.unwrap_or_else(|error| exit(&error.format(&mut command)))
}

/// The same for arguments, after the program's name, of a program that lives on if they are
/// invalid.
///
/// # Errors
///
/// If they are, or the project's file is.
pub fn parse_from<T: Parser>(given: &[OsString]) -> anyhow::Result<T> {
    let message =
        |error: clap::Error| anyhow::anyhow!("{}", multiline(&error.render().to_string()));
    let mut command = T::command();
    let matches = command.try_get_matches_from_mut(given).map_err(message)?;
    let expanded = config_file::expand(&command, &matches, given)?;
    remember(given.to_vec(), expanded.clone());
    match expanded {
        None => T::from_arg_matches(&matches).map_err(message),
        Some(arguments) => T::try_parse_from(arguments).map_err(message),
    }
}

fn remember(given: Vec<OsString>, expanded: Option<Vec<OsString>>) {
    let expanded = expanded.map(|all| ExpandedArguments { given, all });
    *EXPANDED.lock().unwrap_or_else(PoisonError::into_inner) = expanded;
}

fn expanded() -> Option<ExpandedArguments> {
    let expanded = EXPANDED.lock().unwrap_or_else(PoisonError::into_inner);
    expanded.clone()
}

/// The arguments of this program, without its name, for one that parses them again.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let expanded = expanded().map(|expanded| expanded.all);
    let arguments = expanded.unwrap_or_else(|| env::args_os().collect());
    arguments.into_iter().skip(1)
}

/// Whether an option is from a project's file, not from the user.
pub fn is_from_config(option: &str) -> bool {
    let prefix = format!("--{option}=");
    let is_it = |argument: &&OsString| argument.to_string_lossy().starts_with(&prefix);
    let count = |arguments: &[OsString]| arguments.iter().filter(is_it).count();
    expanded().is_some_and(|ExpandedArguments { given, all }| count(&all) > count(&given))
}

fn match_arguments(command: &mut Command, arguments: &[OsString]) -> ArgMatches {
    let matches = command.try_get_matches_from_mut(arguments);
    matches.unwrap_or_else(|error| exit(&error))
}

/// `--help` of all subcommands fits on a screen; `help COMMAND` explains each value.
fn with_short_help(command: Command) -> Command {
    let subcommands: Vec<_> = command
        .get_subcommands()
        .filter(|inner| !inner.is_disable_help_flag_set())
        .map(|inner| inner.get_name().to_owned())
        .collect();
    subcommands.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |inner| {
            let help = Arg::new("help").short('h').long("help");
            let help = help.help("Print help").action(ArgAction::HelpShort);
            with_short_help(inner.disable_help_flag(true).arg(help))
        })
    })
}

fn exit(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let printable = multiline(&text);
    // Arguments may be file names expanded by a shell, with any characters in
    // them.
    if error.use_stderr() && printable != text {
        anstream::eprint!("{printable}");
        std::process::exit(error.exit_code());
    }
    error.exit()
}
