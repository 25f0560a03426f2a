//! Core tracks: the slices of the schedule, and interrupts.

use super::tracks::RecordingWriter;
use crate::timeline::Value::{Event, Flag, Number, Text};
use crate::timeline::{Class, Lanes, Timeline as _, Value};
use rtoscope_analysis::schedule::{CoreSlices, IsrActivation, RunningContext};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Declares the tracks of cores, their interrupts and threads.
pub(super) fn declare(to: &mut RecordingWriter<'_, '_, impl Write>) -> io::Result<()> {
    let view = to.view;
    for core in &view.schedule.cores {
        let track = to.add_track(&format!("core {}", core.core));
        to.cores.push(track);
        let track = to.add_track(&format!("core {}: interrupts", core.core));
        to.interrupts.push(track);
    }
    for context in &view.trace.contexts {
        let track = if context.id.is_thread() {
            to.add_track(&view.trace.context_name(context.id))
        } else {
            to.recording
        };
        to.threads.push(track);
        to.json.flush_if_full()?;
    }
    Ok(())
}

/// Writes the slices of each core, on its own track and on that of the running
/// thread, and its interrupts.
pub(super) fn write(to: &mut RecordingWriter<'_, '_, impl Write>) -> io::Result<()> {
    let trace = to.view.trace;
    let names = trace.contexts.iter().map(|it| trace.context_name(it.id));
    let names: Vec<String> = names.collect();
    for (place, core) in to.view.schedule.cores.iter().enumerate() {
        slices(to, &names, (place, core))?;
        interrupts(to, &names, (place, core.core))?;
    }
    Ok(())
}

fn slices(
    to: &mut RecordingWriter<'_, '_, impl Write>,
    names: &[String],
    (place, core): (usize, &CoreSlices),
) -> io::Result<()> {
    let schedule = to.view.schedule;
    let track = to.cores.get(place).copied().unwrap_or(to.recording);
    for (slice, end) in core.iter() {
        let times = [slice.start, end];
        // Readers merge slices with equal names and arguments.
        let mut on_core = |category, name: &str| to.write_slice(track, times, category, name, &[]);
        match slice.running.running_context() {
            RunningContext::Thread(thread) => {
                let name = context_name(names, thread);
                on_core("core", name)?;
                let thread = to.context_track(thread, core.core);
                let arguments = [("core", Number(core.core.into()))];
                to.write_slice(thread, times, "running", name, &arguments)?;
            }
            RunningContext::Isr(id) => {
                let activation = schedule.activations.get(id.index());
                let number = activation.and_then(|activation| activation.number);
                on_core("core,interrupt", &schedule.isr_name(number))?;
            }
            RunningContext::Kernel => on_core("core,interrupt", "(interrupt or scheduler)")?,
            RunningContext::Idle => on_core("core,idle", "(idle)")?,
            RunningContext::Initialize => on_core("core", "(initialize)")?,
            RunningContext::Unknown => on_core("core,unknown", "(unknown)")?,
        }
    }
    Ok(())
}

fn interrupts<W: Write>(
    to: &mut RecordingWriter<'_, '_, W>,
    names: &[String],
    (place, core): (usize, u8),
) -> io::Result<()> {
    let schedule = to.view.schedule;
    let first = to.interrupts.get(place).copied().unwrap_or(to.recording);
    let mut lanes = Lanes::with_first_track(format!("core {core}: interrupts"), first);
    let on_core = |activation: &&IsrActivation| activation.core == core;
    for activation in schedule.activations.iter().filter(on_core) {
        let times = [activation.start, activation.end.max(activation.start)];
        let name = schedule.isr_name(activation.number);
        let interrupted = match activation.interrupted {
            ContextId::UNKNOWN => Value::Missing,
            context => Text(context_name(names, context)),
        };
        let arguments = [
            ("depth", Number(activation.depth.into())),
            ("interrupted", interrupted),
            ("first event", Event(activation.first)),
            ("last event", Event(activation.last)),
            ("entry recorded", Flag(activation.entered)),
            ("exit recorded", Flag(activation.exited)),
        ];
        lanes.slice(to, times, Class::Interrupt, &name, &arguments)?;
    }
    Ok(())
}

fn context_name(names: &[String], context: ContextId) -> &str {
    names.get(context.index()).map_or("(unknown)", |name| name)
}
