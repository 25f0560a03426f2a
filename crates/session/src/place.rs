//! Positions on the two axes, and what may be asked of them.

use crate::answer::Place;
use crate::query::{Axis, Window};
use crate::session::{AskError, Session};
use rtoscope_trace::EventIndex;
use std::ops::Range;

/// Pixels that a window can be divided into.
const WIDEST: u32 = 8192;

/// A moment between two ticks, or at one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Moment {
    pub(crate) tick: u64,
    /// The part of a tick since then, below 1.
    pub(crate) fraction: f64,
}

impl Moment {
    /// Ticks since another moment that is not later.
    pub(crate) fn since(self, other: Self) -> f64 {
        let ticks = self.tick.saturating_sub(other.tick) as f64;
        (ticks + self.fraction - other.fraction).max(0.0)
    }

    /// So many ticks, from 0, behind a tick.
    fn behind(tick: u64, ticks: f64) -> Self {
        let whole = ticks.floor();
        Self {
            tick: tick.saturating_add(whole as u64),
            fraction: ticks - whole,
        }
    }
}

/// How many numbers from 0 on hold, all before those that do not.
pub(crate) fn partition(count: usize, holds: impl Fn(usize) -> bool) -> usize {
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
pub(crate) fn check_window(window: &Window) -> Result<(), AskError> {
    let Window { from, to, .. } = *window;
    if !(from < to && (to - from).is_finite()) {
        return Err(AskError::OutOfRange {
            what: "the window",
            value: format!("{from} to {to}"),
            expected: "two numbers, the first below the second".to_owned(),
        });
    }
    Ok(())
}

/// Refuses a width that is out of range.
pub(crate) fn check_width(width: u32) -> Result<(), AskError> {
    if !(1..=WIDEST).contains(&width) {
        return Err(AskError::OutOfRange {
            what: "width",
            value: width.to_string(),
            expected: format!("1 to {WIDEST}"),
        });
    }
    Ok(())
}

/// Refuses a position that is no number.
pub(crate) fn check_position(at: f64) -> Result<(), AskError> {
    if at.is_finite() {
        return Ok(());
    }
    Err(AskError::OutOfRange {
        what: "at",
        value: at.to_string(),
        expected: "a number".to_owned(),
    })
}

impl Session {
    /// The event at or before a position.
    pub(crate) fn locate(&self, axis: Axis, at: f64) -> Option<Place> {
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
        self.place_of(u32::try_from(behind.checked_sub(1)?).ok()?)
    }

    /// Where an event lies.
    pub(crate) fn place_of(&self, event: u32) -> Option<Place> {
        let at = EventIndex(event).index();
        let events = &self.trace.events;
        Some(Place {
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
        0.0..self.end(axis) as f64
    }

    /// Where the trace ends on an axis.
    pub(crate) fn end(&self, axis: Axis) -> u64 {
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
        let first = partition(count, |event| position(event) < window.from);
        let behind = partition(count, |event| position(event) <= window.to);
        first as u32..behind as u32
    }

    /// The time at a position. On the axis of events it passes evenly from the
    /// middle of an event's place to that of the next.
    pub(crate) fn moment(&self, axis: Axis, at: f64) -> Moment {
        match axis {
            Axis::Time => Moment::behind(0, at.max(0.0)),
            Axis::Index => {
                let at = (at - 0.5).max(0.0);
                let event = at as usize;
                let time = self.time_of(event);
                let next = self.time_of(event.saturating_add(1));
                Moment::behind(time, at.fract() * (next.saturating_sub(time)) as f64)
            }
        }
    }
}
