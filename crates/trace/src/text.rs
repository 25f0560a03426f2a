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

/// The non-blank lines of `bytes`.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = TextLine<'_>> {
    let text = strip_bom(bytes);
    let mut start = bytes.len() - text.len();
    let all = text.split_inclusive(|&byte| byte == b'\n').zip(1..);
    all.filter_map(move |(whole, number)| {
        let text = whole.trim_ascii_start();
        let offset = start + (whole.len() - text.len());
        start += whole.len();
        let text = text.trim_ascii_end();
        let offset = offset as u64;
        (!text.is_empty()).then_some(TextLine {
            number,
            offset,
            text,
        })
    })
}

/// The number of lines, including blank ones.
pub fn count(bytes: &[u8]) -> u64 {
    bytes.split_inclusive(|&byte| byte == b'\n').count() as u64
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_where_they_start() {
        let found: Vec<_> = lines(b"\xEF\xBB\xBFab\r\n\r\n  cd \nef").collect();
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
