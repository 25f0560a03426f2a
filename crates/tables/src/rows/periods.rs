//! The table `periods`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::periods::{Activation, ActivationSource, activation_streams};
use rtoscope_trace::Ticks;

/// An activation, and what its source is.
pub(super) struct PeriodRow {
    source: ActivationSource,
    activation: Activation,
    jitter: Option<Ticks>,
}

columns! {
    COLUMNS: PeriodRow;
    source: Name = |_, it| Label::Source(it.source),
        "thread, routine, active object, state of an active object, or event";
    source_kind: Dictionary = |_, it| Label::Static(it.source.kind()),
        "`thread`, `interrupt`, `dispatch`, `state` or `event`";
    context_id: optional U32 = |_, it| it.context_id(),
        "number of the thread or active object in `contexts`";
    core: U8 = |_, it| it.activation.core,
        "core of the event";
    start: time = |_, it| it.activation.start,
        "start of the activation, since the first event of the recording";
    previous_start: optional time = |_, it| it.previous_start(),
        "start of the previous activation; null if one in between may be missing";
    period: optional duration = |_, it| it.activation.period,
        "from `previous_start` to `start`";
    jitter: optional duration = |_, it| it.jitter,
        "difference between this period and the previous one";
    response: optional duration = |_, it| Some(it.activation.response?.duration),
        "response time: from ready to suspended, entry to exit, post to end of step, or time in the state; null if start or end is not recorded";
    cpu_time: optional duration = |_, it| Some(it.activation.cpu_time?.duration),
        "CPU time of the activation, without interrupts; in a context-switch log, until the next activation; null for states and events, and if not known";
    first_event: event = |ctx, it| ctx.event_number(it.activation.event),
        "event of the start";
    last_event: optional event = |ctx, it| it.activation.response.map(|it| ctx.event_number(it.event)),
        "event at the end of `response`";
}

impl PeriodRow {
    fn context_id(&self) -> Option<u32> {
        match self.source {
            ActivationSource::Thread(context)
            | ActivationSource::Dispatch(context)
            | ActivationSource::State(context, _) => context_number(context),
            ActivationSource::Isr(_) | ActivationSource::Event(_) => None,
        }
    }

    fn previous_start(&self) -> Option<Ticks> {
        let start = self.activation.start.0;
        start.checked_sub(self.activation.period?.0).map(Ticks)
    }
}

/// The activations of one source after the other; of events, those with declared deadlines.
pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = ctx.recording.view();
    let mut events: Vec<_> = view
        .deadlines
        .iter()
        .filter_map(|it| it.source.event_kind())
        .collect();
    events.sort_unstable();
    events.dedup();
    let mut rows = Vec::new();
    for stream in activation_streams(&view, &events) {
        let mut last = None;
        rows.extend(stream.activations.iter().map(|activation| {
            let last = std::mem::replace(&mut last, activation.period);
            let both = last.zip(activation.period);
            PeriodRow {
                source: stream.source,
                activation,
                jitter: both.map(|(one, two)| Ticks(one.0.abs_diff(two.0))),
            }
        }));
    }
    list_content(ctx, OwnedRows(rows))
}
