//! Assigns overlapping slices to as few tracks as possible.

use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, Track};
use crate::lane_assigner::LaneAssigner;
use rtoscope_trace::Ticks;
use std::io::Write;

/// Tracks for slices that may overlap. A slice goes to the first track on which it
/// overlaps no other slice, or nests in those that it overlaps: viewers draw nested
/// slices below each other, and cannot draw any other overlap.
pub(super) struct OverlapLanes {
    name: String,
    tracks: Vec<Track>,
    lanes: LaneAssigner,
}

impl OverlapLanes {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            tracks: Vec::new(),
            lanes: LaneAssigner::new(true),
        }
    }

    /// Creates the tracks, with an existing first one.
    pub(super) fn with_first_track(name: String, track: Track) -> Self {
        Self {
            tracks: vec![track],
            ..Self::new(name)
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
        let lane = self.lanes.assign(from.0, to.0);
        if let Some(track) = self.tracks.get(lane) {
            return *track;
        }
        let name = match lane {
            0 => self.name.clone(),
            more => format!("{} ({})", self.name, more + 1),
        };
        let track = tracks.add(json, name);
        self.tracks.push(track);
        track
    }
}
