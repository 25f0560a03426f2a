//! Who owned which mutex.

use super::TableContent;
use super::field::columns;
use super::label::{Label, context_number};
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{LockEnding, MutexHold};
use rtoscope_trace::Ticks;

columns! {
    &MutexHold;
    object: Word = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: optional U64 = |scene, it| scene.resource(it.resource).map(|it| it.address.0),
        "where it lies: objects can share a name";
    owner: optional Word = |_, it| Label::context(it.owner),
        "the thread that owned it";
    owner_id: optional U32 = |_, it| context_number(it.owner),
        "its number in `contexts`";
    start: ticks = |scene, it| scene.time(it.start),
        "when it got the mutex, or is first known to own it, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it gave the mutex back, or the last moment that is known of";
    duration: ticks = |_, it| duration(it).0,
        "how long it owned the mutex, as far as is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` as time";
    started: Bool = |_, it| it.start_known,
        "whether the start was recorded";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`released`; `lost`: events are missing, or the trace ends";
    contended: Bool = |_, it| it.contended,
        "whether the thread had to wait for it";
    first_event: event = |scene, it| scene.event_number(it.first),
        "the event by which it got the mutex, or the first that knows it as the owner";
    last_event: event = |scene, it| scene.event_number(it.last),
        "the event by which it gave the mutex back, or the last that is known of";
}

fn duration(hold: &MutexHold) -> Ticks {
    Ticks(hold.end.0.saturating_sub(hold.start.0))
}

/// How a time with a mutex ended, or a wait for it.
pub(super) fn ending_name(ending: LockEnding) -> &'static str {
    match ending {
        LockEnding::Done => "released",
        LockEnding::GaveUp => "gave-up",
        LockEnding::Lost => "lost",
    }
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.schedule.mutex_holds.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
