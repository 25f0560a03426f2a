//! Properties of the packets of a ThreadX trace: whatever fits is read back.

use proptest::prelude::*;
use rtoscope_wire::cswitch::{Crc32, SECTION_HEADER_BYTES, SectionHeader, SectionTag};
use rtoscope_wire::threadx::{
    BufferLayout, MIN_PACKET_BYTES, OBJECTS_FIXED_BYTES, OBJECTS_SECTION, PACKET_HEADER_BYTES,
    PACKET_VERSION, PacketHeader, PacketWriter, RING_POSITION_BYTES, RING_SECTION, RingPosition,
};
use rtoscope_wire::{ByteOrder, Word};

fn header(
    layout: BufferLayout,
    halves: [u16; 2],
    words: [u32; 2],
    timer_mask: u64,
) -> PacketHeader {
    PacketHeader {
        layout,
        version: PACKET_VERSION,
        name_size: halves[0],
        registry_slots: halves[1],
        timer_mask,
        session: words[0],
        ring_slots: words[1],
    }
}

fn layouts() -> impl Strategy<Value = BufferLayout> {
    proptest::sample::select(BufferLayout::ALL.to_vec())
}

/// The sections of a packet, and whether its checksum is right.
fn sections(order: ByteOrder, bytes: &[u8]) -> (Vec<(SectionTag, &[u8])>, bool) {
    let mut found = Vec::new();
    let mut at = PACKET_HEADER_BYTES;
    loop {
        let section = SectionHeader::read(&bytes[at..], order).unwrap();
        let start = at + SECTION_HEADER_BYTES;
        let end = start + usize::try_from(section.length).unwrap();
        if section.tag == SectionTag::END {
            let mut sum = Crc32::new();
            sum.update(&bytes[..start]);
            assert_eq!(end, bytes.len());
            return (
                found,
                u32::read(&bytes[start..], order) == Some(sum.value()),
            );
        }
        found.push((section.tag, &bytes[start..end]));
        at = end;
    }
}

proptest! {
    #[test]
    fn headers_round_trip(
        layout in layouts(), halves: [u16; 2], words: [u32; 2], mask: u64, version: u16,
    ) {
        let header = PacketHeader { version, ..header(layout, halves, words, mask) };
        let bytes = header.to_bytes();
        prop_assert_eq!(PacketHeader::read(&bytes), Ok(Some(header)));
        for short in 4..bytes.len() {
            prop_assert!(PacketHeader::read(&bytes[..short]).is_err());
        }
        let mut other = bytes;
        other[10] = 5;
        prop_assert_eq!(PacketHeader::read(&other), Ok(None));
    }

    #[test]
    fn positions_round_trip(layout in layouts(), first_entry: u64, overwritten: u64) {
        let position = RingPosition { first_entry, overwritten };
        let bytes = position.to_bytes(layout.order);
        prop_assert_eq!(RingPosition::read(&bytes, layout.order), Ok(position));
        prop_assert!(RingPosition::read(&bytes[..RING_POSITION_BYTES - 1], layout.order).is_err());
    }

    #[test]
    fn packets_contain_what_was_accepted(
        layout in layouts(),
        room in 0..600_usize,
        objects in proptest::collection::vec((0..20_u32, 1..60_usize), 0..6),
        entries in proptest::collection::vec(1..80_usize, 0..8),
        position: [u64; 2],
    ) {
        let mut buffer = vec![0xEE; room];
        let header = header(layout, [32, 20], [7, 100], u64::MAX);
        let Some(mut packet) = PacketWriter::new(&mut buffer, header) else {
            prop_assert!(room < MIN_PACKET_BYTES);
            return Ok(());
        };
        let position = RingPosition { first_entry: position[0], overwritten: position[1] };
        let mut sent_objects = Vec::new();
        for (number, (slot, length)) in objects.iter().enumerate() {
            let bytes = vec![number as u8; *length];
            if packet.push_object(*slot, &bytes) {
                sent_objects.push((*slot, bytes));
            }
        }
        prop_assert!(!packet.push_entries(&[1]), "the section has not begun");
        packet.begin_ring(position);
        prop_assert!(!packet.push_object(1, &[]), "entries come last");
        let mut sent_entries = Vec::new();
        for (number, length) in entries.iter().enumerate() {
            let bytes = vec![number as u8; *length];
            let fits = packet.entry_room() >= bytes.len();
            prop_assert_eq!(packet.push_entries(&bytes), fits);
            if fits {
                sent_entries.extend(bytes);
            }
        }
        let length = packet.finish();
        prop_assert!(buffer[length..].iter().all(|byte| *byte == 0xEE));
        let bytes = &buffer[..length];
        prop_assert_eq!(PacketHeader::read(bytes), Ok(Some(header)));
        let (sections, is_right) = sections(layout.order, bytes);
        prop_assert!(is_right);
        let (last, before) = sections.split_last().unwrap();
        prop_assert_eq!(last.0, RING_SECTION);
        prop_assert_eq!(RingPosition::read(last.1, layout.order), Ok(position));
        prop_assert_eq!(&last.1[RING_POSITION_BYTES..], &sent_entries);
        // Slots that follow one another share a section.
        let mut sent_objects = sent_objects.into_iter().peekable();
        for (tag, content) in before {
            prop_assert_eq!(*tag, OBJECTS_SECTION);
            let first = u32::read(content, layout.order).unwrap();
            let mut rest = &content[OBJECTS_FIXED_BYTES..];
            let mut slot = first;
            while let Some((_, bytes)) = sent_objects.next_if(|(next, _)| *next == slot) {
                prop_assert_eq!(&rest[..bytes.len()], &bytes);
                rest = &rest[bytes.len()..];
                slot += 1;
            }
            prop_assert!(rest.is_empty() && slot > first);
        }
        prop_assert!(sent_objects.next().is_none());
    }
}

#[test]
fn other_bytes_are_no_packet() {
    assert_eq!(PacketHeader::read(b"CSWL"), Ok(None));
    assert_eq!(PacketHeader::read(b""), Ok(None));
    assert_eq!(
        PacketHeader::read(&[b"TXTS", &[0; 40][..]].concat()),
        Ok(None)
    );
}
