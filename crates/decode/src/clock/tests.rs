use super::*;
use rtoscope_trace::EventIndex;

fn times(timestamps: &[u32], mask: u64, options: &ClockOptions) -> UnwrappedTimes {
    unwrap_words(timestamps, u32::BITS, mask, options)
}

fn plain(timestamps: &[u32], mask: u64) -> UnwrappedTimes {
    times(timestamps, mask, &ClockOptions::default())
}

fn kinds(unwrapped: &UnwrappedTimes) -> Vec<DiagnosticKind> {
    unwrapped.diagnostics.iter().map(|it| it.kind).collect()
}

#[test]
fn counters_of_all_widths_wrap() {
    assert_eq!(plain(&[250, 254, 2, 10], 0xFF).time, [0, 4, 8, 16]);
    assert_eq!(plain(&[0xFFF0, 0xFFFF, 5], 0xFFFF).time, [0, 15, 21]);
    let wide = plain(&[0xF000_0000, 0xFFFF_FFFF, 9], 0xFFFF_FFFF);
    assert_eq!(wide.time, [0, 0x0FFF_FFFF, 0x1000_0009]);
    assert_eq!(wide.clock.wraps, 1);
    assert_eq!(wide.clock.period, Some(1 << 32));
}

#[test]
fn junk_above_the_mask_is_dropped_and_reported() {
    let unwrapped = plain(&[0xABCD_FFFE, 0x1234_0001, 0x0000_0004], 0xFFFF);
    assert_eq!(unwrapped.time, [0, 3, 6]);
    assert_eq!(kinds(&unwrapped), [DiagnosticKind::ClockJunk]);
    assert_eq!(unwrapped.diagnostics[0].count, 2);
}

#[test]
fn bits_above_the_mask_that_count_on_are_part_of_the_counter() {
    let expected: Vec<u64> = (0..200)
        .map(|number| number * 0x2_9001 + number % 3)
        .collect();
    for is_down in [false, true] {
        let stamp = |time: &u64| match is_down {
            false => 0xFFFF_0000_u32.wrapping_add(*time as u32),
            true => 0x0010_0000_u32.wrapping_sub(*time as u32),
        };
        let stamps: Vec<_> = expected.iter().map(stamp).collect();
        let unwrapped = plain(&stamps, 0xFFFF);
        assert_eq!(unwrapped.time, expected);
        assert_eq!(kinds(&unwrapped), [DiagnosticKind::ClockMask]);
    }
}

#[test]
fn falling_stamps_are_a_down_counter() {
    let unwrapped = plain(&[5, 3, 0xFFFF, 0xFFF0], 0xFFFF);
    assert_eq!(unwrapped.clock.direction, ClockDirection::Down);
    assert_eq!(unwrapped.time, [0, 2, 6, 21]);
    assert_eq!(unwrapped.clock.wraps, 1);
}

#[test]
fn a_tie_or_two_events_mean_up() {
    assert_eq!(
        plain(&[150, 100], 0xFFFF).clock.direction,
        ClockDirection::Up
    );
    let tie = plain(&[100, 150, 100], 0xFFFF);
    assert_eq!(tie.clock.direction, ClockDirection::Up);
    assert_eq!(kinds(&tie), [DiagnosticKind::ClockDirection]);
    let chosen = ClockOptions {
        direction: Some(ClockDirection::Down),
        ..ClockOptions::default()
    };
    assert_eq!(times(&[150, 100], 0xFFFF, &chosen).time, [0, 50]);
}

#[test]
fn a_small_step_back_of_a_wide_clock_is_clamped() {
    let unwrapped = plain(&[1000, 2000, 1990, 1995, 3000], 0xFFFF_FFFF);
    assert_eq!(unwrapped.time, [0, 1000, 1000, 1000, 2000]);
    assert_eq!(unwrapped.clock.backward_steps, 1);
    let step = &unwrapped.diagnostics[0];
    assert_eq!(step.kind, DiagnosticKind::BackwardStep);
    assert_eq!(step.event, Some(EventIndex(2)));

    let narrow = plain(&[1000, 2000, 1990, 3000], 0xFFFF);
    assert_eq!(narrow.time, [0, 1000, 66526, 67536]);
}

#[test]
fn a_step_back_at_the_very_start_is_clamped_too() {
    let unwrapped = plain(&[100, 95, 110, 120], 0xFFFF_FFFF);
    assert_eq!(unwrapped.time, [0, 0, 10, 20]);
}

#[test]
fn standing_and_counting_clocks_are_recognised() {
    let still = plain(&[7, 7, 7], 0xFFFF_FFFF);
    assert_eq!(still.clock.quality, ClockQuality::Static);
    assert_eq!(kinds(&still), [DiagnosticKind::StaticClock]);
    let counter = plain(&[7, 8, 9], 0xFFFF_FFFF);
    assert_eq!(counter.clock.quality, ClockQuality::EventCounter);
    assert_eq!(plain(&[7], 0xFF).clock.quality, ClockQuality::Unknown);
    assert!(plain(&[], 0xFF).time.is_empty());
}

