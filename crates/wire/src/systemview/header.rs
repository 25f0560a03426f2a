//! What may precede the first packet: the text header of a saved file. It says whether the file has
//! packets of several cores.

/// The line by which OpenOCD marks the stream of two cores.
const TWO_CORES: &[u8] = b"ESP_Extension";

/// The line by which SystemView 3.60 marks where the packets of a core begin.
const CORE_OFFSET: &str = "Offset Core";

/// Maximum number of cores with packets of their own.
pub const MAX_SEPARATE_CORES: usize = 16;

/// A text header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextHeader {
    /// Its length in bytes.
    pub bytes: usize,
    /// Whether ids contain the number of the core: see [`Framing`](super::Framing).
    pub has_cores: bool,
    /// Where the packets of each core begin, from the end of the header; empty if all cores share
    /// the stream.
    pub offsets: [Option<usize>; MAX_SEPARATE_CORES],
}

/// The core and the offset in a line of the header.
fn core_offset(line: &[u8]) -> Option<(usize, usize)> {
    let line = core::str::from_utf8(line.strip_prefix(b";")?).ok()?;
    let rest = line.trim().strip_prefix(CORE_OFFSET)?;
    let (core, offset) = rest.split_once(' ')?;
    Some((core.parse().ok()?, offset.trim().parse().ok()?))
}

impl TextHeader {
    /// Reads the lines at the start of `bytes` that begin with a semicolon. `None` if there is
    /// none, or if the last one has no end yet.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut header = Self {
            bytes: 0,
            has_cores: false,
            offsets: [None; MAX_SEPARATE_CORES],
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
            if let Some((core, offset)) = core_offset(line) {
                if let Some(place) = header.offsets.get_mut(core) {
                    *place = Some(offset);
                }
            }
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
        let header =
            TextHeader::read(b"; Offset Core0 0\n; Offset Core1 12\n; Offset Core99 1\n\0");
        let [first, second, third, ..] = header.unwrap().offsets;
        assert_eq!([first, second, third], [Some(0), Some(12), None]);
        for bytes in [&b""[..], b";", b";\n", b";\n; Version", b"\0;\n\0"] {
            assert_eq!(TextHeader::read(bytes), None);
        }
    }
}
