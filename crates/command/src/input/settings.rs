//! Settings of formats: `-O KEY=VALUE`, for what few recordings need.

use super::clock_settings::ClockSettings;
use super::log_settings::{self, LogSettings};
use super::mapping_settings::MappingSettings;
use super::rkh_settings::RkhSettings;
use super::text_log::{self, TextLogSettings};
use super::threadx_settings::ThreadXSettings;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Args, Command, CommandFactory as _, FromArgMatches, Parser};
use rtoscope_decode::{DecodeOptions, Format, cswitch};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Settings of formats.
#[derive(Clone)]
pub struct FormatSettings {
    pub(super) list: SettingList,
    /// The keys that the user set.
    pub(super) keys: Vec<String>,
}

/// All settings: each is a long option of a command line of its own.
#[derive(Clone, Parser)]
#[command(
    no_binary_name = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub(super) struct SettingList {
    #[command(flatten)]
    pub(super) clock: ClockSettings,

    #[command(flatten)]
    pub(super) threadx: ThreadXSettings,

    #[command(flatten)]
    pub(super) mapping: MappingSettings,

    #[command(flatten)]
    pub(super) rkh: RkhSettings,

    #[command(flatten)]
    pub(super) log: LogSettings,

    #[command(flatten)]
    pub(super) text_log: TextLogSettings,
}

/// The long name of the option of a command that sets them.
pub(crate) const OPTION: &str = "setting";

/// That option.
#[derive(Args)]
struct SettingArg {
    /// Setting of the format; `rtoscope settings` lists all; repeatable
    #[arg(
        short = 'O',
        long = OPTION,
        value_name = "KEY=VALUE",
        help_heading = "Input"
    )]
    settings: Vec<OsString>,
}

impl FormatSettings {
    /// Parses settings such as `log-base=0x20000000`, or `guess` for `guess=true`.
    ///
    /// # Errors
    ///
    /// A message if a key is unknown or a value is invalid.
    fn parse(settings: &[OsString]) -> Result<Self, String> {
        let argument = |setting: &OsString| {
            let mut argument = OsString::from("--");
            argument.push(setting);
            if !setting.as_encoded_bytes().contains(&b'=') {
                argument.push("=true");
            }
            argument
        };
        let list = SettingList::try_parse_from(settings.iter().map(argument));
        Ok(Self {
            list: list.map_err(|error| message(&error))?,
            keys: settings.iter().map(|setting| key_of(setting)).collect(),
        })
    }

    /// The decoding options that list the events of a format.
    ///
    /// # Errors
    ///
    /// If a file with definitions of events cannot be read or is invalid.
    pub fn catalogue_options(&self) -> anyhow::Result<DecodeOptions> {
        self.list.threadx.catalogue_options()
    }

    /// The files that these settings name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let custom = self.list.threadx.files();
        let mapping = self.list.mapping.files();
        custom.chain(mapping).chain(self.list.rkh.config_file())
    }
}

/// The key of a setting.
pub(crate) fn key_of(setting: &OsStr) -> String {
    let text = setting.to_string_lossy();
    text.split_once('=')
        .map_or(&*text, |(key, _)| key)
        .to_owned()
}

/// The setting with this key.
fn find<T>(key: &str, of: impl FnOnce(&Arg) -> T) -> Option<T> {
    let command = SettingList::command();
    let mut settings = command.get_arguments();
    let found = settings.find(|setting| setting.get_long() == Some(key))?;
    Some(of(found))
}

/// The option with which a command reads a file that helps to decode a recording, by the ending
/// of its name: a setting of a format, or symbols.
pub fn option_of_file(name: &str) -> String {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "toml" | "trxc" => format!("--{OPTION}=custom-events={name}"),
        "h" | "cfg" => format!("--{OPTION}=rkh-config={name}"),
        _ => format!("--symbols={name}"),
    }
}

