//! Adapts the size of snapshots and the pauses between them to the machine's speed.

use std::time::Duration;

/// Number of events in the first snapshot, if available.
const INITIAL_EVENTS: u64 = 50_000;
/// Minimum number of events in a snapshot.
const MIN_EVENTS: u64 = 5_000;
/// Target build time of a snapshot.
const TARGET_BUILD_TIME: Duration = Duration::from_millis(40);
/// Snapshots that are built faster may grow.
const GROWTH_BUILD_TIME: Duration = Duration::from_millis(28);
/// Minimum pause between snapshots.
const MIN_PAUSE: Duration = Duration::from_millis(40);
/// The pause after a snapshot, as a multiple of its build time.
const PAUSE_FACTOR: u32 = 2;

/// Chooses the size of the next snapshot from the build time of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SnapshotSizer {
    events: u64,
    max_events: u64,
}

impl SnapshotSizer {
    /// For snapshots of at most `max_events` events.
    pub(super) fn new(max_events: u64) -> Self {
        let max_events = max_events.max(1);
        Self {
            events: INITIAL_EVENTS.min(max_events),
            max_events,
        }
    }

    /// Maximum number of events of the next snapshot.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// Records the build time of a snapshot of `events` events. With few of them, the cost of
    /// the maximum number remains unknown.
    pub(super) fn record_build(&mut self, events: u64, time: Duration) {
        let fitting = |target: Duration| {
            let part = target.as_secs_f64() / time.as_secs_f64().max(1e-6);
            (events as f64 * part) as u64
        };
        if time > TARGET_BUILD_TIME {
            // It may have been an outlier: do not shrink too far at once.
            let fewest = (self.events / 2).max(MIN_EVENTS);
            self.events = fitting(TARGET_BUILD_TIME)
                .clamp(fewest, self.max_events.max(fewest))
                .min(self.events);
        } else if time < GROWTH_BUILD_TIME && events >= self.events / 2 {
            let max_events = self.events.saturating_mul(2).min(self.max_events);
            self.events =
                fitting(GROWTH_BUILD_TIME).clamp(self.events, max_events.max(self.events));
        }
        self.events = self.events.min(self.max_events);
    }
}

/// The pause after a snapshot with this build time.
pub(super) fn pause_after(time: Duration) -> Duration {
    (time * PAUSE_FACTOR).max(MIN_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size after many snapshots on a machine with these costs per event and per
    /// snapshot, with `available` events available.
    fn settled_size(max_events: u64, available: u64, event: Duration, snapshot: Duration) -> u64 {
        let mut sizer = SnapshotSizer::new(max_events);
        for _ in 0..100 {
            let events = sizer.events().min(available);
            let each = event.as_secs_f64() * events as f64;
            sizer.record_build(events, Duration::from_secs_f64(each) + snapshot);
        }
        sizer.events()
    }

    const NO_TIME: Duration = Duration::ZERO;

    #[test]
    fn fast_machines_show_everything() {
        let fast = Duration::from_nanos(50);
        assert_eq!(settled_size(500_000, u64::MAX, fast, NO_TIME), 500_000);
        assert_eq!(settled_size(100, u64::MAX, fast, NO_TIME), 100);
        assert_eq!(settled_size(0, u64::MAX, fast, NO_TIME), 1);
        // With few events, the cost of many is unknown.
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
        let mut sizer = SnapshotSizer::new(500_000);
        sizer.record_build(INITIAL_EVENTS, Duration::from_secs(10));
        assert_eq!(sizer.events(), INITIAL_EVENTS / 2);
        sizer.record_build(INITIAL_EVENTS / 2, Duration::from_millis(1));
        assert_eq!(sizer.events(), INITIAL_EVENTS);
    }

    #[test]
    fn builds_are_followed_by_a_pause() {
        assert_eq!(pause_after(NO_TIME), MIN_PAUSE);
        assert_eq!(pause_after(Duration::from_secs(1)), Duration::from_secs(2));
    }
}
