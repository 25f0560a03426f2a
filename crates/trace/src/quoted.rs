//! Names in quotes, as the languages of filters and of specs write them.

use crate::Name;
use std::fmt;
use std::ops::Range;

/// What is expected in place of an invalid escape.
pub const EXPECTED_ESCAPE: &str = r#"one of the escapes \\ \" \' \t \r \n \xNN"#;

/// A name in quotes. The escapes are those with which [`Name`] is displayed, and
/// one for the quotes.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'n>(pub &'n Name);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.to_string().replace('"', "\\\""))
    }
}

/// The content of a quoted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedText {
    /// Without quotes and escapes.
    pub bytes: Vec<u8>,
    /// Bytes in the source, including quotes and escapes.
    pub source_len: usize,
}

/// Why a quoted text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuotedTextError {
    /// The closing quote is missing.
    #[error("expected a closing {quote}")]
    Unterminated {
        /// The opening quote.
        quote: char,
    },
    /// These bytes of the source are not an escape; see [`EXPECTED_ESCAPE`].
    #[error("expected {EXPECTED_ESCAPE}")]
    InvalidEscape(Range<usize>),
}

impl QuotedText {
    /// Reads the quoted text at the start of a source text; `None` if that does
    /// not begin with `"` or `'`.
    pub fn read(source: &str) -> Result<Option<Self>, QuotedTextError> {
        let Some(quote @ ('"' | '\'')) = source.chars().next() else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let mut at = quote.len_utf8();
        loop {
            let rest = source.get(at..).unwrap_or_default();
            let Some(letter) = rest.chars().next() else {
                return Err(QuotedTextError::Unterminated { quote });
            };
            if letter == '\\' {
                let Some((byte, length)) = unescape(rest) else {
                    let length: usize = rest.chars().take(2).map(char::len_utf8).sum();
                    return Err(QuotedTextError::InvalidEscape(at..at + length));
                };
                bytes.push(byte);
                at += length;
                continue;
            }
            at += letter.len_utf8();
            if letter == quote {
                return Ok(Some(Self {
                    bytes,
                    source_len: at,
                }));
            }
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

/// The byte that the escape at the start of a text stands for, and the length
/// of the escape.
fn unescape(text: &str) -> Option<(u8, usize)> {
    Some(match text.chars().nth(1)? {
        '\\' => (b'\\', 2),
        '"' => (b'"', 2),
        '\'' => (b'\'', 2),
        't' => (b'\t', 2),
        'r' => (b'\r', 2),
        'n' => (b'\n', 2),
        'x' => {
            let digits = text.get(2..4)?;
            // `from_str_radix` also takes a sign.
            let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            (u8::from_str_radix(digits, 16).ok().filter(|_| plain)?, 4)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn faults_have_positions() {
        let fault = |source| QuotedText::read(source).unwrap_err();
        assert_eq!(fault("'abc"), QuotedTextError::Unterminated { quote: '\'' });
        for (source, range) in [
            ("'a\\q'", 2..4),
            ("'\\x+1'", 1..3),
            ("'\\xä'", 1..3),
            ("'\\ä'", 1..4),
            ("'\\", 1..2),
        ] {
            assert_eq!(
                fault(source),
                QuotedTextError::InvalidEscape(range),
                "{source}"
            );
        }
        assert_eq!(QuotedText::read("abc"), Ok(None));
        assert_eq!(QuotedText::read(""), Ok(None));
    }

    proptest! {
        #[test]
        fn every_displayed_name_can_be_read(bytes: Vec<u8>, after: String) {
            let name = Name::new(&bytes);
            let quoted = Quoted(&name).to_string();
            let read = QuotedText::read(&(quoted.clone() + &after)).unwrap().unwrap();
            prop_assert_eq!(read.bytes, name.as_bytes());
            prop_assert_eq!(read.source_len, quoted.len());
        }
    }
}
