//! Differences between timestamps.

use rtoscope_trace::clock::ClockDirection;

/// A clock with at least this many bits is wide: a small step back is not a
/// wrap.
const MIN_WIDE_CLOCK_BITS: u32 = 24;

/// A step back of less than the period divided by this is small.
const SMALL_STEP_DIVISOR: u64 = 256;

/// The modulus of timestamp differences.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClockModulus {
    /// A power of two, at the mask's position.
    Mask(u64),
    /// A number of ticks, after masking the timestamps.
    Period { mask: u64, ticks: u64 },
}

impl ClockModulus {
    pub(crate) fn new(mask: u64, period: Option<u64>) -> Self {
        match period.filter(|ticks| *ticks > 1) {
            Some(ticks) => Self::Period { mask, ticks },
            None => Self::Mask(mask),
        }
    }

    /// Ticks until the counter repeats; `None` for 2^64.
    pub(crate) fn period(self) -> Option<u64> {
        match self {
            Self::Mask(mask) => 1_u64.checked_shl(u64::BITS - mask.leading_zeros()),
            Self::Period { ticks, .. } => Some(ticks),
        }
    }

    pub(crate) fn masked(self, timestamp: u64) -> u64 {
        match self {
            Self::Mask(mask) => timestamp & mask,
            Self::Period { mask, ticks } => (timestamp & mask) % ticks,
        }
    }

    /// The bits of a timestamp above the mask.
    pub(crate) fn above_mask(self) -> u64 {
        let (Self::Mask(mask) | Self::Period { mask, .. }) = self;
        let bits = u64::BITS - mask.leading_zeros();
        u64::MAX.checked_shl(bits).unwrap_or_default()
    }

    /// Ticks from one timestamp to the next of a clock that counts up.
    #[inline(always)]
    pub(crate) fn forward(self, from: u64, to: u64) -> u64 {
        match self {
            Self::Mask(mask) => to.wrapping_sub(from) & mask,
            Self::Period { mask, ticks } => {
                let (from, to) = ((from & mask) % ticks, (to & mask) % ticks);
                if to >= from {
                    to - from
                } else {
                    to + (ticks - from)
                }
            }
        }
    }

    /// Converts a forward step to that of a clock that counts down.
    #[inline(always)]
    pub(crate) fn reversed(self, forward: u64) -> u64 {
        match (self, forward) {
            (_, 0) => 0,
            (Self::Mask(mask), _) => forward.wrapping_neg() & mask,
            (Self::Period { ticks, .. }, _) => ticks - forward,
        }
    }

    pub(crate) fn half(self) -> u64 {
        self.period().map_or(1 << 63, |period| period / 2)
    }

    /// Steps longer than this are small backward steps instead. A narrow clock
    /// has none.
    pub(crate) fn max_step(self) -> u64 {
        match self.is_wide() {
            true => {
                let period = self.period().unwrap_or(u64::MAX);
                period - period / SMALL_STEP_DIVISOR
            }
            false => u64::MAX,
        }
    }

    /// Whether pauses between events are rarely as long as the period, so that a
    /// long step forward is rather a step back.
    pub(crate) fn is_wide(self) -> bool {
        self.period()
            .is_none_or(|period| period >= 1 << MIN_WIDE_CLOCK_BITS)
    }

    /// The step from one timestamp to the next, for the given direction.
    #[inline(always)]
    pub(crate) fn step(self, direction: ClockDirection, from: u64, to: u64) -> u64 {
        let forward = self.forward(from, to);
        match direction {
            ClockDirection::Up => forward,
            ClockDirection::Down => self.reversed(forward),
        }
    }

    /// Whether the counter wrapped: its value moved against its direction.
    #[inline(always)]
    pub(crate) fn has_wrapped(self, direction: ClockDirection, from: u64, to: u64) -> bool {
        let (from, to) = (self.masked(from), self.masked(to));
        match direction {
            ClockDirection::Up => to < from,
            ClockDirection::Down => to > from,
        }
    }
}
