//! Polling interval of a target.

use super::memory_trace::PollOutcome;
use std::time::Duration;

/// Adapts the polling interval so that about a third of the capacity is new at each
/// poll.
pub(super) struct PollPacer {
    fixed: Option<Duration>,
    /// Minimum interval.
    min_interval: Duration,
    interval: Duration,
    /// Immediate retries in a row.
    retries: u32,
}

/// Target fraction of new data at a poll.
const TARGET_FILL_RATIO: f64 = 1.0 / 3.0;

/// Maximum interval.
const MAX_INTERVAL: Duration = Duration::from_secs(1);

/// Time for a target to finish what it was writing.
const RETRY_DELAY: Duration = Duration::from_millis(1);

/// Minimum intervals for a target that runs, and for one that is halted for polls.
const MIN_INTERVALS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];

impl PollPacer {
    /// Uses the interval given by the user, else adapts it; `moves` is whether the
    /// target runs while it is polled.
    pub(super) fn new(fixed: Option<Duration>, moves: bool) -> Self {
        let [running, halted] = MIN_INTERVALS;
        let least = if moves { running } else { halted };
        Self {
            fixed,
            min_interval: least,
            interval: least,
            retries: 0,
        }
    }

    /// The time until the next poll, given the last result and the time since the poll
    /// before it.
    pub(super) fn next_interval(&mut self, look: &PollOutcome, elapsed: Duration) -> Duration {
        let filled = match look {
            PollOutcome::Retry => {
                self.retries += 1;
                return (RETRY_DELAY * (1 << self.retries.min(10)) / 2)
                    .min(self.interval.max(RETRY_DELAY));
            }
            PollOutcome::Overrun => {
                // The number of wraps is unknown.
                let shorter = (self.interval / 2).min(elapsed / 4);
                self.interval = shorter.max(self.min_interval);
                return RETRY_DELAY;
            }
            PollOutcome::New { fill_ratio: filled }
            | PollOutcome::Unchanged { fill_ratio: filled } => *filled,
            PollOutcome::TooSlow => 1.0,
            PollOutcome::Disabled(_) | PollOutcome::Gone(_) => 0.0,
        };
        self.retries = 0;
        let wanted = match filled > 0.0 {
            true => elapsed.as_secs_f64() * TARGET_FILL_RATIO / filled,
            false => MAX_INTERVAL.as_secs_f64(),
        };
        // Increase slowly, since the event rate may rise again; decrease at once.
        let wanted = wanted.min(2.0 * self.interval.as_secs_f64());
        let wanted = Duration::from_secs_f64(wanted.min(MAX_INTERVAL.as_secs_f64()));
        self.interval = wanted.max(self.min_interval);
        self.fixed.unwrap_or(self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn new(filled: f64) -> PollOutcome {
        PollOutcome::New { fill_ratio: filled }
    }

    #[test]
    fn polls_follow_the_event_rate() {
        let mut pace = PollPacer::new(None, false);
        let steps =
            [0; 7].map(|_| pace.next_interval(&PollOutcome::Unchanged { fill_ratio: 0.0 }, SECOND));
        let steps = steps.map(|step| step.as_millis());
        assert_eq!(steps, [40, 80, 160, 320, 640, 1000, 1000]);
        // A ring that fills within 300 ms.
        let millis = Duration::from_millis;
        assert_eq!(pace.next_interval(&new(0.5), millis(150)), millis(100));
        assert_eq!(
            pace.next_interval(&new(1.0 / 3.0), millis(100)),
            millis(100)
        );
        assert_eq!(pace.next_interval(&new(0.9), millis(9)), millis(20));
        assert_eq!(
            PollPacer::new(None, true).next_interval(&new(0.9), millis(5)),
            millis(2)
        );
    }

    #[test]
    fn retries_are_limited() {
        let mut pace = PollPacer::new(None, false);
        let steps = [0; 7].map(|_| pace.next_interval(&PollOutcome::Retry, SECOND).as_millis());
        assert_eq!(steps, [1, 2, 4, 8, 16, 20, 20]);
        pace.next_interval(&new(0.1), SECOND);
        assert_eq!(
            pace.next_interval(&PollOutcome::Retry, SECOND).as_millis(),
            1
        );
    }

    #[test]
    fn overruns_shorten_the_interval() {
        let mut pace = PollPacer::new(None, false);
        for _ in 0..9 {
            pace.next_interval(&PollOutcome::Unchanged { fill_ratio: 0.0 }, SECOND);
        }
        assert_eq!(
            pace.next_interval(&PollOutcome::Overrun, SECOND),
            RETRY_DELAY
        );
        // The data since then is not representative.
        let next = pace.next_interval(&new(0.001), RETRY_DELAY);
        assert_eq!(next, Duration::from_nanos(333_333_333));
    }

    #[test]
    fn fixed_intervals_are_respected() {
        let mut pace = PollPacer::new(Some(SECOND / 4), true);
        assert_eq!(pace.next_interval(&new(1.0), SECOND), SECOND / 4);
        assert_eq!(pace.next_interval(&PollOutcome::Retry, SECOND), RETRY_DELAY);
    }
}
