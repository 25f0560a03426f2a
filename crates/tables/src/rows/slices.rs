//! What each core executed.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Nested, listed};
use crate::scene::Scene;
use rtoscope_analysis::schedule::{ActivationId, Executing, Slice};
use rtoscope_trace::{ContextId, Contexts, Ticks};

pub(crate) struct Executed {
    core: u8,
    slice: Slice,
    end: Ticks,
}

columns! {
    Executed;
    core: U8 = |_, it| it.core,
        "the core";
    start: ticks = |scene, it| scene.time(it.slice.start),
        "when it began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it ended";
    duration: ticks = |_, it| it.duration().0,
        "how long it lasted";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.slice.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    what: Word = |_, it| Key::Word(it.what()),
        "`thread`, `isr`, `kernel` (an interrupt or the scheduler apart from routines), `idle`, `initialize`, `unknown`";
    context_id: optional U32 = |_, it| it.context().map(|context| context.0),
        "the context that executed; of routines and the kernel that of all interrupts; missing where it is unknown";
    context: optional Word = |_, it| it.context().map(Key::Context),
        "its name";
    isr_id: optional U32 = |_, it| it.isr().map(|isr| isr.0),
        "the activation in `isrs`, of a routine";
    isr: optional Word = |scene, it| it.routine(scene),
        "the routine";
    event: event = |scene, it| scene.event(it.slice.event),
        "the last event before it, or at its start";
}

impl Executed {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.slice.start.0))
    }

    fn what(&self) -> &'static str {
        match self.slice.who.executing() {
            Executing::Thread(_) => "thread",
            Executing::Isr(_) => "isr",
            Executing::Kernel => "kernel",
            Executing::Idle => "idle",
            Executing::Initialize => "initialize",
            Executing::Unknown => "unknown",
        }
    }

    fn context(&self) -> Option<ContextId> {
        match self.slice.who.executing() {
            Executing::Thread(thread) => Some(thread),
            Executing::Isr(_) | Executing::Kernel => Some(Contexts::INTERRUPT),
            Executing::Idle => Some(Contexts::IDLE),
            Executing::Initialize => Some(Contexts::INITIALIZE),
            Executing::Unknown => None,
        }
    }

    fn isr(&self) -> Option<ActivationId> {
        match self.slice.who.executing() {
            Executing::Isr(isr) => Some(isr),
            _ => None,
        }
    }

    fn routine(&self, scene: &Scene<'_>) -> Option<Key> {
        let activations = &scene.source.view.schedule.activations;
        let activation = activations.get(self.isr()?.index())?;
        Some(Key::Routine(activation.number))
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let cores = &scene.source.view.schedule.cores;
    let row = |core: usize, at: usize| {
        let slices = cores.get(core)?;
        let slice = *slices.all.get(at)?;
        let next = slices.all.get(at + 1);
        Some(Executed {
            core: slices.core,
            slice,
            end: next.map_or(slices.end, |next| next.start),
        })
    };
    let lengths = cores.iter().map(|slices| slices.all.len());
    listed(scene, Nested::new(lengths, row))
}
