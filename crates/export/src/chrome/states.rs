//! What threads do: ready, running or waiting.

use super::json::Json;
use super::tracks::{Recording, Track, Tracks};
use rtoscope_analysis::schedule::{State, Stretch};
use rtoscope_trace::ContextId;
use std::io::{self, Write};

/// Writes the states of all threads of which any is known, and returns the
/// track of each, by its context.
pub(super) fn write(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
) -> io::Result<Vec<Option<Track>>> {
    let view = &recording.view;
    let mut all = Vec::with_capacity(view.schedule.threads.len());
    for (stretches, id) in view.schedule.threads.iter().zip((0..).map(ContextId)) {
        let is_known = |stretch: &Stretch| stretch.state != State::Unknown;
        if !stretches.iter().any(is_known) {
            all.push(None);
            continue;
        }
        let name = view.trace.context_name(id);
        let track = tracks.add(json, format_args!("{name}: state"));
        all.push(Some(track));
        let ends = stretches.iter().skip(1).map(|next| next.start);
        for (stretch, end) in stretches.iter().zip(ends.chain([view.schedule.span])) {
            let times = recording.times(stretch.start, end);
            // Arrows lead to `running`: a state of the same moment would catch them.
            if times[0] == times[1] && stretch.state != State::Running {
                continue;
            }
            let what = words(recording, stretch.state);
            json.slice(track, times, "state", what, |arguments| {
                arguments.number("event", recording.number(stretch.event));
                arguments.flag("beginning recorded", stretch.seen);
            });
            json.settle()?;
        }
    }
    Ok(all)
}

fn words(recording: &Recording<'_>, state: State) -> String {
    match state {
        State::Unknown => "(unknown)".to_owned(),
        State::Ready => "ready".to_owned(),
        State::Running => "running".to_owned(),
        State::Waiting { wait, .. } if wait.is_end() => wait.name().to_owned(),
        State::Waiting { wait, resource } => {
            let object = resource.map(|resource| recording.view.resource_name(resource));
            match object {
                Some(object) => format!("waits for {} {object}", wait.name()),
                None => format!("waits: {}", wait.name()),
            }
        }
    }
}
