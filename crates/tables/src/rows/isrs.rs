//! The table `isrs`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{PackedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::IsrActivation;
use rtoscope_trace::Ticks;

pub(crate) struct IsrRow {
    id: usize,
    activation: IsrActivation,
}

columns! {
    COLUMNS: IsrRow;
    isr_id: U32 = |_, it| it.id as u32,
        "number of the activation";
    isr: Name = |_, it| Label::Routine(it.activation.number),
        "the routine: its function, or `ISR` and its number; `ISR (unnumbered)` if entry and exit are not recorded";
    number: optional U32 = |_, it| it.activation.number,
        "number that the application gave it, or its index among the routines known by address";
    core: U8 = |_, it| it.activation.core,
        "the core";
    depth: U16 = |_, it| it.activation.depth,
        "nesting depth, 1 for the outermost routine";
    interrupted: optional Name = |_, it| Label::context(it.activation.interrupted),
        "interrupted context: a thread or `(idle)`";
    interrupted_id: optional U32 = |_, it| context_number(it.activation.interrupted),
        "its number in `contexts`";
    start: time = |_, it| it.activation.start,
        "start of the activation, since the first event of the recording";
    end: time = |_, it| it.activation.end,
        "end of the activation, or the last time at which it is known to run";
    duration: duration = |_, it| it.activation.duration(),
        "duration, including routines that interrupted it";
    nested: duration = |_, it| it.activation.nested,
        "CPU time of the routines that interrupted it";
    self_duration: duration = |_, it| it.self_duration(),
        "`duration` without `nested`";
    first_event: event = |ctx, it| ctx.event_number(it.activation.first),
        "first event of the activation";
    last_event: event = |ctx, it| ctx.event_number(it.activation.last),
        "last event of the activation";
    entered: Bool = |_, it| it.activation.entered,
        "whether the entry was recorded";
    exited: Bool = |_, it| it.activation.exited,
        "whether the exit was recorded";
}

impl IsrRow {
    fn self_duration(&self) -> Ticks {
        let whole = self.activation.duration().0;
        Ticks(whole.saturating_sub(self.activation.nested.0))
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = &ctx.recording.schedule.activations;
    let row = |id, activation| IsrRow { id, activation };
    list_content(ctx, PackedRows { all, make_row: row })
}
