//! The decoding options as they are on the command line.

use super::{BufferArgs, DecodeArgs, TextLogArgs, TimingArgs};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::{OsStr, OsString};

/// The decoding options on the command line: their names, and the options themselves for
/// another program that decodes the same recording. Where arguments are flattened, this
/// field must precede the options that it inspects: parsing them removes their matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenDecodeOptions(Vec<GivenOption>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct GivenOption {
    /// The long name, without `--`.
    name: String,
    /// `None` for an option without a value.
    values: Vec<Option<OsString>>,
    /// Whether it applies to any recording, whatever its file: see [`DecodeArgs`].
    is_general: bool,
}

impl GivenDecodeOptions {
    /// The names, with `--`, in no particular order.
    pub fn names(&self) -> Vec<String> {
        let names = self.0.iter().map(|option| format!("--{}", option.name));
        names.collect()
    }

    /// The options, for a program with the same options.
    pub fn arguments(&self) -> Vec<OsString> {
        self.0.iter().flat_map(GivenOption::arguments).collect()
    }

    /// Those of the options that apply to any recording: not the choice of a buffer, the
    /// input format, declarations and text logs.
    pub fn general_arguments(&self) -> Vec<OsString> {
        let general = self.0.iter().filter(|option| option.is_general);
        general.flat_map(GivenOption::arguments).collect()
    }
}

impl GivenOption {
    fn arguments(&self) -> impl Iterator<Item = OsString> {
        self.values.iter().map(|value| {
            let mut argument = OsString::from("--");
            argument.push(&self.name);
            if let Some(value) = value {
                argument.push("=");
                argument.push(value);
            }
            argument
        })
    }
}

impl FromArgMatches for GivenDecodeOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let general = DecodeArgs::augment_args(Command::new("decoding"));
        let special = BufferArgs::augment_args(Command::new("recording"));
        let special = TimingArgs::augment_args(special);
        let special = TextLogArgs::augment_args(special);
        let general = general.get_arguments().map(|option| (option, true));
        let special = special.get_arguments().map(|option| (option, false));
        let given = general.chain(special).filter_map(|(option, is_general)| {
            Some(GivenOption {
                name: option.get_long()?.to_owned(),
                values: given_values(option, matches)?,
                is_general,
            })
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of an option of the command line, as given; `None` if it is not given.
fn given_values(option: &Arg, matches: &ArgMatches) -> Option<Vec<Option<OsString>>> {
    let id = option.get_id().as_str();
    // Not every command has all options.
    let is_known = matches.try_contains_id(id).is_ok();
    if !is_known || matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if !option.get_action().takes_values() {
        return Some(vec![None]);
    }
    let occurrences = matches.get_raw_occurrences(id)?;
    let values = occurrences.map(|mut values| values.next().map(OsStr::to_owned));
    Some(values.collect())
}

impl Args for GivenDecodeOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        given: GivenDecodeOptions,
        #[command(flatten)]
        buffer: BufferArgs,
        #[command(flatten)]
        decode: DecodeArgs,
        #[command(flatten)]
        timing: TimingArgs,
        #[command(flatten)]
        text_logs: TextLogArgs,
    }

    fn parse(arguments: &[&str]) -> GivenDecodeOptions {
        let arguments = ["command"].iter().chain(arguments);
        Cli::try_parse_from(arguments).map(|cli| cli.given).unwrap()
    }

    #[test]
    fn options_pass_to_another_program() {
        assert_eq!(parse(&[]), GivenDecodeOptions::default());
        let given = [
            "--clock=25 MHz",
            "--netx=duo",
            "--symbols",
            "a.elf",
            "--symbols=--b=c.elf",
            "--buffer",
            "1",
            "--pipeline",
            "a -> b, c",
            "--text-log=x",
            "--text-log-offset",
            "-1s",
        ];
        let options = parse(&given);
        let arguments = options.arguments();
        for argument in [
            "--clock=25 MHz",
            "--symbols=a.elf",
            "--symbols=--b=c.elf",
            "--buffer=1",
            "--pipeline=a -> b, c",
            "--text-log-offset=-1s",
        ] {
            assert!(arguments.contains(&argument.into()), "{arguments:?}");
        }
        let again: Vec<_> = arguments.iter().map(|it| it.to_str().unwrap()).collect();
        assert_eq!(parse(&again), options);
        let general: Vec<OsString> = ["--clock=25 MHz", "--netx=duo"].map(Into::into).into();
        assert!(
            general
                .iter()
                .all(|it| options.general_arguments().contains(it))
        );
        assert_eq!(options.general_arguments().len(), 4);
    }

    #[test]
    fn each_option_survives() {
        for group in [
            BufferArgs::augment_args(Command::new("x")),
            DecodeArgs::augment_args(Command::new("x")),
            TimingArgs::augment_args(Command::new("x")),
            TextLogArgs::augment_args(Command::new("x")),
        ] {
            for option in group.get_arguments() {
                let values = option.get_num_args().unwrap_or_default();
                // `arguments` passes one value for each occurrence.
                assert!(values.max_values() <= 1, "{option:?}");
                assert!(option.get_value_delimiter().is_none(), "{option:?}");
                assert!(option.get_long().is_some(), "{option:?}");
            }
        }
    }
}
