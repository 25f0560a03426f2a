//! How many events an edition has, and how often there is one.

use std::time::Duration;

/// Events of the first edition, if so many are kept.
const FIRST: u64 = 50_000;
/// Events that an edition has at least.
const FEWEST: u64 = 5_000;
/// What making an edition may take.
const TARGET: Duration = Duration::from_millis(40);
/// An edition that takes less than this may have more events.
const EASY: Duration = Duration::from_millis(28);
/// How long there is a rest at least.
const SHORTEST_REST: Duration = Duration::from_millis(40);
/// Parts of the time that an edition takes, for the rest behind it.
const REST: u32 = 2;

/// How many events the next edition has, by how long the last one took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    events: u64,
    most: u64,
}

impl Pace {
    /// For editions of so many events at most.
    pub(super) fn new(most: u64) -> Self {
        let most = most.max(1);
        Self {
            events: FIRST.min(most),
            most,
        }
    }

    /// The events of the next edition.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// An edition of so many events took so long.
    pub(super) fn took(&mut self, events: u64, time: Duration) {
        let fitting = |target: Duration| {
            let part = target.as_secs_f64() / time.as_secs_f64().max(1e-6);
            (events as f64 * part) as u64
        };
        if time > TARGET {
            // It may have been an exception: not too few at once.
            let fewest = (self.events / 2).max(FEWEST);
            self.events = fitting(TARGET)
                .clamp(fewest, self.most.max(fewest))
                .min(self.events);
        } else if time < EASY && events >= self.events {
            let most = self.events.saturating_mul(2).min(self.most);
            self.events = fitting(EASY).clamp(self.events, most.max(self.events));
        }
        self.events = self.events.min(self.most);
    }
}

/// The rest behind an edition that took so long.
pub(super) fn rest(time: Duration) -> Duration {
    (time * REST).max(SHORTEST_REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of an edition behind many on a machine that takes so long for
    /// each event and for each edition, where so many are kept.
    fn settled(most: u64, kept: u64, event: Duration, edition: Duration) -> u64 {
        let mut pace = Pace::new(most);
        for _ in 0..100 {
            let events = pace.events().min(kept);
            let each = event.as_secs_f64() * events as f64;
            pace.took(events, Duration::from_secs_f64(each) + edition);
        }
        pace.events()
    }

    const NOTHING: Duration = Duration::ZERO;

    #[test]
    fn fast_machines_show_all() {
        let fast = Duration::from_nanos(50);
        assert_eq!(settled(500_000, u64::MAX, fast, NOTHING), 500_000);
        assert_eq!(settled(100, u64::MAX, fast, NOTHING), 100);
        assert_eq!(settled(0, u64::MAX, fast, NOTHING), 1);
        // As long as there are few, nobody knows how long many would take.
        assert_eq!(settled(500_000, 1000, fast, NOTHING), FIRST);
    }

    #[test]
    fn slow_machines_show_fewer() {
        for nanoseconds in [200, 1000, 5000] {
            let slow = Duration::from_nanos(nanoseconds);
            let events = settled(10_000_000, u64::MAX, slow, NOTHING);
            let took = Duration::from_nanos(nanoseconds * events);
            let range = EASY - Duration::from_millis(1)..=TARGET;
            assert!(range.contains(&took), "{events} events in {took:?}");
        }
        let endless = Duration::from_secs(1);
        assert_eq!(settled(500_000, u64::MAX, NOTHING, endless), FEWEST);
        assert_eq!(settled(100, u64::MAX, NOTHING, endless), 100);
    }

    #[test]
    fn one_slow_edition_is_no_rule() {
        let mut pace = Pace::new(500_000);
        pace.took(FIRST, Duration::from_secs(10));
        assert_eq!(pace.events(), FIRST / 2);
        pace.took(FIRST / 2, Duration::from_millis(1));
        assert_eq!(pace.events(), FIRST);
    }

    #[test]
    fn there_is_a_rest() {
        assert_eq!(rest(NOTHING), SHORTEST_REST);
        assert_eq!(rest(Duration::from_secs(1)), Duration::from_secs(2));
    }
}
