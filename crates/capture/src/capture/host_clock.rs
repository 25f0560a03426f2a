//! The clock of the host.

use rtoscope_decode::live::HostTime;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Tells moments that go on evenly, whatever happens to the system's clock.
#[derive(Debug, Clone, Copy)]
pub struct HostClock {
    start: HostTime,
    started: Instant,
}

impl Default for HostClock {
    fn default() -> Self {
        Self::new()
    }
}

impl HostClock {
    /// Starts with the time of day.
    pub fn new() -> Self {
        // Before 1970 it counts from there.
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanoseconds = since.unwrap_or_default().as_nanos();
        Self {
            start: HostTime(u64::try_from(nanoseconds).unwrap_or(u64::MAX)),
            started: Instant::now(),
        }
    }

    /// The moment that it is now.
    pub fn now(&self) -> HostTime {
        let gone = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        HostTime(self.start.0.saturating_add(gone))
    }
}
