//! Decimal numbers and units of times in texts.

/// A decimal number such as `-1.5e-3` times a power of ten, rounded down; `None` if it is none, or
/// too large.
pub(crate) fn decimal(text: &[u8], exponent: i32) -> Option<i128> {
    /// More digits are not kept.
    const MAX_DIGITS: u32 = 36;
    let (is_negative, mut rest) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (mut value, mut digits, mut scale) = (0_i128, 0_u32, exponent);
    let (mut has_digit, mut is_fraction) = (false, false);
    while let [byte, after @ ..] = rest {
        match byte {
            b'0'..=b'9' => {
                has_digit = true;
                if digits < MAX_DIGITS {
                    value = value * 10 + i128::from(byte - b'0');
                    digits += u32::from(value > 0);
                    scale -= i32::from(is_fraction);
                } else {
                    scale += i32::from(!is_fraction);
                }
            }
            b'.' if !is_fraction => is_fraction = true,
            b'e' | b'E' if has_digit => {
                let power = std::str::from_utf8(after).ok()?;
                scale = scale.checked_add(power.parse().ok()?)?;
                break;
            }
            _ => return None,
        }
        rest = after;
    }
    if !has_digit {
        return None;
    }
    let value = if is_negative { -value } else { value };
    let power = |scale: i32| 10_i128.checked_pow(scale.unsigned_abs());
    match scale {
        _ if value == 0 => Some(0),
        0.. => value.checked_mul(power(scale)?),
        _ => Some(power(scale).map_or(if value < 0 { -1 } else { 0 }, |by| value.div_euclid(by))),
    }
}

/// Whether a decimal number is written with a fraction or an exponent: times like that are in
/// seconds if nothing names their unit.
pub(crate) fn has_fraction(text: &[u8]) -> bool {
    text.iter().any(|it| matches!(it, b'.' | b'e' | b'E'))
}

/// The name of a column of times without its unit, and the power of ten of the unit, if it has one:
/// `Time [s]`, `time (us)`, `timestamp_ns`, `nanoseconds`.
pub(crate) fn time_unit(name: &[u8]) -> (&str, Option<i32>) {
    let text = std::str::from_utf8(name).unwrap_or_default().trim();
    let bracket = |open, close| {
        let (name, unit) = text.rsplit_once(open)?;
        Some((name, unit.strip_suffix(close)?))
    };
    let split = bracket('[', ']')
        .or_else(|| bracket('(', ')'))
        .or_else(|| text.rsplit_once('_'));
    let (base, unit) = split.unwrap_or(("", text));
    let exponent = match unit.trim().to_lowercase().as_str() {
        "s" | "sec" | "seconds" => 0,
        "ms" | "milliseconds" => -3,
        "us" | "µs" | "μs" | "microseconds" => -6,
        "ns" | "nanoseconds" => -9,
        "ps" | "picoseconds" => -12,
        "fs" | "femtoseconds" => -15,
        _ => return (text, None),
    };
    (base.trim(), Some(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_fractions_and_exponents() {
        for (text, exponent, expected) in [
            ("0", 12, Some(0)),
            ("1.5", 3, Some(1500)),
            ("-0.000000001", 12, Some(-1000)),
            ("1e-06", 12, Some(1_000_000)),
            ("+2.5E3", 0, Some(2500)),
            ("0.0000000000019", 12, Some(1)),
            ("-0.0000000000001", 12, Some(-1)),
            ("7", -2, Some(0)),
            ("1e99", 0, None),
            ("1e-99", 0, Some(0)),
            ("", 0, None),
            (".", 0, None),
            ("1x", 0, None),
            ("e5", 0, None),
            (
                "12345678901234567890",
                12,
                Some(12_345_678_901_234_567_890_000_000_000_000),
            ),
            ("99999999999999999999999999999999999999999", 12, None),
        ] {
            assert_eq!(decimal(text.as_bytes(), exponent), expected, "{text}");
        }
    }

    #[test]
    fn names_of_times_have_units() {
        for (name, expected) in [
            ("Time [s]", ("Time", Some(0))),
            ("time (us)", ("time", Some(-6))),
            ("timestamp_ns", ("timestamp", Some(-9))),
            ("nanoseconds", ("", Some(-9))),
            ("time", ("time", None)),
            ("task_name", ("task_name", None)),
        ] {
            assert_eq!(time_unit(name.as_bytes()), expected, "{name}");
        }
    }
}
