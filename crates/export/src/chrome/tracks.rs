//! Tracks, which are threads of the format, by number.

use super::json::TraceEventWriter;
use rtoscope_analysis::View;
use rtoscope_trace::{ContextId, Contexts, EventHeader, EventIndex, Ticks, Timescale};
use std::fmt;
use std::io::Write;

/// A recording that is being written as a process.
pub(super) struct RecordingProcess<'a> {
    pub(super) view: View<'a>,
    pub(super) scale: Timescale,
    pub(super) process: u32,
}

impl RecordingProcess<'_> {
    /// Converts a time of the trace into nanoseconds.
    pub(super) fn time(&self, time: Ticks) -> u64 {
        self.scale.written_time(time)
    }

    /// Converts an interval of the trace into nanoseconds.
    pub(super) fn time_range(&self, from: Ticks, to: Ticks) -> [u64; 2] {
        [self.time(from), self.time(to)]
    }

    /// The number of an event in the recording.
    pub(super) fn event_number(&self, event: EventIndex) -> u64 {
        self.view.trace.recording_event(event)
    }
}

/// A track of a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) process: u32,
    pub(super) number: u32,
}

/// The tracks of a recording. Tracks with events are found by context.
pub(super) struct ProcessTracks {
    process: u32,
    last_track: u32,
    /// The track with facts about the recording.
    pub(super) recording: Track,
    /// The tracks of the cores, in the order of the schedule.
    pub(super) cores: Vec<Track>,
    /// The interrupt tracks of the cores.
    pub(super) interrupts: Vec<Track>,
    /// The tracks of threads, by context.
    pub(super) threads: Vec<Track>,
    /// The index of each core in the schedule, by core number.
    core_places: Vec<u8>,
}

impl ProcessTracks {
    /// Creates the recording's track; `used` is the last number that other
    /// recordings have used.
    pub(super) fn new(recording: &RecordingProcess<'_>, used: u32) -> Self {
        let process = recording.process;
        let number = used.saturating_add(1);
        let mut places = vec![0; usize::from(u8::MAX) + 1];
        for (core, place) in recording.view.schedule.cores.iter().zip(0..=u8::MAX) {
            if let Some(known) = places.get_mut(usize::from(core.core)) {
                *known = place;
            }
        }
        Self {
            process,
            last_track: number,
            recording: Track { process, number },
            cores: Vec::new(),
            interrupts: Vec::new(),
            threads: Vec::new(),
            core_places: places,
        }
    }

    /// The number of the last track.
    pub(super) fn last_track(&self) -> u32 {
        self.last_track
    }

    /// Adds a track below the others.
    pub(super) fn add(
        &mut self,
        json: &mut TraceEventWriter<impl Write>,
        name: impl fmt::Display,
    ) -> Track {
        self.last_track = self.last_track.saturating_add(1);
        let track = Track {
            process: self.process,
            number: self.last_track,
        };
        declare(json, track, name);
        track
    }

    /// The track of a context on a core.
    pub(super) fn context_track(&self, context: ContextId, core: u8) -> Track {
        let place = self.core_places.get(usize::from(core)).copied();
        let place = usize::from(place.unwrap_or_default());
        let track = match context {
            Contexts::INTERRUPT => self.interrupts.get(place),
            context if context.is_thread() => self.threads.get(context.index()),
            _ => self.cores.get(place),
        };
        track.copied().unwrap_or(self.recording)
    }

    /// The track of an event.
    pub(super) fn event_track(&self, event: &EventHeader) -> Track {
        self.context_track(event.context, event.core)
    }
}

/// Declares the name and the position of a track.
pub(super) fn declare(
    json: &mut TraceEventWriter<impl Write>,
    track: Track,
    name: impl fmt::Display,
) {
    json.metadata(track, "thread_name", |arguments| {
        arguments.text("name", name);
    });
    json.metadata(track, "thread_sort_index", |arguments| {
        arguments.number("sort_index", track.number.into());
    });
}
