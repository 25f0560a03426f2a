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
}

impl TargetCommand {
    /// All commands.
    pub const ALL: [Self; 3] = [Self::Start, Self::Stop, Self::Names];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Names => "names",
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
/// format. If the format is unknown, each goes to the targets of all formats that have it.
///
/// # Errors
///
/// If a setting is wrong, or targets of the format take no commands.
pub fn encode_commands(
    settings: &[String],
    commands: &[TargetCommand],
    format: Option<Format>,
) -> Result<Vec<u8>, TargetCommandError> {
    let formats = FORMATS.into_iter();
    let formats = formats.filter(|it| format.is_none_or(|format| format == *it));
    let name = format.map_or("", Format::name);
    let mut bytes = Vec::new();
    for setting in settings {
        let encoded = formats
            .clone()
            .filter_map(|format| format.filter_command(setting));
        let (taken, refused): (Vec<_>, Vec<_>) = encoded.partition(Result::is_ok);
        if taken.is_empty() {
            let error = refused.into_iter().find_map(Result::err);
            return Err(error.map_or(TargetCommandError::NoFilter(name), Into::into));
        }
        bytes.extend(taken.into_iter().flatten().flatten());
    }
    for command in commands {
        let encoded = formats
            .clone()
            .map(|format| format.target_command(*command));
        let encoded: Vec<_> = encoded.flatten().collect();
        if encoded.is_empty() {
            return Err(TargetCommandError::NoCommand {
                command: command.name(),
                format: name,
            });
        }
        bytes.extend(encoded.into_iter().flatten());
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
    fn each_setting_goes_to_the_formats_that_have_it() {
        let all = encode(&["all=off"], &[], None).unwrap();
        let [rkh, cswitch] =
            [rkh::FORMAT, cswitch::FORMAT].map(|it| encode(&["all=off"], &[], Some(it)).unwrap());
        assert_eq!(all.len(), rkh.len() + cswitch.len());
        let markers = encode(&["markers=off"], &[], None);
        assert_eq!(
            markers,
            encode(&["markers=off"], &[], Some(cswitch::FORMAT))
        );
        let stop = encode(&["SM=off"], &[TargetCommand::Stop], None).unwrap();
        assert!(stop.ends_with(&cswitch::FORMAT.target_command(TargetCommand::Stop).unwrap()));
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