#[test]
fn any_constant_step_counts_events() {
    let timestamps =
        |events, step: u32| (0..events).map(move |event: u32| event.wrapping_mul(step));
    // Up and down, with a mask that wraps, and across the parts of a long
    // trace.
    for (events, step, mask) in [
        (16, 1000, u32::MAX),
        (950, 1000, u32::MAX),
        (950, 1000_u32.wrapping_neg(), u32::MAX),
        (950, 7, 0xFF),
        (300_000, 1000, u32::MAX),
    ] {
        let timestamps: Vec<_> = timestamps(events, step)
            .map(|timestamp| timestamp & mask)
            .collect();
        let unwrapped = plain(&timestamps, mask.into());
        assert_eq!(
            unwrapped.clock.quality,
            ClockQuality::EventCounter,
            "{events} {step}"
        );
        assert_eq!(kinds(&unwrapped), [DiagnosticKind::EventCounterClock]);
        assert!(!unwrapped.clock.measures_time());
    }
    let few: Vec<_> = timestamps(15, 1000).collect();
    assert_eq!(plain(&few, 0xFFFF_FFFF).clock.quality, ClockQuality::Good);
    for odd in [0, 1, 299_999] {
        let mut timestamps: Vec<_> = timestamps(300_000, 1000).collect();
        timestamps[odd] += 1;
        let unwrapped = plain(&timestamps, 0xFFFF_FFFF);
        assert_eq!(unwrapped.clock.quality, ClockQuality::Good, "{odd}");
    }
}

#[test]
fn a_frequency_makes_no_time_of_counted_events() {
    let options = ClockOptions {
        frequency: Frequency::from_hertz(1_000_000),
        ..ClockOptions::default()
    };
    let unwrapped = times(&[7, 8, 9], 0xFFFF_FFFF, &options);
    assert_eq!(unwrapped.clock.frequency(), None);
    assert_eq!(
        unwrapped.diagnostics[0].message,
        "the clock counts events: only the order of events is known (every event is 1 tick after \
         the previous one); the frequency is ignored"
    );
}

#[test]
fn a_period_or_direction_that_makes_nonsense_is_reported() {
    let timestamps: Vec<u32> = (0..974).map(|event| event * event % 60_007).collect();
    let down = ClockOptions {
        direction: Some(ClockDirection::Down),
        ..ClockOptions::default()
    };
    let short = ClockOptions {
        period: Some(5),
        ..ClockOptions::default()
    };
    for (options, mask) in [(&down, 0xFFFF), (&short, 0xFFFF_FFFF)] {
        let wrong = times(&timestamps, mask, options);
        let found = wrong
            .diagnostics
            .iter()
            .find(|it| it.message.contains("wraps in"));
        assert!(
            found.is_some_and(|it| it.count == wrong.clock.wraps),
            "{:?}",
            wrong.diagnostics
        );
    }
    // SysTick: 40 % of a period between consecutive events.
    let timestamps: Vec<u32> = (0..100).map(|event| event * 10_000 % 25_000).collect();
    let right = ClockOptions {
        period: Some(25_000),
        ..ClockOptions::default()
    };
    assert!(
        kinds(&times(&timestamps, 0xFFFF_FFFF, &right))
            .iter()
            .all(|kind| *kind != DiagnosticKind::ClockPeriod)
    );
}

#[test]
fn a_mask_may_lie_anywhere_but_must_be_a_block() {
    let shifted = plain(&[0x00FF_FF00, 0x0000_0100, 0x0000_0300], 0x00FF_FF00);
    assert_eq!(shifted.time, [0, 0x200, 0x400]);
    assert!(shifted.diagnostics.is_empty());
    assert_eq!(kinds(&plain(&[1, 5, 8], 0)), [DiagnosticKind::ClockMask]);
    let odd = plain(&[1, 5, 8], 0xF0F);
    assert_eq!((odd.clock.mask, odd.time), (0xFFF, vec![0, 4, 7]));
}

#[test]
fn a_known_period_replaces_the_mask() {
    let options = ClockOptions {
        period: Some(1_000_000_000),
        ..ClockOptions::default()
    };
    let timestamps = [999_999_990, 5, 100];
    assert_eq!(times(&timestamps, 0xFFFF_FFFF, &options).time, [0, 15, 110]);
}

#[test]
fn an_early_reload_is_suspected() {
    let second = 1_000_000_000_u64;
    let timestamps = (0..40).map(|n| (n * 150_000_000 % second) as u32);
    let timestamps: Vec<u32> = timestamps.collect();
    let unwrapped = plain(&timestamps, 0xFFFF_FFFF);
    assert_eq!(kinds(&unwrapped), [DiagnosticKind::ClockPeriod]);
}

#[test]
fn sixty_four_bits_count_whole() {
    let timestamps = vec![u64::MAX - 1, 3, 10];
    let unwrapped = unwrap_words(&timestamps, u64::BITS, u64::MAX, &ClockOptions::default());
    assert_eq!(unwrapped.time, [0, 5, 12]);
    assert_eq!(unwrapped.clock.period, None);
}

#[test]
fn many_stamps_are_walked_in_parts_as_in_one() {
    // Enough for several threads, with and without a backward step.
    let rising: Vec<u32> = (0..600_000_u32).map(|n| n.wrapping_mul(40_000)).collect();
    let unwrapped = plain(&rising, 0xFFFF_FFFF);
    assert!(
        unwrapped
            .time
            .iter()
            .zip(0..)
            .all(|(time, n)| *time == n * 40_000)
    );
    assert_eq!(unwrapped.clock.wraps, (599_999 * 40_000) >> 32);

    let mut jumping = rising;
    jumping[500_000] = jumping[500_000].wrapping_sub(50_000);
    let unwrapped = plain(&jumping, 0xFFFF_FFFF);
    assert_eq!(unwrapped.diagnostics[0].event, Some(EventIndex(500_000)));
    assert_eq!(unwrapped.time[500_000], unwrapped.time[499_999]);
    assert_eq!(unwrapped.time.last(), Some(&(599_999 * 40_000)));
}
