//! The table `inversions`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::Inversion;
use rtoscope_trace::{ContextId, Ticks};

columns! {
    COLUMNS: &Inversion;
    object: Name = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: optional address = |ctx, it| ctx.resource(it.resource).map(|it| it.address.0),
        "address of the mutex; objects can share a name";
    blocked: Name = |_, it| Label::Context(it.blocked),
        "name of the thread that waited for the mutex";
    blocked_id: U32 = |_, it| it.blocked.0,
        "its number in `contexts`";
    blocked_priority: U16 = |_, it| it.blocked_priority,
        "its priority at the call; 0 is the highest";
    owner: optional Name = |_, it| it.owners.first().copied().and_then(Label::context),
        "name of the thread that owned the mutex at the start";
    owner_id: optional U32 = |_, it| it.owners.first().copied().and_then(context_number),
        "its number in `contexts`";
    owner_priority: U16 = |_, it| it.owner_priority,
        "its priority at the call of the blocked thread";
    owners: Text = |ctx, it| names(ctx, it.owners.iter().copied()),
        "all owners during the inversion, in order, at most 16";
    chain: Text = |ctx, it| names(ctx, it.chain.iter().copied()),
        "thread that the first owner was itself blocked by, and so on, at most 16";
    start: time = |_, it| it.start,
        "time at which the thread was suspended, or the first time at which it is known to wait, since the first event of the recording";
    end: time = |_, it| it.end,
        "time at which the thread was resumed, or the last time at which it is known to wait";
    duration: duration = |_, it| duration(it),
        "duration of the inversion, as far as it is known";
    ending: Dictionary = |_, it| Label::Static(it.ending.name()),
        "`released` (the thread got the mutex), `gave-up` (its wait ended otherwise), `lost` (events are missing, or the trace ends first)";
    unbounded: optional Bool = |_, it| it.unbounded(),
        "whether a thread that does not take part in the inversion prolonged it; null if unknown";
    culprits: Text = |ctx, it| names(ctx, it.culprits.iter().map(|culprit| culprit.thread)),
        "threads that prolonged the inversion, at most 16";
    get_event: optional event = |ctx, it| it.get.map(|event| ctx.event_number(event)),
        "event of the call; null if it precedes what the trace shows";
    first_event: optional event = |ctx, it| it.first.map(|event| ctx.event_number(event)),
        "event of the suspension; null if it precedes what the trace shows";
    last_event: optional event = |ctx, it| it.last.map(|event| ctx.event_number(event)),
        "event of the resumption; null if it was not recorded";
}

fn duration(inversion: &Inversion) -> Ticks {
    Ticks(inversion.end.0.saturating_sub(inversion.start.0))
}

/// Names of threads, separated by commas.
fn names(ctx: &RowContext<'_>, threads: impl Iterator<Item = ContextId>) -> String {
    let names: Vec<_> = threads
        .map(|thread| ctx.trace().context_name(thread))
        .collect();
    names.join(", ")
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.recording.schedule.inversions))
}
