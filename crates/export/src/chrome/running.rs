//! What cores execute: the slices of the schedule, interrupts, and times in
//! which these were off.

use super::Lanes;
use super::json::Json;
use super::tracks::{Recording, Tracks};
use rtoscope_analysis::schedule::{Activation, Executing, Masked, Slices, Unmasking};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Names the tracks of cores, their interrupts and threads.
pub(super) fn declare(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
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
        json.settle()?;
    }
    Ok(())
}

/// Writes what each core executed, on its own track and on that of the thread.
pub(super) fn write(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
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
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &Tracks,
    names: &[String],
    (place, core): (usize, &Slices),
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let track = tracks.cores.get(place).copied();
    let track = track.unwrap_or(tracks.recording);
    for (slice, end) in core.iter() {
        let times = recording.times(slice.start, end);
        // Readers add up slices of the same name and arguments.
        let mut on_core = |category: &str, name: &str| {
            json.slice(track, times, category, name, |_| {});
        };
        match slice.who.executing() {
            Executing::Thread(thread) => {
                let name = name(names, thread);
                on_core("core", name);
                let thread = tracks.of(thread, core.core);
                json.slice(thread, times, "running", name, |arguments| {
                    arguments.number("core", core.core.into());
                });
            }
            Executing::Isr(id) => {
                let activation = schedule.activations.get(id.index());
                let number = activation.and_then(|activation| activation.number);
                on_core("core,interrupt", &schedule.routine_name(number));
            }
            Executing::Kernel => on_core("core,interrupt", "(interrupt or scheduler)"),
            Executing::Idle => on_core("core,idle", "(idle)"),
            Executing::Initialize => on_core("core", "(initialize)"),
            Executing::Unknown => on_core("core,unknown", "(unknown)"),
        }
        json.settle()?;
    }
    Ok(())
}

fn interrupts(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    names: &[String],
    (place, core): (usize, u8),
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let first = tracks.interrupts.get(place).copied();
    let first = first.unwrap_or(tracks.recording);
    let mut lanes = Lanes::from(format!("core {core}: interrupts"), first);
    let on_core = |activation: &&Activation| activation.core == core;
    for activation in schedule.activations.iter().filter(on_core) {
        let (start, end) = (activation.start, activation.end.max(activation.start));
        let track = lanes.place(json, tracks, start, end);
        let name = schedule.routine_name(activation.number);
        let times = recording.times(start, end);
        json.slice(track, times, "interrupt", name, |arguments| {
            arguments.number("depth", activation.depth.into());
            if activation.interrupted != ContextId::UNKNOWN {
                arguments.text("interrupted", self::name(names, activation.interrupted));
            }
            arguments.number("first event", recording.number(activation.first));
            arguments.number("last event", recording.number(activation.last));
            arguments.flag("entry recorded", activation.entered);
            arguments.flag("exit recorded", activation.exited);
        });
        json.settle()?;
    }
    Ok(())
}

fn interrupts_off(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    names: &[String],
    core: u8,
) -> io::Result<()> {
    let view = &recording.view;
    let mut lanes = Lanes::new(format!("core {core}: interrupts off"));
    let on_core = |masked: &&Masked| masked.core == core;
    for masked in view.schedule.masked.iter().filter(on_core) {
        let track = lanes.place(json, tracks, masked.start, masked.end);
        let by = masked.routine.and_then(|id| {
            let routine = view.schedule.activations.get(id.index())?;
            Some(view.schedule.routine_name(routine.number))
        });
        let by = by.unwrap_or_else(|| name(names, masked.context).to_owned());
        let event = view.trace.events.get(masked.first);
        let code = event.and_then(|event| view.trace.code_address(&event));
        let times = recording.times(masked.start, masked.end);
        json.slice(track, times, "interrupts-off", by, |arguments| {
            if let Some(code) = code {
                arguments.text("disabled at", view.trace.places.show(code));
            }
            arguments.number("first event", recording.number(masked.first));
            arguments.number("last event", recording.number(masked.last));
            arguments.flag("beginning recorded", masked.begun);
            arguments.text("ending", ending(masked.ending));
        });
        json.settle()?;
    }
    Ok(())
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

fn name(names: &[String], context: ContextId) -> &str {
    names.get(context.index()).map_or("(unknown)", |name| name)
}
