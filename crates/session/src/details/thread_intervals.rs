//! Thread state intervals that start at an event.

use crate::session::Session;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval, WakeUp};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{ContextId, Event, EventIndex, ObjectClass};

/// A thread state interval, by thread and index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IntervalRef {
    pub(super) thread: ContextId,
    pub(super) index: usize,
}

impl Session {
    /// The threads that an event involves: its own and those among its arguments.
    pub(super) fn threads_involved(&self, event: &Event) -> Vec<ContextId> {
        let mut threads = vec![event.context];
        let kind = self.recording.trace.catalogue.get(event.kind);
        let arguments = kind.map(|kind| &kind.arguments).into_iter().flatten();
        for (argument, value) in arguments.zip(event.arguments) {
            let meaning = argument.as_ref().map(|argument| argument.meaning);
            let is_meant = matches!(
                meaning,
                Some(
                    Meaning::AnyObject
                        | Meaning::ContextName
                        | Meaning::Object(ObjectClass::Thread | ObjectClass::ActiveObject)
                )
            );
            if is_meant && value != 0 {
                let mut all = self.recording.trace.contexts.threads();
                threads.extend(all.find(|one| one.address.0 == value).map(|one| one.id));
            }
        }
        threads.retain(|thread| thread.is_thread());
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    pub(super) fn interval(&self, run: IntervalRef) -> Option<ThreadStateInterval> {
        let intervals = self.recording.schedule.thread_states(run.thread);
        intervals.get(run.index)
    }

    /// The intervals of a thread that start at an event.
    pub(super) fn intervals_starting_at(
        &self,
        thread: ContextId,
        event: EventIndex,
    ) -> impl Iterator<Item = IntervalRef> + use<> {
        let intervals = self.recording.schedule.thread_states(thread);
        let first = intervals.partition_point(|interval| interval.event < event);
        let count = intervals.iter().skip(first);
        let count = count.take_while(|interval| interval.event == event).count();
        (first..first + count).map(move |at| IntervalRef { thread, index: at })
    }

    /// The first event that a thread logs in a running interval, or the event that
    /// starts the interval if it logs none.
    pub(super) fn first_running_event(&self, run: IntervalRef) -> Option<EventIndex> {
        let running = self
            .interval(run)
            .filter(|one| one.state == ThreadState::Running)?;
        let until = self.interval(run.next()).map(|next| next.event.0);
        let mut lists = self.events_by_context.by_core(run.thread);
        let list = lists.next()?;
        let at = list.partition_point(|number| *number < running.event.0);
        let own = list.get(at).copied();
        let own = own.filter(|own| until.is_none_or(|until| *own <= until));
        Some(own.map_or(running.event, EventIndex))
    }

    /// The running intervals whose first event is `event`.
    pub(super) fn intervals_first_run_at(&self, event: &Event) -> Vec<IntervalRef> {
        let mut runs: Vec<_> = self
            .intervals_starting_at(event.context, event.index)
            .collect();
        let intervals = self.recording.schedule.thread_states(event.context);
        let before = intervals.partition_point(|interval| interval.event < event.index);
        // The last interval that started before, and those that started at the same
        // event.
        let last = before.checked_sub(1).and_then(|at| intervals.get(at));
        if let Some(last) = last {
            runs.extend(self.intervals_starting_at(event.context, last.event));
        }
        // Intervals of threads that log no events.
        let schedule = &self.recording.schedule;
        let dispatched = self
            .caches
            .schedule_index
            .dispatches(schedule)
            .find(event.index);
        for dispatch in dispatched {
            runs.extend(self.intervals_starting_at(dispatch.thread, event.index));
        }
        runs.retain(|run| self.first_running_event(*run) == Some(event.index));
        runs.sort_unstable_by_key(|run| (run.thread, run.index));
        runs.dedup();
        runs
    }

    /// The event that resumed the thread, if this running interval follows a wake-up.
    pub(super) fn wake_event(&self, run: IntervalRef) -> Option<EventIndex> {
        Some(self.wake_up(run.previous()?)?.cause())
    }

    /// The wake-up that starts an interval, if it is one.
    pub(super) fn wake_up(&self, ready: IntervalRef) -> Option<WakeUp> {
        let schedule = &self.recording.schedule;
        schedule.wake_up_at(ready.thread, ready.index)
    }
}

impl IntervalRef {
    pub(super) fn next(self) -> Self {
        Self {
            index: self.index + 1,
            ..self
        }
    }

    pub(super) fn previous(self) -> Option<Self> {
        let at = self.index.checked_sub(1)?;
        Some(Self { index: at, ..self })
    }
}
