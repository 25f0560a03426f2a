//! The table `mutex_holds`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{PackedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::MutexHold;
use rtoscope_trace::Ticks;

columns! {
    COLUMNS: MutexHold;
    object: Name = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: optional address = |ctx, it| ctx.resource(it.resource).map(|it| it.address.0),
        "address of the mutex; objects can share a name";
    owner: optional Name = |_, it| Label::context(it.owner),
        "name of the thread that owned it";
    owner_id: optional U32 = |_, it| context_number(it.owner),
        "its number in `contexts`";
    start: time = |_, it| it.start,
        "time at which the thread acquired the mutex, or the first time at which it is known to own it, since the first event of the recording";
    end: time = |_, it| it.end,
        "time at which it released the mutex, or the last time at which it is known to own it";
    duration: duration = |_, it| duration(it),
        "duration of the hold, as far as it is known";
    start_known: Bool = |_, it| it.start_known,
        "whether the start was recorded";
    ending: Dictionary = |_, it| Label::Static(it.ending.name()),
        "`released`, or `lost` (events are missing, or the trace ends first)";
    contended: Bool = |_, it| it.contended,
        "whether the thread had to wait for the mutex";
    first_event: event = |ctx, it| ctx.event_number(it.first),
        "event of the acquisition, or the first event that shows the owner";
    last_event: event = |ctx, it| ctx.event_number(it.last),
        "event of the release, or the last event that shows the owner";
}

fn duration(hold: &MutexHold) -> Ticks {
    Ticks(hold.end.0.saturating_sub(hold.start.0))
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = &ctx.recording.schedule.mutex_holds;
    list_content(
        ctx,
        PackedRows {
            all,
            make_row: |_, it| it,
        },
    )
}
