//! The table `slices`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{NestedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{IsrActivationId, RunningContext, Slice};
use rtoscope_trace::{ContextId, Contexts, Ticks};

pub(crate) struct SliceRow {
    core: u8,
    slice: Slice,
    end: Ticks,
}

columns! {
    COLUMNS: SliceRow;
    core: U8 = |_, it| it.core,
        "the core";
    start: time = |_, it| it.slice.start,
        "start of the slice, since the first event of the recording";
    end: time = |_, it| it.end,
        "end of the slice";
    duration: duration = |_, it| it.duration(),
        "duration of the slice";
    kind: Dictionary = |_, it| Label::Static(it.kind()),
        "kind of context: `thread`, `isr`, `kernel` (interrupt handling or the scheduler outside of routines), `idle`, `initialize`, `unknown`";
    context_id: optional U32 = |_, it| it.context().map(|context| context.0),
        "number of the running context; for routines and the kernel that of all interrupts; null if unknown";
    context: optional Name = |_, it| it.context().map(Label::Context),
        "name of the running context";
    isr_id: optional U32 = |_, it| it.isr().map(|isr| isr.0),
        "activation in `isrs`, for a routine";
    isr: optional Name = |ctx, it| it.isr_label(ctx),
        "the interrupt service routine";
    event: event = |ctx, it| ctx.event_number(it.slice.event),
        "event at the start of the slice, or the last one before it";
}

impl SliceRow {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.slice.start.0))
    }

    fn kind(&self) -> &'static str {
        match self.slice.running.running_context() {
            RunningContext::Thread(_) => "thread",
            RunningContext::Isr(_) => "isr",
            RunningContext::Kernel => "kernel",
            RunningContext::Idle => "idle",
            RunningContext::Initialize => "initialize",
            RunningContext::Unknown => "unknown",
        }
    }

    fn context(&self) -> Option<ContextId> {
        match self.slice.running.running_context() {
            RunningContext::Thread(thread) => Some(thread),
            RunningContext::Isr(_) | RunningContext::Kernel => Some(Contexts::INTERRUPT),
            RunningContext::Idle => Some(Contexts::IDLE),
            RunningContext::Initialize => Some(Contexts::INITIALIZE),
            RunningContext::Unknown => None,
        }
    }

    fn isr(&self) -> Option<IsrActivationId> {
        match self.slice.running.running_context() {
            RunningContext::Isr(isr) => Some(isr),
            _ => None,
        }
    }

    fn isr_label(&self, ctx: &RowContext<'_>) -> Option<Label> {
        let activations = &ctx.recording.schedule.activations;
        let activation = activations.get(self.isr()?.index())?;
        Some(Label::Routine(activation.number))
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let cores = &ctx.recording.schedule.cores;
    let row = |core: usize, at: usize| {
        let slices = cores.get(core)?;
        let slice = slices.slices.get(at)?;
        let next = slices.slices.get(at + 1);
        Some(SliceRow {
            core: slices.core,
            slice,
            end: next.map_or(slices.end, |next| next.start),
        })
    };
    let lengths = cores.iter().map(|slices| slices.slices.len());
    list_content(ctx, NestedRows::new(lengths, row))
}
