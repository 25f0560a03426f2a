//! Interrupts that are off.

use super::TableContent;
use super::field::columns;
use super::label::{Label, context_number};
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{InterruptsOffEnding, InterruptsOffSection};

columns! {
    &InterruptsOffSection;
    core: U8 = |_, it| it.core,
        "the core";
    context_id: optional U32 = |_, it| context_number(it.context),
        "the context on whose behalf they were disabled";
    context: optional Word = |_, it| Label::context(it.context),
        "its name";
    isr_id: optional U32 = |_, it| it.activation.map(|isr| isr.0),
        "the activation in `isrs` that did it, if one did";
    isr: optional Word = |scene, it| isr_label(scene, it),
        "the routine";
    start: ticks = |scene, it| scene.time(it.start),
        "when they were disabled, or first found to be, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when that ended, or the last moment at which they are known to have been disabled";
    duration: ticks = |_, it| it.duration().0,
        "how long they were; the least that it can be where `whole` is false";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    nested: U32 = |_, it| it.nested,
        "how often they were disabled though they were already";
    whole: Bool = |_, it| it.is_complete(),
        "whether both ends were recorded";
    begun: Bool = |_, it| it.start_known,
        "whether the first event disabled them";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`restored`, `switched` (the core went to somebody else), `unseen`, `lost` (events are missing), `open` (the trace ends)";
    first_event: event = |scene, it| scene.event_number(it.first),
        "the event of the start";
    last_event: event = |scene, it| scene.event_number(it.last),
        "the event of the end";
}

fn isr_label(scene: &RowContext<'_>, masked: &InterruptsOffSection) -> Option<Label> {
    let activations = &scene.source.view.schedule.activations;
    let activation = activations.get(masked.activation?.index())?;
    Some(Label::Routine(activation.number))
}

fn ending_name(ending: InterruptsOffEnding) -> &'static str {
    match ending {
        InterruptsOffEnding::Restored => "restored",
        InterruptsOffEnding::Switched => "switched",
        InterruptsOffEnding::Unrecorded => "unseen",
        InterruptsOffEnding::Lost => "lost",
        InterruptsOffEnding::Open => "open",
    }
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.schedule.interrupts_off.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
