use std::fmt;

/// An error in a sequence of hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DigitsError {
    /// A character is not a hex digit.
    NotADigit { column: usize, found: u8 },
    /// The last byte has only one digit.
    Odd { digits: usize },
}

impl fmt::Display for DigitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotADigit { column, found } => write!(
                f,
                "'{}' at column {column} is not a hex digit",
                found.escape_ascii()
            ),
            Self::Odd { digits } => {
                write!(f, "{digits} hex digits are not a whole number of bytes")
            }
        }
    }
}

/// The value of a hex digit.
pub(super) fn digit_value(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        b'A'..=b'F' => Some(character - b'A' + 10),
        _ => None,
    }
}

/// Parses pairs of hex digits and appends the bytes to `to`; `column` is the
/// column of the first digit, counted from 1.
pub(super) fn parse_bytes(text: &[u8], column: usize, to: &mut Vec<u8>) -> Result<(), DigitsError> {
    if let Some(at) = text.iter().position(|&each| digit_value(each).is_none()) {
        return Err(DigitsError::NotADigit {
            column: column + at,
            found: text.get(at).copied().unwrap_or_default(),
        });
    }
    let (pairs, rest) = text.as_chunks::<2>();
    if !rest.is_empty() {
        let digits = text.len();
        return Err(DigitsError::Odd { digits });
    }
    let value = |&[high, low]: &[u8; 2]| Some(digit_value(high)? << 4 | digit_value(low)?);
    to.extend(pairs.iter().filter_map(value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_bytes() {
        let mut found = Vec::new();
        parse_bytes(b"00fFa5", 1, &mut found).unwrap();
        assert_eq!(found, [0x00, 0xFF, 0xA5]);
        let odd = parse_bytes(b"123", 1, &mut found).unwrap_err();
        assert_eq!(
            odd.to_string(),
            "3 hex digits are not a whole number of bytes"
        );
        let wrong = parse_bytes(b"12x4", 5, &mut found).unwrap_err();
        assert_eq!(wrong.to_string(), "'x' at column 7 is not a hex digit");
    }
}
