//! Why a recording has no place on the axis.

use super::MatchCounts;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Frequency, NoTime};
use std::fmt;

/// Why a recording has no place on the axis of the first one.
#[derive(Debug, Clone, PartialEq)]
pub enum AlignmentError {
    /// Times of this recording are not known.
    NoTime(&'static str, Option<NoTime>),
    /// A recording has no event.
    NoEvents,
    /// A counter counts up, the other one down.
    OtherDirection,
    /// The clocks have different frequencies: the first recording's, and the other one's.
    OtherFrequency(Frequency, Frequency),
    /// The counters wrap at values that do not fit.
    OtherPeriod,
    /// Wherever the counter is placed, the recordings do not overlap.
    NoOverlap,
    /// The recordings overlap at several of the possible places.
    CounterWraps {
        /// The number of these places.
        places: u64,
    },
    /// The times at which bytes arrived are not known.
    NoArrival,
    /// A rule does not fit a recording.
    Rule(String),
    /// No two events have the same number.
    NoPairs(Vec<MatchCounts>),
    /// No increasing affine map places all causes before their effects.
    Contradiction {
        /// The events of the first and of the other recording, in pairs.
        events: Vec<(EventIndex, EventIndex)>,
        /// Whether a maximum drift was given.
        is_limited: bool,
    },
    /// The drift in parts per million is not that of a clock with this frequency.
    Drift(f64),
    /// Times are too large.
    LongTime,
}

impl AlignmentError {
    /// The kind in output.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NoTime(..) => "no-time",
            Self::NoEvents => "no-events",
            Self::OtherDirection => "other-direction",
            Self::OtherFrequency(..) => "other-frequency",
            Self::OtherPeriod => "other-period",
            Self::NoOverlap => "no-overlap",
            Self::CounterWraps { .. } => "counter-wraps",
            Self::NoArrival => "no-arrival",
            Self::Rule(_) => "rule",
            Self::NoPairs(_) => "no-pairs",
            Self::Contradiction { .. } => "contradiction",
            Self::Drift(_) => "drift",
            Self::LongTime => "long-time",
        }
    }
}

impl fmt::Display for AlignmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTime(whose, Some(NoTime::UnknownFrequency) | None) => {
                write!(f, "the clock frequency of {whose} is unknown: set --clock, or `clock` in a project's file")
            }
            Self::NoTime(whose, Some(why)) => write!(f, "the times of {whose} are unknown: {why}"),
            Self::NoEvents => f.write_str("a recording has no event"),
            Self::OtherDirection => {
                f.write_str("one counter counts up, the other one down: it is not the same counter")
            }
            Self::OtherFrequency(first, other) => write!(
                f,
                "the clocks have {first} and {other}: timestamps are not from the same counter"
            ),
            Self::OtherPeriod => {
                f.write_str("the counters wrap at different values: it is not the same counter")
            }
            Self::NoOverlap => f.write_str(
                "the counter wraps, and the recordings overlap at none of the possible times, so \
                 that the number of wraps between them is unknown",
            ),
            Self::CounterWraps { places } => write!(
                f,
                "the counter wraps, and the recordings overlap at {places} possible times: match \
                 events instead"
            ),
            Self::NoArrival => f.write_str(
                "the times at which bytes arrived at the host are known only of folders of captures",
            ),
            Self::Rule(message) => f.write_str(message),
            Self::NoPairs(matches) => {
                f.write_str("no event of one recording has the number of exactly one event of the other")?;
                for it in matches {
                    write!(
                        f,
                        "; {}: {}, {} only in the first recording, {} only in the other one",
                        it.rule,
                        pluralise(it.repeated, "repeated number", "repeated numbers"),
                        it.only_in_first,
                        it.only_in_other
                    )?;
                }
                Ok(())
            }
            Self::Contradiction { events, is_limited } => {
                f.write_str("no offset and rate place every cause before its effect")?;
                if *is_limited {
                    f.write_str(" with a drift within --max-drift")?;
                }
                for (number, (first, other)) in events.iter().enumerate() {
                    let before = if number == 0 { ": " } else { ", " };
                    write!(
                        f,
                        "{before}event {first} of the first recording with event {other} of the \
                         other one"
                    )?;
                }
                f.write_str(if events.is_empty() { "" } else { " exclude each other" })
            }
            Self::Drift(ppm) => write!(
                f,
                "the pairs need a drift of {ppm:.0} ppm: a frequency or a rule is wrong"
            ),
            Self::LongTime => f.write_str("times of 2^61 ticks and more cannot be aligned"),
        }
    }
}

impl std::error::Error for AlignmentError {}
