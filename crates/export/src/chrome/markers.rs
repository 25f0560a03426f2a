//! Points of interest.

use super::OverlapLanes;
use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess};
use rtoscope_trace::{ContextId, EventIndex};
use std::io::{self, Write};

/// Writes spans and instants, one track per marker, and more for overlapping spans.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let markers = recording.view.markers;
    let mut lanes: Vec<_> = markers.names.iter().map(|_| None).collect();
    for span in &markers.spans {
        let (Some(begin), Some(lanes)) = (span.begin, lanes.get_mut(span.marker.index())) else {
            continue;
        };
        let name = markers.name(span.marker);
        let lanes = lanes.get_or_insert_with(|| OverlapLanes::new(format!("marker {name}")));
        let track = lanes.assign(json, tracks, span.start, span.until);
        let times = recording.time_range(span.start, span.until);
        json.slice(track, times, "marker", name, |arguments| {
            arguments.number("value", span.value);
            arguments.text("ending", span.ending.name());
            arguments.text("context", context(recording, begin));
            arguments.number("first event", recording.event_number(begin));
            if let Some(end) = span.end {
                arguments.number("last event", recording.event_number(end));
            }
        });
        json.flush_if_full()?;
    }
    let mut instants: Vec<_> = markers.names.iter().map(|_| None).collect();
    for instant in &markers.instants {
        let Some(track) = instants.get_mut(instant.marker.index()) else {
            continue;
        };
        let name = markers.name(instant.marker);
        let declare = || tracks.add(json, format_args!("instants {name}"));
        let track = *track.get_or_insert_with(declare);
        let time = recording.time(instant.time);
        json.instant(track, time, "marker", name, |arguments| {
            arguments.number("value", instant.value);
            arguments.text("context", context(recording, instant.event));
            arguments.number("event", recording.event_number(instant.event));
        });
        json.flush_if_full()?;
    }
    Ok(())
}

fn context(recording: &RecordingProcess<'_>, event: EventIndex) -> String {
    let trace = recording.view.trace;
    let context = trace.events.context(event).unwrap_or(ContextId::UNKNOWN);
    trace.context_name(context)
}
