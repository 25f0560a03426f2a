//! Time across gaps, and clocks that do not measure time.

use super::event_listener::{EventListener, settings};
use super::target::Target;
use rtoscope_decode::live::LiveDecoder;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_wire::threadx::BufferLayout;

const MILLISECOND: u64 = 1_000_000;

/// A target whose clock counts microseconds in the bits of `mask`. A buffer
/// arrives every 10 ms for 4 s, then none for `unseen` ms. Returns the time over the gap
/// and the true time.
fn over_a_gap(mask: u64, unseen: u64, frequency: Option<u64>) -> (u64, u64, EventListener) {
    let mut settings = settings();
    settings.options.threadx.clock.frequency = frequency.and_then(Frequency::from_hertz);
    let mut listener = EventListener::with(LiveDecoder::new(settings));
    let mut target = Target::new(BufferLayout::ALL[0], 64, mask);
    let mut at = 0;
    let mut turn = |target: &mut Target, listener: &mut EventListener, milliseconds: u64| {
        for _ in 0..milliseconds {
            target.log(1000);
        }
        at += milliseconds * MILLISECOND;
        listener.push(&target.dump(), at);
    };
    for _ in 0..400 {
        turn(&mut target, &mut listener, 10);
    }
    turn(&mut target, &mut listener, unseen);
    turn(&mut target, &mut listener, 10);
    let after = listener
        .received
        .iter()
        .position(|it| it.gap.is_some())
        .unwrap();
    let step = listener.received[after].time - listener.received[after - 1].time;
    let events = listener.received[after].event_id - listener.received[after - 1].event_id;
    (step, events * 1000, listener)
}

#[test]
fn whole_periods_of_the_clock_are_added_by_the_host() {
    // 16 bits of microseconds are 65.536 ms.
    for unseen in [70, 130, 5003] {
        let (step, real, _) = over_a_gap(0xFFFF, unseen, Some(1_000_000));
        assert_eq!(step, real, "{unseen} ms, frequency given");
        let (step, real, listener) = over_a_gap(0xFFFF, unseen, None);
        assert_eq!(step, real, "{unseen} ms, frequency measured");
        assert!(listener.has_diagnostic("gap"));
    }
}

#[test]
fn a_clock_with_a_long_period_needs_no_host() {
    let (step, real, listener) = over_a_gap(0xFFFF_FFFF, 1000, Some(1_000_000));
    assert_eq!(step, real);
    let gap = listener
        .diagnostics
        .iter()
        .find(|it| it.kind.name() == "gap")
        .unwrap();
    assert!(gap.message.contains("at least"), "{}", gap.message);
    assert!(!gap.message.contains("periods"), "{}", gap.message);
}

#[test]
fn without_knowing_the_pace_the_doubt_is_said() {
    let mut target = Target::new(BufferLayout::ALL[0], 8, 0xFFFF);
    let mut listener = EventListener::new();
    for at in 0..2 {
        for _ in 0..30 {
            target.log(1000);
        }
        listener.push(&target.dump(), at);
    }
    let gap = listener
        .diagnostics
        .iter()
        .find(|it| it.kind.name() == "gap")
        .unwrap();
    assert!(gap.message.contains("periods"), "{}", gap.message);
    assert_eq!(
        gap.count, 6,
        "30 writes since 8 known ones, modulo the ring"
    );
}

#[test]
fn a_clock_that_stands_still_has_an_order() {
    let mut target = Target::new(BufferLayout::ALL[1], 16, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for at in 0..50 {
        for _ in 0..at % 16 {
            target.log(0);
        }
        listener.push(&target.dump(), at);
    }
    assert_eq!(
        listener.event_ids(),
        (0..u64::from(target.logged)).collect::<Vec<_>>()
    );
    assert_eq!(listener.live.stats().gaps, 0);
    assert!(listener.received.iter().all(|it| it.time == 0));
    assert!(listener.has_diagnostic("static-clock"));
}

#[test]
fn stamps_that_are_equal_or_few_bits_are_stitched() {
    for mask in [0xFF, 0xFFFF, 0xFF_FFFF] {
        let mut target = Target::new(BufferLayout::ALL[3], 9, mask);
        let mut listener = EventListener::new();
        for at in 0..200 {
            for _ in 0..at % 9 {
                target.log(if at % 3 == 0 { 0 } else { 11 });
            }
            listener.push(&target.dump(), at);
        }
        assert_eq!(
            listener.event_ids(),
            (0..u64::from(target.logged)).collect::<Vec<_>>()
        );
        assert_eq!(listener.live.stats().gaps, 0, "mask {mask:#x}");
    }
}

#[test]
fn a_clock_that_counts_down_is_settled_once() {
    let mut settings = settings();
    settings.options.threadx.clock.direction = Some(ClockDirection::Down);
    let mut listener = EventListener::with(LiveDecoder::new(settings));
    let mut target = Target::new(BufferLayout::ALL[0], 50, 0xFF_FFFF);
    for at in 0..40 {
        for _ in 0..(if at % 7 == 6 { 120 } else { 3 }) {
            // A step down by 100 is a step up by the rest of the period.
            target.log((1 << 24) - 100);
        }
        listener.push(&target.dump(), at);
    }
    for pair in listener.received.windows(2) {
        let events = pair[1].event_id - pair[0].event_id;
        assert_eq!(pair[1].time - pair[0].time, events * 100, "{pair:?}");
    }
}
