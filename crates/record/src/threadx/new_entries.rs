//! Reads what is new in a trace, for a trace that is sent while it records.

use super::control::{RingState, TraceControl};
use super::memory::{EventEntry, NAME_BYTES, RegistrySlot};
use super::{ThreadXRecorder, TraceCursor, WordWidth};
use crate::port::{Clock, Mask};
use core::mem::{MaybeUninit, size_of};
use core::ptr::addr_of;
use core::slice;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::SECTION_HEADER_BYTES;
use rtoscope_wire::threadx::{
    BufferLayout, MIN_PACKET_BYTES, OBJECTS_FIXED_BYTES, PACKET_VERSION, PacketHeader,
    PacketWriter, UlongSize,
};

/// Minimum size of a buffer for [`ThreadXRecorder::read_new`] in bytes: an object of the
/// widest words and an entry fit.
pub const MIN_READ_BYTES: usize = MIN_PACKET_BYTES
    + SECTION_HEADER_BYTES
    + OBJECTS_FIXED_BYTES
    + MAX_SLOT_BYTES
    + MAX_ENTRY_BYTES;

const MAX_SLOT_BYTES: usize = size_of::<RegistrySlot<u64>>();

const MAX_ENTRY_BYTES: usize = size_of::<EventEntry<u64>>();

/// Number of entries that are copied while the mask is held.
const CHUNK_ENTRIES: usize = 4;

const BYTE_ORDER: ByteOrder = if cfg!(target_endian = "big") {
    ByteOrder::Big
} else {
    ByteOrder::Little
};

const _: () = assert!(MAX_SLOT_BYTES == 32 + NAME_BYTES);

/// Words that were copied from the buffer, with the alignment of any word.
struct CopiedWords<const N: usize>([MaybeUninit<u64>; N]);

impl<const N: usize> CopiedWords<N> {
    const fn new() -> Self {
        Self([MaybeUninit::uninit(); N])
    }

    /// Copies initialised words, at most as many as fit. Returns their bytes.
    ///
    /// # Safety
    /// `bytes` bytes from `from` on must be initialised words, and no other code may write to
    /// them meanwhile.
    unsafe fn copy<W>(&mut self, from: *const W, bytes: usize) -> &[u8] {
        let words = bytes.min(size_of::<[u64; N]>()) / size_of::<W>();
        let into = self.0.as_mut_ptr().cast::<W>();
        // SAFETY: the caller guarantees the words; they fit, see above, and are aligned like
        // the widest word.
        unsafe {
            from.copy_to_nonoverlapping(into, words);
            slice::from_raw_parts(into.cast::<u8>(), words * size_of::<W>())
        }
    }
}

impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// Reads the entries that `cursor` has not passed, and the objects that are new or have
    /// changed, as a packet for the host, and moves the cursor past them. Returns the length
    /// of the packet; 0 if nothing is new, or if `buffer` is shorter than
    /// [`MIN_READ_BYTES`]. Call it repeatedly, and send the packets one after the other.
    ///
    /// The recorder may keep recording: the mask is held for one object or 4 entries at a
    /// time. Entries that are overwritten before they are read are counted, and the host
    /// reports them as missing. Each object is read once, and again if it changes. A
    /// [pending field](super::PendingField) keeps the value that it has when its entry is
    /// read: in a thread of low priority, the scheduler has completed all of its own.
    ///
    /// After [`ThreadXRecorder::disable`], the rest can be read until
    /// [`ThreadXRecorder::take_buffer`], except from the memory of
    /// [`ThreadXRecorder::enable_raw`], which no longer belongs to the recorder.
    pub fn read_new(&self, cursor: &mut TraceCursor, buffer: &mut [u8]) -> usize {
        if buffer.len() < MIN_READ_BYTES {
            return 0;
        }
        let (ring, header) = match self.with_control(|control| begin(control, cursor)) {
            Some(begun) => begun,
            None => return 0,
        };
        let object_end = buffer.len() / 2;
        let buffer_len = buffer.len();
        let mut packet = match PacketWriter::new(buffer, header) {
            Some(packet) => packet,
            None => return 0,
        };
        let mut is_first = true;
        loop {
            let used = buffer_len.saturating_sub(packet.entry_room());
            let is_allowed = is_first || used < object_end;
            if !is_allowed || !self.read_object(cursor, &ring, &mut packet, &mut is_first) {
                break;
            }
        }
        self.read_entries(cursor, &ring, &mut packet);
        packet.finish()
    }

    /// Reads the next object that is new or has changed. Returns `false` if there is none, or
    /// no room for it.
    fn read_object(
        &self,
        cursor: &mut TraceCursor,
        ring: &RingState<W>,
        packet: &mut PacketWriter<'_>,
        is_first: &mut bool,
    ) -> bool {
        let mut words = CopiedWords::<{ MAX_SLOT_BYTES / 8 }>::new();
        let found = self.with_control(|control| {
            control.ring().filter(|now| now.session == ring.session)?;
            let slot = cursor.next_object(&control.registry)?;
            let registry = ring.header.wrapping_add(1).cast::<RegistrySlot<W>>();
            let entry = registry.wrapping_add(slot as usize);
            // SAFETY: the ring's memory contains the registry after the header. All words of
            // the slot are initialised, and no other code writes to it while the mask is
            // held.
            unsafe {
                let is_used = addr_of!((*entry).object_type).read() != 0;
                let bytes = words.copy(entry.cast::<W>(), size_of::<RegistrySlot<W>>());
                Some((slot, bytes, is_used))
            }
        });
        match found {
            Some((slot, bytes, true)) if packet.push_object(slot, bytes) => {
                *is_first = false;
                cursor.advance_object(slot);
                true
            }
            Some((slot, _, false)) => {
                cursor.advance_object(slot);
                true
            }
            _ => false,
        }
    }

    /// Reads entries until there are no more, or no room, or until entries are missing.
    fn read_entries(
        &self,
        cursor: &mut TraceCursor,
        ring: &RingState<W>,
        packet: &mut PacketWriter<'_>,
    ) {
        let entry_bytes = size_of::<EventEntry<W>>();
        let mut is_begun = false;
        loop {
            let room = packet.entry_room() / entry_bytes;
            let mut words = CopiedWords::<{ CHUNK_ENTRIES * MAX_ENTRY_BYTES / 8 }>::new();
            let copied = self.with_control(|control| {
                let now = control.ring().filter(|now| now.session == ring.session)?;
                let written = cursor.written_entries(&now);
                let has_gap = cursor.skip_overwritten(written, now.slots);
                if has_gap && is_begun {
                    return None;
                }
                // At most a ring, and without a division while the mask is held.
                let new = written.wrapping_sub(cursor.position().first_entry) as usize;
                let slot = match now.index.checked_sub(new) {
                    Some(slot) => slot,
                    None => now.index.wrapping_add(now.slots).wrapping_sub(new),
                };
                let entries = new
                    .min(now.slots.saturating_sub(slot))
                    .min(room)
                    .min(CHUNK_ENTRIES);
                let from = now.start.wrapping_add(slot).cast::<W>();
                // SAFETY: entries of the ring, which the session has written, so that all of
                // their words are initialised. No other code writes while the mask is held.
                Some(unsafe { words.copy(from, entries * entry_bytes) })
            });
            let bytes = copied.unwrap_or_default();
            if !is_begun {
                packet.begin_ring(cursor.position());
                is_begun = true;
            }
            if bytes.is_empty() || !packet.push_entries(bytes) {
                return;
            }
            cursor.advance(bytes.len() / entry_bytes);
        }
    }
}

/// The ring and the header of its packets, if there is anything to read.
fn begin<W: WordWidth>(
    control: &TraceControl<W>,
    cursor: &mut TraceCursor,
) -> Option<(RingState<W>, PacketHeader)> {
    let ring = control.ring()?;
    cursor.follow_session(&ring, &control.registry);
    let has_entries = cursor.written_entries(&ring) != cursor.position().first_entry;
    if !has_entries && cursor.next_object(&control.registry).is_none() {
        return None;
    }
    // SAFETY: the header was initialised, and is in the recorder's memory.
    let timer_mask = unsafe { addr_of!((*ring.header).timer_mask).read() };
    let ulong = match size_of::<W>() {
        4 => UlongSize::Four,
        _ => UlongSize::Eight,
    };
    let header = PacketHeader {
        layout: BufferLayout::new(BYTE_ORDER, ulong),
        version: PACKET_VERSION,
        name_size: NAME_BYTES as u16,
        registry_slots: u16::try_from(control.registry.slot_count()).unwrap_or(u16::MAX),
        timer_mask: timer_mask.into(),
        session: ring.session,
        ring_slots: u32::try_from(ring.slots).unwrap_or(u32::MAX),
    };
    Some((ring, header))
}
