//! The registry of a target that sends only the slots that changed.

use super::snapshot::BufferSnapshot;
use crate::threadx::packet::{Packet, buffer_in_place};
use rtoscope_wire::threadx::{BufferLayout, PacketHeader, PacketWriter, RegistryEntry};
use std::sync::Arc;

/// The slots of the registry as in the target's memory, as far as they were received.
#[derive(Debug, Clone)]
pub(super) struct RegistryMirror {
    header: PacketHeader,
    /// Shared with checkpoints.
    bytes: Arc<Vec<u8>>,
    /// Whether slots changed since the last [`RegistryMirror::take_changed`].
    is_changed: bool,
}

/// Maximum size of a registry. Slots beyond it have no names.
const MAX_REGISTRY_BYTES: usize = 128 << 10;

impl RegistryMirror {
    /// The empty registry of a session.
    pub(super) fn new(header: PacketHeader) -> Self {
        let stride = header.layout.registry_stride(header.name_size);
        let slots = usize::from(header.registry_slots).min(MAX_REGISTRY_BYTES / stride);
        Self {
            header,
            bytes: Arc::new(vec![0; slots * stride]),
            is_changed: true,
        }
    }

    /// Whether the packets of this registry have the same session and layout.
    pub(super) fn belongs_to(&self, header: &PacketHeader) -> bool {
        self.header == *header
    }

    /// Whether a used slot of the registry changes with the packet.
    pub(super) fn is_replaced_by(&self, packet: &Packet<'_>) -> bool {
        self.slots(packet).any(|(at, new)| {
            let before = self.bytes.get(at..at.saturating_add(new.len()));
            before.is_some_and(|before| before != new && before.iter().any(|byte| *byte != 0))
        })
    }

    /// Stores the slots of a packet.
    pub(super) fn apply(&mut self, packet: &Packet<'_>) {
        let slots: Vec<_> = self.slots(packet).collect();
        for (at, new) in slots {
            let place = at..at.saturating_add(new.len());
            if self.bytes.get(place.clone()).is_some_and(|old| old != new)
                && let Some(slot) = Arc::make_mut(&mut self.bytes).get_mut(place)
            {
                slot.copy_from_slice(new);
                self.is_changed = true;
            }
        }
    }

    /// The next [`RegistryMirror::take_changed`] returns the registry.
    pub(super) fn set_changed(&mut self) {
        self.is_changed = true;
    }

    /// The registry, if it changed.
    pub(super) fn take_changed(&mut self) -> Option<BufferSnapshot> {
        if !std::mem::take(&mut self.is_changed) {
            return None;
        }
        let buffer = buffer_in_place(&self.header, self.bytes.len() / self.stride(), 0);
        Some(BufferSnapshot::from_parts(
            buffer,
            0,
            self.bytes.to_vec(),
            &[],
        ))
    }

    /// A packet with all objects, for a decoder that has none of the earlier packets.
    pub(super) fn to_packet(&self) -> Vec<u8> {
        // Each slot in a section of its own would fit, too.
        let mut bytes = vec![0; 256 + 2 * self.bytes.len()];
        let Some(mut packet) = PacketWriter::new(&mut bytes, self.header) else {
            return Vec::new();
        };
        let is_used = |slot: &[u8]| {
            let entry = RegistryEntry::read(self.layout(), self.header.name_size, slot);
            entry.is_ok_and(|entry| entry.is_used())
        };
        for (number, slot) in (0..).zip(self.bytes.chunks(self.stride())) {
            if is_used(slot) {
                packet.push_object(number, slot);
            }
        }
        let length = packet.finish();
        bytes.truncate(length);
        bytes
    }

    fn layout(&self) -> BufferLayout {
        self.header.layout
    }

    fn stride(&self) -> usize {
        self.layout().registry_stride(self.header.name_size)
    }

    /// The slots of a packet: where they are in the registry, and their bytes.
    fn slots<'p>(&self, packet: &'p Packet<'_>) -> impl Iterator<Item = (usize, &'p [u8])> {
        let stride = self.stride();
        let of_run = move |(first, bytes): &(u32, &'p [u8])| {
            let slots = (u64::from(*first)..).zip(bytes.chunks_exact(stride));
            slots.map(move |(slot, bytes)| {
                let slot = usize::try_from(slot).unwrap_or(usize::MAX);
                (slot.saturating_mul(stride), bytes)
            })
        };
        packet.objects.iter().flat_map(of_run)
    }
}
