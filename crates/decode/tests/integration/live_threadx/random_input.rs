//! Malicious bytes.

use super::event_listener::EventListener;
use super::target::Target;
use proptest::prelude::*;
use rtoscope_wire::threadx::BufferLayout;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn anything_is_survived(
        pieces in proptest::collection::vec(
            (any::<u16>(), any::<u8>(), 0..30_u32, 0..3_u8, any::<bool>()), 1..40,
        ),
        layout in proptest::sample::select(&BufferLayout::ALL[..]), slots in 1..30_usize,
    ) {
        let mut target = Target::new(layout, slots, 0xFFFF_FFFF);
        let mut listener = EventListener::new();
        let mut pushed = 0;
        for ((place, value, count, what, interrupts), at) in pieces.into_iter().zip(0..) {
            for _ in 0..count {
                target.log(u64::from(value));
            }
            let mut bytes = target.dump();
            // Headers are changed most often.
            let reach = if what == 0 { bytes.len() } else { layout.header_bytes() };
            let place = usize::from(place) % reach;
            match what {
                0 | 1 => bytes[place] = value,
                _ => bytes.truncate(place),
            }
            pushed += bytes.len() as u64;
            listener.push(&bytes, at);
            if interrupts {
                listener.live.connection_lost();
                listener.drain_updates();
            }
        }
        let tally = listener.live.stats();
        prop_assert_eq!(tally.events, listener.received.len() as u64);
        prop_assert!(tally.unusable_bytes <= pushed);
        for pair in listener.received.windows(2) {
            prop_assert_eq!(pair[0].number + 1, pair[1].number);
            prop_assert!(pair[0].time <= pair[1].time);
        }
    }
}

#[test]
fn ids_in_a_row_take_no_more_than_a_moment() {
    let mut listener = EventListener::new();
    let ids = b"BTXTTXTB".repeat(1 << 14);
    for at in 0..4 {
        listener.push(&ids, at);
    }
    let tally = listener.live.stats();
    assert!(tally.unusable_bytes + 200 > 4 * ids.len() as u64);
}

#[test]
fn entries_that_are_all_alike_take_no_more_than_a_moment() {
    let mut listener = EventListener::new();
    for (slots, at) in [(50_000, 1), (50_001, 2), (49_999, 3)] {
        let mut target = Target::new(BufferLayout::ALL[0], slots, 0xFFFF_FFFF);
        target.log(0);
        let mut bytes = target.dump();
        let entry = bytes[target.slot_offset(0)..target.slot_offset(1)].to_vec();
        for slot in 0..slots {
            let place = target.slot_offset(slot);
            bytes[place..place + entry.len()].copy_from_slice(&entry);
        }
        // An invalid id, so that nothing ever matches.
        let odd = target.slot_offset(slots / 2);
        bytes[odd + 16] ^= at;
        listener.push(&bytes, at.into());
    }
    assert!(listener.live.stats().events > 100_000);
}
