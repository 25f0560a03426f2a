use super::*;

/// Sleeps, one after the other: ticks of the kernel, duration, idle time.
fn sleeps(all: &[(u64, u64, Option<u64>)]) -> Vec<Sleep> {
    let sleeps = all.iter().zip(0..);
    let sleeps = sleeps.map(|((kernel_ticks, duration, idle), at)| Sleep {
        kernel_ticks: *kernel_ticks,
        duration: *duration,
        first: EventIndex(10 * at),
        last: EventIndex(10 * at + 5),
        idle: *idle,
    });
    sleeps.collect()
}

fn repeated(one: &[(u64, u64, Option<u64>)], times: usize) -> Vec<(u64, u64, Option<u64>)> {
    one.repeat(times)
}

fn quality(all: &[(u64, u64, Option<u64>)], period: u64) -> Option<ClockQuality> {
    let found = contradiction(&sleeps(all), Some(period), false);
    found.map(|found| found.quality)
}

#[test]
fn few_delays_and_early_ends_are_no_contradiction() {
    let sound = repeated(&[(1, 300, None), (2, 1900, None), (5, 4100, None)], 4);
    assert_eq!(quality(&sound, 1 << 32), None);
    let mut delayed = sound.clone();
    delayed.extend([(2, 90_000, None), (1, 70_000, None)]);
    assert_eq!(quality(&delayed, 1 << 32), None);
    let mut early = sound;
    early.extend([(20, 300, None), (20, 200, None)]);
    assert_eq!(quality(&early, 1 << 32), None);
    // A single tick has no lower bound.
    let single = repeated(&[(1, 2, None), (1, 999, None)], 20);
    assert_eq!(quality(&single, 1 << 32), None);
}

#[test]
fn the_cause_follows_from_idle_and_the_period() {
    let busy = (4, 3900, None);
    let stands = repeated(&[busy, (4, 50, Some(10))], 6);
    assert_eq!(quality(&stands, 1 << 32), Some(ClockQuality::Lossy));
    let wraps = repeated(&[busy, (4, 1300, Some(900))], 6);
    assert_eq!(quality(&wraps, 2048), Some(ClockQuality::Lossy));
    // No sleep is as long as the period.
    assert_eq!(quality(&wraps, 1 << 32), Some(ClockQuality::Uneven));
    let stops = repeated(&[busy, (4, 50, None)], 6);
    assert_eq!(quality(&stops, 1 << 32), Some(ClockQuality::Uneven));
}

#[test]
fn a_change_is_between_the_sleeps_before_and_after_it() {
    let before = repeated(&[(2, 1900, None), (3, 2100, None)], 3);
    let after = repeated(&[(2, 9500, None), (3, 10_500, None)], 3);
    let all = sleeps(&[before, after].concat());
    let found = contradiction(&all, Some(1 << 32), false).unwrap();
    assert_eq!(found.quality, ClockQuality::Uneven);
    assert_eq!(found.diagnostic.event, Some(EventIndex(65)));
    let message = &found.diagnostic.message;
    assert!(
        message.contains("between events 55 and 65: a kernel tick takes"),
        "{message}"
    );
}
