//! Checksums of a recording's files.

use crc32fast::Hasher;

/// The CRC-32 of all parts, one after the other.
pub(crate) fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}
