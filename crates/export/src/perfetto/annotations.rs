//! Facts about a recording in addition to its events: format, gaps, diagnostics,
//! findings and intervals of interest.

use super::track_event::TrackEventType;
use super::track_writer::{NoteValue, TrackId, TrackWriter};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_analysis::report::findings;
use rtoscope_analysis::schedule::InterruptsOffEnding;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, EventIndex, NoTime};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes all of them.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    source: &AnalyzedRecording,
    name: &str,
) -> io::Result<()> {
    let track = writer.track("recording");
    write_recording_info(writer, source, name, track);
    write_losses(writer, track);
    write_findings(writer);
    writer.packets.flush_full()?;
    write_inversions(writer)?;
    write_interrupts_off(writer)?;
    write_state_intervals(writer)
}

/// Writes the format, the clock and the meaning of times.
fn write_recording_info<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    source: &AnalyzedRecording,
    name: &str,
    track: TrackId,
) {
    let trace = writer.view.trace;
    let unit = match writer.scale.no_time() {
        None => "nanoseconds".to_owned(),
        Some(NoTime::UnknownFrequency) => "1 ns is a tick of the target's clock".to_owned(),
        Some(why) => why.to_string(),
    };
    let quality = trace.clock.quality.to_string();
    let mut arguments = vec![
        ("file", NoteValue::Text(name)),
        ("format", NoteValue::Text(source.info.format)),
        ("events", NoteValue::Number(trace.events.len() as u64)),
        ("times", NoteValue::Text(&unit)),
        ("clock", NoteValue::Text(&quality)),
    ];
    let frequency = trace.clock.frequency();
    let frequency = frequency.map(|frequency| NoteValue::Number(frequency.hertz()));
    arguments.extend(frequency.map(|frequency| ("clock in Hz", frequency)));
    let start = writer.event_time(EventIndex(0));
    let kind = TrackEventType::Instant;
    writer.note(start, kind, track, "recording", "recording", &arguments);
}

/// Writes gaps and diagnostics.
fn write_losses<W: Write>(writer: &mut TrackWriter<'_, W>, track: TrackId) {
    let trace = writer.view.trace;
    let mut tracks = BTreeMap::new();
    for gap in &trace.gaps {
        // Gaps of several cores overlap, which slices on one track must not.
        let track = gap.core.map_or(track, |core| {
            *tracks
                .entry(core)
                .or_insert_with(|| writer.track(&format!("events missing on core {core}")))
        });
        let times = trace.gap_bounds(gap).map(|time| writer.time(time));
        let name = match gap.missing {
            Some(missing) => pluralise(missing, "event is missing", "events are missing"),
            None => "events are missing".to_owned(),
        };
        writer.slice(times, track, "loss", &name, &[]);
    }
    for diagnostic in writer.view.diagnostics.iter() {
        let time = writer.event_time(diagnostic.event.unwrap_or(EventIndex(0)));
        let severity = diagnostic.severity().to_string();
        let arguments = [
            ("message", NoteValue::Text(&diagnostic.message)),
            ("severity", NoteValue::Text(&severity)),
            ("count", NoteValue::Number(diagnostic.count)),
        ];
        let name = diagnostic.kind.name();
        writer.note(
            time,
            TrackEventType::Instant,
            track,
            "diagnostic",
            name,
            &arguments,
        );
    }
}

/// Writes the findings.
fn write_findings<W: Write>(writer: &mut TrackWriter<'_, W>) {
    let all = findings::findings(writer.view);
    if all.is_empty() {
        return;
    }
    let track = writer.track("findings");
    for finding in all {
        let time = writer.event_time(EventIndex(finding.event.unwrap_or_default()));
        let mut arguments = vec![("severity", NoteValue::Text(finding.severity.name()))];
        let event = finding.event.map(EventIndex);
        let event = event.map(|event| NoteValue::Number(writer.view.trace.recording_event(event)));
        arguments.extend(event.map(|event| ("event", event)));
        let name = finding.message.as_str();
        writer.note(
            time,
            TrackEventType::Instant,
            track,
            "finding",
            name,
            &arguments,
        );
    }
}

