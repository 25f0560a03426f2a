//! Wait reasons of threads, as slices on their tracks.

use crate::perfetto::packets::{InternedKind, PacketSequence};
use crate::perfetto::track_event::{TrackEvent, TrackEventType};
use crate::perfetto::track_writer::{TrackId, TrackWriter};
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_trace::{ResourceId, WaitReason};
use std::collections::HashMap;
use std::io::Write;

type BlockReason = (WaitReason, Option<ResourceId>);

/// The current waits.
pub(super) struct ThreadWaits {
    /// By thread.
    current: Vec<Option<BlockReason>>,
    names: HashMap<BlockReason, u64>,
    category: Option<u64>,
}

impl ThreadWaits {
    /// Creates the waits of the first `threads` contexts.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            current: vec![None; threads],
            names: HashMap::new(),
            category: None,
        }
    }

    /// Enters the next state of a thread, which may be a wait.
    pub(super) fn enter<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        sequence: &mut PacketSequence,
        time: u64,
        thread: (usize, Option<TrackId>),
        state: ThreadState,
    ) {
        let (number, track) = thread;
        let (Some(now), Some(track)) = (self.current.get_mut(number), track) else {
            return;
        };
        let reason = match state {
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            } if !wait.is_end() => Some((wait, resource)),
            _ => None,
        };
        let before = std::mem::replace(now, reason);
        if before == reason {
            return;
        }
        if before.is_some() {
            TrackEvent::new(writer.packets, sequence, time, TrackEventType::End, track).end();
        }
        if let Some(reason) = reason {
            let name = self.name(writer, sequence, reason);
            let packets = &mut *writer.packets;
            let category = *self
                .category
                .get_or_insert_with(|| packets.intern(sequence, InternedKind::Category, "wait"));
            let mut mark = TrackEvent::new(packets, sequence, time, TrackEventType::Begin, track);
            mark.category(category);
            mark.name(name);
            mark.end();
        }
    }

    fn name<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        sequence: &mut PacketSequence,
        reason: BlockReason,
    ) -> u64 {
        *self.names.entry(reason).or_insert_with(|| {
            let (wait, resource) = reason;
            let object = resource.map(|resource| writer.view.resource_name(resource));
            let text = wait.describe(object.as_deref());
            writer.packets.intern(sequence, InternedKind::Name, &text)
        })
    }
}
