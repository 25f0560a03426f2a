//! Consecutive events with their meanings.

use crate::packet_stream::EventPage;
use rtoscope_trace::SchedEvent;
use std::ops::Range;

/// Consecutive events, and what each means to the scheduler.
#[derive(Debug, Clone, Default)]
pub(crate) struct MappedPage {
    pub(crate) events: EventPage,
    pub(crate) sched_events: Vec<SchedEvent>,
}

impl MappedPage {
    /// An empty page that continues this one.
    pub(crate) fn continuation(&self) -> Self {
        Self {
            events: self.events.continuation(),
            sched_events: Vec::new(),
        }
    }

    /// Appends those events of the next page whose numbers are in `wanted`.
    #[allow(dead_code, reason = "for readers of live streams")]
    pub(crate) fn append(&mut self, next: &Self, wanted: &Range<u64>) {
        let first = next.events.first;
        let place = |number: u64| (number.clamp(first, next.events.end()) - first) as usize;
        let range = place(wanted.start)..place(wanted.end);
        let sched_events = next.sched_events.get(range).unwrap_or_default();
        self.sched_events.extend_from_slice(sched_events);
        self.events.append(&next.events, wanted);
    }
}