/// Writes priority inversions, one track per blocked thread.
fn write_inversions<W: Write>(writer: &mut TrackWriter<'_, W>) -> io::Result<()> {
    let mut tracks = BTreeMap::new();
    for inversion in &writer.view.schedule.inversions {
        let blocked = writer.view.trace.context_name(inversion.blocked);
        let track = *tracks
            .entry(inversion.blocked)
            .or_insert_with(|| writer.track(&format!("priority inversions of {blocked}")));
        let mutex = writer.view.resource_name(inversion.resource);
        let owners = thread_names(writer, inversion.owners.iter().copied());
        let culprits = thread_names(
            writer,
            inversion.culprits.iter().map(|culprit| culprit.thread),
        );
        let unbounded = match inversion.unbounded() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        let name = match inversion.unbounded() {
            Some(true) => format!("unbounded priority inversion: {mutex}"),
            _ => format!("priority inversion: {mutex}"),
        };
        let arguments = [
            ("mutex", NoteValue::Text(&mutex)),
            ("blocked", NoteValue::Text(&blocked)),
            (
                "blocked priority",
                NoteValue::Number(inversion.blocked_priority.into()),
            ),
            ("owner", NoteValue::Text(&owners)),
            (
                "owner priority",
                NoteValue::Number(inversion.owner_priority.into()),
            ),
            ("unbounded", NoteValue::Text(unbounded)),
            ("prolonged by", NoteValue::Text(&culprits)),
        ];
        let end = arguments.len() - usize::from(culprits.is_empty());
        let arguments = arguments.get(..end).unwrap_or_default();
        let times = [inversion.start, inversion.end].map(|time| writer.time(time));
        writer.slice(times, track, "inversion", &name, arguments);
        writer.packets.flush_full()?;
    }
    Ok(())
}

fn thread_names<W: Write>(
    writer: &TrackWriter<'_, W>,
    contexts: impl Iterator<Item = ContextId>,
) -> String {
    let names: Vec<_> = contexts
        .map(|context| writer.view.trace.context_name(context))
        .collect();
    names.join(", ")
}

/// Writes interrupts-off sections, one track per core.
fn write_interrupts_off<W: Write>(writer: &mut TrackWriter<'_, W>) -> io::Result<()> {
    let mut tracks = BTreeMap::new();
    for masked in &writer.view.schedule.interrupts_off {
        let track = *tracks
            .entry(masked.core)
            .or_insert_with(|| writer.track(&format!("interrupts off on core {}", masked.core)));
        let by = writer.view.trace.context_name(masked.context);
        let ending = match masked.ending {
            InterruptsOffEnding::Restored => "interrupts were enabled",
            InterruptsOffEnding::Switched => "a context switch",
            InterruptsOffEnding::Unrecorded => "not recorded",
            InterruptsOffEnding::Lost => "events are missing",
            InterruptsOffEnding::Open => "the recording ends",
        };
        let arguments = [
            ("by", NoteValue::Text(&by)),
            ("ends", NoteValue::Text(ending)),
        ];
        let times = [masked.start, masked.end].map(|time| writer.time(time));
        writer.slice(times, track, "interrupts off", "interrupts off", &arguments);
        writer.packets.flush_full()?;
    }
    Ok(())
}

/// Writes the states of state machines, one track per machine.
fn write_state_intervals<W: Write>(writer: &mut TrackWriter<'_, W>) -> io::Result<()> {
    let trace = writer.view.trace;
    let naming = NameFormatter(trace);
    for object in &writer.view.active.objects {
        let intervals = writer.view.active.state_intervals.get(object.index());
        let Some(intervals) = intervals.filter(|intervals| !intervals.is_empty()) else {
            continue;
        };
        let track = writer.track(&format!("state of {}", trace.context_name(*object)));
        for interval in intervals {
            let times = [interval.start, interval.end].map(|time| writer.time(time));
            writer.slice(times, track, "state", &naming.vertex(interval.state), &[]);
            writer.packets.flush_full()?;
        }
    }
    Ok(())
}
