//! Round trips: each structure is written and read back.

use super::{
    CoreHeader, CoreHistory, CswlHeader, EntryKind, LogEntry, PointerSize, SectionHeader,
    SectionTag, UnknownFields,
};
use crate::{ByteOrder, WireError};
use proptest::prelude::*;
use std::prelude::v1::*;

fn order() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

fn pointer() -> impl Strategy<Value = PointerSize> {
    prop_oneof![Just(PointerSize::Four), Just(PointerSize::Eight)]
}

#[test]
fn kinds_have_the_numbers_of_the_article() {
    let numbers: Vec<_> = EntryKind::ALL.map(|kind| kind as u32).into();
    assert_eq!(
        numbers,
        [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 25, 28, 29, 64, 65, 66, 67, 80
        ]
    );
    for number in 0..100 {
        let kind = EntryKind::from_number(number);
        assert_eq!(
            kind.map(|kind| kind as u32),
            numbers.contains(&number).then_some(number)
        );
        assert!(kind.map_or(true, |kind| kind.is_extension() == (number > 8)));
    }
}

proptest! {
    #[test]
    fn entries(
        order in order(), size in pointer(),
        kind in any::<u32>(), counter in any::<u32>(), address in any::<u64>(), name in any::<u64>(),
    ) {
        let kept = |value: u64| match size {
            PointerSize::Four => value & 0xFFFF_FFFF,
            PointerSize::Eight => value,
        };
        let entry = LogEntry { kind, counter, address: kept(address), name: kept(name) };
        let mut bytes = [0; 24];
        LogEntry { address, name, ..entry }.write(&mut bytes, size, order).unwrap();
        let (own, rest) = bytes.split_at(size.entry_bytes());
        prop_assert_eq!(LogEntry::read(own, size, order), Ok(entry));
        prop_assert!(rest.iter().all(|byte| *byte == 0));
        for short in 0..own.len() {
            let error = WireError::TooShort {
                structure: "an entry of a context-switch log",
                needed: own.len(),
                available: short,
            };
            prop_assert_eq!(LogEntry::read(&own[..short], size, order), Err(error));
        }
    }

    #[test]
    fn headers(
        order in order(), pointer in pointer(), version in any::<u16>(), counter_bits in 1..=32_u8,
        cores in any::<u16>(), frequency in any::<u64>(),
    ) {
        let header = CswlHeader { order, version, pointer_size: pointer, counter_bits, cores, frequency_hz: frequency };
        prop_assert_eq!(CswlHeader::read(&header.to_bytes()), Ok(Some(header)));
        prop_assert!(CswlHeader::read(&header.to_bytes()[..23]).is_err());
    }

    #[test]
    fn sections(order in order(), tag in any::<[u8; 4]>(), length in any::<u64>()) {
        let header = SectionHeader { tag: SectionTag(tag), length };
        prop_assert_eq!(SectionHeader::read(&header.to_bytes(order), order), Ok(header));
        prop_assert!(SectionHeader::read(&header.to_bytes(order)[..11], order).is_err());
    }

    #[test]
    fn cores(
        order in order(), core in any::<u16>(), cyclic in any::<bool>(), wrapped in any::<bool>(), flags in any::<u8>(),
        entries in any::<u32>(), oldest in any::<u32>(), lost in any::<u64>(), idle in any::<u64>(),
    ) {
        let unknown = UnknownFields {
            end: flags & 8 != 0, cyclic: flags & 1 != 0, lost: flags & 2 != 0, idle: flags & 4 != 0,
        };
        let header = CoreHeader { core, cyclic, wrapped, entries, oldest_index: oldest, lost, idle_ticks: idle };
        let bytes = header.to_bytes_with_unknown(unknown, order);
        prop_assert_eq!(CoreHeader::read(&bytes, order), Ok(header));
        prop_assert_eq!(UnknownFields::read(&bytes, order), unknown);
        prop_assert_eq!(CoreHeader::read(&header.to_bytes(order), order), Ok(header));
        prop_assert!(CoreHeader::read(&header.to_bytes(order)[..31], order).is_err());
    }

    #[test]
    fn pasts(order in order(), core in any::<u16>(), session in any::<u32>(), before in any::<u64>()) {
        let past = CoreHistory { core, session, preceding_entries: before };
        prop_assert_eq!(CoreHistory::read(&past.to_bytes(order), order), Ok(past));
        prop_assert!(CoreHistory::read(&past.to_bytes(order)[..15], order).is_err());
    }
}

#[test]
fn other_bytes_are_not_a_container() {
    let header = CswlHeader {
        order: ByteOrder::Big,
        version: super::VERSION,
        pointer_size: PointerSize::Four,
        counter_bits: 32,
        cores: 1,
        frequency_hz: 0,
    };
    for (at, value) in [(0, b'X'), (4, 9), (10, 5), (11, 0), (11, 33)] {
        let mut bytes = header.to_bytes();
        bytes[at] = value;
        assert_eq!(CswlHeader::read(&bytes), Ok(None), "byte {at}");
    }
}
