//! The tracks of events.

use crate::perfetto::track_writer::{TrackId, TrackWriter};
use rtoscope_analysis::View;
use rtoscope_trace::{ContextId, Contexts, Event};
use std::collections::HashMap;
use std::io::Write;

/// The tracks of contexts, and of each core's interrupts.
pub(super) struct EventTracks {
    contexts: Vec<Option<TrackId>>,
    /// The interrupt tracks, by core.
    routines: Vec<Option<TrackId>>,
    /// The cores of the interrupt tracks.
    cores: HashMap<TrackId, u8>,
    has_several_cores: bool,
    /// The track of events whose context is unknown.
    unknown: Option<TrackId>,
}

impl EventTracks {
    pub(super) fn new(threads: &[Option<TrackId>], view: &View<'_>) -> Self {
        Self {
            contexts: threads.to_vec(),
            routines: vec![None; 1 + usize::from(u8::MAX)],
            cores: HashMap::new(),
            has_several_cores: view.trace.cores.len() > 1,
            unknown: None,
        }
    }

    /// The track of an event's context.
    #[inline]
    pub(super) fn event_track<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        event: &Event,
    ) -> TrackId {
        if event.context == Contexts::INTERRUPT {
            self.interrupt_track(writer, event.core)
        } else {
            self.context_track(writer, event.context)
        }
    }

    /// The track of a context.
    #[inline]
    pub(super) fn context_track<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        context: ContextId,
    ) -> TrackId {
        match self.contexts.get_mut(context.index()) {
            Some(Some(track)) => *track,
            Some(slot) => {
                let name = writer.view.trace.context_name(context);
                *slot.insert(writer.track(&name))
            }
            None => *self
                .unknown
                .get_or_insert_with(|| writer.track("(unknown)")),
        }
    }

    /// The track of a core's interrupts.
    #[inline]
    pub(super) fn interrupt_track<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        core: u8,
    ) -> TrackId {
        let several = self.has_several_cores;
        let slot = self.routines.get_mut(usize::from(core));
        let mut declare = || {
            writer.track(&if several {
                format!("interrupts of core {core}")
            } else {
                "interrupts".to_owned()
            })
        };
        match slot {
            Some(Some(track)) => *track,
            Some(slot) => {
                let track = *slot.insert(declare());
                self.cores.insert(track, core);
                track
            }
            None => declare(),
        }
    }

    /// The core, if the track is an interrupt track.
    #[inline]
    pub(super) fn core_of(&self, track: TrackId) -> Option<u8> {
        self.cores.get(&track).copied()
    }
}
