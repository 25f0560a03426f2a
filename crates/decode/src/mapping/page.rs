//! Consecutive events with their meanings.

use crate::packet_stream::EventPage;
use rtoscope_trace::SchedEvent;

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
}
