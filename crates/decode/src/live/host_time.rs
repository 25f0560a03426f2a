//! Arrival times.

/// The arrival time of bytes by the host's clock: nanoseconds since 1970. It
/// advances monotonically from the start of the capture even if the clock is
/// set meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HostTime(pub u64);

impl HostTime {
    /// Nanoseconds since an earlier time; 0 since a later one.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
