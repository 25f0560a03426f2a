//! The target's time source.

/// Converts the simulation's time, which never wraps, to timestamps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    mask: u64,
    count_down: bool,
}

impl Clock {
    /// Creates a counter with `bits` bits, 1 to 64.
    pub(crate) fn new(bits: u8, count_down: bool) -> Self {
        Self {
            mask: u64::MAX >> (64 - u32::from(bits.clamp(1, 64))),
            count_down,
        }
    }

    /// The mask of the counter's bits.
    pub(crate) fn mask(self) -> u64 {
        self.mask
    }

    /// The value of the counter at `time`.
    #[inline]
    pub(crate) fn timestamp(self, time: u64) -> u64 {
        let count = if self.count_down {
            time.wrapping_neg()
        } else {
            time
        };
        count & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_wrap_in_either_direction() {
        assert_eq!(Clock::new(64, false).mask(), u64::MAX);
        assert_eq!(Clock::new(16, false).timestamp(0x1_0005), 5);
        assert_eq!(Clock::new(16, true).timestamp(0x1_0005), 0xFFFB);
        assert_eq!(Clock::new(8, true).timestamp(0), 0);
    }
}
