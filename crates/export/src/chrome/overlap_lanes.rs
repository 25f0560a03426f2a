//! Things that last, on as few tracks as show them without an overlap.

use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, Track};
use rtoscope_trace::Ticks;
use std::io::Write;

/// Tracks for things that may overlap. A thing lies on the first track on which
/// it overlaps no other, or lies within those that it overlaps: viewers draw
/// these below each other, and can draw nothing else.
pub(super) struct OverlapLanes {
    name: String,
    lanes: Vec<Lane>,
}

struct Lane {
    track: Track,
    /// When those end that have begun, the outermost first.
    open_ends: Vec<u64>,
}

impl OverlapLanes {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            lanes: Vec::new(),
        }
    }

    /// The same, the first track of which is known.
    pub(super) fn with_first_track(name: String, track: Track) -> Self {
        let ends = Vec::new();
        Self {
            name,
            lanes: vec![Lane {
                track,
                open_ends: ends,
            }],
        }
    }

    /// The track of the next thing, which begins no earlier than those before.
    pub(super) fn assign(
        &mut self,
        json: &mut TraceEventWriter<impl Write>,
        tracks: &mut ProcessTracks,
        from: Ticks,
        to: Ticks,
    ) -> Track {
        for lane in &mut self.lanes {
            while lane.open_ends.last().is_some_and(|end| *end <= from.0) {
                lane.open_ends.pop();
            }
            if lane.open_ends.last().is_none_or(|end| to.0 <= *end) {
                lane.open_ends.push(to.0);
                return lane.track;
            }
        }
        let name = match self.lanes.len() {
            0 => self.name.clone(),
            more => format!("{} ({})", self.name, more + 1),
        };
        let track = tracks.add(json, name);
        let ends = vec![to.0];
        self.lanes.push(Lane {
            track,
            open_ends: ends,
        });
        track
    }
}
