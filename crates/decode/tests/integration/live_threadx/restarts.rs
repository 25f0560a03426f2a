//! Tracing that is restarted, moved, or replaced by another target.

use super::event_listener::EventListener;
use super::target::Target;
use rtoscope_wire::threadx::BufferLayout;

#[test]
fn a_restart_is_no_lap_and_its_clock_does_not_run_back() {
    let mut target = Target::new(BufferLayout::ALL[0], 40, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for round in 0..4_u64 {
        for at in 0..5 {
            for _ in 0..17 {
                target.log(1000);
            }
            listener.push(&target.dump(), round * 10 + at);
        }
        // The whole target restarts, including its clock.
        target.enable();
        target.now = 77;
    }
    let count = u64::from(target.logged);
    assert_eq!(listener.event_ids(), (0..count).collect::<Vec<_>>());
    assert_eq!(listener.live.stats().gaps, 3);
    assert_eq!(listener.live.stats().missing_events, 0);
    assert!(listener.has_diagnostic("restart"));
    assert!(!listener.has_diagnostic("backward-step"));
    assert!(
        listener
            .received
            .windows(2)
            .all(|pair| pair[0].time <= pair[1].time)
    );
    // Only the time across the restart is unknown.
    let last = listener.received.last().unwrap();
    assert_eq!(last.time, (count - 1 - 3) * 1000);
}

#[test]
fn a_restart_that_is_seen_empty_is_one_break() {
    let mut target = Target::new(BufferLayout::ALL[0], 8, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for _ in 0..20 {
        target.log(5);
    }
    listener.push(&target.dump(), 1);
    target.enable();
    listener.push(&target.dump(), 2);
    listener.push(&target.dump(), 3);
    target.log(5);
    listener.push(&target.dump(), 4);
    target.log(5);
    listener.push(&target.dump(), 5);
    assert_eq!(listener.event_ids(), (12..22).collect::<Vec<_>>());
    assert_eq!(listener.live.stats().gaps, 1);
}

#[test]
fn a_lost_connection_alone_loses_nothing() {
    let mut target = Target::new(BufferLayout::ALL[0], 32, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for at in 0..10 {
        for _ in 0..20 {
            target.log(5);
        }
        let dump = target.dump();
        listener.push(&dump[..dump.len() / 2], at);
        listener.live.connection_lost();
        listener.push(&dump, at);
    }
    assert_eq!(listener.event_ids(), (0..200).collect::<Vec<_>>());
    let tally = listener.live.stats();
    assert_eq!((tally.gaps, tally.unusable, tally.truncated), (0, 0, 10));
    assert_eq!(tally.unusable_bytes, 10 * (target.dump().len() as u64 / 2));
}

#[test]
fn a_target_with_other_words_takes_the_place_of_the_first() {
    let mut listener = EventListener::new();
    for (layout, at) in BufferLayout::ALL.into_iter().zip(1..) {
        let mut target = Target::new(layout, 16, 0xFFFF_FFFF);
        for _ in 0..5 {
            target.log(10);
        }
        listener.push(&target.dump(), at);
    }
    assert_eq!(listener.event_ids(), [[0, 1, 2, 3, 4]; 4].concat());
    assert_eq!(listener.live.stats().gaps, 3);
    let all = listener.live.window(100).unwrap().decode().unwrap();
    assert_eq!(all.trace.events.word_bits(), 64);
    let what = super::event_listener::received_events(&all);
    let what: Vec<_> = what.into_iter().map(|event| event.event_id).collect();
    assert_eq!(what, listener.event_ids());
}

#[test]
fn a_ring_that_is_sent_shorter_or_longer_is_stitched_by_its_content() {
    let mut listener = EventListener::new();
    let mut long = Target::new(BufferLayout::ALL[0], 64, 0xFFFF_FFFF);
    for at in 0..12 {
        for _ in 0..5 {
            long.log(10);
        }
        // The sender sends only the used part, as its header states.
        let mut bytes = long.dump();
        let end = long.slot_offset(long.current());
        let base = 0x2000_8000_u32;
        bytes.truncate(end);
        bytes[28..32].copy_from_slice(&(base + end as u32).to_le_bytes());
        listener.push(&bytes, at);
    }
    assert_eq!(listener.event_ids(), (0..60).collect::<Vec<_>>());
    assert_eq!(listener.live.stats().gaps, 0);
    assert_eq!(listener.live.stats().unusable_bytes, 0);
}
