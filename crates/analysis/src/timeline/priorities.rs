//! Thread priorities and their changes.

use crate::report::View;
use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// The thread priorities of a trace.
#[derive(Debug, Clone)]
pub struct PriorityHistory {
    /// The first known priority of each context.
    pub initial: Vec<Option<u16>>,
    /// The changes, in trace order.
    pub changes: Vec<PriorityStep>,
}

/// A thread inherits a priority, gives it back, or a call changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityStep {
    /// Its time.
    pub time: Ticks,
    /// Its event.
    pub event: EventIndex,
    /// The core that logged it.
    pub core: u8,
    /// The thread.
    pub thread: ContextId,
    /// Its priority before, if known.
    pub old: Option<u16>,
    /// Its priority after.
    pub new: u16,
}

/// A time at which the priority of a thread may have changed since its last own
/// record.
#[derive(Clone, Copy)]
struct Moment {
    time: Ticks,
    event: EventIndex,
    core: u8,
    /// Whether the kernel recorded a change; otherwise the thread was only
    /// dispatched.
    is_recorded: bool,
}

impl PriorityHistory {
    /// Each record of a thread carries its priority. If it differs from the last
    /// one, it changed where the kernel recorded a change in between. The kernel
    /// records no change for a thread that is not ready: such a thread has its new
    /// priority by the time of its dispatch.
    pub fn new(view: &View<'_>) -> Self {
        let (trace, schedule) = (view.trace, view.schedule);
        let registered = trace.contexts.iter().map(|context| {
            let object = trace.objects.get(context.object?);
            object?.priority
        });
        let mut initial: Vec<Option<u16>> = registered.collect();
        let mut known = initial.clone();
        let mut has_record = vec![false; initial.len()];
        let mut moments: Vec<Option<Moment>> = vec![None; initial.len()];
        let mut recorded = schedule.priority_changes.iter().peekable();
        let mut dispatches = schedule.dispatches.iter().peekable();
        let mut changes = Vec::new();
        let core_of = |event: EventIndex| trace.events.core(event).unwrap_or_default();
        let events = &trace.events;
        events.visit_headers(0..events.len(), |presence| {
            while let Some(one) = dispatches.next_if(|one| one.event <= presence.index) {
                let moment = Moment {
                    time: one.time,
                    event: one.event,
                    core: one.core,
                    is_recorded: false,
                };
                if let Some(last) = moments.get_mut(one.thread.index())
                    && !last.is_some_and(|last| last.is_recorded)
                {
                    *last = Some(moment);
                }
            }
            while let Some(one) = recorded.next_if(|one| one.event <= presence.index) {
                let moment = Moment {
                    time: one.time,
                    event: one.event,
                    core: core_of(one.event),
                    is_recorded: true,
                };
                if let Some(last) = moments.get_mut(one.thread.index()) {
                    *last = Some(moment);
                }
            }
            let Some(priority) = presence.priority() else {
                return;
            };
            let place = presence.context.index();
            let (Some(known), Some(has_record), Some(moment)) = (
                known.get_mut(place),
                has_record.get_mut(place),
                moments.get_mut(place),
            ) else {
                return;
            };
            let old = known.replace(priority);
            let moment = moment.take();
            let is_recorded = moment.is_some_and(|moment| moment.is_recorded);
            if !std::mem::replace(has_record, true) && !is_recorded {
                // The priority is valid from the start of the trace.
                if let Some(initial) = initial.get_mut(place) {
                    *initial = Some(priority);
                }
                return;
            }
            if old == Some(priority) {
                return;
            }
            let moment = moment.unwrap_or(Moment {
                time: presence.time,
                event: presence.index,
                core: presence.core,
                is_recorded: false,
            });
            changes.push(PriorityStep {
                time: moment.time,
                event: moment.event,
                core: moment.core,
                thread: presence.context,
                old,
                new: priority,
            });
        });
        changes.sort_by_key(|change| (change.event, change.thread));
        Self { initial, changes }
    }
}
