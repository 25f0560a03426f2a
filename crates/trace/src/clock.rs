//! The time source of a trace, and stamps made into a time that only rises.

use crate::{Frequency, Nanoseconds, Ticks};
use std::fmt;

/// Which way a counter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockDirection {
    /// Stamps rise.
    Up,
    /// Stamps fall (SysTick and other reload timers).
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

/// What the times of a trace are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockQuality {
    /// A running clock.
    Good,
    /// All stamps are equal: the clock was never started. Only the order is known.
    Static,
    /// Every event is the same number of ticks after the previous one: the clock
    /// counts events, as the default time source of ThreadX does. Only the order
    /// is known.
    EventCounter,
    /// Fewer than two events: nothing can be said.
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
    /// The bits of a stamp that count.
    pub mask: u64,
    /// Ticks after which the counter shows the same value again; two events
    /// further apart cannot be told from closer ones. `None` for 2^64.
    pub period: Option<u64>,
    /// Which way the counter runs.
    pub direction: ClockDirection,
    /// What the times are worth.
    pub quality: ClockQuality,
    /// How often it ticks, if the user or the file says so.
    pub frequency: Option<Frequency>,
    /// How often the counter wrapped between two events of the trace.
    pub wraps: u64,
    /// Small steps against the direction, which were clamped.
    pub backward_steps: u64,
}

impl Clock {
    /// Whether ticks measure time, so that durations and shares of time can be
    /// known: not if the clock stands still or counts events.
    pub fn measures_time(&self) -> bool {
        matches!(self.quality, ClockQuality::Good | ClockQuality::Unknown)
    }

    /// How often it ticks, if that is known and it [measures
    /// time](Self::measures_time).
    pub fn timebase(&self) -> Option<Frequency> {
        self.frequency.filter(|_| self.measures_time())
    }

    /// Ticks as time, if the clock measures time and its frequency is known.
    pub fn time(&self, ticks: Ticks) -> Option<Nanoseconds> {
        self.timebase().map(|frequency| frequency.to_time(ticks))
    }

    /// How many bits of a stamp count.
    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }
}
