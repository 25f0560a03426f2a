//! Files that contain other files, or that need another program.

/// The kind of an archive or a compressed file that is not unpacked, with its article.
pub(super) fn detect(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"PK\x03\x04", "a ZIP archive"),
        (b"PK\x05\x06", "an empty ZIP archive"),
        (b"\xFD7zXZ\x00", "a file compressed with xz"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
        (b"Rar!\x1A\x07", "a RAR archive"),
        (b"\x04\x22\x4D\x18", "a file compressed with lz4"),
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG\r\n\x1A\n", "a picture"),
    ];
    let known = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic));
    known
        .map(|(_, name)| *name)
        .or_else(|| is_bzip2(bytes).then_some("a file compressed with bzip2"))
}

/// The level and the start of the first block, or of the end, follow the id.
fn is_bzip2(bytes: &[u8]) -> bool {
    let Some([b'B', b'Z', b'h', b'1'..=b'9', block @ ..]) = bytes.first_chunk::<10>() else {
        return false;
    };
    *block == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59] || *block == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named() {
        assert_eq!(detect(b"PK\x03\x04\x14\0"), Some("a ZIP archive"));
        assert_eq!(detect(b"\xFD7zXZ\0\0"), Some("a file compressed with xz"));
        let bzip2 = b"BZh91AY&SY\x01";
        assert_eq!(detect(bzip2), Some("a file compressed with bzip2"));
        assert_eq!(detect(b"BZh9 is text"), None);
        assert_eq!(detect(b"BTXT"), None);
    }
}
