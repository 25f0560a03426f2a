//! Commands for a running target.

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use rtoscope_capture::Address;
use rtoscope_decode::{FORMATS, Format, TargetCommand};

#[derive(Args)]
pub(crate) struct TargetCommandArgs {
    /// Set the filter of the target each time it connects, in this order: NAME=on sends
    /// records, NAME=off suppresses them. For RKH, NAME is all, a group such as SM, an
    /// event such as SM.TRN, ao:PRIORITY or signal:NUMBER, with * for every one; for a
    /// compact stream all, interrupts, readiness, markers or marker:NUMBER
    #[arg(
        long,
        value_name = "NAME=on|off,...",
        value_delimiter = ',',
        help_heading = "Target"
    )]
    target_filter: Vec<String>,

    /// Send commands to the target each time it connects, after the filter: start or stop
    /// the recording, or send all names again
    #[arg(
        long,
        value_name = "COMMAND,...",
        value_delimiter = ',',
        help_heading = "Target"
    )]
    target_command: Vec<CommandName>,
}

/// The name of a command.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum CommandName {
    Start,
    Stop,
    Names,
}

impl TargetCommandArgs {
    /// Whether nothing is to be sent.
    pub(crate) fn is_empty(&self) -> bool {
        self.target_filter.is_empty() && self.target_command.is_empty()
    }

    /// The commands for a target at an address; empty if nothing is to be sent. If the
    /// format is not known, each setting goes to the targets of all formats that have it.
    ///
    /// # Errors
    ///
    /// If a setting is wrong, or nothing can be sent there.
    pub(crate) fn commands(
        &self,
        address: &Address,
        format: Option<Format>,
    ) -> anyhow::Result<Vec<u8>> {
        let mut commands = Vec::new();
        if self.is_empty() {
            return Ok(commands);
        }
        let option = match self.target_filter.is_empty() {
            true => "--target-command",
            false => "--target-filter",
        };
        ensure!(
            address.scheme().is_writable(),
            "{option}: nothing can be sent to {address}"
        );
        let candidates = FORMATS.into_iter();
        let candidates = candidates.filter(|it| format.is_none_or(|format| format == *it));
        let none = format.map_or("", Format::name);
        for setting in &self.target_filter {
            let encoded = candidates
                .clone()
                .filter_map(|format| format.filter_command(setting));
            let (taken, refused): (Vec<_>, Vec<_>) = encoded.partition(Result::is_ok);
            match (taken.is_empty(), refused.into_iter().find_map(Result::err)) {
                (false, _) => commands.extend(taken.into_iter().flatten().flatten()),
                (true, Some(error)) => bail!("--target-filter: {error}"),
                (true, None) => {
                    bail!("--target-filter: targets of this format take no commands: {none}")
                }
            }
        }
        for name in &self.target_command {
            let command = match name {
                CommandName::Start => TargetCommand::Start,
                CommandName::Stop => TargetCommand::Stop,
                CommandName::Names => TargetCommand::Names,
            };
            let mut encoded = candidates
                .clone()
                .filter_map(|format| format.target_command(command))
                .peekable();
            ensure!(
                encoded.peek().is_some(),
                "--target-command: targets of this format do not take it: {none}"
            );
            commands.extend(encoded.flatten());
        }
        Ok(commands)
    }
}
