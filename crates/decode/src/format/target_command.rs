//! Commands for running targets, for the formats whose targets take them.

use super::{FORMATS, FilterSettingError, Format};

/// A command for a running target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetCommand {
    /// Continue the recording.
    Start,
    /// Pause the recording.
    Stop,
    /// Send all names again.
    Names,
    /// Send everything that a flight recorder has recorded.
    Snapshot,
}

impl TargetCommand {
    /// All commands.
    pub const ALL: [Self; 4] = [Self::Start, Self::Stop, Self::Names, Self::Snapshot];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Names => "names",
            Self::Snapshot => "snapshot",
        }
    }

    /// The command with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// Why commands cannot be encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetCommandError {
    /// A setting of the filter is wrong.
    #[error(transparent)]
    Setting(#[from] FilterSettingError),
    /// Targets of the format with this name have no filter that the host can set.
    #[error("targets of this format take no commands: {0}")]
    NoFilter(&'static str),
    /// Targets of the format do not take the command.
    #[error("targets of this format do not take `{command}`: {format}")]
    NoCommand {
        /// The name of the command.
        command: &'static str,
        /// The name of the format.
        format: &'static str,
    },
}

/// Encodes settings of the filter, such as `SM=on`, and then commands, for a target of a
/// format. If the format is unknown, they are for the first one that takes all of them.
///
/// # Errors
///
/// If a setting is wrong, or targets of the format take no commands.
pub fn encode_commands(
    settings: &[String],
    commands: &[TargetCommand],
    format: Option<Format>,
) -> Result<Vec<u8>, TargetCommandError> {
    if let Some(format) = format {
        return encode_for(settings, commands, format);
    }
    let mut error = None;
    for format in FORMATS {
        match encode_for(settings, commands, format) {
            // A setting that no format has is explained by a format with a filter.
            Err(problem @ TargetCommandError::Setting(_)) => {
                error.get_or_insert(problem);
            }
            Err(TargetCommandError::NoFilter(_) | TargetCommandError::NoCommand { .. }) => {}
            encoded => return encoded,
        }
    }
    Err(error.unwrap_or(TargetCommandError::NoFilter("")))
}

fn encode_for(
    settings: &[String],
    commands: &[TargetCommand],
    format: Format,
) -> Result<Vec<u8>, TargetCommandError> {
    let mut bytes = Vec::new();
    for setting in settings {
        let encoded = format.filter_command(setting);
        bytes.extend(encoded.ok_or(TargetCommandError::NoFilter(format.name()))??);
    }
    for command in commands {
        let encoded = format.target_command(*command);
        bytes.extend(encoded.ok_or(TargetCommandError::NoCommand {
            command: command.name(),
            format: format.name(),
        })?);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cswitch, rkh, threadx};

    fn encode(
        settings: &[&str],
        commands: &[TargetCommand],
        format: Option<Format>,
    ) -> Result<Vec<u8>, TargetCommandError> {
        let settings: Vec<_> = settings.iter().map(|it| (*it).to_owned()).collect();
        encode_commands(&settings, commands, format)
    }

    #[test]
    fn commands_go_to_the_first_format_that_takes_them() {
        let rkh = encode(&["all=off"], &[], Some(rkh::FORMAT));
        assert_eq!(encode(&["all=off"], &[], None), rkh);
        let cswitch = Some(cswitch::FORMAT);
        let settings = ["all=off", "markers=on"];
        assert_eq!(
            encode(&settings, &[], None),
            encode(&settings, &[], cswitch)
        );
        let stop = [TargetCommand::Stop];
        assert_eq!(
            encode(&["all=off"], &stop, None),
            encode(&["all=off"], &stop, cswitch)
        );
        assert!(encode(&["SM=off"], &stop, None).is_err());
    }

    #[test]
    fn unknown_settings_and_unsupported_formats_are_errors() {
        let error = encode(&["SM.TRX=on"], &[], None).unwrap_err().to_string();
        assert!(error.contains("did you mean SM.TRN?"), "{error}");
        let threadx = Some(threadx::FORMAT);
        let error = encode(&["SM=on"], &[], threadx).unwrap_err().to_string();
        assert_eq!(error, "targets of this format take no commands: threadx");
        let start = encode(&[], &[TargetCommand::Start], Some(rkh::FORMAT));
        let error = start.unwrap_err().to_string();
        assert_eq!(error, "targets of this format do not take `start`: rkh");
    }
}
