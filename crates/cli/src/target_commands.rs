//! Commands for a running target.

use anyhow::{Context as _, ensure};
use clap::Args;
use rtoscope_capture::Address;
use rtoscope_decode::{Format, TargetCommand, encode_commands};

#[derive(Args)]
pub(crate) struct TargetCommandArgs {
    /// Filter of the target, such as all=off,SM=on
    ///
    /// It is set each time the target connects, in this order: NAME=on sends records, NAME=off suppresses them; NAME is all, a group such
    /// as SM, an event such as SM.TRN, ao:PRIORITY or signal:NUMBER, with * for every one, or for a
    /// compact stream interrupts, readiness, markers, marker:NUMBER or isr:NUMBER.
    #[arg(
        long,
        value_name = "FILTER",
        value_delimiter = ',',
        help_heading = "Target"
    )]
    target_filter: Vec<String>,

    /// Commands to the target: start, stop, names, snapshot
    ///
    /// They are sent each time it connects, after the filter: start or stop the recording, names to send all names again, or
    /// snapshot to send what a flight recorder has recorded.
    #[arg(
        long,
        value_name = "COMMANDS",
        value_delimiter = ',',
        value_parser = parse_command,
        help_heading = "Target"
    )]
    target_command: Vec<TargetCommand>,
}

fn parse_command(name: &str) -> Result<TargetCommand, String> {
    TargetCommand::from_name(name).ok_or_else(|| {
        format!(
            "expected {}",
            TargetCommand::ALL.map(TargetCommand::name).join(", ")
        )
    })
}

impl TargetCommandArgs {
    /// Whether nothing is to be sent.
    pub(crate) fn is_empty(&self) -> bool {
        self.target_filter.is_empty() && self.target_command.is_empty()
    }

    /// The commands for a target at an address; without options what its format needs to start,
    /// or nothing.
    ///
    /// # Errors
    ///
    /// If a setting is wrong, or nothing can be sent there.
    pub(crate) fn commands(
        &self,
        address: &Address,
        format: Option<Format>,
    ) -> anyhow::Result<Vec<u8>> {
        if self.is_empty() {
            let format = format.filter(|_| address.scheme().is_writable());
            return Ok(format.map_or(&[][..], Format::greeting).to_vec());
        }
        let option = match self.target_filter.is_empty() {
            true => "--target-command",
            false => "--target-filter",
        };
        ensure!(
            address.scheme().is_writable(),
            "{option}: nothing can be sent to {address}"
        );
        encode_commands(&self.target_filter, &self.target_command, format)
            .with_context(|| option.to_owned())
    }
}
