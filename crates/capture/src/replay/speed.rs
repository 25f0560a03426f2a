//! Speed of a replay.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Speed of a replay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReplaySpeed {
    /// Multiple of the recorded speed; more than 0.
    Factor(f64),
    /// As fast as possible.
    Max,
}

/// Factors outside this range are rejected.
const VALID_FACTORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

impl ReplaySpeed {
    /// When to send what was received `nanoseconds` after the first byte.
    pub(super) fn due(self, nanoseconds: u64) -> Duration {
        match self {
            Self::Factor(times) => {
                Duration::try_from_secs_f64(nanoseconds as f64 / 1e9 / times).unwrap_or_default()
            }
            Self::Max => Duration::ZERO,
        }
    }
}

impl FromStr for ReplaySpeed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected a speed such as 1x, 0.5x, 10x or max";
        let lower = text.trim().to_ascii_lowercase();
        if lower == "max" {
            return Ok(Self::Max);
        }
        let number = lower.strip_suffix('x').unwrap_or(&lower).trim_end();
        let times = number.parse().map_err(|_| expected)?;
        match VALID_FACTORS.contains(&times) {
            true => Ok(Self::Factor(times)),
            false => Err(expected),
        }
    }
}

impl fmt::Display for ReplaySpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(times) => write!(f, "{times}x"),
            Self::Max => f.write_str("max"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_factors() {
        assert_eq!("1x".parse(), Ok(ReplaySpeed::Factor(1.0)));
        assert_eq!("0.5".parse(), Ok(ReplaySpeed::Factor(0.5)));
        assert_eq!(" 10X".parse(), Ok(ReplaySpeed::Factor(10.0)));
        assert_eq!("Max".parse(), Ok(ReplaySpeed::Max));
        for bad in ["", "x", "0x", "-1x", "nan", "infx", "1e300", "fast", "1xx"] {
            assert!(bad.parse::<ReplaySpeed>().is_err(), "{bad}");
        }
        assert_eq!(
            ReplaySpeed::Factor(2.0).due(3_000_000_000),
            Duration::from_millis(1500)
        );
        assert_eq!(ReplaySpeed::Max.due(u64::MAX), Duration::ZERO);
    }
}
