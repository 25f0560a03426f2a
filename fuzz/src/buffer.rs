//! ThreadX trace buffers with a valid header.

use crate::TracePart;
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::threadx::{CoreBits, NetxDialect, ThreadXOptions};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader, MARKERS, TXTB_ID};

/// The first 16 bytes of the data determine header and options. The rest is registry and
/// ring, as in memory.
pub(crate) struct Recipe<'a> {
    /// Bits 0 and 1: layout. 2 and 3: base address. 4: wrong markers. From 5: core bits.
    general: u8,
    name_size: u16,
    registry_slots: u8,
    /// Bytes between registry and ring.
    gap: u8,
    event_slots: u16,
    current_slot: u16,
    /// Offset in bytes of the current pointer from its slot.
    current_odd: u8,
    timer_mask: u8,
    number: u32,
    /// Bits 0 and 1: direction. 2: mask. 3: period. 4: frequency. 5: NetX dialect.
    clock: u8,
    body: &'a [u8],
}

impl<'a> Recipe<'a> {
    /// Splits the data.
    pub(crate) fn read(data: &'a [u8]) -> Option<Self> {
        let (first, body) = data.split_first_chunk::<16>()?;
        let pair = |at: usize| u16::from_le_bytes([first[at], first[at + 1]]);
        Some(Self {
            general: first[0],
            name_size: pair(1),
            registry_slots: first[3],
            gap: first[4],
            event_slots: pair(5),
            current_slot: pair(7),
            current_odd: first[9],
            timer_mask: first[10],
            number: u32::from(pair(11)) | u32::from(pair(13)) << 16,
            clock: first[15],
            body,
        })
    }

    /// The buffer: header, registry and ring.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        let layout = BufferLayout::ALL[usize::from(self.general & 3)];
        // With the second base address, a buffer crosses a 4 GiB boundary.
        const BASES: [u64; 4] = [0x2000_0000, 0xFFFF_FF00, 0, 0x8000_0000_0000];
        let base = BASES[usize::from(self.general >> 2 & 3)];
        let entry = layout.entry_bytes() as u64;
        let stride = layout.registry_stride(self.name_size) as u64;
        let registry_start = layout.header_bytes() as u64;
        let registry_end = registry_start + u64::from(self.registry_slots) * stride;
        let buffer_start = registry_end + u64::from(self.gap);
        let buffer_end = buffer_start + u64::from(self.event_slots) * entry;
        let current = buffer_start + u64::from(self.current_slot) * entry;
        let at = |distance| layout.advance(base, distance);
        let header = ControlHeader {
            id: TXTB_ID,
            timer_mask: self.timer_mask(),
            base_address: base,
            registry_start: at(registry_start),
            reserved1: 0,
            name_size: self.name_size,
            registry_end: at(registry_end),
            buffer_start: at(buffer_start),
            buffer_end: at(buffer_end),
            current: at(current + u64::from(self.current_odd)),
            markers: match self.general >> 4 & 1 {
                0 => MARKERS,
                _ => MARKERS.map(|marker| marker ^ 1),
            },
        };
        let mut bytes = vec![0; layout.header_bytes()];
        assert_eq!(header.write(layout, &mut bytes), Ok(bytes.len()));
        bytes.extend(self.body);
        bytes
    }

    /// The options of the user.
    pub(crate) fn options(&self) -> ThreadXOptions {
        let chosen = |bit: u8| self.clock >> bit & 1 == 1;
        const CORES: [CoreBits; 3] = [CoreBits::Detect, CoreBits::Smp, CoreBits::SingleCore];
        ThreadXOptions {
            clock: ClockOptions {
                direction: match self.clock & 3 {
                    1 => Some(ClockDirection::Up),
                    2 => Some(ClockDirection::Down),
                    _ => None,
                },
                mask: chosen(2).then(|| u64::from(self.number).rotate_left(self.clock.into())),
                period: chosen(3).then(|| u64::from(self.number).max(2)),
                frequency: Frequency::from_hertz(u64::from(self.clock & 16)),
                overrides_frequency: false,
            },
            netx: NetxDialect::ALL[usize::from(chosen(5))],
            cores: CORES[usize::from(self.general >> 5) % CORES.len()],
            ..ThreadXOptions::default()
        }
    }

    /// The selected part of the trace.
    pub(crate) fn part(&self) -> TracePart {
        TracePart(self.number)
    }

    fn timer_mask(&self) -> u64 {
        match self.timer_mask & 3 {
            0 => 0xFFFF_FFFF,
            1 => 0xFFFF,
            2 => u64::MAX,
            _ => u64::from(self.number),
        }
    }
}
