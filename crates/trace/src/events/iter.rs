//! Iterates over the events of a trace.

use super::{Events, Storage};
use crate::{Event, EventIndex};

/// All events of a trace, oldest first.
#[derive(Debug, Clone)]
pub struct EventIter<'a> {
    events: &'a Events,
    next: usize,
    /// The next events that were read, the last one first.
    read: Vec<Event>,
}

/// Number of recorded events that are read at once.
const READ_EVENTS: usize = 512;

impl<'a> EventIter<'a> {
    pub(super) fn new(events: &'a Events) -> Self {
        Self {
            events,
            next: 0,
            read: Vec::new(),
        }
    }
}

impl Iterator for EventIter<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let records = match &self.events.0 {
            Storage::Columns(columns) => {
                let event = columns.get(EventIndex(u32::try_from(self.next).ok()?))?;
                self.next += 1;
                return Some(event);
            }
            Storage::Records(records) => records,
        };
        if self.read.is_empty() {
            let end = (self.next + READ_EVENTS).min(records.len());
            records.visit(self.next..end, &mut |event| self.read.push(event));
            self.read.reverse();
            self.next = end;
        }
        self.read.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.events.len() - self.next.min(self.events.len()) + self.read.len();
        (left, Some(left))
    }

    fn nth(&mut self, skipped: usize) -> Option<Event> {
        match skipped.checked_sub(self.read.len()) {
            Some(beyond) => {
                self.read.clear();
                self.next = self.next.saturating_add(beyond);
            }
            None => self.read.truncate(self.read.len() - skipped),
        }
        self.next()
    }
}

impl ExactSizeIterator for EventIter<'_> {}
