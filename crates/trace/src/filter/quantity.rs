//! Numbers and times in a filter.

/// A number, or a time with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A number without a unit.
    Plain(u64),
    /// A time.
    Nanoseconds(u64),
}

/// The units of time, in nanoseconds. Both characters that look like a micro
/// sign are accepted: U+00B5 and U+03BC.
const UNITS: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

/// What is expected in place of an invalid number.
const EXPECTED_NUMBER: &str = "a number";
const EXPECTED_SMALLER: &str = "a number below 2^64";
const EXPECTED_COARSER: &str = "a time in whole nanoseconds";

impl Quantity {
    /// Parses `42`, `1_000`, `0xffff_ffff`, `250ns`, `1.5ms`; the error
    /// describes what was expected.
    pub fn parse(word: &str) -> Result<Self, &'static str> {
        let hex = word.strip_prefix("0x").or(word.strip_prefix("0X"));
        if let Some(digits) = hex {
            return parse_digits(digits, 16).map(Self::Plain);
        }
        let unit = UNITS.iter().find_map(|(unit, nanoseconds)| {
            let number = word.strip_suffix(unit)?;
            let ends_in_digit = number.ends_with(|last: char| last.is_ascii_digit() || last == '_');
            ends_in_digit.then_some((number, *nanoseconds))
        });
        match unit {
            Some((number, nanoseconds)) => parse_time(number, nanoseconds).map(Self::Nanoseconds),
            None => parse_digits(word, 10).map(Self::Plain),
        }
    }
}

fn parse_digits(text: &str, radix: u32) -> Result<u64, &'static str> {
    let mut value = Ok(0_u64);
    let mut any = false;
    for letter in text.chars().filter(|letter| *letter != '_') {
        let digit = u64::from(letter.to_digit(radix).ok_or(EXPECTED_NUMBER)?);
        any = true;
        value = value.and_then(|value| {
            let value = value.checked_mul(u64::from(radix));
            value
                .and_then(|value| value.checked_add(digit))
                .ok_or(EXPECTED_SMALLER)
        });
    }
    if any && !text.starts_with('_') {
        value
    } else {
        Err(EXPECTED_NUMBER)
    }
}

/// Decimal digits with an optional point, and a unit.
fn parse_time(number: &str, unit: u64) -> Result<u64, &'static str> {
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => (number, ""),
    };
    let whole = parse_digits(whole, 10)?.checked_mul(unit);
    let mut part = 0;
    let mut scale = unit;
    for letter in fraction.chars().filter(|letter| *letter != '_') {
        let digit = u64::from(letter.to_digit(10).ok_or(EXPECTED_NUMBER)?);
        if digit != 0 && scale < 10 {
            return Err(EXPECTED_COARSER);
        }
        scale /= 10;
        part += digit * scale;
    }
    let sum = whole.and_then(|whole| whole.checked_add(part));
    sum.ok_or("a time below 2^64 nanoseconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed() {
        let plain = |word| Quantity::parse(word);
        assert_eq!(plain("1_000"), Ok(Quantity::Plain(1000)));
        assert_eq!(plain("0xFFFF_ffff"), Ok(Quantity::Plain(0xFFFF_FFFF)));
        assert_eq!(plain("18446744073709551615"), Ok(Quantity::Plain(u64::MAX)));
        assert_eq!(plain("18446744073709551616"), Err(EXPECTED_SMALLER));
        for word in [
            "", "_", "_1", "0x", "0x_1", "1.5", "-1", "+1", "x", "12ab", "s", "٣",
        ] {
            assert_eq!(plain(word), Err(EXPECTED_NUMBER), "{word}");
        }
    }

    #[test]
    fn times_are_parsed() {
        let time = |word| Quantity::parse(word);
        assert_eq!(time("250ns"), Ok(Quantity::Nanoseconds(250)));
        assert_eq!(time("1.5ms"), Ok(Quantity::Nanoseconds(1_500_000)));
        for word in [
            "2.5us",
            "2.5\u{b5}s",
            "2.500\u{3bc}s",
            "2500ns",
            "0.000_002_5s",
        ] {
            assert_eq!(time(word), Ok(Quantity::Nanoseconds(2500)), "{word}");
        }
        assert_eq!(time("1.5ns"), Err(EXPECTED_COARSER));
        assert_eq!(
            time("1.50000000s"),
            Ok(Quantity::Nanoseconds(1_500_000_000))
        );
        assert_eq!(time("1.5.5s"), Err(EXPECTED_NUMBER));
        assert_eq!(time(".5s"), Err(EXPECTED_NUMBER));
        assert!(time("18446744074s").is_err());
        assert!(time("0x10s").is_err());
    }
}
