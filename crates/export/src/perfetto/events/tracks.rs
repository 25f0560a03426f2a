//! On which tracks events are seen.

use crate::perfetto::stage::{Stage, Track};
use rtoscope_analysis::View;
use rtoscope_trace::{ContextId, Contexts, Event};
use std::collections::HashMap;
use std::io::Write;

/// The tracks of contexts, and of each core's interrupts.
pub(super) struct Tracks {
    contexts: Vec<Option<Track>>,
    /// By core.
    routines: Vec<Option<Track>>,
    /// The cores of these.
    cores: HashMap<Track, u8>,
    several: bool,
    /// Of events whose context is not known.
    unknown: Option<Track>,
}

impl Tracks {
    pub(super) fn new(threads: &[Option<Track>], view: &View<'_>) -> Self {
        Self {
            contexts: threads.to_vec(),
            routines: vec![None; 1 + usize::from(u8::MAX)],
            cores: HashMap::new(),
            several: view.trace.cores.len() > 1,
            unknown: None,
        }
    }

    /// The track of who logged an event.
    #[inline]
    pub(super) fn of_event<W: Write>(&mut self, stage: &mut Stage<'_, W>, event: &Event) -> Track {
        if event.context == Contexts::INTERRUPT {
            self.of_routines(stage, event.core)
        } else {
            self.of_context(stage, event.context)
        }
    }

    /// The track of a context.
    #[inline]
    pub(super) fn of_context<W: Write>(
        &mut self,
        stage: &mut Stage<'_, W>,
        context: ContextId,
    ) -> Track {
        match self.contexts.get_mut(context.index()) {
            Some(Some(track)) => *track,
            Some(slot) => {
                let name = stage.view.trace.context_name(context);
                *slot.insert(stage.track(&name))
            }
            None => *self.unknown.get_or_insert_with(|| stage.track("(unknown)")),
        }
    }

    /// The track of the interrupts of a core.
    #[inline]
    pub(super) fn of_routines<W: Write>(&mut self, stage: &mut Stage<'_, W>, core: u8) -> Track {
        let several = self.several;
        let slot = self.routines.get_mut(usize::from(core));
        let mut declare = || {
            stage.track(&if several {
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

    /// The core whose interrupts are on a track.
    #[inline]
    pub(super) fn core_of(&self, track: Track) -> Option<u8> {
        self.cores.get(&track).copied()
    }
}
