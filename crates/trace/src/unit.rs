//! Quantities with a unit.

use std::fmt;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_display_their_unit() {
        let shown = |nanoseconds| Nanoseconds(nanoseconds).to_string();
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(1_500), "1.500 µs");
        assert_eq!(shown(301_223_363), "301.223 ms");
        assert_eq!(shown(61_000_000_000), "61.000 s");
    }
}
