//! Core tracks: the slices of the schedule, interrupts, and interrupts-off
//! sections.

use super::OverlapLanes;
use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess};
use rtoscope_analysis::schedule::{
    CoreSlices, InterruptsOffEnding, InterruptsOffSection, IsrActivation, RunningContext,
};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Declares the tracks of cores, their interrupts and threads.
pub(super) fn declare(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let view = &recording.view;
    for core in &view.schedule.cores {
        let track = tracks.add(json, format_args!("core {}", core.core));
        tracks.cores.push(track);
        let track = tracks.add(json, format_args!("core {}: interrupts", core.core));
        tracks.interrupts.push(track);
    }
    for context in &view.trace.contexts {
        let track = if context.id.is_thread() {
            tracks.add(json, view.trace.context_name(context.id))
        } else {
            tracks.recording
        };
        tracks.threads.push(track);
        json.flush_if_full()?;
    }
    Ok(())
}

/// Writes the slices of each core, on its own track and on that of the running
/// thread.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let names = trace.contexts.iter().map(|it| trace.context_name(it.id));
    let names: Vec<String> = names.collect();
    let places = recording.view.schedule.cores.iter().enumerate();
    for (place, core) in places {
        slices(json, recording, tracks, &names, (place, core))?;
        interrupts(json, recording, tracks, &names, (place, core.core))?;
        interrupts_off(json, recording, tracks, &names, core.core)?;
    }
    Ok(())
}

fn slices(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &ProcessTracks,
    names: &[String],
    (place, core): (usize, &CoreSlices),
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let track = tracks.cores.get(place).copied();
    let track = track.unwrap_or(tracks.recording);
    for (slice, end) in core.iter() {
        let times = recording.time_range(slice.start, end);
        // Readers merge slices with equal names and arguments.
        let mut on_core = |category: &str, name: &str| {
            json.slice(track, times, category, name, |_| {});
        };
        match slice.running.running_context() {
            RunningContext::Thread(thread) => {
                let name = context_name(names, thread);
                on_core("core", name);
                let thread = tracks.context_track(thread, core.core);
                json.slice(thread, times, "running", name, |arguments| {
                    arguments.number("core", core.core.into());
                });
            }
            RunningContext::Isr(id) => {
                let activation = schedule.activations.get(id.index());
                let number = activation.and_then(|activation| activation.number);
                on_core("core,interrupt", &schedule.isr_name(number));
            }
            RunningContext::Kernel => on_core("core,interrupt", "(interrupt or scheduler)"),
            RunningContext::Idle => on_core("core,idle", "(idle)"),
            RunningContext::Initialize => on_core("core", "(initialize)"),
            RunningContext::Unknown => on_core("core,unknown", "(unknown)"),
        }
        json.flush_if_full()?;
    }
    Ok(())
}

fn interrupts(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    names: &[String],
    (place, core): (usize, u8),
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let first = tracks.interrupts.get(place).copied();
    let first = first.unwrap_or(tracks.recording);
    let mut lanes = OverlapLanes::with_first_track(format!("core {core}: interrupts"), first);
    let on_core = |activation: &&IsrActivation| activation.core == core;
    for activation in schedule.activations.iter().filter(on_core) {
        let (start, end) = (activation.start, activation.end.max(activation.start));
        let track = lanes.assign(json, tracks, start, end);
        let name = schedule.isr_name(activation.number);
        let times = recording.time_range(start, end);
        json.slice(track, times, "interrupt", name, |arguments| {
            arguments.number("depth", activation.depth.into());
            if activation.interrupted != ContextId::UNKNOWN {
                arguments.text(
                    "interrupted",
                    self::context_name(names, activation.interrupted),
                );
            }
            arguments.number("first event", recording.event_number(activation.first));
            arguments.number("last event", recording.event_number(activation.last));
            arguments.flag("entry recorded", activation.entered);
            arguments.flag("exit recorded", activation.exited);
        });
        json.flush_if_full()?;
    }
    Ok(())
}

fn interrupts_off(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    names: &[String],
    core: u8,
) -> io::Result<()> {
    let view = &recording.view;
    let mut lanes = OverlapLanes::new(format!("core {core}: interrupts off"));
    let on_core = |masked: &&InterruptsOffSection| masked.core == core;
    for masked in view.schedule.interrupts_off.iter().filter(on_core) {
        let track = lanes.assign(json, tracks, masked.start, masked.end);
        let by = masked.activation.and_then(|id| {
            let routine = view.schedule.activations.get(id.index())?;
            Some(view.schedule.isr_name(routine.number))
        });
        let by = by.unwrap_or_else(|| context_name(names, masked.context).to_owned());
        let event = view.trace.events.get(masked.first);
        let code = event.and_then(|event| view.trace.code_address(&event));
        let times = recording.time_range(masked.start, masked.end);
        json.slice(track, times, "interrupts-off", by, |arguments| {
            if let Some(code) = code {
                arguments.text("disabled at", view.trace.code_locations.display(code));
            }
            arguments.number("first event", recording.event_number(masked.first));
            arguments.number("last event", recording.event_number(masked.last));
            arguments.flag("start recorded", masked.start_known);
            arguments.text("ending", unmasking_label(masked.ending));
        });
        json.flush_if_full()?;
    }
    Ok(())
}

fn unmasking_label(ending: InterruptsOffEnding) -> &'static str {
    match ending {
        InterruptsOffEnding::Restored => "restored",
        InterruptsOffEnding::Switched => "switched",
        InterruptsOffEnding::Unrecorded => "unrecorded",
        InterruptsOffEnding::Lost => "lost",
        InterruptsOffEnding::Open => "open",
    }
}

fn context_name(names: &[String], context: ContextId) -> &str {
    names.get(context.index()).map_or("(unknown)", |name| name)
}
