//! Stretches of threads that an event began.

use crate::session::Session;
use rtoscope_analysis::schedule::{State, Stretch};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{ContextId, Event, EventIndex, ObjectClass};

/// A stretch of a thread, by its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) thread: ContextId,
    pub(super) at: usize,
}

impl Session {
    /// The threads that an event speaks of: its own and those among its arguments.
    pub(super) fn threads_of(&self, event: &Event) -> Vec<ContextId> {
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

    pub(super) fn stretch(&self, run: Run) -> Option<&Stretch> {
        let stretches = self.analysis.schedule.threads.get(run.thread.index())?;
        stretches.get(run.at)
    }

    /// The stretches of a thread that an event began, or before which it was
    /// the last.
    pub(super) fn begun(
        &self,
        thread: ContextId,
        event: EventIndex,
    ) -> impl Iterator<Item = Run> + use<> {
        let stretches = self.analysis.schedule.threads.get(thread.index());
        let stretches = stretches.map(Vec::as_slice).unwrap_or_default();
        let first = stretches.partition_point(|stretch| stretch.event < event);
        let count = stretches.iter().skip(first);
        let count = count.take_while(|stretch| stretch.event == event).count();
        (first..first + count).map(move |at| Run { thread, at })
    }

    /// The first event that a thread logs while it has a core; the last event
    /// before it got the core, if it logs none.
    pub(super) fn first_execution(&self, run: Run) -> Option<EventIndex> {
        let running = self
            .stretch(run)
            .filter(|one| one.state == State::Running)?;
        let until = self.stretch(run.after()).map(|next| next.event.0);
        let mut lists = self.postings.of_context(run.thread);
        let list = lists.next()?;
        let at = list.partition_point(|number| *number < running.event.0);
        let own = list.get(at).copied();
        let own = own.filter(|own| until.is_none_or(|until| *own <= until));
        Some(own.map_or(running.event, EventIndex))
    }

    /// The stretches whose first execution an event is.
    pub(super) fn executed_first(&self, event: &Event) -> Vec<Run> {
        let mut runs: Vec<_> = self.begun(event.context, event.index).collect();
        let stretches = self.analysis.schedule.threads.get(event.context.index());
        let stretches = stretches.map(Vec::as_slice).unwrap_or_default();
        let before = stretches.partition_point(|stretch| stretch.event < event.index);
        // The last that began before, and those that began at the same event as it.
        let last = before.checked_sub(1).and_then(|at| stretches.get(at));
        if let Some(last) = last {
            runs.extend(self.begun(event.context, last.event));
        }
        // Those of threads that log nothing.
        let schedule = &self.analysis.schedule;
        let dispatched = self.caches.orders.dispatches(schedule).find(event.index);
        for dispatch in dispatched {
            runs.extend(self.begun(dispatch.thread, event.index));
        }
        runs.retain(|run| self.first_execution(*run) == Some(event.index));
        runs.sort_unstable_by_key(|run| (run.thread, run.at));
        runs.dedup();
        runs
    }

    /// The event that made a thread ready which waited, if that is how the
    /// stretch in which it executes came about.
    pub(super) fn woken_by(&self, run: Run) -> Option<EventIndex> {
        let ready = run.before()?;
        self.waited(ready)?;
        Some(self.stretch(ready)?.event)
    }

    /// What a thread that was made ready did before, if the record of that was seen.
    pub(super) fn waited(&self, ready: Run) -> Option<&Stretch> {
        let stretch = self.stretch(ready)?;
        let waited = self.stretch(ready.before()?)?;
        stretch.is_wake(waited).then_some(waited)
    }
}

impl Run {
    pub(super) fn after(self) -> Self {
        Self {
            at: self.at + 1,
            ..self
        }
    }

    pub(super) fn before(self) -> Option<Self> {
        let at = self.at.checked_sub(1)?;
        Some(Self { at, ..self })
    }
}
