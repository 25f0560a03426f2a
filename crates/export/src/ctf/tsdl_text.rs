//! Names and texts in TSDL.

use crate::signals::UniqueNames;
use rtoscope_trace::Name;
use std::fmt::Write as _;

/// The unique identifiers of a scope.
///
/// All start with an underscore, which readers remove: without it, a name could be
/// a keyword.
#[derive(Debug)]
pub(super) struct IdentifierScope(UniqueNames);

impl Default for IdentifierScope {
    fn default() -> Self {
        let mut taken = UniqueNames::default();
        // An underscore alone is no identifier.
        taken.make_unique("_".to_owned(), numbered);
        Self(taken)
    }
}

fn numbered(stem: &str, number: u64) -> String {
    format!("{stem}_{number}")
}

impl IdentifierScope {
    /// Creates a unique identifier from a name: invalid characters become
    /// underscores, and duplicates get a number.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let plain = |letter: char| match letter {
            _ if letter.is_ascii_alphanumeric() => letter,
            _ => '_',
        };
        let mut identifier = "_".to_owned();
        identifier.extend(name.chars().map(plain));
        self.0.make_unique(identifier, numbered)
    }
}

/// Quotes a text. Unprintable characters are escaped as in [`Name`], unless they
/// are already.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => {
                let name = Name::new(letter.encode_utf8(&mut [0; 4]).as_bytes());
                for letter in name.to_string().chars() {
                    quoted.extend((letter == '\\').then_some('\\'));
                    quoted.push(letter);
                }
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Appends a text from the target, escaped as by [`Name`], and a terminating NUL.
pub(super) fn append_text(to: &mut Vec<u8>, text: &[u8]) {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
    if text.iter().all(plain) {
        to.extend_from_slice(text);
    } else {
        let mut shown = String::new();
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "{}", Name::new(text));
        to.extend_from_slice(shown.as_bytes());
    }
    to.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn names_become_unique_identifiers() {
        let mut identifiers = IdentifierScope::default();
        let mut give = |name| identifiers.unique(name);
        assert_eq!(give("queue"), "_queue");
        assert_eq!(give("a b"), "_a_b");
        assert_eq!(give("a_b"), "_a_b_2");
        assert_eq!(give("a_b_2"), "_a_b_2_2");
        assert_eq!(give("a-b"), "_a_b_3");
        assert_eq!(give(""), "__2");
        assert_eq!(give("größe"), "_gr__e");
        assert_eq!(give("struct"), "_struct");
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(quoted("a\"b\\x1b"), r#""a\"b\\x1b""#);
        assert_eq!(quoted("a\nb\u{1}"), r#""a\\nb\\x01""#);
        let mut bytes = Vec::new();
        append_text(&mut bytes, b"plain \"text\"");
        append_text(&mut bytes, b"a\\b\xFF\n");
        assert_eq!(bytes, b"plain \"text\"\0a\\\\b\\xff\\n\0");
    }

    proptest! {
        #[test]
        fn identifiers_are_valid_and_unique(names in proptest::collection::vec(".{0,4}", 0..30)) {
            let mut identifiers = IdentifierScope::default();
            let given: Vec<_> = names.iter().map(|name| identifiers.unique(name)).collect();
            for identifier in &given {
                let plain = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
                prop_assert!(identifier.len() > 1 && identifier.bytes().all(plain));
            }
            let distinct: HashSet<_> = given.iter().collect();
            prop_assert_eq!(distinct.len(), names.len());
        }
    }
}
