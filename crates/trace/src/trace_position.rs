//! A position in a trace, as users write it.

use crate::diagnostic::pluralise;
use crate::filter::Quantity;
use crate::{EventIndex, Nanoseconds, NoTime, Ticks, Timescale, Trace};
use std::str::FromStr;

/// A position in a trace, as users write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracePosition {
    /// Ticks since the first event of the recording.
    Ticks(u64),
    /// Nanoseconds since the first event of the recording.
    Nanoseconds(u64),
    /// The number of an event.
    Event(u32),
}

impl FromStr for TracePosition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let event = text.strip_prefix("event:");
        if let Some(number) = event {
            let number = number.parse().map_err(|_| "expected an event's number");
            return Ok(Self::Event(number?));
        }
        match Quantity::parse(text) {
            Ok(Quantity::Plain(ticks)) => Ok(Self::Ticks(ticks)),
            Ok(Quantity::Nanoseconds(time)) => Ok(Self::Nanoseconds(time)),
            Err(_) => Err("expected 20000 (ticks), 1.5ms or event:120".to_owned()),
        }
    }
}

impl TracePosition {
    /// The position in ticks since the first event of the trace, as the start of a window: a time
    /// is rounded up.
    ///
    /// # Errors
    ///
    /// If the trace has no such event, or a time has no meaning in it.
    pub fn first_tick(self, trace: &Trace) -> Result<Ticks, String> {
        let ticks = self.ticks(trace, Timescale::first_tick)?;
        Ok(ticks.unwrap_or_default())
    }

    /// The same as the end of a window: a time is rounded down.
    ///
    /// # Errors
    ///
    /// As [`TracePosition::first_tick`], or if it is before the first event.
    pub fn last_tick(self, trace: &Trace) -> Result<Ticks, String> {
        let ticks = self.ticks(trace, Timescale::last_tick)?;
        ticks.ok_or_else(|| {
            let start = trace.origin.time;
            format!("the end of the window is before the first event, at {start} ticks")
        })
    }

    /// The position in ticks; `None` before the first event of the trace.
    fn ticks(
        self,
        trace: &Trace,
        rounded: fn(&Timescale, Nanoseconds) -> Result<Ticks, NoTime>,
    ) -> Result<Option<Ticks>, String> {
        let time = match self {
            Self::Ticks(ticks) => Ticks(ticks),
            Self::Nanoseconds(time) => {
                let ticks = rounded(&trace.timescale(), Nanoseconds(time));
                ticks.map_err(|why| match why {
                    NoTime::UnknownFrequency => "a time needs --clock".to_owned(),
                    why => format!("{why}; use ticks or event numbers"),
                })?
            }
            Self::Event(number) => {
                let time = trace.events.time(EventIndex(number));
                let events = pluralise(trace.events.len() as u64, "event", "events");
                let time = time
                    .ok_or_else(|| format!("there is no event {number}: the trace has {events}"));
                return time.map(Some);
            }
        };
        Ok(time.0.checked_sub(trace.origin.time.0).map(Ticks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_ticks_times_or_events() {
        assert_eq!("20_000".parse(), Ok(TracePosition::Ticks(20_000)));
        assert_eq!("1.5ms".parse(), Ok(TracePosition::Nanoseconds(1_500_000)));
        assert_eq!("event:120".parse(), Ok(TracePosition::Event(120)));
        for bad in ["", "event:", "event:-1", "5 min", "end"] {
            assert!(bad.parse::<TracePosition>().is_err(), "{bad}");
        }
    }
}
