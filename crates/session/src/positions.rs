//! Positions of events on the two axes, and what is at a position.

use crate::axis::{FractionalTime, partition_point};
use crate::query::{Axis, Window};
use crate::response::EventPosition;
use crate::session::Session;
use rtoscope_trace::{EventIndex, Ticks};
use std::ops::Range;

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
            event: self.event_number(event),
            time: self.recording_ticks(events.time(index)?.0),
            context: self.context_id(events.context(index)?),
            kind: events.kind(index)?.0,
        })
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
