//! The settings of clocks, other than their frequency.

use super::quantity::{parse_number, parse_period};
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockDirection;

/// The settings of clocks.
#[derive(Clone, Args)]
pub(super) struct ClockSettings {
    /// Counting direction of the clock; overrides detection
    #[arg(long, value_name = "WAY", help_heading = "Clock")]
    clock_direction: Option<ClockDirectionArg>,

    /// Significant bits of a timestamp; overrides the header
    #[arg(long, value_name = "MASK", value_parser = parse_number, help_heading = "Clock")]
    clock_mask: Option<u64>,

    /// Ticks after which the clock restarts, if that is before its mask is full:
    /// SysTick's reload value + 1, 1000000000 for nanoseconds of a second
    #[arg(long, value_name = "TICKS", value_parser = parse_period, help_heading = "Clock")]
    clock_period: Option<u64>,

    /// Whether --clock replaces a frequency that the recording contains
    #[arg(long, value_name = "YES", help_heading = "Clock")]
    clock_override: Option<bool>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockDirectionArg {
    Up,
    Down,
}

impl ClockSettings {
    /// The options with these settings.
    pub(super) fn options(&self, frequency: Option<Frequency>) -> ClockOptions {
        ClockOptions {
            direction: self.clock_direction.map(|way| match way {
                ClockDirectionArg::Up => ClockDirection::Up,
                ClockDirectionArg::Down => ClockDirection::Down,
            }),
            mask: self.clock_mask,
            period: self.clock_period,
            frequency,
            overrides_frequency: self.overrides_frequency(),
        }
    }

    /// Whether the user's frequency replaces that of the recording.
    pub(super) fn overrides_frequency(&self) -> bool {
        self.clock_override.unwrap_or(false)
    }
}
