//! Positions on the two axes, and what may be asked of them.

use crate::query::{Axis, Window};
use crate::response::EventPosition;
use crate::session::{QueryError, Session};
use rtoscope_trace::EventIndex;
use std::ops::Range;

/// Pixels that a window can be divided into.
const MAX_WIDTH: u32 = 8192;

/// A moment between two ticks, or at one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct FractionalTime {
    pub(crate) tick: u64,
    /// The part of a tick since then, below 1.
    pub(crate) fraction: f64,
}

impl FractionalTime {
    /// Ticks since another moment that is not later.
    pub(crate) fn since(self, other: Self) -> f64 {
        let ticks = self.tick.saturating_sub(other.tick) as f64;
        (ticks + self.fraction - other.fraction).max(0.0)
    }

    /// So many ticks, from 0, behind a tick.
    fn after(tick: u64, ticks: f64) -> Self {
        let whole = ticks.floor();
        Self {
            tick: tick.saturating_add(whole as u64),
            fraction: ticks - whole,
        }
    }
}

/// How many numbers from 0 on hold, all before those that do not.
pub(crate) fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Refuses a window that is none.
pub(crate) fn check_window(window: &Window) -> Result<(), QueryError> {
    let Window {
        start: from,
        end: to,
        ..
    } = *window;
    if !(from < to && (to - from).is_finite()) {
        return Err(QueryError::OutOfRange {
            parameter: "the window",
            value: format!("{from} to {to}"),
            expected: "two numbers, the first below the second".to_owned(),
        });
    }
    Ok(())
}

/// Refuses a width that is out of range.
pub(crate) fn check_width(width: u32) -> Result<(), QueryError> {
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(QueryError::OutOfRange {
            parameter: "width",
            value: width.to_string(),
            expected: format!("1 to {MAX_WIDTH}"),
        });
    }
    Ok(())
}

/// Refuses a position that is no number.
pub(crate) fn check_position(at: f64) -> Result<(), QueryError> {
    if at.is_finite() {
        return Ok(());
    }
    Err(QueryError::OutOfRange {
        parameter: "at",
        value: at.to_string(),
        expected: "a number".to_owned(),
    })
}

impl Session {
    /// The event at or before a position.
    pub(crate) fn locate(&self, axis: Axis, at: f64) -> Option<EventPosition> {
        if at < 0.0 {
            return None;
        }
        let behind = match axis {
            Axis::Time => {
                let tick = at as u64;
                let times = &self.trace.events.time;
                times.partition_point(|time| *time <= tick)
            }
            Axis::Index => (at as usize).saturating_add(1).min(self.trace.events.len()),
        };
        self.event_position(u32::try_from(behind.checked_sub(1)?).ok()?)
    }

    /// Where an event lies.
    pub(crate) fn event_position(&self, event: u32) -> Option<EventPosition> {
        let at = EventIndex(event).index();
        let events = &self.trace.events;
        Some(EventPosition {
            event,
            time: *events.time.get(at)?,
            context: events.context.get(at)?.0,
            kind: events.kind.get(at)?.0,
        })
    }

    /// The number of events.
    pub(crate) fn event_count(&self) -> u32 {
        u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX)
    }

    /// The time of an event; of one behind the last, the last one's.
    pub(crate) fn time_of(&self, event: usize) -> u64 {
        let times = &self.trace.events.time;
        let time = times.get(event).or(times.last());
        time.copied().unwrap_or_default()
    }

    /// The part of an axis that the trace takes.
    pub(crate) fn extent(&self, axis: Axis) -> Range<f64> {
        0.0..self.axis_end(axis) as f64
    }

    /// Where the trace ends on an axis.
    pub(crate) fn axis_end(&self, axis: Axis) -> u64 {
        match axis {
            Axis::Time => self.trace.events.span().0,
            Axis::Index => u64::from(self.event_count()),
        }
    }

    /// Where what happens at an event lies: on the axis of events in the middle
    /// of the event's place.
    pub(crate) fn position(&self, axis: Axis, event: u32) -> f64 {
        match axis {
            Axis::Time => self.time_of(event as usize) as f64,
            Axis::Index => f64::from(event) + 0.5,
        }
    }

    /// The numbers of the events that lie in a window, its ends included.
    pub(crate) fn events_within(&self, window: &Window) -> Range<u32> {
        let count = self.event_count() as usize;
        let position = |event: usize| self.position(window.axis, event as u32);
        let first = partition_point(count, |event| position(event) < window.start);
        let behind = partition_point(count, |event| position(event) <= window.end);
        first as u32..behind as u32
    }

    /// The time at a position. On the axis of events it passes evenly from the
    /// middle of an event's place to that of the next.
    pub(crate) fn time_at(&self, axis: Axis, at: f64) -> FractionalTime {
        match axis {
            Axis::Time => FractionalTime::after(0, at.max(0.0)),
            Axis::Index => {
                let at = (at - 0.5).max(0.0);
                let event = at as usize;
                let time = self.time_of(event);
                let next = self.time_of(event.saturating_add(1));
                FractionalTime::after(time, at.fract() * (next.saturating_sub(time)) as f64)
            }
        }
    }
}
