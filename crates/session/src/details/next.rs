//! Who executes behind an event.

use crate::session::Session;
use rtoscope_analysis::schedule::{Activation, Executing};
use rtoscope_trace::{ContextId, Contexts, Event, EventIndex};

/// Events behind the last moment among which one of the same core is looked for.
const FEW: usize = 1024;

/// Who executes on a core behind an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// As the schedule says.
    Executing(Executing),
    /// The context of the core's next event: no time passes until then.
    Logs(ContextId),
}

impl Next {
    /// The context, if it is known.
    pub(super) fn context(self) -> Option<ContextId> {
        match self {
            Self::Executing(Executing::Thread(thread)) | Self::Logs(thread) => Some(thread),
            Self::Executing(Executing::Isr(_) | Executing::Kernel) => Some(Contexts::INTERRUPT),
            Self::Executing(Executing::Idle) => Some(Contexts::IDLE),
            Self::Executing(Executing::Initialize) => Some(Contexts::INITIALIZE),
            Self::Executing(Executing::Unknown) => None,
        }
    }
}

impl Session {
    /// Who executes on its core directly behind an event.
    pub(super) fn next(&self, event: &Event) -> Next {
        let schedule = &self.analysis.schedule;
        let orders = &self.caches.orders;
        // At one tick several may have been given the core, one after the
        // other; only the last of them has a slice.
        let dispatches = orders.dispatches(schedule).find(event.index);
        let of_core = dispatches.filter(|dispatch| dispatch.core == event.core);
        if let Some(dispatch) = of_core.last() {
            return Next::Executing(Executing::Thread(dispatch.thread));
        }
        let mut cores = schedule.cores.iter();
        let Some(slices) = cores.find(|slices| slices.core == event.core) else {
            return Next::Executing(Executing::Unknown);
        };
        if event.time >= slices.end {
            // No slice begins where all end.
            return match self.next_of_core(event) {
                Some(context) => Next::Logs(context),
                None => Next::Executing(Executing::Unknown),
            };
        }
        let now = (event.time, event.index);
        let begun = slices
            .all
            .partition_point(|slice| (slice.start, slice.event) <= now);
        let slice = begun.checked_sub(1).and_then(|at| slices.all.get(at));
        Next::Executing(slice.map_or(Executing::Unknown, |slice| slice.who.executing()))
    }

    /// The context of the core's next event.
    fn next_of_core(&self, event: &Event) -> Option<ContextId> {
        let first = event.index.0.checked_add(1)?;
        let events = &self.trace.events;
        let mut behind = (first..self.event_count()).take(FEW).filter_map(|number| {
            let next = events.get(EventIndex(number))?;
            (next.core == event.core).then_some(next.context)
        });
        behind.next()
    }

    /// The same for people.
    pub(super) fn next_name(&self, next: Next) -> String {
        match next {
            Next::Executing(Executing::Isr(id)) => {
                let activation = self.analysis.schedule.activations.get(id.index());
                self.isr_name(activation.and_then(|activation: &Activation| activation.number))
            }
            next => self.context_name(next.context().unwrap_or(ContextId::UNKNOWN)),
        }
    }
}
