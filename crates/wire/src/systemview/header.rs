//! What may precede the first packet: the text header of a saved file. Nothing in it is needed to
//! read the packets, except that two cores share the stream.

/// The line by which OpenOCD marks the stream of two cores.
const TWO_CORES: &[u8] = b"ESP_Extension";

/// A text header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextHeader {
    /// Its length in bytes.
    pub bytes: usize,
    /// Whether ids contain the number of the core: see [`Framing`](super::Framing).
    pub has_cores: bool,
}

impl TextHeader {
    /// Reads the lines at the start of `bytes` that begin with a semicolon. `None` if there is
    /// none, or if the last one has no end yet.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut header = Self {
            bytes: 0,
            has_cores: false,
        };
        loop {
            let rest = bytes.get(header.bytes..)?;
            match rest.first() {
                Some(b';') => {}
                Some(_) if header.bytes > 0 => return Some(header),
                _ => return None,
            }
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let line = rest.get(..end)?;
            header.has_cores |= line.windows(TWO_CORES.len()).any(|part| part == TWO_CORES);
            header.bytes += end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_semicolon_are_the_header() {
        let header = TextHeader::read(b";\n; Version 1\n;\n\0\0");
        assert_eq!(header.map(|it| (it.bytes, it.has_cores)), Some((16, false)));
        let header = TextHeader::read(b";\r\n; ESP_Extension\n\0");
        assert_eq!(header.map(|it| (it.bytes, it.has_cores)), Some((19, true)));
        for bytes in [&b""[..], b";", b";\n", b";\n; Version", b"\0;\n\0"] {
            assert_eq!(TextHeader::read(bytes), None);
        }
    }
}
