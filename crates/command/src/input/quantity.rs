//! Parses numbers, frequencies, sizes and durations from the command line.

use rtoscope_trace::Frequency;
use std::time::Duration;

/// Parses a number: decimal, or hexadecimal with `0x`.
pub fn parse_number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let lower = plain.to_ascii_lowercase();
    let parsed = match lower.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        _ => plain.parse(),
    };
    parsed.map_err(|_| "expected a number, decimal or with 0x".to_owned())
}

pub(super) fn parse_period(text: &str) -> Result<u64, String> {
    let ticks = parse_number(text)?;
    if ticks < 2 {
        return Err("expected at least 2 ticks".to_owned());
    }
    Ok(ticks)
}

/// The minimum number of hertz without a unit: below it, users probably mean
/// megahertz.
const MIN_BARE_HERTZ: f64 = 1000.0;

/// Parses a frequency, the duration of a tick, or ticks per unit of time.
pub(super) fn parse_frequency(text: &str) -> Result<Frequency, String> {
    let expected =
        || "expected a frequency such as 25MHz, 32.768kHz, 1000000, 40ns or 25/us".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    if let Ok(bare) = lower.parse::<f64>()
        && (f64::MIN_POSITIVE..MIN_BARE_HERTZ).contains(&bare)
    {
        return Err(format!(
            "{text} needs a unit: {text}MHz, {text}kHz or, if the clock is really that slow, {text}Hz"
        ));
    }
    let positive = |number: &str| {
        let value = number.trim().parse::<f64>().ok();
        value.filter(|value| *value > 0.0).ok_or_else(expected)
    };
    let (hertz, exact) = if let Some((ticks, unit)) = lower.split_once('/') {
        let ticks = ticks.trim_end().trim_end_matches("ticks");
        let seconds = unit_seconds(unit.trim()).ok_or_else(expected)?;
        (positive(ticks)? / seconds, true)
    } else if let Some((number, seconds)) = duration(&lower) {
        // 30 ns are 33333333.3 Hz: rounding to whole hertz is more accurate than
        // any oscillator.
        (1.0 / (positive(number)? * seconds), false)
    } else {
        let value = lower.strip_suffix("hz").unwrap_or(&lower).trim_end();
        let (value, factor) = match value.char_indices().next_back() {
            Some((at, 'k')) => (&value[..at], 1e3),
            Some((at, 'm')) => (&value[..at], 1e6),
            Some((at, 'g')) => (&value[..at], 1e9),
            _ => (value, 1.0),
        };
        (positive(value)? * factor, true)
    };
    // 16.6667 MHz is a whole number of hertz, but not exact as a binary fraction.
    let rounded = hertz.round();
    if !(1.0..=1e12).contains(&rounded) || exact && (hertz - rounded).abs() > 1e-3 {
        return Err(format!(
            "{}, a whole number of hertz from 1 to 10^12",
            expected()
        ));
    }
    Frequency::from_hertz(rounded as u64).ok_or_else(expected)
}

/// Parses a number of bytes; units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 100000000, 500MB or 2GB".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.strip_suffix('b').unwrap_or(&lower);
    let bare = bare.strip_suffix('i').unwrap_or(bare);
    let (digits, factor) = match bare.char_indices().next_back() {
        Some((at, 'k')) => (&bare[..at], 1 << 10),
        Some((at, 'm')) => (&bare[..at], 1 << 20),
        Some((at, 'g')) => (&bare[..at], 1 << 30),
        _ => (bare, 1),
    };
    let bytes = parse_number(digits.trim_end())?.checked_mul(factor);
    bytes.filter(|bytes| *bytes > 0).ok_or_else(expected)
}

/// Parses a duration.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time such as 10s, 500ms, 2min or 1h".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let letters = lower.find(char::is_alphabetic).ok_or_else(expected)?;
    let (number, unit) = lower.split_at(letters);
    let seconds = match unit {
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        unit => unit_seconds(unit).ok_or_else(expected)?,
    };
    let number = number.trim().parse::<f64>().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|time| !time.is_zero() && *time < MAX_DURATION)
        .ok_or_else(expected)
}

/// Longer durations are mistakes.
const MAX_DURATION: Duration = Duration::from_secs(86400 * 365 * 100);

fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

/// Splits a duration into its number and its unit in seconds.
fn duration(text: &str) -> Option<(&str, f64)> {
    let letters = text.find(|letter: char| letter.is_alphabetic())?;
    let (number, unit) = text.split_at_checked(letters)?;
    Some((number, unit_seconds(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(parse_number("1_000"), Ok(1000));
        assert_eq!(parse_number("0x2000A100"), Ok(0x2000_A100));
        assert!(parse_number("0x").is_err());
        assert!(parse_number("0x+1").is_err());
        assert!(parse_number("-1").is_err());
    }

    #[test]
    fn frequencies_have_units() {
        assert_eq!(parse_frequency("1000").unwrap().hertz(), 1000);
        assert_eq!(parse_frequency("25Hz").unwrap().hertz(), 25);
        for bare in ["25", "999", "0.5"] {
            let error = parse_frequency(bare).unwrap_err();
            assert!(error.contains(&format!("{bare}MHz")), "{error}");
        }
        let hertz = |text| parse_frequency(text).map(Frequency::hertz);
        assert_eq!(hertz("25MHz"), Ok(25_000_000));
        assert_eq!(hertz("32.768 kHz"), Ok(32_768));
        assert_eq!(hertz("1000000"), Ok(1_000_000));
        assert_eq!(hertz("1g"), Ok(1_000_000_000));
        assert_eq!(hertz("16.6667MHz"), Ok(16_666_700));
        assert_eq!(hertz("25ns"), Ok(40_000_000));
        assert_eq!(hertz("0.5 us"), Ok(2_000_000));
        assert_eq!(hertz("30ns"), Ok(33_333_333));
        assert_eq!(hertz("240/us"), Ok(240_000_000));
        assert_eq!(hertz("1000 ticks/ms"), Ok(1_000_000));
        for bad in [
            "", "MHz", "0", "0.5", "nan", "1THz", "-5", "0ns", "ns", "1/", "/us", "5/min", "inf",
        ] {
            assert!(parse_frequency(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("10 kB"), Ok(10 << 10));
        assert_eq!(parse_size("500M"), Ok(500 << 20));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        for bad in ["", "0", "B", "-1", "1TB", "99999999999GB", "1.5GB"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(parse_duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("1.5 ms"), Ok(Duration::from_micros(1500)));
        assert_eq!(parse_duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("1h"), Ok(Duration::from_secs(3600)));
        for bad in ["", "10", "s", "-1s", "0s", "nans", "infs", "1e300h", "1y"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
