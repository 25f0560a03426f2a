//! Streams with lost, wrong or malicious bytes.

use super::builders;
use super::live_target::{ReceivedTrace, Target, settings};
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_fixtures::ProcessorTimer;
use rtoscope_record::cswitch::BufferMode;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHeader, CswlHeader, PointerSize, SECTION_HEADER_BYTES, SectionHeader,
    SectionTag,
};
use std::time::Duration;

/// One container with the sections of all.
pub(crate) fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    let header = CswlHeader::read(&parts[0]).unwrap().unwrap();
    let cores = parts.len() as u16;
    let mut bytes = CswlHeader { cores, ..header }.to_bytes().to_vec();
    let end = SECTION_HEADER_BYTES + 4;
    for part in parts {
        bytes.extend_from_slice(&part[CSWL_HEADER_BYTES..part.len() - end]);
    }
    let last = SectionHeader {
        tag: SectionTag::END,
        length: 4,
    };
    bytes.extend(last.to_bytes(header.order));
    bytes.extend(crc32fast::hash(&bytes).to_ne_bytes());
    bytes
}

/// Containers of a ring; each repeats much of the one before.
fn containers(count: usize) -> Vec<Vec<u8>> {
    let mut target = Target::new(1, 64, 32, BufferMode::Cyclic);
    (0..count)
        .map(|_| {
            for _ in 0..16 {
                target.wait(10);
                target.record(0);
            }
            target.save()
        })
        .collect()
}

fn numbers(received: &ReceivedTrace) -> Vec<u64> {
    received.events.iter().map(|event| event.number).collect()
}

fn receive(bytes: &[u8], split: usize) -> (LiveDecoder, ReceivedTrace) {
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    for part in bytes.chunks(split) {
        live.push(part, HostTime(1));
        received.drain_updates(&mut live);
    }
    (live, received)
}

#[test]
fn garbage_between_containers_is_left_out() {
    let mut stream = b"CSWLCSWL\x04\x03\x02".to_vec();
    for container in containers(5) {
        stream.extend_from_slice(&container);
        stream.extend_from_slice(b"boot: CSW CSWL is on\n");
    }
    let garbage = 11 + 5 * 21;
    for split in [1, 2, 3, 7, 100, stream.len()] {
        let (mut live, received) = receive(&stream, split);
        assert_eq!(
            numbers(&received),
            (0..80).collect::<Vec<_>>(),
            "in pieces of {split}"
        );
        live.connection_lost();
        let tally = live.stats();
        assert_eq!((tally.unusable_bytes, tally.gaps), (garbage, 0));
    }
}

#[test]
fn a_container_cut_short_is_made_up_by_the_next() {
    let all = containers(4);
    let [first, second, third, fourth] = all.as_slice() else {
        panic!("four");
    };
    // Within the entries, a name, and the header of a section.
    for lost in [1, 7, 500, second.len() - 50, second.len() - 3] {
        // The next container begins with the byte that is lost: addresses, and so checksums,
        // differ in each run.
        if lost == 1 && second.last() == third.first() {
            continue;
        }
        let stream = [&first[..], &second[..second.len() - lost], third, fourth].concat();
        let (live, received) = receive(&stream, 99);
        assert_eq!(
            numbers(&received),
            (0..64).collect::<Vec<_>>(),
            "{lost} bytes lost"
        );
        assert_eq!(live.stats().gaps, 0);
        // Not even the start of the last one arrived.
        assert_eq!(live.stats().unusable >= 1, lost < second.len() - 3);
        assert_eq!(live.stats().unusable_bytes, (second.len() - lost) as u64);
    }
    // The connection was lost and re-established.
    let mut live = LiveDecoder::new(settings());
    live.push(first, HostTime(1));
    live.push(&second[..700], HostTime(2));
    live.connection_lost();
    live.push(third, HostTime(3));
    let mut received = ReceivedTrace::default();
    received.drain_updates(&mut live);
    assert_eq!(numbers(&received), (0..48).collect::<Vec<_>>());
    assert_eq!(
        (live.stats().unusable, live.stats().unusable_bytes),
        (1, 700)
    );
}

#[test]
fn lengths_are_not_believed() {
    let header = CswlHeader {
        order: ByteOrder::Little,
        version: 1,
        pointer_size: PointerSize::Four,
        counter_bits: 32,
        cores: 1,
        frequency_hz: u64::MAX,
    };
    let good = &containers(1)[0];
    for (tag, length) in [
        (SectionTag::CORE, u64::MAX),
        (SectionTag::NAME, u64::MAX),
        (SectionTag::NAME, 3),
        (SectionTag::SYMBOL, 1 << 40),
        (SectionTag::END, 5),
        (SectionTag(*b"NEW "), 1 << 30),
        (SectionTag([0, 1, 2, 3]), 4),
    ] {
        let section = SectionHeader { tag, length };
        let stream = [
            &header.to_bytes()[..],
            &section.to_bytes(ByteOrder::Little),
            &[0; 32],
            good,
        ]
        .concat();
        let (live, received) = receive(&stream, 1000);
        assert_eq!(received.events.len(), 16, "{tag:?} of {length}");
        assert_eq!(live.stats().unusable, 1);
    }
}

