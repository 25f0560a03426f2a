//! Text of files, as diagnostics number it.

/// A line of text without surrounding white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// Counted from 1.
    pub number: u64,
    /// Offset of its text from the start of the input, in bytes.
    pub offset: u64,
    /// The text.
    pub text: &'a [u8],
}

impl<'a> TextLine<'a> {
    /// The text after the last blank: what a logger prints before it is no part of a record.
    pub fn last_word(&self) -> &'a [u8] {
        let blank = self.text.iter().rposition(u8::is_ascii_whitespace);
        let start = blank.map_or(0, |blank| blank + 1);
        self.text.get(start..).unwrap_or_default()
    }
}

/// The non-blank lines of `bytes`. They end with LF, CR or both.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = TextLine<'_>> {
    let mut rest = strip_bom(bytes);
    let all = std::iter::from_fn(move || {
        let offset = bytes.len() - rest.len();
        next_line(&mut rest).map(|line| (offset, line))
    });
    all.zip(1..).filter_map(|((start, whole), number)| {
        let text = whole.trim_ascii_start();
        let offset = (start + (whole.len() - text.len())) as u64;
        let text = text.trim_ascii_end();
        (!text.is_empty()).then_some(TextLine {
            number,
            offset,
            text,
        })
    })
}

/// The number of lines, including blank ones.
pub fn count(mut bytes: &[u8]) -> u64 {
    std::iter::from_fn(|| next_line(&mut bytes)).count() as u64
}

fn next_line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    if rest.is_empty() {
        return None;
    }
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let (line, after) = rest.split_at(end);
    *rest = match after {
        [b'\r', b'\n', after @ ..] | [_, after @ ..] => after,
        [] => after,
    };
    Some(line)
}

/// The text after a UTF-8 byte-order mark, if there is one.
pub fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Parses up to 16 hex digits as a number.
pub fn parse_hex(digits: &[u8]) -> Option<u64> {
    let is_number = digits.len() <= 16 && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(digits, 16).ok()
}

/// Whether a line contains too few digits to be a damaged record.
pub fn is_other_text(text: &[u8]) -> bool {
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    text.iter().filter(is_digit).count() * 2 < text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_where_they_start() {
        let found: Vec<_> = lines(b"\xEF\xBB\xBFab\r\n\r\n  cd \ref").collect();
        let places: Vec<_> = found
            .iter()
            .map(|each| (each.number, each.offset))
            .collect();
        assert_eq!(places, [(1, 3), (3, 11), (4, 15)]);
        let texts: Vec<_> = found.iter().map(|each| each.text).collect();
        assert_eq!(texts, [b"ab", b"cd", b"ef"]);
    }

    #[test]
    fn the_last_line_counts_without_its_end() {
        assert_eq!(count(b""), 0);
        assert_eq!(count(b"a\n\n"), 2);
        assert_eq!(count(b"a\nb"), 2);
    }

    #[test]
    fn numbers_have_at_most_sixteen_digits() {
        assert_eq!(parse_hex(b"ffffffffffffffff"), Some(u64::MAX));
        assert_eq!(parse_hex(b"10000000000000000"), None);
        assert_eq!(parse_hex(b""), None);
        for signed in [b"-1", b"+1"] {
            assert_eq!(parse_hex(signed), None);
        }
    }
}
