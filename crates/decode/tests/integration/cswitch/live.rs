//! Logs that are saved repeatedly while the target runs.

use super::builders;
use super::live_target::{
    FREQUENCY_HZ, ReceivedTrace, Target, expected_events, from_first, settings,
};
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_record::cswitch::BufferMode;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{CoreHeader, CoreHistory, PointerSize, SectionTag};

/// What happens on a target: ticks pass, events are recorded, the log is saved.
#[derive(Debug, Clone)]
struct TargetStep {
    ticks: u64,
    events: u32,
    is_saved: bool,
}

fn steps() -> impl Strategy<Value = Vec<TargetStep>> {
    let step = (1..400_u64, 0..30_u32, any::<bool>());
    let step = step.prop_map(|(ticks, events, is_saved)| TargetStep {
        ticks,
        events,
        is_saved,
    });
    proptest::collection::vec(step, 1..60)
}

/// Runs a target of one core and saves its log. Returns what was received and which
/// events of the truth could be.
fn run(
    target: &mut Target,
    steps: &[TargetStep],
    split: usize,
    most: u64,
) -> (LiveDecoder, ReceivedTrace) {
    let mut live = LiveDecoder::new(LiveOptions {
        max_events: most,
        ..settings()
    });
    let mut received = ReceivedTrace::default();
    for step in steps {
        for _ in 0..step.events {
            target.wait(step.ticks);
            target.record(0);
        }
        if step.is_saved {
            for part in target.save().chunks(split) {
                live.push(part, target.moment());
                received.drain_updates(&mut live);
            }
        }
    }
    (live, received)
}

/// Entries that the ring held when it was saved, by the size of the ring.
fn seen(target: &Target, steps: &[TargetStep], ring: u64) -> Vec<u64> {
    let mut seen = Vec::new();
    let (mut written, mut next) = (0, 0);
    for step in steps {
        written += u64::from(step.events);
        if step.is_saved {
            next = next.max(written.saturating_sub(ring));
            seen.extend(next..written);
            next = written;
        }
    }
    assert!(written == target.truth.len() as u64);
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rings_are_stitched(
        steps in steps(), ring in 3_usize..80, split in 1_usize..3000, bits in 16_u8..33,
        direction in proptest::sample::select(&[ClockDirection::Up, ClockDirection::Down][..]),
        most in 1_u64..200,
    ) {
        let mut target = Target::counting(direction, 1, ring, bits, BufferMode::Cyclic);
        let (live, received) = run(&mut target, &steps, split, most);
        let seen = seen(&target, &steps, ring as u64);
        let numbers: Vec<u64> = received.events.iter().map(|event| event.number).collect();
        prop_assert_eq!(&numbers, &seen);
        let steps = (1..).zip(seen.windows(2).map(|two| two[1] - two[0] - 1));
        let gaps: Vec<_> = steps.filter(|(_, missing)| *missing > 0).map(|(event, missing)| (event, Some(missing))).collect();
        prop_assert_eq!(&received.gaps, &gaps);
        let tally = live.stats();
        prop_assert_eq!(tally.events, seen.len() as u64);
        prop_assert_eq!(tally.gaps, gaps.len() as u64);
        let missing: u64 = gaps.iter().filter_map(|(_, missing)| *missing).sum();
        prop_assert_eq!(tally.missing_events, missing);
        prop_assert_eq!((tally.unusable, tally.unusable_bytes), (0, 0));
        {
            let truth: Vec<_> = seen.iter().map(|number| target.truth[*number as usize]).collect();
            prop_assert_eq!(received.events, from_first(&truth));
        }
    }

    #[test]
    fn a_window_equals_what_was_received(steps in steps(), most in 5_u64..100, wanted in 1_u64..150) {
        let mut target = Target::new(1, 40, 32, BufferMode::Cyclic);
        let (live, received) = run(&mut target, &steps, 4096, most);
        if let Some(cut) = live.window(wanted) {
            let trace = cut.decode().unwrap().trace;
            let first = trace.origin.event as usize;
            prop_assert_eq!(&expected_events(&trace)[..], &received.events[first..]);
            let gaps = trace.gaps.iter();
            let gaps: Vec<_> = gaps.map(|gap| (u64::from(gap.next_event.0) + first as u64, gap.missing)).collect();
            let expected: Vec<_> = received.gaps.iter().filter(|(before, _)| *before > first as u64).copied().collect();
            prop_assert_eq!(gaps, expected);
        } else {
            prop_assert!(received.events.is_empty());
        }
    }
}