#[test]
fn containers_within_containers_take_no_time() {
    // Each declares all of the rest as an unknown section.
    let mut stream = Vec::new();
    let header = builders::Cswl::new(PointerSize::Four, ByteOrder::Little, 1).bytes;
    while stream.len() < 4 << 20 {
        stream.extend_from_slice(&header);
        let section = SectionHeader {
            tag: SectionTag(*b"NEW "),
            length: 1 << 20,
        };
        stream.extend(section.to_bytes(ByteOrder::Little));
    }
    let timer = ProcessorTimer::start();
    let (live, received) = receive(&stream, 1 << 16);
    assert_eq!(received.events.len(), 0);
    assert!(live.stats().unusable_bytes > 1 << 20);
    assert!(timer.elapsed() < Duration::from_secs(60));
}

#[test]
fn entries_that_are_all_alike_take_no_time() {
    let entry = rtoscope_wire::cswitch::LogEntry {
        kind: 2,
        counter: 5,
        address: 8,
        name: 16,
    };
    let other = rtoscope_wire::cswitch::LogEntry {
        counter: 6,
        ..entry
    };
    let mut first = vec![entry; 50_000];
    first.insert(0, other);
    let container = |entries: &[_]| {
        let core = CoreHeader {
            cyclic: true,
            wrapped: true,
            ..CoreHeader::default()
        };
        builders::Cswl::new(PointerSize::Four, ByteOrder::Little, 1)
            .core(core, entries)
            .end()
    };
    let timer = ProcessorTimer::start();
    let (_, received) = receive(
        &[container(&first), container(&[entry; 50_000])].concat(),
        1 << 20,
    );
    assert_eq!(received.events.len(), 50_001);
    assert!(timer.elapsed() < Duration::from_secs(60));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn damage_is_survived(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 1_usize..90), 0..4),
        split in 1_usize..2000,
    ) {
        let mut stream = containers(12).concat();
        for (place, value) in flips {
            let place = place.index(stream.len());
            stream[place] = value;
        }
        for (place, length) in cuts {
            let place = place.index(stream.len());
            let end = (place + length).min(stream.len());
            stream.drain(place..end);
        }
        let (live, received) = receive(&stream, split);
        // Checksums leave nothing wrong through.
        let seen = numbers(&received);
        prop_assert!(seen.windows(2).all(|two| two[0] < two[1]));
        let gaps: Vec<_> = seen.windows(2).filter(|two| two[1] - two[0] > 1).collect();
        prop_assert_eq!(received.gaps.len(), gaps.len());
        prop_assert_eq!(live.stats().events, seen.len() as u64);
    }

    #[test]
    fn anything_is_survived(
        noise in proptest::collection::vec(any::<u8>(), 0..300),
        cores in proptest::collection::vec((0_u16..4, any::<bool>(), any::<u64>(), proptest::collection::vec(any::<(u32, u32, u32, u32)>(), 0..9)), 0..5),
        pasts in proptest::collection::vec((0_u16..4, 0_u32..3, any::<u64>()), 0..4),
        bits in 1_u8..33, repeats in 1_usize..4, split in 1_usize..500,
    ) {
        let mut container = builders::Cswl::new(PointerSize::Four, ByteOrder::Big, 1);
        container.bytes[11] = bits;
        for (core, session, before) in pasts {
            let past = rtoscope_wire::cswitch::CoreHistory { core, session, preceding_entries: before };
            container = container.section(SectionTag::PAST, &past.to_bytes(ByteOrder::Big));
        }
        for (core, cyclic, lost, entries) in cores {
            let entries: Vec<_> = entries.into_iter().map(|(kind, counter, address, name)| rtoscope_wire::cswitch::LogEntry {
                kind: kind % 11, counter, address: address.into(), name: name.into(),
            }).collect();
            container = container.core(CoreHeader { core, cyclic, lost, ..CoreHeader::default() }, &entries);
        }
        let container = container.section(SectionTag::NAME, &noise).end();
        let stream = [&noise[..], &container.repeat(repeats)].concat();
        let (mut live, _) = receive(&stream, split);
        live.connection_lost();
        let _ = live.next_update().unwrap();
        let events = live.stats().events;
        if let Some(cut) = live.window(u64::MAX) {
            prop_assert_eq!(cut.decode().unwrap().trace.events.len() as u64, events);
        }
    }
}
