//! Properties of the ThreadX codec: all structures survive a round trip in every layout.

use proptest::prelude::*;
use rtoscope_wire::threadx::{
    BufferLayout, ControlHeader, EventEntry, MARKERS, RegistryEntry, TXTB_ID, UlongSize,
    swap_entry, swap_header, swap_registry_entry,
};
use rtoscope_wire::{ByteOrder, WireError, Word};

fn layouts() -> impl Strategy<Value = BufferLayout> {
    proptest::sample::select(BufferLayout::ALL.to_vec())
}

/// A value that fits into a word of the layout.
fn fit(layout: BufferLayout, value: u64) -> u64 {
    match layout.ulong {
        UlongSize::Four => u64::from(value as u32),
        UlongSize::Eight => value,
    }
}

fn header(layout: BufferLayout, words: [u64; 7], halves: (u16, u16)) -> ControlHeader {
    let [
        timer_mask,
        base,
        registry_start,
        registry_end,
        buffer_start,
        buffer_end,
        current,
    ] = words.map(|word| fit(layout, word));
    ControlHeader {
        id: TXTB_ID,
        timer_mask,
        base_address: base,
        registry_start,
        reserved1: halves.0,
        name_size: halves.1,
        registry_end,
        buffer_start,
        buffer_end,
        current,
        markers: MARKERS,
    }
}

proptest! {
    #[test]
    fn header_round_trips(layout in layouts(), words: [u64; 7], halves: (u16, u16), fill: u8) {
        let header = header(layout, words, halves);
        let mut bytes = vec![fill; 128];
        let written = header.write(layout, &mut bytes).unwrap();
        prop_assert_eq!(written, layout.header_bytes());
        prop_assert_eq!(ControlHeader::read(layout, &bytes[..written]).unwrap(), header);
        prop_assert_eq!(BufferLayout::detect(&bytes[..written]), Some(layout));
        prop_assert!(bytes[written..].iter().all(|byte| *byte == fill));
    }

    #[test]
    fn header_swaps(layout in layouts(), words: [u64; 7], halves: (u16, u16)) {
        let header = header(layout, words, halves);
        let mut bytes = vec![0; layout.header_bytes()];
        header.write(layout, &mut bytes).unwrap();
        swap_header(layout, &mut bytes).unwrap();
        let other = BufferLayout::new(layout.order.swapped(), layout.ulong);
        prop_assert_eq!(ControlHeader::read(other, &bytes).unwrap(), header);
    }

    #[test]
    fn registry_entry_round_trips(
        layout in layouts(),
        name in proptest::collection::vec(any::<u8>(), 0..70),
        flags: [u8; 4],
        pointer: u64,
        parameters: [u64; 2],
    ) {
        let name_size = name.len() as u16;
        let entry = RegistryEntry {
            available: flags[0],
            object_type: flags[1],
            reserved: [flags[2], flags[3]],
            pointer: fit(layout, pointer),
            parameters: parameters.map(|word| fit(layout, word)),
            name: &name,
        };
        let mut bytes = vec![0xA5; layout.registry_stride(name_size)];
        let written = entry.write(layout, name_size, &mut bytes).unwrap();
        prop_assert_eq!(written, bytes.len());
        prop_assert_eq!(RegistryEntry::read(layout, name_size, &bytes).unwrap(), entry);

        swap_registry_entry(layout, &mut bytes).unwrap();
        let other = BufferLayout::new(layout.order.swapped(), layout.ulong);
        prop_assert_eq!(RegistryEntry::read(other, name_size, &bytes).unwrap(), entry);
    }

    #[test]
    fn narrow_entry_round_trips(big: bool, words: [u32; 8]) {
        entry_round_trips(big, words)?;
    }

    #[test]
    fn wide_entry_round_trips(big: bool, words: [u64; 8]) {
        entry_round_trips(big, words)?;
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..140), name_size: u16) {
        let _ = BufferLayout::detect(&bytes);
        for layout in BufferLayout::ALL {
            let _ = ControlHeader::read(layout, &bytes);
            let _ = RegistryEntry::read(layout, name_size, &bytes).map(|entry| entry.thread_priority());
            let _ = EventEntry::<u32>::read(&bytes, layout.order);
            let _ = EventEntry::<u64>::read(&bytes, layout.order);
        }
    }
}

fn entry_round_trips<W: Word + PartialEq + std::fmt::Debug>(
    big: bool,
    words: [W; 8],
) -> Result<(), TestCaseError> {
    let order = if big {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    };
    let [context, priority, id, timestamp, i1, i2, i3, i4] = words;
    let entry = EventEntry {
        context,
        priority,
        id,
        timestamp,
        info: [i1, i2, i3, i4],
    };
    let mut bytes = vec![0; EventEntry::<W>::BYTES];
    prop_assert_eq!(entry.write(order, &mut bytes).unwrap(), bytes.len());
    prop_assert_eq!(EventEntry::<W>::read(&bytes, order), Some(entry));

    let ulong = if W::BYTES == 4 {
        UlongSize::Four
    } else {
        UlongSize::Eight
    };
    swap_entry(BufferLayout::new(order, ulong), &mut bytes).unwrap();
    prop_assert_eq!(EventEntry::<W>::read(&bytes, order.swapped()), Some(entry));
    Ok(())
}

#[test]
fn a_short_slice_is_an_error_with_lengths() {
    let layout = BufferLayout::ALL[0];
    assert_eq!(
        ControlHeader::read(layout, &[0; 47]),
        Err(WireError::TooShort {
            structure: "a control header",
            needed: 48,
            available: 47
        })
    );
}

#[test]
fn names_end_at_the_first_nul_and_priorities_need_their_flag() {
    let entry = RegistryEntry {
        available: 0,
        object_type: 1,
        reserved: [0x83, 0xE8],
        pointer: 0x2000_0000,
        parameters: [0, 0],
        name: b"main\0\xA5\xA5",
    };
    assert_eq!(entry.name_text(), b"main");
    assert_eq!(entry.thread_priority(), Some(1000));
    let old = RegistryEntry {
        reserved: [0, 0],
        ..entry
    };
    assert_eq!(old.thread_priority(), None);
}
