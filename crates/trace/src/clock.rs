//! The clock of a trace.

use crate::{Frequency, Nanoseconds, Ticks};
use std::fmt;

/// The direction of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockDirection {
    /// Timestamps increase.
    Up,
    /// Timestamps decrease (SysTick and other reload timers).
    Down,
}

impl fmt::Display for ClockDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Down => "down",
        })
    }
}

/// The quality of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockQuality {
    /// The clock measures time.
    Good,
    /// All timestamps are equal: the clock was never started. Only the order of
    /// events is known.
    Static,
    /// Consecutive events are the same number of ticks apart: the clock counts
    /// events, as the default time source of ThreadX does. Only the order of
    /// events is known.
    EventCounter,
    /// Fewer than two events: the quality cannot be determined.
    Unknown,
}

impl fmt::Display for ClockQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Good => "good",
            Self::Static => "static",
            Self::EventCounter => "event-counter",
            Self::Unknown => "unknown",
        })
    }
}

/// The time source of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The valid bits of a timestamp.
    pub mask: u64,
    /// Ticks after which the counter repeats; longer pauses between two events
    /// cannot be detected. `None` for 2^64.
    pub period: Option<u64>,
    /// The direction of the counter.
    pub direction: ClockDirection,
    /// The quality of the clock.
    pub quality: ClockQuality,
    /// The frequency, if the user or the file specifies it.
    pub frequency: Option<Frequency>,
    /// Number of wraps between two events of the trace.
    pub wraps: u64,
    /// Number of small steps against the direction, which were clamped.
    pub backward_steps: u64,
}

impl Clock {
    /// Whether ticks measure time, so that durations and shares of time are
    /// known: false if the clock is static or counts events.
    pub fn measures_time(&self) -> bool {
        matches!(self.quality, ClockQuality::Good | ClockQuality::Unknown)
    }

    /// The frequency, if it is known and the clock [measures
    /// time](Self::measures_time).
    pub fn timebase(&self) -> Option<Frequency> {
        self.frequency.filter(|_| self.measures_time())
    }

    /// Converts ticks to time, if the clock measures time and its frequency is
    /// known.
    pub fn time(&self, ticks: Ticks) -> Option<Nanoseconds> {
        self.timebase().map(|frequency| frequency.to_time(ticks))
    }

    /// Number of valid bits of a timestamp.
    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }
}
