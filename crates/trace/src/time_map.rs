//! Times of a recording on the axis that it shares with other recordings.

use crate::Ticks;
use crate::text_log::SignedTicks;
use std::num::NonZeroU64;

/// Maps ticks of a recording to ticks of an axis: `offset + ticks × rate`, rounded down. It
/// is exact before it is rounded, and saturates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeMap {
    offset: SignedTicks,
    numerator: NonZeroU64,
    denominator: NonZeroU64,
}

impl TimeMap {
    /// Leaves times as they are.
    pub const IDENTITY: Self = Self {
        offset: SignedTicks(0),
        numerator: NonZeroU64::MIN,
        denominator: NonZeroU64::MIN,
    };

    /// Creates a map. `offset` is the axis's time of the recording's first event, `rate` the
    /// ticks of the axis that pass in a tick of the recording, as a fraction: of more than 64
    /// bits, the first 64 are kept. `None` unless the rate is above 0.
    pub fn new(offset: SignedTicks, rate: [u128; 2]) -> Option<Self> {
        let [numerator, denominator] = rate;
        let common = gcd(numerator, denominator).max(1);
        let parts = [numerator / common, denominator / common];
        let longest = parts.map(u128::leading_zeros).into_iter().min()?;
        let excess = 64_u32.saturating_sub(longest);
        let [numerator, denominator] = parts.map(|part| {
            let part = u64::try_from(part >> excess).ok();
            part.and_then(NonZeroU64::new)
        });
        Some(Self {
            offset,
            numerator: numerator?,
            denominator: denominator?,
        })
    }

    /// The axis's time of the recording's first event.
    pub fn offset(&self) -> SignedTicks {
        self.offset
    }

    /// The ticks of the axis that pass in a tick of the recording, as a fraction.
    pub fn rate(&self) -> [NonZeroU64; 2] {
        [self.numerator, self.denominator]
    }

    /// The same map onto an axis that begins `ticks` earlier.
    #[must_use]
    pub fn delayed(&self, ticks: u64) -> Self {
        let offset = SignedTicks(self.offset.0.saturating_add_unsigned(ticks));
        Self { offset, ..*self }
    }

    /// A time of the recording on the axis, rounded down.
    #[inline]
    pub fn axis_time(&self, time: Ticks) -> SignedTicks {
        let passed = u128::from(time.0) * u128::from(self.numerator.get());
        let passed = passed / u128::from(self.denominator.get());
        let passed = i128::try_from(passed).unwrap_or(i128::MAX);
        let time = passed.saturating_add(self.offset.0.into());
        SignedTicks(i64::try_from(time).unwrap_or(i64::MAX))
    }

    /// The first tick of the recording that is not before a time of the axis; 0 for a time
    /// before the recording.
    pub fn first_tick(&self, time: SignedTicks) -> Ticks {
        let passed = i128::from(time.0) - i128::from(self.offset.0);
        // The difference of two signed numbers of 64 bits has at most 64.
        let passed = u128::try_from(passed).unwrap_or(0);
        let scaled = passed * u128::from(self.denominator.get());
        let ticks = scaled.div_ceil(self.numerator.get().into());
        Ticks(u64::try_from(ticks).unwrap_or(u64::MAX))
    }
}

fn gcd(one: u128, other: u128) -> u128 {
    if other == 0 {
        one
    } else {
        gcd(other, one % other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn drift_is_exact() {
        // 25 MHz and 80 ppm too slow, on an axis of nanoseconds that begins 5 ns later.
        let rate = [1_000_000_000 * 1_000_080, 25_000_000 * 1_000_000];
        let map = TimeMap::new(SignedTicks(-5), rate).unwrap();
        assert_eq!(map.axis_time(Ticks(0)), SignedTicks(-5));
        let day = 25_000_000 * 86_400;
        let expected = 86_400_000_000_000 + 86_400 * 80_000 - 5;
        assert_eq!(map.axis_time(Ticks(day)), SignedTicks(expected));
        assert_eq!(map.first_tick(SignedTicks(expected)), Ticks(day));
        assert_eq!(map.first_tick(SignedTicks(-6)), Ticks(0));
        assert_eq!(map.delayed(5).axis_time(Ticks(0)), SignedTicks(0));
    }

    #[test]
    fn maps_have_a_rate() {
        let new = |rate| TimeMap::new(SignedTicks(0), rate);
        assert_eq!((new([0, 1]), new([1, 0])), (None, None));
        assert_eq!(new([1, u128::MAX]), None);
        assert_eq!(new([7, 7]), Some(TimeMap::IDENTITY));
        let long = new([1 << 100, (1 << 101) - 1]).unwrap().rate();
        assert_eq!(long.map(NonZeroU64::get), [1 << 63, u64::MAX]);
    }

    proptest! {
        #[test]
        fn times_survive_a_round_trip(
            offset in any::<i32>(),
            numerator in 1..=u64::MAX,
            denominator in 1..=u64::MAX,
            time in any::<u32>(),
        ) {
            let rate = [numerator, denominator].map(u128::from);
            let map = TimeMap::new(SignedTicks(offset.into()), rate).unwrap();
            let at = |tick| map.axis_time(Ticks(tick));
            let first = map.first_tick(at(time.into())).0;
            prop_assert!(first <= time.into());
            if at(time.into()) < SignedTicks(i64::MAX) {
                prop_assert_eq!(at(first), at(time.into()));
            }
            if numerator >= denominator && at(time.into()) < SignedTicks(i64::MAX) {
                prop_assert_eq!(first, u64::from(time));
            }
            if let Some(before) = first.checked_sub(1) {
                prop_assert!(at(before) < at(time.into()));
            }
            prop_assert!(at(time.into()) <= at(u64::from(time) + 1));
        }
    }
}
