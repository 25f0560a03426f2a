//! Interrupt service routines.

use super::TableContent;
use super::field::columns;
use super::label::{Label, context_number};
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::IsrActivation;
use rtoscope_trace::Ticks;

pub(crate) struct IsrRow<'a> {
    id: usize,
    activation: &'a IsrActivation,
}

columns! {
    IsrRow<'_>;
    isr_id: U32 = |_, it| it.id as u32,
        "the activation's number";
    isr: Word = |_, it| Label::Routine(it.activation.number),
        "the routine: its function, or `ISR` and its number; `ISR (unnumbered)` where entry and exit are not recorded";
    number: optional U32 = |_, it| it.activation.number,
        "the number that the application gave it, or its place among those that are known by their address";
    core: U8 = |_, it| it.activation.core,
        "the core";
    depth: U16 = |_, it| it.activation.depth,
        "how many routines had begun, itself included";
    interrupted: optional Word = |_, it| Label::context(it.activation.interrupted),
        "the thread that it interrupted, or `(idle)`";
    interrupted_id: optional U32 = |_, it| context_number(it.activation.interrupted),
        "its number in `contexts`";
    start: ticks = |scene, it| scene.time(it.activation.start),
        "when it began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.activation.end),
        "when it ended, or was last known to execute";
    duration: ticks = |_, it| it.activation.duration().0,
        "how long it took, with routines that interrupted it";
    nested: ticks = |_, it| it.activation.nested.0,
        "how long these took";
    own: ticks = |_, it| it.self_duration().0,
        "`duration` without `nested`";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.activation.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.activation.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.activation.duration()),
        "`duration` as time";
    own_ns: nanoseconds = |scene, it| scene.nanoseconds(it.self_duration()),
        "`own` as time";
    first_event: event = |scene, it| scene.event_number(it.activation.first),
        "its first event";
    last_event: event = |scene, it| scene.event_number(it.activation.last),
        "its last event";
    entered: Bool = |_, it| it.activation.entered,
        "whether its entry was recorded";
    exited: Bool = |_, it| it.activation.exited,
        "whether its exit was recorded";
}

impl IsrRow<'_> {
    fn self_duration(&self) -> Ticks {
        let whole = self.activation.duration().0;
        Ticks(whole.saturating_sub(self.activation.nested.0))
    }
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.schedule.activations.as_slice();
    let row = |id, activation| IsrRow { id, activation };
    list_content(scene, SliceRows { all, make_row: row })
}
