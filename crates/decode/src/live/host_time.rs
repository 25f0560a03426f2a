//! Arrival times by the host's clock, and counter wraps computed from them.

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
/// host. `seen` is in ticks, known modulo `period` ticks; `host` is in
/// nanoseconds, `frequency` in hertz. 0 if the host's time is shorter.
///
/// The result is exact while the error of the host's time is less than half a
/// period.
pub(crate) fn missed_wraps(seen: u64, period: u64, host: u64, frequency: u64) -> u64 {
    let elapsed = u128::from(host) * u128::from(frequency) / 1_000_000_000;
    let unseen = elapsed.saturating_sub(seen.into());
    let period = u128::from(period.max(1));
    u64::try_from((unseen + period / 2) / period).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_of_turns_counts() {
        let second = 1_000_000_000;
        // 16 bits at 1 MHz wrap every 65.5 ms.
        assert_eq!(missed_wraps(500, 1 << 16, 0, 1_000_000), 0);
        assert_eq!(missed_wraps(500, 1 << 16, 30_000_000, 1_000_000), 0);
        assert_eq!(missed_wraps(500, 1 << 16, 40_000_000, 1_000_000), 1);
        assert_eq!(missed_wraps(16_960, 1 << 16, second, 1_000_000), 15);
        for off in [-30_000_i64, 0, 30_000] {
            let host = second.saturating_add_signed(off * 1000);
            assert_eq!(missed_wraps(16_960, 1 << 16, host, 1_000_000), 15);
        }
    }

    #[test]
    fn less_than_is_seen_is_none() {
        assert_eq!(missed_wraps(u64::MAX, 10, 5, 1), 0);
        assert_eq!(missed_wraps(0, 0, 1_000_000_000, 7), 7, "no period");
        assert_eq!(missed_wraps(0, 1, u64::MAX, u64::MAX), u64::MAX);
    }
}
