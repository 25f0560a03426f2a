//! The decoding options as they are on the command line.

use super::decode::CLOCK;
use super::settings;
use super::{BufferArgs, DecodeArgs, TextLogArgs, TimingArgs};
use crate::config_file::ConfigArgs;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;

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
    value: Option<OsString>,
    /// Whether it applies to any recording, whatever its file.
    is_general: bool,
}

impl GivenDecodeOptions {
    /// The names, with `--` or `-O`, in no particular order.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(GivenOption::name).collect()
    }

    /// The options, for a program with the same options.
    pub fn arguments(&self) -> Vec<OsString> {
        self.0.iter().map(GivenOption::argument).collect()
    }

    /// The options without a clock of the command line, which is that of its recordings.
    #[must_use]
    pub fn for_other_recordings(&self) -> Self {
        let is_clock = |it: &&GivenOption| it.name == CLOCK && !crate::is_from_config(CLOCK);
        Self(self.0.iter().filter(|it| !is_clock(it)).cloned().collect())
    }

    /// Those of the options that apply to any recording: not the choice of a buffer, the
    /// input format, declarations, and the settings of one log.
    pub fn general_arguments(&self) -> Vec<OsString> {
        let general = self.0.iter().filter(|option| option.is_general);
        general.map(GivenOption::argument).collect()
    }
}

impl GivenOption {
    fn name(&self) -> String {
        match &self.value {
            Some(setting) if self.name == settings::OPTION => {
                format!("-O {}", settings::key_of(setting))
            }
            _ => format!("--{}", self.name),
        }
    }

    fn argument(&self) -> OsString {
        let mut argument = OsString::from("--");
        argument.push(&self.name);
        if let Some(value) = &self.value {
            argument.push("=");
            argument.push(value);
        }
        argument
    }
}

impl FromArgMatches for GivenDecodeOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let general = DecodeArgs::augment_args(Command::new("decoding"));
        let special = BufferArgs::augment_args(Command::new("recording"));
        let special = TimingArgs::augment_args(special);
        let special = TextLogArgs::augment_args(ConfigArgs::augment_args(special));
        let is_special = |option: &Arg| {
            special
                .get_arguments()
                .any(|it| it.get_id() == option.get_id())
        };
        let general = general.get_arguments().filter(|option| !is_special(option));
        let general = general.map(|option| (option, true));
        let all = general.chain(special.get_arguments().map(|option| (option, false)));
        let given = all.flat_map(|(option, is_general)| {
            let values = given_values(option, matches);
            values.into_iter().filter_map(move |value| {
                let name = option.get_long()?.to_owned();
                let is_of_one = name == settings::OPTION
                    && value.as_deref().is_some_and(|setting| {
                        settings::is_of_one_recording(&settings::key_of(setting))
                    });
                Some(GivenOption {
                    name,
                    is_general: is_general && !is_of_one,
                    value,
                })
            })
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of an option of the command line, as given.
fn given_values(option: &Arg, matches: &ArgMatches) -> Vec<Option<OsString>> {
    let id = option.get_id().as_str();
    // Not every command has all options.
    let is_known = matches.try_contains_id(id).is_ok();
    if !is_known || matches.value_source(id) != Some(ValueSource::CommandLine) {
        return Vec::new();
    }
    if !option.get_action().takes_values() {
        return vec![None];
    }
    let values = matches.get_raw(id).into_iter().flatten();
    values.map(|value| Some(value.to_owned())).collect()
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
            "-Onetx=duo",
            "-O",
            "log-base=1",
            "--symbols",
            "a.elf",
            "--symbols=--b=c.elf",
            "--buffer",
            "1",
            "--pipeline",
            "a -> b, c",
            "--text-log=x",
            "-Otext-log-offset=-1s",
        ];
        let options = parse(&given);
        let arguments = options.arguments();
        for argument in [
            "--clock=25 MHz",
            "--symbols=a.elf",
            "--symbols=--b=c.elf",
            "--buffer=1",
            "--pipeline=a -> b, c",
            "--setting=text-log-offset=-1s",
        ] {
            assert!(arguments.contains(&argument.into()), "{arguments:?}");
        }
        let again: Vec<_> = arguments.iter().map(|it| it.to_str().unwrap()).collect();
        assert_eq!(parse(&again), options);
        let general: Vec<OsString> = ["--clock=25 MHz", "--setting=netx=duo"]
            .map(Into::into)
            .into();
        assert!(
            general
                .iter()
                .all(|it| options.general_arguments().contains(it))
        );
        assert_eq!(options.general_arguments().len(), 4);
        let others = options.for_other_recordings().arguments();
        assert_eq!(others.len(), arguments.len() - 1);
        assert!(!others.contains(&"--clock=25 MHz".into()));
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
