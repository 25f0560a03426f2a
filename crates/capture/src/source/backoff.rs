//! Exponential backoff between attempts.

use std::time::{Duration, Instant};

/// Minimum pause.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// Maximum pause.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Exponential backoff: each failure in a row doubles the pause.
#[derive(Debug)]
pub(super) struct Backoff {
    pause: Duration,
    due: Instant,
}

impl Backoff {
    /// The first attempt is due now.
    pub(super) fn new() -> Self {
        Self {
            pause: MIN_PAUSE,
            due: Instant::now(),
        }
    }

    /// Records a failed attempt.
    pub(super) fn failed(&mut self) {
        self.due = Instant::now() + self.pause;
        self.pause = MAX_PAUSE.min(self.pause * 2);
    }

    /// Records a successful attempt.
    pub(super) fn succeeded(&mut self) {
        self.pause = MIN_PAUSE;
    }

    /// Waits until the next attempt is due or the time is over; returns whether it is
    /// due.
    pub(super) fn wait(&self, until: Instant) -> bool {
        let due = self.due.min(until);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        self.due <= Instant::now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_maximum() {
        let mut backoff = Backoff::new();
        assert!(backoff.wait(Instant::now()));
        let mut pauses = Vec::new();
        for _ in 0..8 {
            pauses.push(backoff.pause.as_millis());
            backoff.failed();
        }
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert!(!backoff.wait(Instant::now()));
        backoff.succeeded();
        backoff.failed();
        assert!(backoff.wait(Instant::now() + MAX_PAUSE));
    }
}
