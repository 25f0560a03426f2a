//! Positions on the two axes, and windows divided into pixels.

use crate::query::{Axis, Window};
use crate::response::EventPosition;
use crate::session::{QueryError, Session};
use rtoscope_trace::{EventIndex, Ticks};
use std::ops::Range;

/// Maximum number of pixels of a window.
const MAX_WIDTH: u32 = 8192;

/// A time at a tick or between two ticks.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct FractionalTime {
    pub(crate) tick: u64,
    /// The fraction of a tick since then, below 1.
    pub(crate) fraction: f64,
}

impl FractionalTime {
    /// Ticks since another time that is not later.
    pub(crate) fn since(self, other: Self) -> f64 {
        let ticks = self.tick.saturating_sub(other.tick) as f64;
        (ticks + self.fraction - other.fraction).max(0.0)
    }

    /// The time `ticks` (not negative) after `tick`.
    fn after(tick: u64, ticks: f64) -> Self {
        let whole = ticks.floor();
        Self {
            tick: tick.saturating_add(whole as u64),
            fraction: ticks - whole,
        }
    }
}

/// The number of leading indices for which `holds` is true, as
/// `slice::partition_point`.
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

/// Rejects a window whose start is not before its end.
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

/// Rejects a width out of range.
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

/// Rejects a position that is not finite.
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
        let after = match axis {
            Axis::Time => {
                let after = self.recording.trace.events.index_after(Ticks(at as u64));
                after.index()
            }
            Axis::Index => (at as usize)
                .saturating_add(1)
                .min(self.recording.trace.events.len()),
        };
        self.event_position(u32::try_from(after.checked_sub(1)?).ok()?)
    }

    /// The position of an event.
    pub(crate) fn event_position(&self, event: u32) -> Option<EventPosition> {
        let index = EventIndex(event);
        let events = &self.recording.trace.events;
        Some(EventPosition {
            event,
            time: events.time(index)?.0,
            context: events.context(index)?.0,
            kind: events.kind(index)?.0,
        })
    }

    /// The number of events.
    pub(crate) fn event_count(&self) -> u32 {
        u32::try_from(self.recording.trace.events.len()).unwrap_or(u32::MAX)
    }

    /// The time of an event; after the last event, the last event's time.
    pub(crate) fn time_of(&self, event: usize) -> u64 {
        let events = &self.recording.trace.events;
        let index = EventIndex(u32::try_from(event).unwrap_or(u32::MAX));
        events.time(index).unwrap_or(events.span()).0
    }

    /// The part of an axis that the trace covers.
    pub(crate) fn extent(&self, axis: Axis) -> Range<f64> {
        0.0..self.axis_end(axis) as f64
    }

    /// The end of the trace on an axis.
    pub(crate) fn axis_end(&self, axis: Axis) -> u64 {
        match axis {
            Axis::Time => self.recording.trace.events.span().0,
            Axis::Index => u64::from(self.event_count()),
        }
    }

    /// The position of what happens at an event: on the event axis, the middle of the
    /// event's unit interval.
    pub(crate) fn position(&self, axis: Axis, event: u32) -> f64 {
        match axis {
            Axis::Time => self.time_of(event as usize) as f64,
            Axis::Index => f64::from(event) + 0.5,
        }
    }

    /// The numbers of the events in a window, including its ends.
    pub(crate) fn events_within(&self, window: &Window) -> Range<u32> {
        let count = self.event_count() as usize;
        let position = |event: usize| self.position(window.axis, event as u32);
        let first = partition_point(count, |event| position(event) < window.start);
        let after = partition_point(count, |event| position(event) <= window.end);
        first as u32..after as u32
    }

    /// The time at a position. On the event axis, time is interpolated between the
    /// middles of adjacent events.
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

/// A window divided into pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixels {
    pub(crate) axis: Axis,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) width: usize,
}

impl Pixels {
    pub(crate) fn new(window: &Window, width: u32) -> Self {
        Self {
            axis: window.axis,
            start: window.start,
            end: window.end,
            width: width as usize,
        }
    }

    /// The start of a pixel, and end of the previous one, in units of the axis.
    #[inline]
    pub(crate) fn edge(&self, pixel: usize) -> f64 {
        if pixel == self.width {
            return self.end;
        }
        self.start + (self.end - self.start) * (pixel as f64 / self.width as f64)
    }

    /// The starts of all pixels, and the end of the last one.
    pub(crate) fn edges(&self) -> impl Iterator<Item = f64> {
        let pixels = *self;
        (0..=self.width).map(move |pixel| pixels.edge(pixel))
    }

    /// A position in pixels from the window's start.
    #[inline]
    pub(crate) fn x(&self, at: f64) -> f32 {
        ((at - self.start) / (self.end - self.start) * self.width as f64) as f32
    }
}
