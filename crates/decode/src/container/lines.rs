/// A line of text without surrounding white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine<'a> {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Offset of its text from the start of the input, in bytes.
    pub(crate) offset: u64,
    /// The text.
    pub(crate) text: &'a [u8],
}

/// The non-blank lines of `bytes`.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = TextLine<'_>> {
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
pub(super) fn count(bytes: &[u8]) -> u64 {
    let ends = memchr::memchr_iter(b'\n', bytes).count() as u64;
    ends + u64::from(!bytes.is_empty() && !bytes.ends_with(b"\n"))
}

/// The text after a UTF-8 byte-order mark, if there is one.
pub(super) fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
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
}
