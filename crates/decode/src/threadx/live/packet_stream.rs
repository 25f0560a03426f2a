//! The order of the packets of a target.

use super::registry_mirror::RegistryMirror;
use super::snapshot::BufferSnapshot;
use super::stitcher::BufferStitcher;
use crate::live::HostTime;
use crate::sections::CompleteContainer;
use crate::threadx::entry_gaps::GapCause;
use crate::threadx::packet::{Packet, buffer_in_place};
use rtoscope_wire::threadx::{PacketHeader, RingPosition};

/// The state between two packets.
#[derive(Debug, Clone, Default)]
pub(super) struct PacketStream {
    /// The registry of the current session.
    registry: Option<RegistryMirror>,
    /// The position after the last packet with entries.
    position: Option<SessionPosition>,
}

#[derive(Debug, Clone, Copy)]
struct SessionPosition {
    session: u32,
    /// The number of the next entry, if none is missing.
    next_entry: u64,
    overwritten: u64,
}

/// Maximum number of entries between two packets: with more, the session is another one.
const MAX_MISSING_ENTRIES: u64 = u32::MAX as u64;

impl PacketStream {
    /// Adds a packet. Returns whether it was usable.
    pub(super) fn push(
        &mut self,
        container: &CompleteContainer<'_>,
        stitcher: &mut BufferStitcher,
        at: HostTime,
    ) -> bool {
        let Some(packet) = Packet::read(container.bytes) else {
            return false;
        };
        self.push_objects(&packet, stitcher);
        let Some(position) = packet.position else {
            return true;
        };
        let header = &packet.header;
        let count = (packet.entries.len() / header.layout.entry_bytes()) as u64;
        if count == 0 {
            // The next entries have the gap.
            return true;
        }
        let cause = self.cause(header, position);
        self.position = Some(SessionPosition {
            session: header.session,
            next_entry: position.first_entry.saturating_add(count),
            overwritten: position.overwritten,
        });
        let ring_slots = usize::try_from(header.ring_slots).unwrap_or(usize::MAX);
        let buffer = buffer_in_place(header, header.registry_slots.into(), ring_slots);
        let entries =
            BufferSnapshot::from_parts(buffer, container.offset, Vec::new(), packet.entries);
        stitcher.push_entries(&entries, cause, position.first_entry > 0, at);
        true
    }

    /// Continues at the last packet with entries, which is read again.
    pub(super) fn resume(&mut self, stitcher: &mut BufferStitcher) {
        self.position = None;
        if let Some(registry) = &mut self.registry {
            registry.set_changed();
        }
        self.finish(stitcher);
    }

    /// Makes the names of the received objects known.
    pub(super) fn finish(&mut self, stitcher: &mut BufferStitcher) {
        if let Some(registry) = self
            .registry
            .as_mut()
            .and_then(RegistryMirror::take_changed)
        {
            let encoding = stitcher.options.text_encoding;
            stitcher.names.update(&registry, encoding);
        }
    }

    /// Reads the packets of [`PacketStream::metadata`].
    pub(super) fn load_objects(&mut self, bytes: &[u8], stitcher: &mut BufferStitcher) {
        if let Some(packet) = Packet::read(bytes) {
            self.push_objects(&packet, stitcher);
            self.finish(stitcher);
        }
    }

    /// A packet with all objects; empty if there are none.
    pub(super) fn metadata(&self) -> Vec<u8> {
        self.registry
            .as_ref()
            .map(RegistryMirror::to_packet)
            .unwrap_or_default()
    }

    fn push_objects(&mut self, packet: &Packet<'_>, stitcher: &mut BufferStitcher) {
        let registry = self.registry.as_ref();
        let continues = registry.is_some_and(|it| it.belongs_to(&packet.header));
        // Objects that are about to disappear from the registry keep their names.
        if !continues || registry.is_some_and(|it| it.is_replaced_by(packet)) {
            self.finish(stitcher);
        }
        if !continues {
            self.registry = Some(RegistryMirror::new(packet.header));
        }
        if let Some(registry) = &mut self.registry {
            registry.apply(packet);
        }
    }

    /// The cause of a gap before a packet's entries, and the number of missing entries.
    fn cause(
        &self,
        header: &PacketHeader,
        position: RingPosition,
    ) -> Option<(GapCause, Option<u64>, u64)> {
        let before = self.position?;
        let missing = position.first_entry.checked_sub(before.next_entry);
        let missing = missing.filter(|missing| *missing <= MAX_MISSING_ENTRIES);
        let overwritten = position.overwritten.checked_sub(before.overwritten);
        match (missing, overwritten) {
            _ if header.session != before.session => Some((GapCause::Restarted, None, 0)),
            (Some(0), _) => None,
            (Some(missing), Some(overwritten)) if overwritten >= missing => {
                Some((GapCause::Overwritten, Some(missing), missing))
            }
            (Some(missing), Some(overwritten)) => {
                let cause = GapCause::NotReceived { overwritten };
                Some((cause, Some(missing), missing))
            }
            _ => Some((GapCause::Restarted, None, 0)),
        }
    }
}
