//! Points of interest, on tracks of their own.

use super::track_event::TrackEventType;
use super::track_writer::{NoteValue, TrackId, TrackWriter};
use crate::lane_assigner::LaneAssigner;
use rtoscope_trace::{ContextId, EventIndex};
use std::io::{self, Write};

/// The tracks of a marker: overlapping spans are on different ones.
struct MarkerTracks {
    tracks: Vec<TrackId>,
    lanes: LaneAssigner,
}

/// Writes spans and instants.
pub(super) fn write<W: Write>(writer: &mut TrackWriter<'_, W>) -> io::Result<()> {
    let markers = writer.view.markers;
    let new_tracks = |_| MarkerTracks {
        tracks: Vec::new(),
        lanes: LaneAssigner::new(false),
    };
    let mut all: Vec<_> = markers.names.iter().map(new_tracks).collect();
    for span in &markers.spans {
        let (Some(begin), Some(tracks)) = (span.begin, all.get_mut(span.marker.index())) else {
            continue;
        };
        let name = markers.name(span.marker);
        let lane = tracks.lanes.assign(span.start.0, span.until.0);
        let track = tracks.track(writer, lane, name);
        let times = [span.start, span.until].map(|time| writer.time(time));
        let context = context_name(writer, begin);
        let arguments = [
            ("value", NoteValue::Number(span.value)),
            ("ending", NoteValue::Text(span.ending.name())),
            ("context", NoteValue::Text(&context)),
        ];
        writer.slice(times, track, "marker", name, &arguments);
        writer.packets.flush_full()?;
    }
    for instant in &markers.instants {
        let Some(tracks) = all.get_mut(instant.marker.index()) else {
            continue;
        };
        let name = markers.name(instant.marker);
        let track = tracks.track(writer, 0, name);
        let context = context_name(writer, instant.event);
        let arguments = [
            ("value", NoteValue::Number(instant.value)),
            ("context", NoteValue::Text(&context)),
        ];
        let time = writer.time(instant.time);
        let kind = TrackEventType::Instant;
        writer.note(time, kind, track, "marker", name, &arguments);
        writer.packets.flush_full()?;
    }
    Ok(())
}

impl MarkerTracks {
    /// The track of a lane.
    fn track<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        lane: usize,
        name: &str,
    ) -> TrackId {
        if let Some(track) = self.tracks.get(lane) {
            return *track;
        }
        let track = match lane {
            0 => writer.track(&format!("marker {name}")),
            more => writer.track(&format!("marker {name} ({})", more + 1)),
        };
        self.tracks.push(track);
        track
    }
}

fn context_name<W: Write>(writer: &TrackWriter<'_, W>, event: EventIndex) -> String {
    let trace = writer.view.trace;
    let context = trace.events.context(event).unwrap_or(ContextId::UNKNOWN);
    trace.context_name(context)
}
