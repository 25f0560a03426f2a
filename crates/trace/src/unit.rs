//! Quantities with a unit.

use std::fmt;
use std::num::NonZeroU64;

/// An address on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A time or a duration in ticks of the target's clock: since the first event,
/// unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Ticks(pub u64);

impl fmt::Display for Ticks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A time or a duration in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Nanoseconds(pub u64);

impl fmt::Display for Nanoseconds {
    /// With the largest unit that gives a whole part, to three decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..1_000 => return write!(f, "{} ns", self.0),
            1_000..1_000_000 => (1_000, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, "ms"),
            _ => (1_000_000_000, "s"),
        };
        let thousandths = u128::from(self.0 % unit) * 1000 / u128::from(unit);
        write!(f, "{}.{thousandths:03} {name}", self.0 / unit)
    }
}

/// A frequency in hertz.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frequency(pub NonZeroU64);

impl Frequency {
    /// Converts ticks to time, rounded down; saturates after 584 years.
    pub fn to_time(self, ticks: Ticks) -> Nanoseconds {
        let nanoseconds = u128::from(ticks.0) * 1_000_000_000 / u128::from(self.0.get());
        Nanoseconds(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
    }

    /// The first tick at or after a time; saturates.
    pub fn first_tick(self, time: Nanoseconds) -> Ticks {
        let ticks = u128::from(time.0) * u128::from(self.0.get());
        Ticks(u64::try_from(ticks.div_ceil(1_000_000_000)).unwrap_or(u64::MAX))
    }

    /// The last tick at or before a time; saturates.
    pub fn last_tick(self, time: Nanoseconds) -> Ticks {
        let ticks = u128::from(time.0) * u128::from(self.0.get());
        Ticks(u64::try_from(ticks / 1_000_000_000).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_convert_without_overflow() {
        let megahertz = Frequency(NonZeroU64::new(25_000_000).unwrap());
        assert_eq!(megahertz.to_time(Ticks(3)), Nanoseconds(120));
        assert_eq!(megahertz.first_tick(Nanoseconds(81)), Ticks(3));
        assert_eq!(megahertz.last_tick(Nanoseconds(119)), Ticks(2));
        let slow = Frequency(NonZeroU64::MIN);
        assert_eq!(slow.to_time(Ticks(u64::MAX)), Nanoseconds(u64::MAX));
    }

    #[test]
    fn times_display_their_unit() {
        let shown = |nanoseconds| Nanoseconds(nanoseconds).to_string();
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(1_500), "1.500 µs");
        assert_eq!(shown(301_223_363), "301.223 ms");
        assert_eq!(shown(61_000_000_000), "61.000 s");
    }
}
