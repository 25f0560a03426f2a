//! Assigns overlapping slices to as few tracks as possible.

use super::{Argument, Class, Timeline};
use crate::lane_assigner::LaneAssigner;
use rtoscope_trace::Ticks;
use std::io;

/// Tracks for slices that may overlap. A slice goes to the first track on which it overlaps no
/// other slice, or nests in those that it overlaps: viewers draw nested slices below each other,
/// and cannot draw any other overlap.
pub(crate) struct Lanes<T: Timeline> {
    name: String,
    tracks: Vec<T::Track>,
    lanes: LaneAssigner,
}

impl<T: Timeline> Lanes<T> {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            tracks: Vec::new(),
            lanes: LaneAssigner::new(T::NESTS),
        }
    }

    /// Creates the tracks, with an existing first one.
    pub(crate) fn with_first_track(name: String, track: T::Track) -> Self {
        Self {
            tracks: vec![track],
            ..Self::new(name)
        }
    }

    /// Writes the next slice, and returns its track. Slices must be sorted by start.
    pub(crate) fn slice(
        &mut self,
        to: &mut T,
        times: [Ticks; 2],
        class: Class,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<T::Track> {
        let [start, end] = times;
        let lane = self.lanes.assign(start.0, end.0);
        let track = self.tracks.get(lane).copied().unwrap_or_else(|| {
            let track = match lane {
                0 => to.add_track(&self.name),
                more => to.add_track(&format!("{} ({})", self.name, more + 1)),
            };
            self.tracks.push(track);
            track
        });
        to.slice(track, times, class, name, arguments)?;
        Ok(track)
    }
}