/// Whether a setting names a file.
pub(crate) fn is_path(key: &str) -> bool {
    find(key, crate::config_file::is_path).unwrap_or(false)
}

/// Whether a setting is for one recording, not for others that the user opens later.
pub(super) fn is_of_one_recording(key: &str) -> bool {
    is_below(key, &[log_settings::HELP_HEADING, text_log::HELP_HEADING])
}

/// The format of every input with this setting.
pub(crate) fn implied_format(key: &str) -> Option<Format> {
    is_below(key, &[log_settings::HELP_HEADING]).then_some(cswitch::FORMAT)
}

/// Whether a setting is not one of a recording's format.
pub(super) fn is_of_text_log(key: &str) -> bool {
    is_below(key, &[text_log::HELP_HEADING])
}

fn is_below(key: &str, headings: &[&str]) -> bool {
    let heading = |setting: &Arg| setting.get_help_heading().map(str::to_owned);
    let heading = find(key, heading).flatten();
    heading.is_some_and(|heading| headings.contains(&&*heading))
}

/// All settings with their explanations.
#[cfg(not(target_family = "wasm"))]
pub fn list_settings() -> String {
    let mut command = SettingList::command().help_template("{all-args}");
    let text = command.render_help().to_string();
    let lines = text.lines().map(|line| {
        match line.trim_start().strip_prefix("--") {
            Some(option) => format!("  {}\n", option.replacen(' ', "=", 1)),
            // Its column is where the option's text is now.
            None => format!("{}\n", line.strip_prefix("      ").unwrap_or(line)),
        }
    });
    lines.collect()
}

/// The first line of an error, about settings in place of options.
fn message(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-').to_owned()),
        _ => None,
    };
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(key) = context(ContextKind::InvalidArg)
    {
        let hint = match context(ContextKind::SuggestedArg) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "`rtoscope settings` lists them".to_owned(),
        };
        return format!("there is no setting `{}`; {hint}", key_of(OsStr::new(&key)));
    }
    let text = error.render().to_string();
    let text = text.split("\n\n").next().unwrap_or_default();
    text.trim_start_matches("error: ").replace("--", "-O ")
}

impl FromArgMatches for FormatSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let SettingArg { settings } = SettingArg::from_arg_matches(matches)?;
        let parsed = Self::parse(&settings);
        parsed.map_err(|message| clap::Error::raw(ErrorKind::ValueValidation, message))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for FormatSettings {
    fn augment_args(command: Command) -> Command {
        SettingArg::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingArg::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(settings: &[&str]) -> Result<Vec<String>, String> {
        let settings: Vec<_> = settings.iter().map(OsString::from).collect();
        FormatSettings::parse(&settings).map(|parsed| parsed.keys)
    }

    #[test]
    fn settings_are_checked() {
        let good = ["guess", "log-base=0x20000000", "text-log-offset=-1s"];
        assert_eq!(
            parse(&good).unwrap(),
            ["guess", "log-base", "text-log-offset"]
        );
        for (bad, message) in [
            (
                "log-bas=1",
                "there is no setting `log-bas`; did you mean `log-base`?",
            ),
            (
                "x=1",
                "there is no setting `x`; `rtoscope settings` lists them",
            ),
            (
                "log-pointer-size=5",
                "invalid value '5' for '-O log-pointer-size <BYTES>'",
            ),
        ] {
            let found = parse(&[bad]).unwrap_err();
            assert!(found.starts_with(message), "{found}");
        }
        assert!(parse(&["guess", "rkh-version=2.3"]).is_err());
    }

    #[test]
    fn settings_of_one_recording_are_known() {
        assert!(is_of_one_recording("log-base") && is_of_one_recording("text-log-format"));
        assert!(!is_of_one_recording("clock-mask") && !is_of_one_recording("unknown"));
        assert!(
            is_path("rkh-config")
                && is_path("custom-events")
                && is_path("mapping")
                && !is_path("guess")
        );
    }
}
