//! Packets of a ThreadX trace, with valid checksums and any content: entries are received once.

use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeOptions, threadx};
use rtoscope_wire::threadx::{
    BufferLayout, PACKET_VERSION, PacketHeader, PacketWriter, RingPosition,
};

/// Bytes that describe a packet, before its objects and entries.
const RECIPE: usize = 8;

/// Maximum number of entries of a packet.
const MAX_ENTRIES: usize = 20;

pub(crate) fn run(data: &[u8]) {
    let Some((&[layout, chunk], rest)) = data.split_first_chunk::<2>() else {
        return;
    };
    let layout = BufferLayout::ALL[usize::from(layout % 4)];
    let (bytes, entries) = packets(layout, rest);
    let options = DecodeOptions::default();
    let mut live = LiveDecoder::new(LiveOptions {
        options: options.clone(),
        format: Some(threadx::FORMAT),
        max_events: u64::MAX,
    });
    for chunk in bytes.chunks(1 + usize::from(chunk)) {
        live.push(chunk, HostTime(0));
    }
    live.connection_lost();
    let stats = live.stats();
    assert!(stats.events <= entries);
    let _ = live.next_update();
    let metadata = live.metadata();
    LiveDecoder::new(LiveOptions {
        options,
        format: None,
        max_events: 10,
    })
    .load_metadata(threadx::FORMAT, &metadata);
}

/// Packets, and the number of their entries.
fn packets(layout: BufferLayout, mut data: &[u8]) -> (Vec<u8>, u64) {
    let mut bytes = Vec::new();
    let mut count = 0;
    let mut first_entry = 0_u64;
    let mut overwritten = 0_u64;
    while let Some((&recipe, rest)) = data.split_first_chunk::<RECIPE>() {
        data = rest;
        let [session, missing, lost, objects, slot, entries, size, kind] = recipe;
        first_entry = match kind % 8 {
            0 => 0,
            1 => first_entry.wrapping_sub(u64::from(missing)),
            2 => u64::MAX - u64::from(missing),
            3..=5 => first_entry,
            _ => first_entry.wrapping_add(u64::from(missing)),
        };
        overwritten = overwritten.wrapping_add(u64::from(lost));
        let header = PacketHeader {
            layout,
            version: PACKET_VERSION,
            name_size: u16::from(size % 40),
            registry_slots: u16::from(slot) + u16::from(objects),
            timer_mask: if kind & 8 == 0 { 0xFFFF_FFFF } else { 0xFFFF },
            session: u32::from(session % 4),
            ring_slots: 100,
        };
        let mut buffer = vec![0; 4096];
        let Some(mut packet) = PacketWriter::new(&mut buffer, header) else {
            return (bytes, count);
        };
        let mut take = |length: usize| {
            let (taken, rest) = data.split_at(length.min(data.len()));
            data = rest;
            let mut unit = vec![0; length];
            for (to, from) in unit.iter_mut().zip(taken) {
                *to = *from;
            }
            unit
        };
        for number in 0..u32::from(objects % 4) {
            let unit = take(layout.registry_stride(header.name_size));
            packet.push_object(u32::from(slot) + number, &unit);
        }
        packet.begin_ring(RingPosition {
            first_entry,
            overwritten,
        });
        for _ in 0..usize::from(entries) % MAX_ENTRIES {
            if packet.push_entries(&take(layout.entry_bytes())) {
                first_entry = first_entry.wrapping_add(1);
                count += 1;
            }
        }
        let length = packet.finish();
        bytes.extend(buffer.get(..length).unwrap_or_default());
        if kind & 16 != 0
            && let Some(byte) = bytes.last_mut()
        {
            // Damage.
            *byte ^= 1;
        }
    }
    (bytes, count)
}
