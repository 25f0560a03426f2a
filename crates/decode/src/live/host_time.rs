//! When bytes came.

/// When bytes came, by the clock of the host: nanoseconds since 1970, which go
/// on evenly from the start of the capture even if that clock is set meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HostTime(pub u64);

impl HostTime {
    /// Nanoseconds from an earlier moment to this one; 0 from a later one.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
