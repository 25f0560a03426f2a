//! Durations as declared: a time, or ticks.

use super::LocatedError;
use rtoscope_trace::filter::Quantity;
use rtoscope_trace::{Nanoseconds, Ticks, Trace};
use toml::Spanned;

/// A duration that is declared as a time or in ticks of the trace's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredDuration {
    /// Ticks of the trace's clock.
    Ticks(u64),
    /// A time, which needs a clock of known frequency.
    Time(Nanoseconds),
}

impl DeclaredDuration {
    /// Parses `33.3ms`, `500us` or `1200 ticks`.
    pub(super) fn parse(text: &Spanned<String>) -> Result<Self, LocatedError> {
        let word = text.get_ref().trim();
        let ticks = word.strip_suffix("ticks").map(str::trim_end);
        let parsed = match (ticks, Quantity::parse(ticks.unwrap_or(word))) {
            (Some(_), Ok(Quantity::Plain(ticks))) => Some(Self::Ticks(ticks)),
            (None, Ok(Quantity::Nanoseconds(time))) => Some(Self::Time(Nanoseconds(time))),
            _ => None,
        };
        let expected = "expected a duration such as 33.3ms, 500us or 1200 ticks";
        parsed.ok_or_else(|| (text.span(), format!("{expected}, found {word:?}")))
    }

    /// The duration in ticks of a trace's clock; an error describes why it is unknown.
    pub(crate) fn ticks(self, trace: &Trace) -> Result<Ticks, String> {
        match self {
            Self::Ticks(ticks) => Ok(Ticks(ticks)),
            Self::Time(time) => match trace.timescale().frequency() {
                Some(frequency) => Ok(frequency.ticks_in(time)),
                None => Err(
                    "a duration as a time needs the clock's frequency: set --clock, or write \
                     the duration in ticks"
                        .to_owned(),
                ),
            },
        }
    }
}
