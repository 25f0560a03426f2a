//! What the user wants of a capture.

use crate::commands::events::listing::ListingArgs;
#[cfg(feature = "viewer")]
use crate::viewer::ViewerArgs;
use clap::Args;
use rtoscope_capture::Address;
use rtoscope_capture::recording::RecorderOptions;
use rtoscope_command::input::{DecodeArgs, InputFormat, parse_duration, parse_size};
use rtoscope_decode::Format;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct LiveArgs {
    /// Where the trace comes from: tcp-listen://:5000 (the target connects),
    /// tcp://HOST:PORT (also an RTT socket), serial:///dev/ttyUSB0?baud=115200,
    /// gdb://HOST:PORT (OpenOCD, J-Link, pyOCD, QEMU), file://PATH?follow=1, or
    /// - for standard input
    #[arg(value_name = "SOURCE")]
    pub(super) source: Address,

    /// What comes, instead of what its bytes speak for
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,

    /// Let other machines connect to a source that listens
    #[arg(long, help_heading = "Input")]
    pub(super) public: bool,

    /// Only events that an expression matches, such as 'context == sensor and
    /// kind ~ queue'
    #[arg(long, value_name = "EXPRESSION")]
    pub(super) filter: Option<String>,

    /// End after so many events were listed
    #[arg(long, value_name = "NUMBER")]
    pub(super) limit: Option<u64>,

    #[command(flatten)]
    pub(super) listing: ListingArgs,

    /// List no events; the default with --view
    #[arg(short, long, conflicts_with_all = ["filter", "limit"])]
    pub(super) quiet: bool,

    /// End after this time, such as 10s or 2min
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "End")]
    pub(super) duration: Option<Duration>,

    /// End some time after the first event that an expression matches, see
    /// --after; what came before it is in the recording of --save
    #[arg(long, value_name = "EXPRESSION", help_heading = "End")]
    pub(super) until: Option<String>,

    /// How long to go on after the event of --until
    #[arg(
        long,
        value_name = "TIME",
        default_value = "2s",
        value_parser = parse_duration,
        requires = "until",
        help_heading = "End"
    )]
    pub(super) after: Duration,

    /// Save what comes in a folder, as it comes; the other commands open it
    #[arg(long, value_name = "FOLDER", help_heading = "Recording")]
    save: Option<PathBuf>,

    /// Begin another file when one has so many bytes, such as 100MB
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_size,
        requires = "save",
        help_heading = "Recording"
    )]
    rotate_size: Option<u64>,

    /// Begin another file after this time, such as 10s
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        requires = "save",
        help_heading = "Recording"
    )]
    rotate_time: Option<Duration>,

    /// Keep only the last files, so many of them
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "save",
        help_heading = "Recording"
    )]
    keep: Option<u32>,

    /// Events that the viewer shows at once: the last ones
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1000000",
        value_parser = clap::value_parser!(u32).range(1000..=100_000_000),
        help_heading = "Viewer"
    )]
    window: u32,

    /// Show the trace in the browser as it comes
    #[cfg(feature = "viewer")]
    #[arg(long, help_heading = "Viewer", conflicts_with_all = ["filter", "limit"])]
    pub(super) view: bool,

    #[cfg(feature = "viewer")]
    #[command(flatten)]
    pub(super) viewer: ViewerArgs,

    #[command(flatten)]
    pub(super) decode: DecodeArgs,
}

impl LiveArgs {
    /// Whether what is wanted can be.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.keep.is_some() && self.rotate_size.is_none() && self.rotate_time.is_none() {
            anyhow::bail!(
                "--keep needs --rotate-size or --rotate-time: with neither there is one file"
            );
        }
        Ok(())
    }

    /// The format that the user says.
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

    /// Events that are kept in memory.
    pub(super) fn max_events(&self) -> u64 {
        self.window.into()
    }

    /// Where to record, if that is wanted.
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
