//! Facts about a recording, findings and gaps.

use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess, Track, declare};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::findings;
use rtoscope_trace::{EventIndex, NoTime, Ticks};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Names the process, and writes facts about the recording as a whole.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    source: &AnalyzedRecording,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let track = tracks.recording;
    json.metadata(track, "process_name", |arguments| {
        arguments.text("name", &source.info.name);
    });
    json.metadata(track, "process_labels", |arguments| {
        let labels = format_args!("{}, {}", source.info.format, time_unit(recording));
        arguments.text("labels", labels);
    });
    json.metadata(track, "process_sort_index", |arguments| {
        arguments.number("sort_index", recording.process.into());
    });
    declare(json, track, "recording");
    add_recording_info(json, recording, source, track);
    for finding in findings::findings(&recording.view) {
        let event = finding.event.map(EventIndex);
        let time = event.and_then(|event| event_time(recording, event));
        let at = recording.time(time.unwrap_or_default());
        let category = format!("finding,{}", finding.severity.name());
        json.instant(track, at, &category, &finding.message, |arguments| {
            arguments.text("severity", finding.severity.name());
            if let Some(event) = event {
                arguments.number("event", recording.event_number(event));
            }
        });
    }
    write_gaps(json, recording, tracks)
}

fn add_recording_info(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    source: &AnalyzedRecording,
    track: Track,
) {
    let trace = recording.view.trace;
    let start = recording.time(Ticks(0));
    json.instant(track, start, "recording", &source.info.name, |arguments| {
        arguments.text("format", source.info.format);
        arguments.text("unit", time_unit(recording));
        if let Some(frequency) = trace.clock.frequency() {
            arguments.number("frequency hz", frequency.hertz());
        }
        arguments.text("clock", trace.clock.quality);
        arguments.number("events", trace.events.len() as u64);
        arguments.number("span ticks", trace.events.span().0);
        arguments.number(
            "diagnostics",
            recording.view.diagnostics.iter().count() as u64,
        );
    });
}

/// The unit of the times in the document.
fn time_unit(recording: &RecordingProcess<'_>) -> String {
    match recording.scale.no_time() {
        None => "times are nanoseconds".to_owned(),
        Some(NoTime::UnknownFrequency) => "1 tick is shown as 1 ns".to_owned(),
        Some(why) => why.to_string(),
    }
}

fn event_time(recording: &RecordingProcess<'_>, event: EventIndex) -> Option<Ticks> {
    recording.view.trace.events.time(event)
}

/// Writes gaps as slices from the last event before to the first event after.
fn write_gaps(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let trace = recording.view.trace;
    // Gaps of several cores overlap, which slices on one track must not.
    let mut known = BTreeMap::new();
    for gap in &trace.gaps {
        let track = known.entry(gap.core).or_insert_with(|| match gap.core {
            Some(core) => tracks.add(json, format_args!("events missing on core {core}")),
            None => tracks.add(json, "events missing"),
        });
        let track = *track;
        let times = trace.gap_bounds(gap).map(|time| recording.time(time));
        json.slice(track, times, "gap", "events missing", |arguments| {
            match gap.missing {
                Some(missing) => arguments.number("missing at most", missing),
                None => arguments.text("missing at most", "(unknown)"),
            }
            arguments.number("first event after", recording.event_number(gap.next_event));
        });
        json.flush_if_full()?;
    }
    Ok(())
}
