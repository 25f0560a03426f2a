//! What threads wait for, as slices on their tracks.

use crate::perfetto::mark::{Kind, Mark};
use crate::perfetto::packets::{Interned, Sequence};
use crate::perfetto::stage::{Stage, Track};
use rtoscope_analysis::schedule::State;
use rtoscope_trace::{ResourceId, Wait};
use std::collections::HashMap;
use std::io::Write;

type Reason = (Wait, Option<ResourceId>);

/// The waits that last.
pub(super) struct Waits {
    /// By thread.
    now: Vec<Option<Reason>>,
    names: HashMap<Reason, u64>,
    category: Option<u64>,
}

impl Waits {
    /// Of the first so many contexts.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            now: vec![None; threads],
            names: HashMap::new(),
            category: None,
        }
    }

    /// A thread does something from now on, which may be waiting.
    pub(super) fn enter<W: Write>(
        &mut self,
        stage: &mut Stage<'_, W>,
        sequence: &mut Sequence,
        time: u64,
        thread: (usize, Option<Track>),
        state: State,
    ) {
        let (number, track) = thread;
        let (Some(now), Some(track)) = (self.now.get_mut(number), track) else {
            return;
        };
        let reason = match state {
            State::Waiting { wait, resource } if !wait.is_end() => Some((wait, resource)),
            _ => None,
        };
        let before = std::mem::replace(now, reason);
        if before == reason {
            return;
        }
        if before.is_some() {
            Mark::new(stage.packets, sequence, time, Kind::End, track).end();
        }
        if let Some(reason) = reason {
            let name = self.name(stage, sequence, reason);
            let packets = &mut *stage.packets;
            let category = *self
                .category
                .get_or_insert_with(|| packets.intern(sequence, Interned::Category, "wait"));
            let mut mark = Mark::new(packets, sequence, time, Kind::Begin, track);
            mark.category(category);
            mark.name(name);
            mark.end();
        }
    }

    fn name<W: Write>(
        &mut self,
        stage: &mut Stage<'_, W>,
        sequence: &mut Sequence,
        reason: Reason,
    ) -> u64 {
        *self.names.entry(reason).or_insert_with(|| {
            let text = match reason {
                (wait, None) => format!("waits: {}", wait.name()),
                (wait, Some(resource)) => {
                    let object = stage.view.resource_name(resource);
                    format!("waits for {} {object}", wait.name())
                }
            };
            stage.packets.intern(sequence, Interned::Name, &text)
        })
    }
}