#[test]
fn a_full_buffer_reports_its_losses_after_a_restart() {
    let mut target = Target::new(1, 4, 32, BufferMode::OneShot);
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    let mut look = |target: &Target, live: &mut LiveDecoder| {
        live.push(&target.save(), target.moment());
        received.drain_updates(live);
    };
    let record = |target: &mut Target, events: u32| {
        for _ in 0..events {
            target.wait(10);
            target.record(0);
        }
    };
    record(&mut target, 3);
    look(&target, &mut live);
    record(&mut target, 4);
    look(&target, &mut live);
    assert_eq!((live.stats().missing_events, live.stats().gaps), (3, 1));
    target.start(BufferMode::OneShot);
    record(&mut target, 2);
    look(&target, &mut live);
    let numbers: Vec<u64> = received.events.iter().map(|event| event.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 7, 8]);
    // More may have been recorded before the log was started again.
    assert_eq!(received.gaps, [(4, None)]);
    assert_eq!(received.events[4].time - received.events[3].time, 40);
}

#[test]
fn the_host_counts_wraps_between_reads() {
    // 16 bits at 1 MHz wrap every 65 ms.
    let mut target = Target::new(1, 8, 16, BufferMode::Cyclic);
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    let mut expected = Vec::new();
    for (quiet, events) in [
        (0, 4),
        (2_000_000, 4),
        (300_000, 40),
        (10_000_000, 8),
        (10, 3),
    ] {
        // The log is saved all the time.
        for _ in 0..quiet / 20_000 {
            target.wait(20_000);
            live.push(&target.save(), target.moment());
        }
        for _ in 0..events {
            target.wait(100);
            target.record(0);
        }
        let there = target.truth.len() - 8.min(events);
        expected.extend_from_slice(&target.truth[there..]);
        live.push(&target.save(), target.moment());
        received.drain_updates(&mut live);
    }
    assert_eq!(received.events, from_first(&expected));
    let recording = live.window(1000).unwrap().decode().unwrap();
    let ticks = recording.trace.events.span().0;
    let clock = recording.trace.clock;
    assert!(
        clock.wraps.abs_diff(ticks >> 16) <= 1,
        "{clock:?} in {ticks}"
    );
    assert_eq!(clock.frequency().unwrap().hertz(), FREQUENCY_HZ);
}

/// A container without entry numbers.
fn unnumbered(
    entries: &[rtoscope_wire::cswitch::LogEntry],
    cyclic: bool,
    wrapped: bool,
) -> Vec<u8> {
    let core = CoreHeader {
        cyclic,
        wrapped,
        ..CoreHeader::default()
    };
    builders::Cswl::new(PointerSize::Four, ByteOrder::Big, 1)
        .core(core, entries)
        .names()
        .symbol(builders::CODE, 0x800, "scheduler")
        .end()
}

#[test]
fn without_numbers_the_entries_show_what_is_new() {
    let all = builders::example_log(20, 0xFFFF_0000);
    let mut live = LiveDecoder::new(settings());
    let mut received = Vec::new();
    for (from, to) in [
        (0, 10),
        (0, 30),
        (20, 60),
        (20, 60),
        (55, 95),
        (96, 136),
        (120, 160),
    ] {
        live.push(&unnumbered(&all[from..to], true, from > 0), HostTime(1));
        while let Some(news) = live.next_update().unwrap() {
            let skipped = usize::from(news.overlaps);
            received.extend_from_slice(&builders::entries(&news.recording.trace)[skipped..]);
        }
    }
    let expected = [&all[..95], &all[96..160]].concat();
    assert_eq!(received, expected);
    let trace = live.window(1000).unwrap().decode().unwrap().trace;
    assert_eq!(builders::entries(&trace), expected);
    let gaps: Vec<_> = trace
        .gaps
        .iter()
        .map(|gap| (gap.next_event.0, gap.missing))
        .collect();
    assert_eq!(gaps, [(95, None)]);
    assert_eq!((live.stats().missing_events, live.stats().gaps), (0, 1));
    let names: Vec<_> = trace
        .objects
        .iter()
        .map(|object| object.name.to_string())
        .collect();
    assert_eq!(names, ["worker", "logger"]);
    let ticks = |entries: &[rtoscope_wire::cswitch::LogEntry]| {
        u64::from(
            entries
                .last()
                .unwrap()
                .counter
                .wrapping_sub(entries[0].counter),
        )
    };
    assert_eq!(trace.events.span().0, ticks(&expected));
}

