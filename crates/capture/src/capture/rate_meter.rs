//! Rates of bytes and events.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The averaging window.
const WINDOW: Duration = Duration::from_secs(1);

/// Minimum interval between samples.
const MIN_SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

/// Running totals of bytes and events during the last second.
#[derive(Debug, Default)]
pub(super) struct RateMeter(VecDeque<(Instant, [u64; 2])>);

impl RateMeter {
    /// Adds a sample of the totals, which never decrease.
    pub(super) fn sample(&mut self, now: Instant, sums: [u64; 2]) {
        let is_due = |(last, _): &(Instant, _)| now.duration_since(*last) >= MIN_SAMPLE_INTERVAL;
        if self.0.back().is_none_or(is_due) {
            self.0.push_back((now, sums));
        }
        while self.0.len() > 2 && self.0.get(1).is_some_and(|(at, _)| now - *at >= WINDOW) {
            self.0.pop_front();
        }
    }

    /// The rates per second.
    pub(super) fn per_second(&self) -> [f64; 2] {
        let (Some((first, before)), Some((last, after))) = (self.0.front(), self.0.back()) else {
            return [0.0; 2];
        };
        let seconds = last.duration_since(*first).as_secs_f64();
        if seconds <= 0.0 {
            return [0.0; 2];
        }
        let [mut bytes, mut events] = [0.0; 2];
        for (rate, (before, after)) in [&mut bytes, &mut events]
            .into_iter()
            .zip(before.iter().zip(after))
        {
            *rate = after.saturating_sub(*before) as f64 / seconds;
        }
        [bytes, events]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_cover_the_last_second() {
        let mut rates = RateMeter::default();
        let start = Instant::now();
        assert_eq!(rates.per_second(), [0.0; 2]);
        for step in 0..50_u32 {
            let tenths = u64::from(step);
            rates.sample(start + MIN_SAMPLE_INTERVAL * step, [tenths * 100, tenths]);
        }
        assert_eq!(rates.per_second(), [1000.0, 10.0]);
        // Nothing more arrives.
        for step in 50..70_u32 {
            rates.sample(start + MIN_SAMPLE_INTERVAL * step, [4900, 49]);
        }
        assert_eq!(rates.per_second(), [0.0; 2]);
        assert!(rates.0.len() < 15);
    }
}
