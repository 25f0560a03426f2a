//! Bytes in base64, as a mail or a console log contains them.

use super::{Container, is_text, text_container};
use rtoscope_trace::text::{self, TextLine};

/// Number of bytes at the start that must be text.
const SAMPLE_BYTES: usize = 4096;
/// Minimum number of characters of a line that decides.
const MIN_LINE: usize = 40;
/// A hex dump may have fewer damaged digits than this.
const MIN_OTHER_DIGITS: usize = 16;
/// Characters of a group of three bytes.
const GROUP: usize = 4;

/// Whether most of a text is lines of base64.
pub(super) fn detect(bytes: &[u8]) -> bool {
    let text = text::strip_bom(bytes);
    let sample = text.get(..SAMPLE_BYTES).unwrap_or(text);
    if !sample.iter().all(|byte| is_text(*byte)) {
        return false;
    }
    let first = first_line(bytes).filter(|_| text_container(bytes) == Container::HexText);
    let Some(width) = first.map(|line| line.last_word().len()) else {
        return false;
    };
    let is_data = |line: &TextLine<'_>| is_line(line.last_word(), width);
    let data = text::lines(bytes).filter(is_data);
    let (mut characters, mut other) = (0, 0);
    for line in data {
        let word = line.last_word();
        characters += line.text.len();
        other += word.iter().filter(|byte| !byte.is_ascii_hexdigit()).count();
    }
    characters * 2 >= bytes.len() && other >= MIN_OTHER_DIGITS
}

/// What the text decodes to at most.
pub(super) fn max_decoded_bytes(bytes: &[u8]) -> usize {
    bytes.len() / GROUP * 3
}

/// Adds the bytes of all lines to an empty vector. The error is the line that breaks the
/// sequence.
pub(super) fn decode(bytes: &[u8], mut decoded: Vec<u8>) -> Result<Vec<u8>, TextLine<'_>> {
    let width = first_line(bytes).map_or(0, |line| line.last_word().len());
    let mut other = None;
    let mut has_ended = false;
    for line in text::lines(bytes) {
        let word = line.last_word();
        let is_started = !decoded.is_empty();
        let is_full = is_line(word, width);
        let is_last = is_started && !has_ended && word.len() < width && is_line(word, word.len());
        if !(is_full || is_last) {
            other = other.or(Some(line).filter(|_| is_started));
            has_ended |= is_started;
            continue;
        }
        if has_ended {
            return Err(other.unwrap_or(line));
        }
        has_ended = !is_full || word.ends_with(b"=");
        decode_line(word, &mut decoded);
    }
    Ok(decoded)
}

/// The first line of data, if the text starts with lines.
fn first_line(bytes: &[u8]) -> Option<TextLine<'_>> {
    /// Lines that may precede the data.
    const MAX_OTHER_LINES: usize = 64;
    let is_readable = |line: &TextLine<'_>| line.text.iter().all(|byte| is_text(*byte));
    let start = text::lines(bytes)
        .take(MAX_OTHER_LINES)
        .take_while(is_readable);
    let mut long = start.filter(|line| line.last_word().len() >= MIN_LINE);
    long.find(|line| is_line(line.last_word(), line.last_word().len()))
}

fn is_line(word: &[u8], width: usize) -> bool {
    let digits = word.strip_suffix(b"==").or(word.strip_suffix(b"="));
    let digits = digits.unwrap_or(word);
    word.len() == width
        && width > 0
        && width.is_multiple_of(GROUP)
        && digits.iter().all(|byte| digit(*byte).is_some())
}

fn decode_line(word: &[u8], to: &mut Vec<u8>) {
    for group in word.chunks(GROUP) {
        let digits = group.iter().map_while(|byte| digit(*byte));
        let (count, value) = digits.fold((0, 0_u32), |(count, value), digit| {
            (count + 1, value << 6 | u32::from(digit))
        });
        let missing = GROUP.saturating_sub(count);
        let bytes = (value << (6 * missing)).to_be_bytes();
        to.extend(bytes.iter().skip(1).take(count.saturating_sub(1)));
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "QlRYVP////8AAABgMAAAYAAAIAAAAwBgAAMAYMAVAGAA";

    #[test]
    fn lines_may_have_other_text_around_them() {
        let text = format!("$ base64 trace\n{LINE}\n[10:20] {LINE}\nAwA=\n$ \n");
        assert!(detect(text.as_bytes()));
        let found = decode(text.as_bytes(), Vec::new()).unwrap();
        assert_eq!(found.len(), 33 + 33 + 2);
        assert!(found.starts_with(b"BTXT\xFF\xFF\xFF\xFF\0\0\0\x60"));
        assert!(found.ends_with(&[3, 0]));
    }

    #[test]
    fn a_line_that_breaks_the_sequence_is_named() {
        let text = format!("{LINE}\nnoise\n{LINE}\n");
        assert_eq!(decode(text.as_bytes(), Vec::new()).unwrap_err().number, 2);
        let text = format!("{LINE}\nAAAA\n{LINE}\n");
        assert_eq!(decode(text.as_bytes(), Vec::new()).unwrap_err().number, 3);
    }

    #[test]
    fn hex_digits_are_no_base64() {
        let digits = "42545854ffffffff0000006030000060000020000003006000030060\n".repeat(8);
        assert!(!detect(digits.as_bytes()));
        assert!(!detect(digits.replacen('0', "z", 5).as_bytes()));
        assert!(!detect(
            b"a letter of some words, and none is long enough to be data\n"
        ));
    }
}
