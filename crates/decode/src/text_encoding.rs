//! The encoding of the texts that a target wrote.

use encoding_rs::{Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use rtoscope_trace::Name;
use std::str::FromStr;

/// The encoding of names that are not UTF-8.
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
    /// A name of these bytes. Bytes that are UTF-8, or no text in the encoding, stay.
    pub(crate) fn name(self, bytes: &[u8]) -> Name {
        let decoded = self
            .0
            .filter(|_| str::from_utf8(bytes).is_err())
            .and_then(|encoding| decode(encoding, bytes));
        decoded.map_or_else(|| Name::new(bytes), |text| Name::new(text.as_bytes()))
    }
}

/// What a name that is not UTF-8 would be in the usual encodings, e.g. `gbk: 主线`; empty if it
/// is UTF-8.
pub(crate) fn suggestions(bytes: &[u8]) -> Vec<String> {
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
