//! Logged events are received, and missing ones are a gap.

use super::event_listener::{EventListener, ReceivedEvent};
use super::target::{Target, USER};
use proptest::prelude::*;
use rtoscope_decode::live::HostTime;
use rtoscope_wire::threadx::BufferLayout;

/// What a listener must receive.
#[derive(Default)]
struct ExpectedEvents {
    received: Vec<ReceivedEvent>,
    times: Vec<u64>,
    missing: u64,
    gaps: u64,
}

impl ExpectedEvents {
    /// After another buffer.
    fn dump(&mut self, target: &Target, before: u32) {
        let slots = target.slots() as u32;
        let written = target.logged - before;
        let is_first = self.received.is_empty();
        let from = target.logged - written.min(slots);
        let has_gap = !is_first && written >= slots;
        for what in from..target.logged {
            let time = self.times[what as usize];
            let first = self.received.first().map_or(time, |_| self.start());
            self.received.push(ReceivedEvent {
                number: self.received.len() as u64,
                event_id: what.into(),
                time: time - first,
                gap: (has_gap && what == from).then_some(None),
            });
        }
        if has_gap {
            self.gaps += 1;
            self.missing += u64::from((written - slots) % slots);
        }
    }

    fn start(&self) -> u64 {
        self.times[self.received[0].event_id as usize]
    }
}

fn layouts() -> impl Strategy<Value = BufferLayout> {
    proptest::sample::select(&BufferLayout::ALL[..])
}

/// The number of events logged between two buffers, the ticks between them, and
/// the number of places at which the bytes are split.
fn turns() -> impl Strategy<Value = Vec<(u32, u64, usize)>> {
    let count = prop_oneof![4 => 0..20_u32, 2 => 0..70_u32, 1 => 0..300_u32];
    proptest::collection::vec((count, 0..50_u64, 1..4_usize), 1..40)
}

fn run(layout: BufferLayout, slots: usize, turns: &[(u32, u64, usize)], garbage: &[u8]) {
    let mut target = Target::new(layout, slots, 0xFFFF_FFFF);
    let mut truth = ExpectedEvents::default();
    let mut listener = EventListener::new();
    let mut bad_bytes = 0;
    for ((count, ticks, splits), at) in turns.iter().zip(1_u64..) {
        let before = target.logged;
        for _ in 0..*count {
            // Steps long enough to make the direction clear.
            target.log(ticks + 3);
            truth.times.push(target.now);
        }
        let mut bytes = garbage.to_vec();
        bytes.extend(target.dump());
        truth.dump(&target, before);
        bad_bytes += garbage.len() as u64;
        for part in bytes.chunks(bytes.len().div_ceil(*splits)) {
            listener.push(part, at * 1_000_000);
        }
    }
    assert_eq!(listener.received, truth.received);
    let tally = listener.live.stats();
    assert_eq!(tally.events, truth.received.len() as u64);
    assert_eq!(
        (tally.missing_events, tally.gaps),
        (truth.missing, truth.gaps)
    );
    assert_eq!((tally.unusable, tally.unusable_bytes), (0, bad_bytes));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn laps_that_were_caught_are_whole_and_others_are_gaps(
        layout in layouts(), slots in prop_oneof![1..4_usize, 4..100_usize], turns in turns(),
    ) {
        run(layout, slots, &turns, &[]);
    }

    #[test]
    fn garbage_between_buffers_is_left_out(
        layout in layouts(), slots in 1..40_usize, turns in turns(),
        garbage in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        // An accidental id is not a header, and does no harm.
        run(layout, slots, &turns, &[&garbage[..], b"BTXT\0TXTB"].concat());
    }

    #[test]
    fn bytes_may_come_one_by_one(turns in turns()) {
        let turns: Vec<_> = turns.into_iter().map(|(count, ticks, _)| (count, ticks, 500)).collect();
        run(BufferLayout::ALL[0], 7, &turns, b"TX");
    }
}

