//! The clock of a trace, and whether it measures time.
//!
//! [`Timescale`] converts its ticks into time.

use crate::timescale::{Frequency, NoTime, Timescale};
use crate::{Nanoseconds, Ticks};
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

/// Where the frequency of a clock is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockSource {
    /// The recording contains it.
    Recording,
    /// An option of the command line.
    CommandLine,
    /// The project's file.
    ProjectFile,
    /// The notes of the viewer.
    Notes,
    /// The page of the viewer.
    Page,
}

impl ClockSource {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::CommandLine => "command-line",
            Self::ProjectFile => "project-file",
            Self::Notes => "notes",
            Self::Page => "page",
        }
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
    /// events, as the default time source of some kernels does. Only the order
    /// of events is known.
    EventCounter,
    /// The clock measures only part of the time: it stands while the processor
    /// is idle, or wraps unseen. Durations without such times are right.
    Lossy,
    /// The ticks of the clock are not of equal length.
    Uneven,
    /// Fewer than two events: the quality cannot be determined.
    Unknown,
}

impl ClockQuality {
    /// All qualities.
    pub const ALL: [Self; 6] = [
        Self::Good,
        Self::Static,
        Self::EventCounter,
        Self::Lossy,
        Self::Uneven,
        Self::Unknown,
    ];

    /// The name, e.g. `event-counter`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Static => "static",
            Self::EventCounter => "event-counter",
            Self::Lossy => "lossy",
            Self::Uneven => "uneven",
            Self::Unknown => "unknown",
        }
    }

    /// The quality with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.name() == name)
    }

    /// Whether ticks measure time, so that durations are known: false if the clock
    /// is static or counts events.
    pub fn measures_time(self) -> bool {
        self.no_time().is_none()
    }

    /// Why ticks do not measure time, if they do not.
    pub fn no_time(self) -> Option<NoTime> {
        match self {
            Self::Static => Some(NoTime::StaticClock),
            Self::EventCounter => Some(NoTime::EventCounter),
            Self::Good | Self::Lossy | Self::Uneven | Self::Unknown => None,
        }
    }

    /// Why shares of time are not known, if they are not.
    pub fn no_shares(self) -> Option<NoTime> {
        match self {
            Self::Lossy => Some(NoTime::LossyClock),
            Self::Uneven => Some(NoTime::UnevenClock),
            _ => self.no_time(),
        }
    }

    /// Why ticks cannot be converted into nanoseconds, even with a frequency.
    pub fn no_nanoseconds(self) -> Option<NoTime> {
        match self {
            Self::Uneven => Some(NoTime::UnevenClock),
            _ => self.no_time(),
        }
    }

    /// Whether all ticks are time of equal length, so that shares of time are known.
    pub fn measures_shares(self) -> bool {
        self.no_shares().is_none()
    }
}

impl fmt::Display for ClockQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
    /// Number of wraps between two events of the trace.
    pub wraps: u64,
    /// Number of small steps against the direction, which were clamped.
    pub backward_steps: u64,
    nominal_frequency: Option<Frequency>,
}

impl Clock {
    /// Whether timestamps mean the same with `other`; the traces may differ in
    /// what their events show of the counter.
    pub(crate) fn counts_like(&self, other: &Self) -> bool {
        let without_events = |clock: &Self| Self {
            wraps: 0,
            backward_steps: 0,
            ..*clock
        };
        without_events(self) == without_events(other)
    }

    /// A clock of unknown quality and frequency that never wraps.
    pub fn new(mask: u64, direction: ClockDirection) -> Self {
        Self {
            mask,
            period: None,
            direction,
            quality: ClockQuality::Unknown,
            wraps: 0,
            backward_steps: 0,
            nominal_frequency: None,
        }
    }

    /// The same clock with a nominal frequency.
    #[must_use]
    pub fn with_frequency(self, nominal: Option<Frequency>) -> Self {
        Self {
            nominal_frequency: nominal,
            ..self
        }
    }

    /// Sets the nominal frequency.
    pub fn set_frequency(&mut self, nominal: Option<Frequency>) {
        self.nominal_frequency = nominal;
    }

    /// The frequency that the user or the recording specifies, whether or not
    /// the clock measures time.
    pub fn nominal_frequency(&self) -> Option<Frequency> {
        self.nominal_frequency
    }

    /// The frequency, if it is known and all ticks of the clock are of that length.
    pub fn frequency(&self) -> Option<Frequency> {
        let unknown = self.quality.no_nanoseconds();
        self.nominal_frequency.filter(|_| unknown.is_none())
    }

    /// Whether ticks measure time: see [`ClockQuality::measures_time`].
    pub fn measures_time(&self) -> bool {
        self.quality.measures_time()
    }

    /// The conversion of a trace's ticks into time; `origin` is the time of its
    /// first event since the first event of the recording.
    pub fn timescale(&self, origin: Ticks) -> Timescale {
        let unknown = self.quality.no_nanoseconds();
        let unknown = unknown.unwrap_or(NoTime::UnknownFrequency);
        Timescale::new(origin, self.frequency().ok_or(unknown))
    }

    /// The time after which the counter repeats, rounded down; `None` if the
    /// [frequency](Self::frequency) or the period is not known.
    pub fn period_time(&self) -> Option<Nanoseconds> {
        let period = Ticks(self.period?);
        self.timescale(Ticks::default()).duration(period)
    }

    /// Number of valid bits of a timestamp.
    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }
}
