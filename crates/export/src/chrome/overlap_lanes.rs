//! Assigns overlapping slices to as few tracks as possible.

use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, Track};
use rtoscope_trace::Ticks;
use std::io::Write;

/// Tracks for slices that may overlap. A slice goes to the first track on which it
/// overlaps no other slice, or nests in those that it overlaps: viewers draw nested
/// slices below each other, and cannot draw any other overlap.
pub(super) struct OverlapLanes {
    name: String,
    lanes: Vec<Lane>,
}

struct Lane {
    track: Track,
    /// The ends of the open slices, the outermost first.
    open_ends: Vec<u64>,
}

impl OverlapLanes {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            lanes: Vec::new(),
        }
    }

    /// Creates the tracks, with an existing first one.
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

    /// Assigns the next slice to a track. Slices must be sorted by start.
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
