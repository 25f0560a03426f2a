//! The host's clock.

use rtoscope_decode::live::HostTime;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A clock that increases steadily, even if the system's clock is set.
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
    /// Starts at the current time of day.
    pub fn new() -> Self {
        // A time before 1970 counts as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanoseconds = since.unwrap_or_default().as_nanos();
        Self {
            start: HostTime(u64::try_from(nanoseconds).unwrap_or(u64::MAX)),
            started: Instant::now(),
        }
    }

    /// The current time.
    pub fn now(&self) -> HostTime {
        let gone = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        HostTime(self.start.0.saturating_add(gone))
    }
}
