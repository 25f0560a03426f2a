//! Missing or wrong bytes.

use super::event_listener::EventListener;
use super::target::Target;
use proptest::prelude::*;
use rtoscope_wire::threadx::BufferLayout;

#[test]
fn a_buffer_with_missing_bytes_costs_only_itself() {
    for missing in [1, 5, 31, 32, 200, 900] {
        let mut target = Target::new(BufferLayout::ALL[0], 64, 0xFFFF_FFFF);
        let mut listener = EventListener::new();
        for at in 0..12 {
            for _ in 0..10 {
                target.log(5);
            }
            let mut bytes = target.dump();
            if at % 4 == 2 {
                bytes.drain(300..300 + missing);
            }
            listener.push(&bytes, at);
        }
        assert_eq!(
            listener.event_ids(),
            (0..120).collect::<Vec<_>>(),
            "{missing} bytes"
        );
        let tally = listener.live.stats();
        assert_eq!((tally.unusable, tally.gaps), (3, 0), "{missing} bytes");
        assert_eq!(
            tally.unusable_bytes,
            3 * (target.dump().len() - missing) as u64
        );
    }
}

#[test]
fn a_few_missing_bytes_do_not_cost_the_next_buffer() {
    for layout in BufferLayout::ALL {
        let id_bytes = layout.ulong.bytes();
        for missing in 1..id_bytes {
            // Zeros are too common to indicate the start of an id.
            if target_id(layout)[..missing].iter().all(|byte| *byte == 0) {
                continue;
            }
            let mut target = Target::new(layout, 64, 0xFFFF_FFFF);
            let mut listener = EventListener::new();
            let mut at = 0;
            let mut log = |target: &mut Target| {
                for _ in 0..10 {
                    target.log(5);
                }
                at += 1;
                (target.dump(), at)
            };
            let (bytes, at) = log(&mut target);
            listener.push(&bytes, at);
            let (mut bytes, at) = log(&mut target);
            let hole = target.slot_offset(3);
            bytes.drain(hole..hole + missing);
            // The data so far ends in the middle of the next id.
            let (next, later) = log(&mut target);
            bytes.extend_from_slice(&next[..missing]);
            listener.push(&bytes, at);
            listener.push(&next[missing..], later);
            assert_eq!(
                listener.event_ids(),
                (0..30).collect::<Vec<_>>(),
                "{layout:?} {missing}"
            );
            assert_eq!(listener.live.stats().gaps, 0);
        }
    }
}

/// The first bytes of a buffer with this layout.
fn target_id(layout: BufferLayout) -> Vec<u8> {
    let mut dump = Target::new(layout, 1, 7).dump();
    dump.truncate(layout.ulong.bytes());
    dump
}

#[test]
fn a_wrong_byte_in_a_known_entry_duplicates_nothing() {
    let mut target = Target::new(BufferLayout::ALL[0], 64, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for at in 0..40 {
        for _ in 0..10 {
            target.log(5);
        }
        let mut bytes = target.dump();
        if at > 8 && at % 3 == 0 {
            // The newest known entry.
            let newest = (target.current() + 64 - 11) % 64;
            bytes[target.slot_offset(newest) + 12] ^= 0x40;
        }
        listener.push(&bytes, at);
    }
    listener.push(&target.dump(), 40);
    assert_eq!(listener.event_ids(), (0..400).collect::<Vec<_>>());
    assert_eq!(listener.live.stats().gaps, 0);
}

#[test]
fn a_doubtful_buffer_that_is_the_last_is_used() {
    let mut target = Target::new(BufferLayout::ALL[0], 256, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    let log = |target: &mut Target, count| (0..count).for_each(|_| target.log(5));
    log(&mut target, 100);
    listener.push(&target.dump(), 1);
    log(&mut target, 200);
    // The first argument of the newest entry.
    let mut damaged = target.dump();
    damaged[target.slot_offset((target.current() + 255) % 256) + 20] ^= 0x40;
    listener.push(&damaged, 2);
    log(&mut target, 200);
    listener.push(&target.dump(), 3);
    assert_eq!(listener.live.stats().events, 300);
    listener.live.connection_lost();
    listener.drain_updates();
    let tally = listener.live.stats();
    assert_eq!((tally.events, tally.gaps, tally.unusable), (500, 0, 0));
    assert_eq!(listener.event_ids()[300..], (300..500).collect::<Vec<_>>());
    // The next connection continues from there.
    log(&mut target, 10);
    listener.push(&target.dump(), 4);
    assert_eq!(listener.event_ids()[500..], (500..510).collect::<Vec<_>>());
}

#[test]
fn a_pointer_to_no_entry_makes_a_buffer_useless() {
    let mut target = Target::new(BufferLayout::ALL[0], 16, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    target.log(5);
    let mut bytes = target.dump();
    bytes[32] ^= 1;
    listener.push(&bytes, 1);
    assert_eq!(listener.live.stats().unusable, 1);
    assert_eq!(listener.live.stats().unusable_bytes, bytes.len() as u64);
    listener.push(&target.dump(), 2);
    assert_eq!(listener.event_ids(), [0]);
}

#[test]
fn a_header_that_claims_too_much_is_overcome() {
    let mut target = Target::new(BufferLayout::ALL[0], 16, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    target.log(5);
    listener.push(&target.dump(), 1);
    // Declares 16 MiB that never arrive; then the target as before.
    let mut liar = target.dump();
    liar[28..32].copy_from_slice(&0x2100_8000_u32.to_le_bytes());
    listener.push(&liar, 2);
    target.log(5);
    listener.push(&target.dump(), 3);
    assert_eq!(listener.event_ids(), [0, 1]);
    assert_eq!(listener.live.stats().unusable, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A reader that is slower than the target reads the header before and
    /// after the ring, and omits the entries written meanwhile.
    #[test]
    fn what_a_reader_leaves_out_comes_with_the_next_buffer(
        slots in 16..60_usize, turns in proptest::collection::vec((0..8_u32, 0..4_u32), 1..60),
    ) {
        let mut target = Target::new(BufferLayout::ALL[2], slots, 0xFFFF_FFFF);
        let mut listener = EventListener::new();
        for ((before, meanwhile), at) in turns.into_iter().zip(1..) {
            for _ in 0..before {
                target.log(5);
            }
            let mut bytes = target.dump();
            let next = target.current();
            for _ in 0..meanwhile {
                target.log(5);
            }
            // The second half of the ring is read late.
            let half = target.slot_offset(slots / 2);
            bytes.truncate(half);
            bytes.extend_from_slice(&target.dump()[half..]);
            // What was written meanwhile, and the entry that may be in the middle of a write.
            let overwritten = if meanwhile > 0 { meanwhile as usize + 1 } else { 0 };
            for slot in next..next + overwritten {
                let at = target.slot_offset(slot % slots);
                bytes[at..at + 8].fill(0);
            }
            listener.push(&bytes, at);
        }
        listener.push(&target.dump(), 1000);
        let expected: Vec<_> = (0..u64::from(target.logged)).collect();
        prop_assert_eq!(listener.event_ids(), expected);
        prop_assert_eq!(listener.live.stats().gaps, 0);
    }
}
