//! Tracing that is started again, elsewhere, or by another target.

use super::listener::Listener;
use super::target::Target;
use rtoscope_trace::event::Words;
use rtoscope_wire::threadx::Layout;

#[test]
fn a_restart_is_no_lap_and_its_clock_does_not_run_back() {
    let mut target = Target::new(Layout::ALL[0], 40, 0xFFFF_FFFF);
    let mut listener = Listener::new();
    for round in 0..4_u64 {
        for at in 0..5 {
            for _ in 0..17 {
                target.log(1000);
            }
            listener.push(&target.dump(), round * 10 + at);
        }
        // The whole target starts again, its clock too.
        target.enable();
        target.now = 77;
    }
    let count = u64::from(target.logged);
    assert_eq!(listener.what(), (0..count).collect::<Vec<_>>());
    assert_eq!(listener.live.tally().gaps, 3);
    assert_eq!(listener.live.tally().missing, 0);
    assert!(listener.was_told("restart"));
    assert!(!listener.was_told("backward-step"));
    assert!(
        listener
            .heard
            .windows(2)
            .all(|pair| pair[0].time <= pair[1].time)
    );
    // Nothing is known of the time over a restart, and all of the rest.
    let last = listener.heard.last().unwrap();
    assert_eq!(last.time, (count - 1 - 3) * 1000);
}

#[test]
fn a_restart_that_is_seen_empty_is_one_break() {
    let mut target = Target::new(Layout::ALL[0], 8, 0xFFFF_FFFF);
    let mut listener = Listener::new();
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
    assert_eq!(listener.what(), (12..22).collect::<Vec<_>>());
    assert_eq!(listener.live.tally().gaps, 1);
}

#[test]
fn a_lost_connection_alone_loses_nothing() {
    let mut target = Target::new(Layout::ALL[0], 32, 0xFFFF_FFFF);
    let mut listener = Listener::new();
    for at in 0..10 {
        for _ in 0..20 {
            target.log(5);
        }
        let dump = target.dump();
        listener.push(&dump[..dump.len() / 2], at);
        listener.live.interrupt();
        listener.push(&dump, at);
    }
    assert_eq!(listener.what(), (0..200).collect::<Vec<_>>());
    let tally = listener.live.tally();
    assert_eq!((tally.gaps, tally.bad, tally.cut), (0, 0, 10));
    assert_eq!(tally.bad_bytes, 10 * (target.dump().len() as u64 / 2));
}

#[test]
fn a_target_with_other_words_takes_the_place_of_the_first() {
    let mut listener = Listener::new();
    for (layout, at) in Layout::ALL.into_iter().zip(1..) {
        let mut target = Target::new(layout, 16, 0xFFFF_FFFF);
        for _ in 0..5 {
            target.log(10);
        }
        listener.push(&target.dump(), at);
    }
    assert_eq!(listener.what(), [[0, 1, 2, 3, 4]; 4].concat());
    assert_eq!(listener.live.tally().gaps, 3);
    let all = listener.live.cut(100).unwrap().decode().unwrap();
    assert!(matches!(all.trace.events.stamp, Words::Wide(_)));
    let what = super::listener::heard(&all);
    let what: Vec<_> = what.into_iter().map(|heard| heard.what).collect();
    assert_eq!(what, listener.what());
}

#[test]
fn a_ring_that_is_sent_shorter_or_longer_is_stitched_by_its_content() {
    let mut listener = Listener::new();
    let mut long = Target::new(Layout::ALL[0], 64, 0xFFFF_FFFF);
    for at in 0..12 {
        for _ in 0..5 {
            long.log(10);
        }
        // The sender sends only what is used, and says so in the header.
        let mut bytes = long.dump();
        let end = long.at(long.current());
        let base = 0x2000_8000_u32;
        bytes.truncate(end);
        bytes[28..32].copy_from_slice(&(base + end as u32).to_le_bytes());
        listener.push(&bytes, at);
    }
    assert_eq!(listener.what(), (0..60).collect::<Vec<_>>());
    assert_eq!(listener.live.tally().gaps, 0);
    assert_eq!(listener.live.tally().bad_bytes, 0);
}
