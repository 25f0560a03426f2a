//! The encoding of the texts that a target wrote.

use crate::diagnostic::pluralise;
use crate::{Diagnostic, DiagnosticKind, Name};
use encoding_rs::{Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use std::borrow::Cow;
use std::str::FromStr;

/// The encoding of texts that are not UTF-8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextEncoding(Option<&'static Encoding>);

/// The encodings to suggest.
const USUAL: [(&str, &Encoding); 4] = [
    ("gbk", GBK),
    ("shift_jis", SHIFT_JIS),
    ("windows-1251", WINDOWS_1251),
    ("latin1", WINDOWS_1252),
];

impl TextEncoding {
    /// The text of these bytes: as UTF-8, or else in the encoding. `None` if they are none.
    pub fn text(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match str::from_utf8(bytes) {
            Ok(text) => Some(text.into()),
            Err(_) => Some(decode(self.0?, bytes)?.into()),
        }
    }

    /// A name of these bytes. Bytes that are no text stay.
    pub fn name(self, bytes: &[u8]) -> Name {
        let text = self.text(bytes);
        Name::new(text.as_ref().map_or(bytes, |text| text.as_bytes()))
    }
}

/// Reports names that are not shown as text.
pub fn unreadable_names<'n>(names: impl IntoIterator<Item = &'n Name>) -> Option<Diagnostic> {
    let names = names.into_iter().map(Name::as_bytes);
    let mut unreadable = names.filter(|name| str::from_utf8(name).is_err());
    let first = unreadable.next()?;
    let count = 1 + unreadable.count() as u64;
    let names = pluralise(count, "name is", "names are");
    let suggested = suggestions(first);
    let first = Name::new(first);
    let message = match suggested.is_empty() {
        true => format!("{names} not UTF-8, first {first}"),
        false => format!(
            "{names} not UTF-8, first {first}: set -O text-encoding ({})",
            suggested.join(", ")
        ),
    };
    Some(Diagnostic::new(DiagnosticKind::NameEncoding, message).with_count(count))
}

/// What a name that is not UTF-8 would be in the usual encodings, e.g. `gbk: 主线`; empty if it
/// is UTF-8.
fn suggestions(bytes: &[u8]) -> Vec<String> {
    if str::from_utf8(bytes).is_ok() {
        return Vec::new();
    }
    let readable = USUAL.iter().filter_map(|(label, encoding)| {
        let text = decode(encoding, bytes)?;
        let name = Name::new(text.as_bytes());
        (!text.chars().any(char::is_control)).then(|| format!("{label}: {name}"))
    });
    readable.collect()
}

fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.into_owned())
}

impl FromStr for TextEncoding {
    type Err = String;

    fn from_str(label: &str) -> Result<Self, Self::Err> {
        match Encoding::for_label(label.as_bytes()) {
            Some(encoding) => Ok(Self(Some(encoding))),
            None => Err(
                "expected a name of the web's encodings, such as gbk, shift_jis, windows-1251 \
                 or latin1"
                    .to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(label: &str, bytes: &[u8]) -> String {
        label
            .parse::<TextEncoding>()
            .unwrap()
            .name(bytes)
            .to_string()
    }

    #[test]
    fn names_are_decoded_unless_they_are_utf8() {
        assert_eq!(shown("gbk", b"\xD6\xF7\xCF\xDF"), "主线");
        assert_eq!(shown("latin1", b"W\xE4chter"), "Wächter");
        assert_eq!(shown("gbk", "Wächter".as_bytes()), "Wächter");
        assert_eq!(shown("gbk", b"a\xFF"), "a\\xff");
        assert!("klingon".parse::<TextEncoding>().is_err());
        assert_eq!(suggestions(b"main"), [""; 0]);
        assert!(suggestions(b"W\xE4chter").contains(&"latin1: Wächter".to_owned()));
    }
}
