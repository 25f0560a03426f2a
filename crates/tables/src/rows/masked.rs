//! Interrupts that are off.

use super::Content;
use super::field::columns;
use super::key::{Key, known};
use super::list::{Flat, listed};
use crate::scene::Scene;
use rtoscope_analysis::schedule::{Masked, Unmasking};

columns! {
    &Masked;
    core: U8 = |_, it| it.core,
        "the core";
    context_id: optional U32 = |_, it| known(it.context),
        "the context on whose behalf they were disabled";
    context: optional Word = |_, it| Key::context(it.context),
        "its name";
    isr_id: optional U32 = |_, it| it.routine.map(|isr| isr.0),
        "the activation in `isrs` that did it, if one did";
    isr: optional Word = |scene, it| routine(scene, it),
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
    whole: Bool = |_, it| it.is_whole(),
        "whether both ends were recorded";
    begun: Bool = |_, it| it.begun,
        "whether the first event disabled them";
    ending: Word = |_, it| Key::Word(ending(it.ending)),
        "`restored`, `switched` (the core went to somebody else), `unseen`, `lost` (events are missing), `open` (the trace ends)";
    first_event: event = |scene, it| scene.event(it.first),
        "the event of the start";
    last_event: event = |scene, it| scene.event(it.last),
        "the event of the end";
}

fn routine(scene: &Scene<'_>, masked: &Masked) -> Option<Key> {
    let activations = &scene.source.view.schedule.activations;
    let activation = activations.get(masked.routine?.index())?;
    Some(Key::Routine(activation.number))
}

fn ending(ending: Unmasking) -> &'static str {
    match ending {
        Unmasking::Restored => "restored",
        Unmasking::Switched => "switched",
        Unmasking::Unseen => "unseen",
        Unmasking::Lost => "lost",
        Unmasking::Open => "open",
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let all = scene.source.view.schedule.masked.as_slice();
    listed(
        scene,
        Flat {
            all,
            row: |_, it| it,
        },
    )
}