#[test]
fn the_same_buffer_again_is_nothing_new() {
    let mut target = Target::new(BufferLayout::ALL[0], 10, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for events in [3, 9, 10, 27] {
        while target.logged < events {
            target.log(5);
        }
        for at in 0..3 {
            listener.push(&target.dump(), at);
            let received = listener.received.len();
            listener.push(&target.dump(), at);
            assert_eq!(listener.received.len(), received);
        }
    }
    assert_eq!(listener.live.stats().gaps, 1);
}

#[test]
fn a_full_ring_sent_again_and_again_is_not_taken_for_consecutive() {
    let mut target = Target::new(BufferLayout::ALL[0], 10, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for lap in 1..=3 {
        for _ in 0..10 {
            target.log(5);
        }
        listener.push(&target.dump(), lap);
    }
    assert_eq!(listener.event_ids(), (0..30).collect::<Vec<_>>());
    let gaps: Vec<_> = listener
        .received
        .iter()
        .filter(|it| it.gap.is_some())
        .collect();
    assert_eq!(gaps.len(), 2);
    assert!(gaps.iter().all(|it| it.gap == Some(None)));
    assert_eq!(listener.live.stats().missing_events, 0);
    assert!(listener.has_diagnostic("gap"));
}

#[test]
fn a_clock_that_counts_events_proves_what_is_missing() {
    let mut target = Target::new(BufferLayout::ALL[0], 50, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    // Two consecutive laps, then one and three unseen events.
    for count in [50, 50, 103, 53] {
        for _ in 0..count {
            target.log(1);
        }
        listener.push(&target.dump(), 1);
    }
    let gaps: Vec<_> = listener
        .received
        .iter()
        .filter_map(|it| Some((it.event_id, it.gap?)))
        .collect();
    // The first lap is too short to estimate the clock, the second is not.
    assert_eq!(gaps, [(50, None), (153, Some(53)), (206, Some(3))]);
    assert_eq!(listener.live.stats().missing_events, 56);
}

#[test]
fn an_entry_that_is_being_written_comes_when_it_is_whole() {
    for slots in [3, 8, 100] {
        let mut target = Target::new(BufferLayout::ALL[2], slots, 0xFFFF_FFFF);
        let mut listener = EventListener::new();
        for at in 0..20 {
            target.log(7);
            let mut halted = target.clone();
            halted.begin_entry();
            if at > 0 {
                listener.push(&halted.dump(), at);
                listener.push(&halted.dump(), at);
            } else {
                listener.push(&target.dump(), at);
            }
        }
        listener.push(&target.dump(), 20);
        assert_eq!(
            listener.event_ids(),
            (0..20).collect::<Vec<_>>(),
            "{slots} slots"
        );
        assert_eq!(listener.live.stats().gaps, 0);
    }
}

#[test]
fn a_half_written_entry_takes_the_last_proof_of_a_tiny_ring() {
    let mut target = Target::new(BufferLayout::ALL[0], 2, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for at in 0..20 {
        target.log(7);
        let mut halted = target.clone();
        if at > 0 {
            halted.begin_entry();
        }
        listener.push(&halted.dump(), at);
    }
    let what = listener.event_ids();
    assert!(what.windows(2).all(|pair| pair[0] < pair[1]), "{what:?}");
    assert_eq!(what.last(), Some(&19));
}

#[test]
fn entries_that_were_written_while_the_buffer_was_read_are_not_trusted() {
    let mut target = Target::new(BufferLayout::ALL[0], 40, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for turn in 0..30 {
        for _ in 0..9 {
            target.log(7);
        }
        // Read the header, let the target continue, then read the ring.
        let header = target.dump()[..48].to_vec();
        for _ in 0..turn % 4 {
            target.log(7);
        }
        let ring = target.dump();
        listener.push(&[&header[..], &ring[48..]].concat(), turn);
    }
    listener.push(&target.dump(), 30);
    let expected: Vec<_> = (0..target.logged.into()).collect();
    assert_eq!(listener.event_ids(), expected);
    assert_eq!(listener.live.stats().gaps, 0);
}

#[test]
fn a_field_that_is_written_later_is_no_gap() {
    const RESUME: u32 = 1;
    let mut target = Target::new(BufferLayout::ALL[0], 16, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for at in 0..40 {
        target.log_as(9, RESUME, 0x2000_1000);
        target.log_as(1, USER, 0x2000_1000);
        listener.push(&target.dump(), at);
        // Its fourth field, when the next thread is known.
        target.amend(1, 3, 0x22);
    }
    assert_eq!(listener.live.stats().gaps, 0);
    assert_eq!(listener.event_ids(), (0..80).collect::<Vec<_>>());
    // Another look shows what was written; the last buffer was not read.
    let all = listener.live.window(1000).unwrap().decode().unwrap();
    let late = all.trace.events.iter().step_by(2);
    let late: Vec<_> = late.map(|event| event.arguments[3]).collect();
    assert_eq!(late[..39], [0x2222_2222; 39]);
    assert_eq!(late[39], 0);
}

#[test]
fn only_the_last_events_are_kept_and_numbers_stay() {
    let mut settings = super::event_listener::settings();
    settings.max_events = 100;
    let mut listener = EventListener::with(rtoscope_decode::live::LiveDecoder::new(settings));
    let mut target = Target::new(BufferLayout::ALL[0], 64, 0xFFFF_FFFF);
    for at in 0..100 {
        for _ in 0..40 {
            target.log(6);
        }
        listener.live.push(&target.dump(), HostTime(at));
        if at % 2 == 0 {
            listener.drain_updates();
        }
    }
    listener.drain_updates();
    assert_eq!(listener.event_ids(), (0..4000).collect::<Vec<_>>());
    let cut = listener.live.window(50).unwrap().decode().unwrap();
    let received = super::event_listener::received_events(&cut);
    // As many as are kept after an event of known time.
    assert!(
        received.len() > 40 && received.len() < 200,
        "{}",
        received.len()
    );
    assert_eq!(received.last(), listener.received.last());
    assert!(
        received
            .iter()
            .all(|it| it.number == it.event_id && it.time == it.event_id * 6)
    );
}
