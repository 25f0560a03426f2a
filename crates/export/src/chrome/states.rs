//! Thread states: ready, running or blocked.

use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess, Track};
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Writes the known states of all threads, and returns the state track of each
/// thread by context.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<Vec<Option<Track>>> {
    let view = &recording.view;
    let mut all = Vec::with_capacity(view.schedule.threads.len());
    for (intervals, id) in view.schedule.threads.iter().zip((0..).map(ContextId)) {
        let is_known = |interval: &ThreadStateInterval| interval.state != ThreadState::Unknown;
        if !intervals.iter().any(is_known) {
            all.push(None);
            continue;
        }
        let name = view.trace.context_name(id);
        let track = tracks.add(json, format_args!("{name}: state"));
        all.push(Some(track));
        let ends = intervals.iter().skip(1).map(|next| next.start);
        for (interval, end) in intervals.iter().zip(ends.chain([view.schedule.span])) {
            let times = recording.time_range(interval.start, end);
            // Arrows must end at `running`: a state of zero duration at the same
            // time would catch them.
            if times[0] == times[1] && interval.state != ThreadState::Running {
                continue;
            }
            let label = state_label(recording, interval.state);
            json.slice(track, times, "state", label, |arguments| {
                arguments.number("event", recording.event_number(interval.event));
                arguments.flag("start recorded", interval.start_known);
            });
            json.flush_if_full()?;
        }
    }
    Ok(all)
}

fn state_label(recording: &RecordingProcess<'_>, state: ThreadState) -> String {
    match state {
        ThreadState::Unknown => "(unknown)".to_owned(),
        ThreadState::Ready => "ready".to_owned(),
        ThreadState::Running => "running".to_owned(),
        ThreadState::Waiting {
            wait_reason,
            resource,
        } => {
            let object = resource.map(|resource| recording.view.resource_name(resource));
            wait_reason.describe(object.as_deref())
        }
    }
}
