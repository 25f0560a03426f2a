//! The tracks of events.

use crate::perfetto::track_writer::{TrackId, TrackWriter};
use rtoscope_analysis::timeline::Track;
use rtoscope_trace::{ContextId, Contexts};
use std::io::Write;

/// The tracks of contexts, and of each core's interrupts.
pub(super) struct EventTracks {
    contexts: Vec<Option<TrackId>>,
    /// By core.
    interrupts: Vec<Option<TrackId>>,
}

impl EventTracks {
    pub(super) fn new(threads: &[Option<TrackId>]) -> Self {
        Self {
            contexts: threads.to_vec(),
            interrupts: Vec::new(),
        }
    }

    /// The track of a context on a core.
    #[inline]
    pub(super) fn track<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        context: ContextId,
        core: u8,
    ) -> TrackId {
        let (tracks, place, track) = match context {
            Contexts::INTERRUPT => {
                let place = usize::from(core);
                let cores = self.interrupts.len().max(place + 1);
                self.interrupts.resize(cores, None);
                (&mut self.interrupts, place, Track::Interrupts(core))
            }
            _ => {
                let place = context.index();
                (&mut self.contexts, place, Track::Thread(context))
            }
        };
        match tracks.get_mut(place) {
            Some(slot) => *slot.get_or_insert_with(|| writer.first_track(track)),
            None => writer.first_track(track),
        }
    }

    /// The core, if the track is an interrupt track.
    #[inline]
    pub(super) fn core_of(&self, track: TrackId) -> Option<u8> {
        let place = self.interrupts.iter().position(|one| *one == Some(track));
        u8::try_from(place?).ok()
    }
}
