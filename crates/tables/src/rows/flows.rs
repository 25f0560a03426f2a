//! The table `flows`: from cause to effect.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::flows::{Flow, FlowEnd, FlowObject, flows};
use rtoscope_trace::Endpoint;

columns! {
    COLUMNS: Flow;
    kind: Dictionary = |_, it| Label::Static(it.kind.name()),
        "`wake`: a thread is resumed and runs; `message`: a message is put into an object and taken; `post`: an event is posted to an active object and handled in a step";
    from_event: event = |ctx, it| ctx.event_number(it.from.event),
        "event of the cause";
    from_time: time = |_, it| it.from.time,
        "time of the cause, since the first event of the recording";
    from_context: optional Name = |_, it| Label::party(it.from.endpoint),
        "context that caused it";
    from_context_id: optional U32 = |_, it| context_number(it.from),
        "its number in `contexts`, if it has one";
    to_event: event = |ctx, it| ctx.event_number(it.to.event),
        "event of the effect; for `wake` the last event before the thread runs";
    to_time: time = |_, it| it.to.time,
        "time of the effect";
    to_context: optional Name = |_, it| Label::party(it.to.endpoint),
        "thread that is resumed, context that takes the message, or active object that handles the event";
    to_context_id: optional U32 = |_, it| context_number(it.to),
        "its number in `contexts`, if it has one";
    object: optional Name = |_, it| it.object.map(object_label),
        "object that the thread was blocked on, object that held the message, or signal of the post";
    latency: duration = |_, it| it.latency(),
        "from cause to effect";
    complete: Bool = |_, it| it.complete,
        "whether both times were recorded";
}

fn object_label(object: FlowObject) -> Label {
    match object {
        FlowObject::Resource(resource) => Label::Resource(resource),
        FlowObject::Signal(signal) => Label::Signal(signal),
    }
}

fn context_number(end: FlowEnd) -> Option<u32> {
    match end.endpoint {
        Endpoint::Object(context) => Some(context.0),
        Endpoint::Other(_) | Endpoint::Unknown => None,
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = &ctx.recording.view();
    let mut all: Vec<_> = flows(view.trace, view.schedule, view.active).collect();
    all.sort_by_key(|flow| flow.from.event);
    list_content(ctx, OwnedRows(all))
}