#[test]
fn names_outlive_the_containers_that_brought_them() {
    let all = builders::example_log(4, 0);
    let mut live = LiveDecoder::new(LiveOptions {
        max_events: 100,
        ..settings()
    });
    live.push(&unnumbered(&all[..24], false, false), HostTime(1));
    live.next_update().unwrap().unwrap();
    let core = CoreHeader {
        cyclic: true,
        wrapped: true,
        ..CoreHeader::default()
    };
    let nameless = builders::Cswl::new(PointerSize::Four, ByteOrder::Big, 1).core(core, &all[20..]);
    live.push(&nameless.end(), HostTime(2));
    live.next_update().unwrap().unwrap();
    let cut = |live: &LiveDecoder| live.window(12).unwrap().decode().unwrap().trace;
    let names = |live: &LiveDecoder| -> Vec<String> {
        cut(live)
            .objects
            .iter()
            .map(|object| object.name.to_string())
            .collect()
    };
    assert_eq!(names(&live), ["worker", "logger"]);
    assert!(
        cut(&live)
            .code_locations
            .get(rtoscope_trace::Address(builders::CODE))
            .is_some()
    );
    // And the start of the recording, if it is retained.
    let mut other = LiveDecoder::new(settings());
    other.load_metadata(rtoscope_decode::cswitch::FORMAT, &live.metadata());
    let nameless = builders::Cswl::new(PointerSize::Four, ByteOrder::Big, 1).core(core, &all[24..]);
    other.push(&nameless.end(), HostTime(3));
    other.next_update().unwrap().unwrap();
    assert_eq!(names(&other), ["worker", "logger"]);
    let mut ignorant = LiveDecoder::new(settings());
    ignorant.load_metadata(rtoscope_decode::cswitch::FORMAT, b"CSWL is no preface");
    assert!(ignorant.metadata().is_empty());
}

#[test]
fn an_entry_that_is_being_written_is_waited_for() {
    let all = builders::example_log(3, 0);
    let unfinished = rtoscope_wire::cswitch::LogEntry {
        kind: u32::MAX,
        ..all[0]
    };
    let saved = |entries: &[_], before: u64| {
        let past = CoreHistory {
            core: 0,
            session: 9,
            preceding_entries: before,
        };
        let core = CoreHeader {
            cyclic: true,
            lost: 0,
            ..CoreHeader::default()
        };
        builders::Cswl::new(PointerSize::Eight, ByteOrder::Little, 1)
            .section(SectionTag::PAST, &past.to_bytes(ByteOrder::Little))
            .core(core, entries)
            .end()
    };
    let mut live = LiveDecoder::new(settings());
    let mut received = 0;
    let mut look = |live: &mut LiveDecoder, log: &[_], before: u64| {
        live.push(&saved(log, before), HostTime(1));
        while let Some(news) = live.next_update().unwrap() {
            received += news.recording.trace.events.len() - usize::from(news.overlaps);
        }
        received
    };
    // Entry 5 is half-written, then complete; 12 is never completed.
    let mut log = all.clone();
    log[5] = unfinished;
    assert_eq!(look(&mut live, &log[..10], 0), 5);
    assert_eq!(look(&mut live, &all[..10], 0), 10);
    log = all.clone();
    log[12] = unfinished;
    assert_eq!(look(&mut live, &log[..16], 0), 12);
    assert_eq!(look(&mut live, &log[4..20], 4), 19);
    assert_eq!((live.stats().missing_events, live.stats().gaps), (1, 1));
    // Waiting entries are returned when nothing further arrives.
    log[22] = unfinished;
    assert_eq!(look(&mut live, &log[10..26], 10), 21);
    live.connection_lost();
    assert_eq!(look(&mut live, &log[10..26], 10), 24);
    let trace = live.window(100).unwrap().decode().unwrap().trace;
    let expected: Vec<_> = (0..26)
        .filter(|number| ![12, 22].contains(number))
        .map(|number| all[number])
        .collect();
    assert_eq!(builders::entries(&trace), expected);
    let gaps: Vec<_> = trace
        .gaps
        .iter()
        .map(|gap| (gap.next_event.0, gap.missing))
        .collect();
    assert_eq!(gaps, [(12, Some(1)), (21, Some(1))]);
}
