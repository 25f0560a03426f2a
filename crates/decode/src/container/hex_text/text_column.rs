//! The column of a line that shows its bytes as text.

use std::iter::zip;

/// The orders of bytes in which a text shows those of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextMatch {
    /// In the order of the digits.
    pub(super) as_printed: bool,
    /// In the reverse order within each word.
    pub(super) reversed: bool,
}

impl TextMatch {
    /// Whether the text shows the bytes in any order.
    pub(super) fn any(self) -> bool {
        self.as_printed || self.reversed
    }
}

/// Compares a text, which may be between bars, with bytes in words of `width`.
pub(super) fn matches(text: &[u8], bytes: &[u8], width: usize) -> TextMatch {
    let mut reversed = bytes.to_vec();
    let words = reversed.chunks_mut(width.max(1));
    words.for_each(<[u8]>::reverse);
    let barred = match text.trim_ascii() {
        [b'|' | b'>', inner @ .., b'|' | b'<'] => Some(inner),
        _ => None,
    };
    let shows = |bytes: &[u8]| match barred {
        // All bytes are between them, or they are bytes themselves.
        Some(inner) => {
            let count = characters(inner).count();
            (count >= bytes.len() && is_shown(inner, bytes))
                || (count + 2 == bytes.len() && is_shown(text, bytes))
        }
        None => is_shown(text, bytes),
    };
    TextMatch {
        as_printed: shows(bytes),
        reversed: shows(&reversed),
    }
}

fn is_shown(text: &[u8], bytes: &[u8]) -> bool {
    let shown: Vec<u8> = characters(text).collect();
    let aligned = |shown: &[u8]| {
        bytes
            .split_at_checked(shown.len())
            .is_some_and(|(start, rest)| {
                zip(shown, start).all(|(shown, byte)| is_character(*shown, *byte))
                    && rest.iter().all(|byte| is_character(b' ', *byte))
            })
    };
    // Blanks at the ends of the text are indistinguishable from those around it.
    let trimmed = trim_spaces(&shown);
    let expected = trim_spaces(bytes);
    let fits = trimmed.len() == expected.len()
        && zip(trimmed, expected).all(|(shown, byte)| is_character(*shown, *byte));
    fits || aligned(&shown) || without_middle_blanks(&shown).is_some_and(|shown| aligned(&shown))
}

/// Whether a tool may print a byte as a character.
fn is_character(shown: u8, byte: u8) -> bool {
    match shown {
        b'.' | b' ' | b'?' => shown == byte || !byte.is_ascii_graphic() || shown == b'.',
        // Tools print control characters differently, but not as letters and digits.
        _ if byte.is_ascii_graphic() || byte == b' ' => shown == byte || !shown.is_ascii(),
        _ => !shown.is_ascii_alphanumeric(),
    }
}

/// The characters of a text in UTF-8 or a code page of single bytes.
fn characters(text: &[u8]) -> impl Iterator<Item = u8> {
    text.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars();
        let valid = valid.map(|each| u8::try_from(each).unwrap_or(u8::MAX));
        valid.chain(chunk.invalid().iter().copied())
    })
}

/// Removes the blank that some tools print in the middle, after every 8 characters.
fn without_middle_blanks(shown: &[u8]) -> Option<Vec<u8>> {
    const GROUP: usize = 8;
    let mut groups = shown.chunks(GROUP + 1);
    let blank = |group: &[u8]| group.get(GROUP).is_none_or(|byte| *byte == b' ');
    groups.all(blank).then(|| {
        let groups = shown.chunks(GROUP + 1);
        let kept = groups.flat_map(|group| group.get(..GROUP).unwrap_or(group));
        kept.copied().collect()
    })
}

fn trim_spaces(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(text: &[u8], bytes: &[u8], width: usize) -> (bool, bool) {
        let found = matches(text, bytes, width);
        (found.as_printed, found.reversed)
    }

    #[test]
    fn the_text_shows_the_order_of_the_bytes() {
        assert_eq!(orders(b"BTXT..", b"BTXT\xFF\xFF", 1), (true, true));
        assert_eq!(orders(b"BTXT", b"TXTB", 4), (false, true));
        assert_eq!(orders(b"|BTXT|", b"BTXT", 4), (true, false));
        assert_eq!(orders(b"T", b"  T ", 1), (true, true));
        assert_eq!(orders(b"|BTXT.... ab|", b"BTXT\0\0\0\0ab", 1), (true, true));
    }

    #[test]
    fn text_of_other_bytes_is_noticed() {
        assert_eq!(orders(b"BTXS", b"BTXT", 1), (false, false));
        assert_eq!(orders(b"BTXT..", &[1; 24], 4), (false, false));
        assert_eq!(orders(b"BT", b"BTXT", 1), (false, false));
    }
}
