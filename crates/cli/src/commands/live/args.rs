//! The arguments of `rtoscope live`.

use crate::commands::events::listing::ListingArgs;
use crate::target_commands::TargetCommandArgs;
#[cfg(feature = "viewer")]
use crate::viewer::ViewerArgs;
use clap::Args;
use rtoscope_capture::Address;
#[cfg(feature = "viewer")]
use rtoscope_command::input::GivenDecodeOptions;
use rtoscope_command::input::{DecodeArgs, InputFormat, parse_duration, parse_size};
use rtoscope_decode::Format;
use rtoscope_recording::RecorderOptions;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct LiveArgs {
    // Before the options that it inspects.
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    pub(super) given: GivenDecodeOptions,

    /// Source: tcp-listen://:5000, tcp://HOST:PORT, serial:///dev/ttyUSB0?baud=115200,
    /// gdb://HOST:PORT, file://PATH?follow=1, or - for standard input
    ///
    /// With tcp-listen://, the target connects; tcp:// also reads an RTT socket, gdb:// reads from OpenOCD, J-Link, pyOCD or QEMU.
    #[arg(value_name = "SOURCE")]
    pub(super) source: Address,

    /// Input format, if it is not detected
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,

    /// Accept connections from other machines, for a listening source
    #[arg(long, help_heading = "Input")]
    pub(super) public: bool,

    /// Only events that match an expression, such as 'kind ~ queue'
    #[arg(long, value_name = "EXPRESSION")]
    pub(super) filter: Option<String>,

    /// Stop after listing N events
    #[arg(long, value_name = "NUMBER")]
    pub(super) limit: Option<u64>,

    #[command(flatten)]
    pub(super) listing: ListingArgs,

    /// List no events; the default with --view
    #[arg(short, long, conflicts_with_all = ["filter", "limit"])]
    pub(super) quiet: bool,

    /// Stop after this time, such as 10s or 2min
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Capture")]
    pub(super) duration: Option<Duration>,

    /// Stop after the first event that matches an expression
    ///
    /// The recording of --save includes earlier events.
    #[arg(long, value_name = "EXPRESSION", help_heading = "Capture")]
    pub(super) until: Option<String>,

    /// Time to continue after the event of --until
    #[arg(
        long,
        value_name = "TIME",
        default_value = "2s",
        value_parser = parse_duration,
        requires = "until",
        help_heading = "Capture"
    )]
    pub(super) after: Duration,

    /// Save the received bytes in a folder that the other commands open
    #[arg(long, value_name = "FOLDER", help_heading = "Capture")]
    save: Option<PathBuf>,

    /// Start a new file at this size, such as 100MB
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_size,
        requires = "save",
        help_heading = "Capture"
    )]
    rotate_size: Option<u64>,

    /// Start a new file after this time, such as 10s
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        requires = "save",
        help_heading = "Capture"
    )]
    rotate_time: Option<Duration>,

    /// Keep only the last N files
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "save",
        help_heading = "Capture"
    )]
    keep: Option<u32>,

    /// Events that the viewer shows: the last N
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1000000",
        value_parser = clap::value_parser!(u32).range(1000..=100_000_000),
        help_heading = "Viewer"
    )]
    window: u32,

    /// Show the live trace in the browser
    #[cfg(feature = "viewer")]
    #[arg(long, help_heading = "Viewer", conflicts_with_all = ["filter", "limit"])]
    pub(super) view: bool,

    #[cfg(feature = "viewer")]
    #[command(flatten)]
    pub(super) viewer: ViewerArgs,

    #[command(flatten)]
    pub(super) target: TargetCommandArgs,

    #[command(flatten)]
    pub(super) decode: DecodeArgs,
}

impl LiveArgs {
    /// Checks the combination of arguments.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.keep.is_some() && self.rotate_size.is_none() && self.rotate_time.is_none() {
            anyhow::bail!(
                "--keep needs --rotate-size or --rotate-time: without them there is only one file"
            );
        }
        Ok(())
    }

    /// The input format, if the user set it.
    pub(super) fn format(&self) -> Option<Format> {
        self.input_format.map(Format::from)
    }

    /// Whether events are listed.
    pub(super) fn lists_events(&self) -> bool {
        #[cfg(feature = "viewer")]
        if self.view {
            return false;
        }
        !self.quiet
    }

    /// Maximum number of events in memory.
    pub(super) fn max_events(&self) -> u64 {
        self.window.into()
    }

    /// The settings of the recording, if there is one.
    pub(super) fn recording_settings(&self) -> Option<RecorderOptions> {
        Some(RecorderOptions {
            folder: self.save.clone()?,
            source: self.source.to_string(),
            segment_bytes: self.rotate_size,
            segment_time: self.rotate_time,
            max_segments: self.keep.map(|number| number as usize),
        })
    }
}
