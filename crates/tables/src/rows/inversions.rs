//! Priority inversions.

use super::TableContent;
use super::field::columns;
use super::label::{Label, context_number};
use super::mutex_holds::ending_name;
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::Inversion;
use rtoscope_trace::{ContextId, Ticks};

columns! {
    &Inversion;
    object: Word = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: optional U64 = |scene, it| scene.resource(it.resource).map(|it| it.address.0),
        "where it lies: objects can share a name";
    blocked: Word = |_, it| Label::Context(it.blocked),
        "the thread that waited";
    blocked_id: U32 = |_, it| it.blocked.0,
        "its number in `contexts`";
    blocked_priority: U16 = |_, it| it.blocked_priority,
        "its priority when it asked; 0 is the highest";
    owner: optional Word = |_, it| it.owners.first().copied().and_then(Label::context),
        "the thread that owned the mutex at the start";
    owner_id: optional U32 = |_, it| it.owners.first().copied().and_then(context_number),
        "its number in `contexts`";
    owner_priority: U16 = |_, it| it.owner_priority,
        "that thread's priority when the other asked";
    owners: Text = |scene, it| names(scene, it.owners.iter().copied()),
        "all owners while it lasted, in order, at most 16";
    chain: Text = |scene, it| names(scene, it.chain.iter().copied()),
        "the thread that the first owner waited for in its turn, and so on, at most 16";
    start: ticks = |scene, it| scene.time(it.start),
        "when the thread was suspended, or the first moment that is known, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it was resumed, or the last moment that is known";
    duration: ticks = |_, it| duration(it).0,
        "how long it lasted, as far as is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` as time";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`released`: the thread got the mutex; `gave-up`: its wait ended otherwise; `lost`: events are missing, or the trace ends";
    unbounded: optional Bool = |_, it| it.unbounded(),
        "whether a thread that has nothing to do with the mutex prolonged it; missing where that is not known";
    culprits: Text = |scene, it| names(scene, it.culprits.iter().map(|culprit| culprit.thread)),
        "the threads that did, at most 16";
    get_event: optional event = |scene, it| it.get.map(|event| scene.event_number(event)),
        "the call; missing if it was before the trace knows";
    first_event: optional event = |scene, it| it.first.map(|event| scene.event_number(event)),
        "the suspension; missing if it was before the trace knows";
    last_event: optional event = |scene, it| it.last.map(|event| scene.event_number(event)),
        "the resumption; missing if it was not recorded";
}

fn duration(inversion: &Inversion) -> Ticks {
    Ticks(inversion.end.0.saturating_sub(inversion.start.0))
}

/// Names of threads, with commas between them.
fn names(scene: &RowContext<'_>, threads: impl Iterator<Item = ContextId>) -> String {
    let names: Vec<_> = threads
        .map(|thread| scene.trace().context_name(thread))
        .collect();
    names.join(", ")
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.schedule.inversions.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
