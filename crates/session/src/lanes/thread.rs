//! Tracks of threads.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::Track;
use rtoscope_analysis::PackedVec;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, Events};

/// The state of a thread over time.
#[derive(Clone, Copy)]
pub(crate) struct ThreadTrack<'a> {
    pub(crate) thread: ContextId,
    pub(crate) intervals: &'a PackedVec<ThreadStateInterval>,
    /// The events of the trace.
    pub(crate) events: &'a Events,
}

impl Track for ThreadTrack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.intervals.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.intervals.get(step).map_or(0, |one| one.start.0)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.intervals.get(step).map_or(0, |one| one.event.0)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        let interval = self.intervals.get(step);
        interval.map_or(BarClass::NOTHING, |one| {
            BarClass::for_thread_state(one.state)
        })
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        match self.intervals.get(step).map(|one| one.state) {
            Some(ThreadState::Waiting {
                resource: Some(resource),
                ..
            }) => resource.0,
            _ => TOO_MANY,
        }
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        let Some(interval) = self.intervals.get(step) else {
            return false;
        };
        let logged_by = self.events.context(interval.event);
        interval.state == ThreadState::Running && logged_by == Some(self.thread)
    }

    fn start_known(&self, step: usize) -> bool {
        self.intervals.get(step).is_some_and(|one| one.start_known)
    }
}
