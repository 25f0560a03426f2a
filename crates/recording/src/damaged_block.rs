//! Bytes that changed since they were recorded.

use std::fmt;

/// A block of bytes that does not match its checksum: they were changed, or the file system
/// lost them when the power failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DamagedBlock {
    /// The number of its segment.
    pub segment: u64,
    /// Offset in the file of the segment.
    pub file_offset: u64,
    /// Offset in the recording.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl DamagedBlock {
    /// Adds it to those before it, and joins it with the last one if it follows that in the same
    /// segment.
    pub fn add_to(self, blocks: &mut Vec<Self>) {
        match blocks.last_mut() {
            Some(last)
                if last.segment == self.segment && last.offset + last.bytes == self.offset =>
            {
                last.bytes += self.bytes;
            }
            _ => blocks.push(self),
        }
    }
}

impl fmt::Display for DamagedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            segment,
            file_offset,
            bytes,
            ..
        } = self;
        write!(
            f,
            "{segment:06}.bin: {bytes} bytes from offset {file_offset} on do not match their \
             checksums: they changed after they were recorded, and their events may be wrong"
        )
    }
}
