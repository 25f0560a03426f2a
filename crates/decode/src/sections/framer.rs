//! Extracts complete containers from bytes that arrive in arbitrary chunks.

use super::{ContainerHeader, find, partial_signature};
use rtoscope_wire::cswitch::{SECTION_HEADER_BYTES, SectionHeader, SectionTag};

/// Finds the containers in a stream.
#[derive(Debug)]
pub(crate) struct ContainerFramer<H> {
    buffer: Vec<u8>,
    /// The start of the current container in the buffer.
    container_start: usize,
    /// Bytes of the container that are valid so far; 0 before its start is
    /// found.
    checked_bytes: usize,
    header: Option<H>,
    /// Bytes of the recording before the buffer.
    offset: u64,
    /// The end of the last rejected container, and the number of retries before
    /// it.
    rejected_end: usize,
    retries: u32,
    pub(crate) damaged: u64,
    pub(crate) damaged_bytes: u64,
}

/// A complete container with a valid checksum.
pub(crate) struct CompleteContainer<'c> {
    pub(crate) bytes: &'c [u8],
    /// Its offset in the recording.
    pub(crate) offset: u64,
}

/// The state of the buffered bytes.
enum ScanResult {
    /// The start of a container, or nothing: more bytes are needed.
    Incomplete,
    /// A complete container of this size.
    Complete(usize),
    /// Not a container.
    Damaged,
}

/// Maximum size of a container.
const MAX_CONTAINER_BYTES: usize = 64 << 20;
/// Maximum number of places inside a rejected container to search for another
/// one.
const MAX_RETRIES: u32 = 64;

impl<H: ContainerHeader> ContainerFramer<H> {
    /// Creates a framer at an offset of a recording.
    pub(crate) fn new(offset: u64) -> Self {
        Self {
            buffer: Vec::new(),
            container_start: 0,
            checked_bytes: 0,
            header: None,
            offset,
            rejected_end: 0,
            retries: 0,
            damaged: 0,
            damaged_bytes: 0,
        }
    }

    /// Appends the next bytes. The caller must have taken all earlier
    /// containers.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.container_start);
        self.offset = self.offset.saturating_add(self.container_start as u64);
        self.rejected_end = self.rejected_end.saturating_sub(self.container_start);
        self.container_start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next container.
    pub(crate) fn next(&mut self) -> Option<CompleteContainer<'_>> {
        loop {
            match self.scan() {
                ScanResult::Incomplete => return None,
                ScanResult::Damaged => self.reject_container(),
                ScanResult::Complete(length) => {
                    let start = self.container_start;
                    self.container_start = start + length;
                    self.checked_bytes = 0;
                    return Some(CompleteContainer {
                        bytes: self.buffer.get(start..self.container_start)?,
                        offset: self.offset.saturating_add(start as u64),
                    });
                }
            }
        }
    }

    /// Discards an incomplete container.
    pub(crate) fn discard_partial(&mut self) {
        self.damaged += u64::from(self.checked_bytes > 0);
        self.skip_to(self.buffer.len());
        self.checked_bytes = 0;
    }

    fn scan(&mut self) -> ScanResult {
        if self.checked_bytes == 0 && !self.seek_signature() {
            return ScanResult::Incomplete;
        }
        if self.checked_bytes == 0 {
            let Some(start) = self.remaining().get(..H::BYTES) else {
                return ScanResult::Incomplete;
            };
            self.header = H::read(start);
            self.checked_bytes = H::BYTES;
        }
        match self.header {
            Some(header) => self.check_sections(header),
            None => ScanResult::Damaged,
        }
    }

    /// Advances to the start of a container; keeps a possible partial
    /// signature.
    fn seek_signature(&mut self) -> bool {
        let rest = self.remaining();
        let place = find::<H>(rest);
        let end = place.unwrap_or_else(|| rest.len() - partial_signature::<H>(rest));
        self.skip_to(self.container_start + end);
        place.is_some()
    }

    /// Validates the sections of a container.
    fn check_sections(&mut self, header: H) -> ScanResult {
        loop {
            let rest = self
                .remaining()
                .get(self.checked_bytes..)
                .unwrap_or_default();
            let Ok(section) = SectionHeader::read(rest, header.order()) else {
                return ScanResult::Incomplete;
            };
            let content = rest.get(SECTION_HEADER_BYTES..).unwrap_or_default();
            let Some(fits) = header.is_plausible(section, content) else {
                return ScanResult::Incomplete;
            };
            let length = usize::try_from(section.length).unwrap_or(usize::MAX);
            let end = (self.checked_bytes + SECTION_HEADER_BYTES).saturating_add(length);
            if !fits || end > MAX_CONTAINER_BYTES {
                return ScanResult::Damaged;
            }
            let Some(content) = content.get(..length) else {
                return ScanResult::Incomplete;
            };
            if section.tag == SectionTag::END {
                let summed = self
                    .remaining()
                    .get(..self.checked_bytes + SECTION_HEADER_BYTES);
                let is_right = header.is_checksum(content, summed.unwrap_or_default());
                self.checked_bytes = end;
                return match is_right {
                    true => ScanResult::Complete(end),
                    false => ScanResult::Damaged,
                };
            }
            self.checked_bytes = end;
        }
    }

    /// Rejects the current container. Another one may begin within it, because
    /// bytes may have been lost. The number of retries is limited, because each
    /// one reads the container again.
    fn reject_container(&mut self) {
        self.damaged += 1;
        if self.container_start >= self.rejected_end {
            self.retries = 0;
        }
        self.retries += 1;
        self.rejected_end = self
            .rejected_end
            .max(self.container_start + self.checked_bytes);
        self.skip_to(match self.retries {
            ..=MAX_RETRIES => self.container_start + 1,
            _ => self.rejected_end,
        });
        self.checked_bytes = 0;
    }

    fn skip_to(&mut self, to: usize) {
        let to = to.min(self.buffer.len());
        self.damaged_bytes += to.saturating_sub(self.container_start) as u64;
        self.container_start = to;
    }

    fn remaining(&self) -> &[u8] {
        self.buffer.get(self.container_start..).unwrap_or_default()
    }
}
