//! Arrival times by the host's clock, and counter wraps computed from them.

use rtoscope_trace::Ticks;

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

/// The number of counter periods to add to the ticks that timestamps show
/// between two events, so that the total is closest to the time elapsed on the
/// host, which is `elapsed` ticks. `seen` is in ticks, known modulo `period` ticks.
/// 0 if the host's time is shorter.
///
/// The result is exact while the error of the host's time is less than half a
/// period.
pub(crate) fn missed_wraps(seen: u64, period: u64, elapsed: Ticks) -> u64 {
    let unseen = u128::from(elapsed.0.saturating_sub(seen));
    let period = u128::from(period.max(1));
    u64::try_from((unseen + period / 2) / period).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_of_turns_counts() {
        // 16 bits at 1 MHz wrap every 65.5 ms.
        assert_eq!(missed_wraps(500, 1 << 16, Ticks(0)), 0);
        assert_eq!(missed_wraps(500, 1 << 16, Ticks(30_000)), 0);
        assert_eq!(missed_wraps(500, 1 << 16, Ticks(40_000)), 1);
        let second = 1_000_000;
        for host in [second - 30_000, second, second + 30_000] {
            assert_eq!(missed_wraps(16_960, 1 << 16, Ticks(host)), 15);
        }
    }

    #[test]
    fn less_than_is_seen_is_none() {
        assert_eq!(missed_wraps(u64::MAX, 10, Ticks(5)), 0);
        assert_eq!(missed_wraps(0, 0, Ticks(7)), 7, "no period");
        assert_eq!(missed_wraps(0, 1, Ticks(u64::MAX)), u64::MAX);
    }
}
