//! Thread states: ready, running or blocked.

use super::tracks::{RecordingWriter, Track};
use crate::timeline::Timeline as _;
use crate::timeline::Value::{Event, Flag};
use rtoscope_analysis::View;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Writes the known states of all threads, and returns the state track of each
/// thread by context.
pub(super) fn write(
    to: &mut RecordingWriter<'_, '_, impl Write>,
) -> io::Result<Vec<Option<Track>>> {
    let view = to.view;
    let mut all = Vec::with_capacity(view.schedule.threads.len());
    for (intervals, id) in view.schedule.threads.iter().zip((0..).map(ContextId)) {
        let is_known = |interval: &ThreadStateInterval| interval.state != ThreadState::Unknown;
        if !intervals.iter().any(is_known) {
            all.push(None);
            continue;
        }
        let track = to.add_track(&format!("{}: state", view.trace.context_name(id)));
        all.push(Some(track));
        let ends = intervals.iter().skip(1).map(|next| next.start);
        for (interval, end) in intervals.iter().zip(ends.chain([view.schedule.span])) {
            let times = [interval.start, end];
            if interval.state == ThreadState::Deleted {
                continue;
            }
            // Arrows must end at `running`: a state of zero duration at the same
            // time would catch them.
            if to.time(interval.start) == to.time(end) && interval.state != ThreadState::Running {
                continue;
            }
            let label = state_label(&view, interval.state);
            let arguments = [
                ("event", Event(interval.event)),
                ("start recorded", Flag(interval.start_known)),
            ];
            to.write_slice(track, times, "state", &label, &arguments)?;
        }
    }
    Ok(all)
}

fn state_label(view: &View<'_>, state: ThreadState) -> String {
    match state {
        ThreadState::Unknown => "(unknown)".to_owned(),
        ThreadState::Deleted => "deleted".to_owned(),
        ThreadState::Ready => "ready".to_owned(),
        ThreadState::Running => "running".to_owned(),
        ThreadState::Waiting {
            wait_reason,
            resource,
        } => {
            let object = resource.map(|resource| view.resource_name(resource));
            wait_reason.describe(object.as_deref())
        }
    }
}
