//! The filter of a running target.

use anyhow::{bail, ensure};
use clap::Args;
use rtoscope_capture::Address;
use rtoscope_decode::{FORMATS, Format};

#[derive(Args)]
pub(crate) struct TargetFilterArgs {
    /// Set the filter of the target each time it connects, in this order: NAME=on sends
    /// records, NAME=off suppresses them; NAME is all, a group such as SM, an event such
    /// as SM.TRN, ao:PRIORITY or signal:NUMBER, with * for every one
    #[arg(
        long,
        value_name = "NAME=on|off,...",
        value_delimiter = ',',
        help_heading = "Target"
    )]
    target_filter: Vec<String>,
}

impl TargetFilterArgs {
    /// Whether nothing is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.target_filter.is_empty()
    }

    /// The commands for a target at an address; empty if nothing is set.
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
        ensure!(
            address.scheme().is_writable(),
            "--target-filter: nothing can be sent to {address}"
        );
        let candidates = FORMATS.into_iter();
        let candidates = candidates.filter(|it| format.is_none_or(|format| format == *it));
        for setting in &self.target_filter {
            let mut encoded = candidates
                .clone()
                .filter_map(|format| format.filter_command(setting));
            match encoded.next() {
                Some(Ok(bytes)) => commands.extend(bytes),
                Some(Err(error)) => bail!("--target-filter: {error}"),
                None => bail!(
                    "--target-filter: targets of this format take no commands: {}",
                    format.map_or("", Format::name)
                ),
            }
        }
        Ok(commands)
    }
}
