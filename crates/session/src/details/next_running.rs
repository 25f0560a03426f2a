//! The context that runs after an event.

use crate::session::Session;
use rtoscope_analysis::schedule::{IsrActivation, RunningContext};
use rtoscope_trace::{ContextId, Contexts, Event, EventIndex};

/// Maximum number of events searched for the next one of the same core.
const MAX_SEARCHED_EVENTS: usize = 1024;

/// What runs on a core after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextRunning {
    /// From the schedule.
    Running(RunningContext),
    /// The context of the core's next event: no time passes until then.
    NextEvent(ContextId),
}

impl NextRunning {
    /// The context, if known.
    pub(super) fn context(self) -> Option<ContextId> {
        match self {
            Self::Running(RunningContext::Thread(thread)) | Self::NextEvent(thread) => Some(thread),
            Self::Running(RunningContext::Isr(_) | RunningContext::Kernel) => {
                Some(Contexts::INTERRUPT)
            }
            Self::Running(RunningContext::Idle) => Some(Contexts::IDLE),
            Self::Running(RunningContext::Initialize) => Some(Contexts::INITIALIZE),
            Self::Running(RunningContext::Unknown) => None,
        }
    }
}

impl Session {
    /// What runs on the event's core directly after the event.
    pub(super) fn running_after(&self, event: &Event) -> NextRunning {
        let schedule = &self.recording.schedule;
        let orders = &self.caches.schedule_index;
        // Several threads may be dispatched at one tick; only the last of them has a
        // slice.
        let dispatches = orders.dispatches(schedule).find(event.index);
        let of_core = dispatches.filter(|dispatch| dispatch.core == event.core);
        if let Some(dispatch) = of_core.last() {
            return NextRunning::Running(RunningContext::Thread(dispatch.thread));
        }
        let mut cores = schedule.cores.iter();
        let Some(slices) = cores.find(|slices| slices.core == event.core) else {
            return NextRunning::Running(RunningContext::Unknown);
        };
        if event.time >= slices.end {
            // No slice starts at the end of the trace.
            return match self.next_event_context(event) {
                Some(context) => NextRunning::NextEvent(context),
                None => NextRunning::Running(RunningContext::Unknown),
            };
        }
        let now = (event.time, event.index);
        let started = slices
            .slices
            .partition_point(|slice| (slice.start, slice.event) <= now);
        let slice = started.checked_sub(1).and_then(|at| slices.slices.get(at));
        NextRunning::Running(slice.map_or(RunningContext::Unknown, |slice| {
            slice.running.running_context()
        }))
    }

    /// The context of the core's next event.
    fn next_event_context(&self, event: &Event) -> Option<ContextId> {
        let first = event.index.0.checked_add(1)?;
        let events = &self.recording.trace.events;
        let mut later = (first..self.event_count())
            .take(MAX_SEARCHED_EVENTS)
            .filter_map(|number| {
                let next = events.get(EventIndex(number))?;
                (next.core == event.core).then_some(next.context)
            });
        later.next()
    }

    /// The name of the context.
    pub(super) fn next_running_name(&self, next: NextRunning) -> String {
        match next {
            NextRunning::Running(RunningContext::Isr(id)) => {
                let activation = self.recording.schedule.activations.get(id.index());
                self.isr_name(activation.and_then(|activation: IsrActivation| activation.number))
            }
            next => self.context_name(next.context().unwrap_or(ContextId::UNKNOWN)),
        }
    }
}
