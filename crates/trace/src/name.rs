//! Names as the target wrote them.

use crate::printable::{write_bytes, write_character};
use std::fmt;
use std::sync::Arc;

/// A name of arbitrary bytes. Display escapes everything that is not printable
/// text, so that no name can forge a line or a terminal command. A copy shares the bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(Arc<[u8]>);

impl Name {
    /// Creates a name of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The bytes that the target wrote.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Name {
    /// Printable UTF-8 as it is; a backslash as `\\`; tab, return and line feed
    /// as `\t`, `\r`, `\n`; other bytes and unprintable characters as `\xNN`
    /// per byte, so that the original bytes can be recovered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all names are plain: a single write is several times faster.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
        if let Ok(name) = std::str::from_utf8(&self.0)
            && self.0.iter().all(is_plain)
        {
            return f.write_str(name);
        }
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '\\' => f.write_str("\\\\")?,
                    other => write_character(f, other)?,
                }
            }
            write_bytes(f, chunk.invalid())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unescape(shown: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = shown.as_bytes();
        while let Some((first, tail)) = rest.split_first() {
            rest = match (first, tail) {
                (b'\\', [b'x', high, low, tail @ ..]) => {
                    let digits = [*high, *low];
                    let digits = std::str::from_utf8(&digits).unwrap();
                    bytes.push(u8::from_str_radix(digits, 16).unwrap());
                    tail
                }
                (b'\\', [letter, tail @ ..]) => {
                    bytes.push(match letter {
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'n' => b'\n',
                        other => *other,
                    });
                    tail
                }
                _ => {
                    bytes.push(*first);
                    tail
                }
            };
        }
        bytes
    }

    proptest! {
        #[test]
        fn display_is_printable_and_reversible(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let shown = Name::new(&bytes).to_string();
            prop_assert!(!shown.chars().any(char::is_control));
            prop_assert_eq!(unescape(&shown), bytes);
        }
    }

    #[test]
    fn printable_text_is_unchanged() {
        let shown = |bytes: &[u8]| Name::new(bytes).to_string();
        assert_eq!(shown("Über-日本".as_bytes()), "Über-日本");
        assert_eq!(shown(b"caf\xE9 latin1"), "caf\\xe9 latin1");
        assert_eq!(shown(b"\x1b[31mred"), "\\x1b[31mred");
        assert_eq!(shown(b"quote\"comma,"), "quote\"comma,");
        assert_eq!(shown("\u{202e}".as_bytes()), "\\xe2\\x80\\xae");
    }
}
