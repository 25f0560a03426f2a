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
    /// With the largest unit that gives a whole part, to three decimals; from a minute on in
    /// days, hours, minutes and seconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SECOND: u64 = 1_000_000_000;
        let (unit, name) = match self.0 {
            0..1_000 => return write!(f, "{} ns", self.0),
            1_000..1_000_000 => (1_000, "µs"),
            1_000_000..SECOND => (1_000_000, "ms"),
            _ => (SECOND, "s"),
        };
        let minutes = self.0 / (60 * SECOND);
        let hours = minutes / 60;
        if hours >= 24 {
            write!(f, "{} d ", hours / 24)?;
        }
        if hours > 0 {
            write!(f, "{} h ", hours % 24)?;
        }
        if minutes > 0 {
            write!(f, "{} min ", minutes % 60)?;
        }
        let rest = self.0 % (60 * SECOND);
        let thousandths = u128::from(rest % unit) * 1000 / u128::from(unit);
        write!(f, "{}.{thousandths:03} {name}", rest / unit)
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
        assert_eq!(shown(59_999_999_999), "59.999 s");
        assert_eq!(shown(61_000_000_000), "1 min 1.000 s");
        assert_eq!(shown(3_600_000_000_000), "1 h 0 min 0.000 s");
        assert_eq!(shown(3_680_004_000_000), "1 h 1 min 20.004 s");
        assert_eq!(shown(86_400_000_000_000), "1 d 0 h 0 min 0.000 s");
        assert_eq!(shown(4_294_967_296_000_000), "49 d 17 h 2 min 47.296 s");
    }
}
