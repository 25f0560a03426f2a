//! How many events an edition has, and how often there is one.

use std::time::Duration;

/// Events of the first edition, if so many are kept.
const INITIAL_EVENTS: u64 = 50_000;
/// Events that an edition has at least.
const MIN_EVENTS: u64 = 5_000;
/// What making an edition may take.
const TARGET_BUILD_TIME: Duration = Duration::from_millis(40);
/// An edition that takes less than this may have more events.
const GROWTH_BUILD_TIME: Duration = Duration::from_millis(28);
/// How long there is a rest at least.
const MIN_PAUSE: Duration = Duration::from_millis(40);
/// Parts of the time that an edition takes, for the rest behind it.
const PAUSE_FACTOR: u32 = 2;

/// How many events the next edition has, by how long the last one took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SnapshotSizer {
    events: u64,
    max_events: u64,
}

impl SnapshotSizer {
    /// For editions of so many events at most.
    pub(super) fn new(most: u64) -> Self {
        let most = most.max(1);
        Self {
            events: INITIAL_EVENTS.min(most),
            max_events: most,
        }
    }

    /// The events of the next edition.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// An edition of so many events took so long.
    pub(super) fn record_build(&mut self, events: u64, time: Duration) {
        let fitting = |target: Duration| {
            let part = target.as_secs_f64() / time.as_secs_f64().max(1e-6);
            (events as f64 * part) as u64
        };
        if time > TARGET_BUILD_TIME {
            // It may have been an exception: not too few at once.
            let fewest = (self.events / 2).max(MIN_EVENTS);
            self.events = fitting(TARGET_BUILD_TIME)
                .clamp(fewest, self.max_events.max(fewest))
                .min(self.events);
        } else if time < GROWTH_BUILD_TIME && events >= self.events {
            let most = self.events.saturating_mul(2).min(self.max_events);
            self.events = fitting(GROWTH_BUILD_TIME).clamp(self.events, most.max(self.events));
        }
        self.events = self.events.min(self.max_events);
    }
}

/// The rest behind an edition that took so long.
pub(super) fn pause_after(time: Duration) -> Duration {
    (time * PAUSE_FACTOR).max(MIN_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of an edition behind many on a machine that takes so long for
    /// each event and for each edition, where so many are kept.
    fn settled_size(most: u64, kept: u64, event: Duration, edition: Duration) -> u64 {
        let mut pace = SnapshotSizer::new(most);
        for _ in 0..100 {
            let events = pace.events().min(kept);
            let each = event.as_secs_f64() * events as f64;
            pace.record_build(events, Duration::from_secs_f64(each) + edition);
        }
        pace.events()
    }

    const NO_TIME: Duration = Duration::ZERO;

    #[test]
    fn fast_machines_show_everything() {
        let fast = Duration::from_nanos(50);
        assert_eq!(settled_size(500_000, u64::MAX, fast, NO_TIME), 500_000);
        assert_eq!(settled_size(100, u64::MAX, fast, NO_TIME), 100);
        assert_eq!(settled_size(0, u64::MAX, fast, NO_TIME), 1);
        // As long as there are few, nobody knows how long many would take.
        assert_eq!(settled_size(500_000, 1000, fast, NO_TIME), INITIAL_EVENTS);
    }

    #[test]
    fn slow_machines_show_fewer() {
        for nanoseconds in [200, 1000, 5000] {
            let slow = Duration::from_nanos(nanoseconds);
            let events = settled_size(10_000_000, u64::MAX, slow, NO_TIME);
            let took = Duration::from_nanos(nanoseconds * events);
            let range = GROWTH_BUILD_TIME - Duration::from_millis(1)..=TARGET_BUILD_TIME;
            assert!(range.contains(&took), "{events} events in {took:?}");
        }
        let endless = Duration::from_secs(1);
        assert_eq!(
            settled_size(500_000, u64::MAX, NO_TIME, endless),
            MIN_EVENTS
        );
        assert_eq!(settled_size(100, u64::MAX, NO_TIME, endless), 100);
    }

    #[test]
    fn one_slow_snapshot_does_not_shrink_the_size() {
        let mut pace = SnapshotSizer::new(500_000);
        pace.record_build(INITIAL_EVENTS, Duration::from_secs(10));
        assert_eq!(pace.events(), INITIAL_EVENTS / 2);
        pace.record_build(INITIAL_EVENTS / 2, Duration::from_millis(1));
        assert_eq!(pace.events(), INITIAL_EVENTS);
    }

    #[test]
    fn builds_are_followed_by_a_pause() {
        assert_eq!(pause_after(NO_TIME), MIN_PAUSE);
        assert_eq!(pause_after(Duration::from_secs(1)), Duration::from_secs(2));
    }
}
