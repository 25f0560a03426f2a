//! When to try again.

use std::time::{Duration, Instant};

/// The shortest time between two attempts.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// The longest.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// When to try again: after every failure in a row twice as late as before.
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

    /// An attempt failed, or came to nothing.
    pub(super) fn failed(&mut self) {
        self.due = Instant::now() + self.pause;
        self.pause = MAX_PAUSE.min(self.pause * 2);
    }

    /// An attempt came to something.
    pub(super) fn succeeded(&mut self) {
        self.pause = MIN_PAUSE;
    }

    /// Waits until the next attempt is due or the time is over, and says whether
    /// it is due.
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
