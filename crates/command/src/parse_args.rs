//! Parsing of command lines.

use crate::config_file;
use clap::{Arg, ArgAction, Command, Parser};
use rtoscope_trace::printable::multiline;
use std::env;
use std::ffi::OsString;
use std::sync::OnceLock;

/// The arguments with those of a project's file.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Parses the arguments of this program, and the options of a project's file. Prints an error and
/// exits if they are invalid.
pub fn parse<T: Parser>() -> T {
    let given: Vec<_> = env::args_os().collect();
    let matches = match_arguments::<T>(&given);
    let expanded = config_file::expand(&T::command(), &matches, &given);
    let mut matches = match expanded {
        Ok(None) => matches,
        Ok(Some(arguments)) => {
            let arguments = ARGUMENTS.get_or_init(|| arguments);
            match_arguments::<T>(arguments)
        }
        Err(error) => crate::exit_code::exit_with(&error),
    };
    let parsed = T::from_arg_matches_mut(&mut matches);
    parsed.unwrap_or_else(|error| exit(&error.format(&mut T::command())))
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
    let matches = T::command().try_get_matches_from(given).map_err(message)?;
    match config_file::expand(&T::command(), &matches, given)? {
        None => T::from_arg_matches(&matches).map_err(message),
        Some(arguments) => {
            let arguments = ARGUMENTS.get_or_init(|| arguments);
            T::try_parse_from(arguments).map_err(message)
        }
    }
}

/// The arguments of this program, without its name, for one that parses them again.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let arguments = ARGUMENTS.get().cloned();
    let arguments = arguments.unwrap_or_else(|| env::args_os().collect());
    arguments.into_iter().skip(1)
}

/// Whether an option of this program is from a project's file, not from its user.
pub fn is_from_config(option: &str) -> bool {
    let prefix = format!("--{option}=");
    let is_it = |argument: &OsString| argument.to_string_lossy().starts_with(&prefix);
    let count = |arguments: &mut dyn Iterator<Item = OsString>| arguments.filter(is_it).count();
    let expanded = ARGUMENTS.get().map(|all| count(&mut all.iter().cloned()));
    expanded.is_some_and(|expanded| expanded > count(&mut env::args_os()))
}

fn match_arguments<T: Parser>(arguments: &[OsString]) -> clap::ArgMatches {
    let matches = with_short_help(T::command()).try_get_matches_from(arguments);
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
