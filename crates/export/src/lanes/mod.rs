//! Tracks of a format for those of the timeline, whose spans may overlap.

mod lane_assigner;

use lane_assigner::LaneAssigner;
use rtoscope_analysis::View;
use rtoscope_analysis::timeline::{Span, Track};
use std::collections::HashMap;

/// The tracks of a format. A span goes to the first track on which it overlaps no other span, or
/// nests in those that it overlaps: viewers draw nested spans below each other, and cannot draw
/// any other overlap.
pub(crate) struct Lanes<T> {
    nests: bool,
    tracks: HashMap<Track, TrackLanes<T>>,
}

impl<T> Default for Lanes<T> {
    fn default() -> Self {
        Self {
            nests: false,
            tracks: HashMap::new(),
        }
    }
}

/// The tracks of a format for one of the timeline.
struct TrackLanes<T> {
    lanes: LaneAssigner,
    tracks: Vec<T>,
}

impl<T: Copy> Lanes<T> {
    /// Tracks on which a span may be within another one.
    pub(crate) fn nesting() -> Self {
        Self {
            nests: true,
            ..Self::default()
        }
    }

    /// The track of the next span; `add` adds one with this name. The spans of a track must be
    /// sorted by start.
    pub(crate) fn track_of(
        &mut self,
        view: &View<'_>,
        span: &Span<'_>,
        add: impl FnOnce(&str) -> T,
    ) -> T {
        let known = self.tracks_of(span.track);
        let [start, end] = span.times;
        let lane = known.lanes.assign(start.0, end.0);
        if let Some(track) = known.tracks.get(lane) {
            return *track;
        }
        let name = span.track.name(view);
        let track = match lane {
            0 => add(&name),
            more => add(&format!("{name} ({})", more + 1)),
        };
        known.tracks.push(track);
        track
    }

    /// The first track for one of the timeline; `add` adds it if necessary.
    pub(crate) fn first_or_add(
        &mut self,
        view: &View<'_>,
        track: Track,
        add: impl FnOnce(&str) -> T,
    ) -> T {
        let known = self.tracks_of(track);
        let first = known.tracks.first().copied();
        first.unwrap_or_else(|| {
            let track = add(&track.name(view));
            known.tracks.push(track);
            track
        })
    }

    /// The first track for one of the timeline, if there is any.
    pub(crate) fn first(&self, track: Track) -> Option<T> {
        self.tracks.get(&track)?.tracks.first().copied()
    }

    fn tracks_of(&mut self, track: Track) -> &mut TrackLanes<T> {
        let nests = self.nests;
        self.tracks.entry(track).or_insert_with(|| TrackLanes {
            lanes: LaneAssigner::new(nests),
            tracks: Vec::new(),
        })
    }
}
