//! Stretches of threads that an event began.

use crate::session::Session;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{ContextId, Event, EventIndex, ObjectClass};

/// A stretch of a thread, by its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IntervalRef {
    pub(super) thread: ContextId,
    pub(super) index: usize,
}

impl Session {
    /// The threads that an event speaks of: its own and those among its arguments.
    pub(super) fn threads_involved(&self, event: &Event) -> Vec<ContextId> {
        let mut threads = vec![event.context];
        let kind = self.trace.catalogue.get(event.kind);
        let arguments = kind.map(|kind| &kind.arguments).into_iter().flatten();
        for (argument, value) in arguments.zip(event.arguments) {
            let meaning = argument.as_ref().map(|argument| argument.meaning);
            let is_meant = matches!(
                meaning,
                Some(
                    Meaning::AnyObject
                        | Meaning::Object(ObjectClass::Thread | ObjectClass::ActiveObject)
                )
            );
            if is_meant && value != 0 {
                let mut all = self.trace.contexts.threads();
                threads.extend(all.find(|one| one.address.0 == value).map(|one| one.id));
            }
        }
        threads.retain(|thread| thread.is_thread());
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    pub(super) fn interval(&self, run: IntervalRef) -> Option<&ThreadStateInterval> {
        let stretches = self.analysis.schedule.threads.get(run.thread.index())?;
        stretches.get(run.index)
    }

    /// The stretches of a thread that an event began, or before which it was
    /// the last.
    pub(super) fn intervals_starting_at(
        &self,
        thread: ContextId,
        event: EventIndex,
    ) -> impl Iterator<Item = IntervalRef> + use<> {
        let stretches = self.analysis.schedule.threads.get(thread.index());
        let stretches = stretches.map(Vec::as_slice).unwrap_or_default();
        let first = stretches.partition_point(|stretch| stretch.event < event);
        let count = stretches.iter().skip(first);
        let count = count.take_while(|stretch| stretch.event == event).count();
        (first..first + count).map(move |at| IntervalRef { thread, index: at })
    }

    /// The first event that a thread logs while it has a core; the last event
    /// before it got the core, if it logs none.
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

    /// The stretches whose first execution an event is.
    pub(super) fn intervals_first_run_at(&self, event: &Event) -> Vec<IntervalRef> {
        let mut runs: Vec<_> = self
            .intervals_starting_at(event.context, event.index)
            .collect();
        let stretches = self.analysis.schedule.threads.get(event.context.index());
        let stretches = stretches.map(Vec::as_slice).unwrap_or_default();
        let before = stretches.partition_point(|stretch| stretch.event < event.index);
        // The last that began before, and those that began at the same event as it.
        let last = before.checked_sub(1).and_then(|at| stretches.get(at));
        if let Some(last) = last {
            runs.extend(self.intervals_starting_at(event.context, last.event));
        }
        // Those of threads that log nothing.
        let schedule = &self.analysis.schedule;
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

    /// The event that made a thread ready which waited, if that is how the
    /// stretch in which it executes came about.
    pub(super) fn wake_event(&self, run: IntervalRef) -> Option<EventIndex> {
        let ready = run.previous()?;
        self.wait_before(ready)?;
        Some(self.interval(ready)?.event)
    }

    /// What a thread that was made ready did before, if the record of that was seen.
    pub(super) fn wait_before(&self, ready: IntervalRef) -> Option<&ThreadStateInterval> {
        let stretch = self.interval(ready)?;
        let waited = self.interval(ready.previous()?)?;
        stretch.is_wake_up(waited).then_some(waited)
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
