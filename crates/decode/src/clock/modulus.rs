//! Differences of stamps.

use rtoscope_trace::clock::ClockDirection;

/// A clock of at least so many bits is wide: a small step back is no wrap.
const MIN_WIDE_CLOCK_BITS: u32 = 24;

/// A step back of less than this part of the period is small.
const SMALL_STEP_DIVISOR: u64 = 256;

/// How differences count.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClockModulus {
    /// Modulo a power of two, at the mask's position.
    Mask(u64),
    /// Modulo a number of ticks, of stamps masked first.
    Period { mask: u64, ticks: u64 },
}

impl ClockModulus {
    pub(crate) fn new(mask: u64, period: Option<u64>) -> Self {
        match period.filter(|ticks| *ticks > 1) {
            Some(ticks) => Self::Period { mask, ticks },
            None => Self::Mask(mask),
        }
    }

    /// Ticks until the counter shows the same again; `None` for 2^64.
    pub(crate) fn period(self) -> Option<u64> {
        match self {
            Self::Mask(mask) => 1_u64.checked_shl(u64::BITS - mask.leading_zeros()),
            Self::Period { ticks, .. } => Some(ticks),
        }
    }

    pub(crate) fn masked(self, stamp: u64) -> u64 {
        match self {
            Self::Mask(mask) => stamp & mask,
            Self::Period { mask, ticks } => (stamp & mask) % ticks,
        }
    }

    /// The bits of a stamp above its mask.
    pub(crate) fn above_mask(self) -> u64 {
        let (Self::Mask(mask) | Self::Period { mask, .. }) = self;
        let bits = u64::BITS - mask.leading_zeros();
        u64::MAX.checked_shl(bits).unwrap_or_default()
    }

    /// Ticks from one stamp to the next of a clock that counts up.
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

    /// A forward step as one of a clock that counts down.
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

    /// Steps beyond this many ticks are small steps back rather than long ones
    /// forward. None are in a narrow clock.
    pub(crate) fn max_step(self) -> u64 {
        let period = self.period().unwrap_or(u64::MAX);
        if period >= 1 << MIN_WIDE_CLOCK_BITS {
            period - period / SMALL_STEP_DIVISOR
        } else {
            u64::MAX
        }
    }

    /// A step from one stamp to the next of a clock of that direction.
    #[inline(always)]
    pub(crate) fn step(self, direction: ClockDirection, from: u64, to: u64) -> u64 {
        let forward = self.forward(from, to);
        match direction {
            ClockDirection::Up => forward,
            ClockDirection::Down => self.reversed(forward),
        }
    }

    /// Whether the counter's value moved against its direction: it wrapped.
    #[inline(always)]
    pub(crate) fn has_wrapped(self, direction: ClockDirection, from: u64, to: u64) -> bool {
        let (from, to) = (self.masked(from), self.masked(to));
        match direction {
            ClockDirection::Up => to < from,
            ClockDirection::Down => to > from,
        }
    }
}
