//! The table `thread_states`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{NestedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::PackedVec;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, ResourceId, Ticks};

pub(crate) struct ThreadStateRow {
    thread: ContextId,
    interval: ThreadStateInterval,
    end: Ticks,
}

columns! {
    COLUMNS: ThreadStateRow;
    context_id: U32 = |_, it| it.thread.0,
        "number of the thread";
    context: Name = |_, it| Label::Context(it.thread),
        "name of the thread";
    start: time = |_, it| it.interval.start,
        "start of the interval, since the first event of the recording";
    end: time = |_, it| it.end,
        "end of the interval";
    duration: duration = |_, it| it.duration(),
        "duration of the interval";
    state: Dictionary = |_, it| Label::Static(it.state()),
        "`running` (on a core, even while an interrupt runs there), `ready`, `waiting`, `unknown`";
    wait_reason: optional Dictionary = |_, it| it.wait_reason(),
        "why the thread waits: class of an object, `sleep`, `suspended`, `completed`, `terminated`, `driver`, `file`, `network`, `other`";
    object: optional Name = |_, it| it.resource().map(Label::Resource),
        "object that the thread is blocked on, if recorded";
    object_address: optional address = |ctx, it| it.resource().and_then(|it| ctx.resource(it)).map(|it| it.address.0),
        "address of that object; objects can share a name";
    object_class: optional Dictionary = |ctx, it| it.object_class(ctx),
        "class of that object";
    event: event = |ctx, it| ctx.event_number(it.interval.event),
        "event at the start of the interval, or the last one before it";
    by_context: optional Name = |ctx, it| Label::context(ctx.context_of_event(it.interval.event)?),
        "context that logged that event";
    start_known: Bool = |_, it| it.interval.start_known,
        "whether the start was recorded; if not, the interval may have started at another time";
    by_interrupt: Bool = |_, it| it.interval.interrupt,
        "whether an interrupt started the interval";
}

impl ThreadStateRow {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.interval.start.0))
    }

    fn state(&self) -> &'static str {
        match self.interval.state {
            ThreadState::Unknown => "unknown",
            ThreadState::Ready => "ready",
            ThreadState::Running => "running",
            ThreadState::Waiting { .. } => "waiting",
            ThreadState::Deleted => "deleted",
        }
    }

    fn wait_reason(&self) -> Option<Label> {
        match self.interval.state {
            ThreadState::Waiting {
                wait_reason: wait, ..
            } => Some(Label::Static(wait.name())),
            _ => None,
        }
    }

    fn resource(&self) -> Option<ResourceId> {
        match self.interval.state {
            ThreadState::Waiting { resource, .. } => resource,
            _ => None,
        }
    }

    fn object_class(&self, ctx: &RowContext<'_>) -> Option<Label> {
        ctx.class_name(self.resource()?).map(Label::Static)
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let schedule = &ctx.recording.schedule;
    // A thread that was deleted has no state. For each of these intervals, the number of
    // the thread's rows before it.
    let rows_before = |intervals: &PackedVec<ThreadStateInterval>| -> Vec<usize> {
        let deleted = intervals.iter().enumerate();
        let deleted = deleted.filter(|(_, it)| it.state == ThreadState::Deleted);
        deleted
            .zip(0..)
            .map(|((at, _), skipped)| at - skipped)
            .collect()
    };
    let skipped: Vec<_> = schedule.threads.iter().map(rows_before).collect();
    let lengths = schedule.threads.iter().zip(&skipped);
    let lengths: Vec<_> = lengths
        .map(|(all, skipped)| all.len() - skipped.len())
        .collect();
    let row = move |thread: usize, number: usize| {
        let intervals = schedule.threads.get(thread)?;
        let at = number + skipped.get(thread)?.partition_point(|rows| *rows <= number);
        let next = intervals.get(at + 1);
        Some(ThreadStateRow {
            thread: ContextId(thread as u32),
            interval: intervals.get(at)?,
            end: next.map_or(schedule.span, |next| next.start),
        })
    };
    list_content(ctx, NestedRows::new(lengths.into_iter(), row))
}
