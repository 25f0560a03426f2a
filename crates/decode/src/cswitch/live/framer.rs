//! Whole containers, cut out of bytes that come in any pieces.

use super::super::cswl_reader;
use flate2::Crc;
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CORE_HISTORY_BYTES, CSWL_HEADER_BYTES, CoreHeader, CswlHeader, MAGIC,
    SECTION_HEADER_BYTES, SYMBOL_FIXED_BYTES, SectionHeader, SectionTag, VERSION,
};

/// Finds the containers in a stream.
#[derive(Debug, Default)]
pub(super) struct ContainerFramer {
    buffer: Vec<u8>,
    /// Where in those the container begins that is being looked at.
    container_start: usize,
    /// How much of it makes sense so far; 0 before its start is found.
    checked_bytes: usize,
    header: Option<CswlHeader>,
    /// Bytes of the recording before those that are held.
    offset: u64,
    /// Where what failed to be a container ended, and what was tried before
    /// that place.
    rejected_end: usize,
    retries: u32,
    pub(super) damaged: u64,
    pub(super) damaged_bytes: u64,
}

/// A container that is whole and has its checksum.
pub(super) struct CompleteContainer<'c> {
    pub(super) bytes: &'c [u8],
    /// Bytes of the recording before it.
    pub(super) offset: u64,
}

/// What the bytes are that are held.
enum ScanResult {
    /// The start of a container, or nothing: more is needed.
    Incomplete,
    /// A container of that many bytes.
    Complete(usize),
    /// None.
    Damaged,
}

/// Bytes of a container at most.
const MAX_CONTAINER_BYTES: usize = 64 << 20;
/// Bytes of a section that is no core's at most: more is a damaged length.
const MAX_SECTION_BYTES: u64 = 1 << 20;
/// Places at which a container is looked for within one that was none.
const MAX_RETRIES: u32 = 64;
/// Bytes that tell where a container may begin.
const SIGNATURE_BYTES: usize = 8;

impl ContainerFramer {
    /// Behind so many bytes of a recording.
    pub(super) fn new(offset: u64) -> Self {
        Self {
            offset,
            ..Self::default()
        }
    }

    /// Takes the next bytes. All containers must have been taken out before.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.container_start);
        self.offset = self.offset.saturating_add(self.container_start as u64);
        self.rejected_end = self.rejected_end.saturating_sub(self.container_start);
        self.container_start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next container.
    pub(super) fn next(&mut self) -> Option<CompleteContainer<'_>> {
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

    /// What was begun is not completed.
    pub(super) fn discard_partial(&mut self) {
        self.damaged += u64::from(self.checked_bytes > 0);
        self.skip_to(self.buffer.len());
        self.checked_bytes = 0;
    }

    fn scan(&mut self) -> ScanResult {
        if self.checked_bytes == 0 && !self.seek_signature() {
            return ScanResult::Incomplete;
        }
        if self.checked_bytes == 0 {
            let Some(start) = self.remaining().get(..CSWL_HEADER_BYTES) else {
                return ScanResult::Incomplete;
            };
            let header = CswlHeader::read(start).ok().flatten();
            self.header = header.filter(|header| header.version <= VERSION);
            self.checked_bytes = CSWL_HEADER_BYTES;
        }
        match self.header {
            Some(header) => self.check_sections(header),
            None => ScanResult::Damaged,
        }
    }

    /// Goes to where a container begins; what may be half a sign is kept.
    fn seek_signature(&mut self) -> bool {
        let place = cswl_reader::find(self.remaining());
        let end = place.unwrap_or_else(|| {
            let rest = self.remaining();
            let tail = rest.len().saturating_sub(SIGNATURE_BYTES - 1);
            let starts = |at: &usize| {
                let sign = rest.get(*at..).unwrap_or_default();
                let magic = sign.len().min(MAGIC.len());
                sign.get(..magic) == MAGIC.get(..magic)
            };
            (tail..rest.len()).find(starts).unwrap_or(rest.len())
        });
        self.skip_to(self.container_start + end);
        place.is_some()
    }

    /// Walks over sections.
    fn check_sections(&mut self, header: CswlHeader) -> ScanResult {
        loop {
            let rest = self
                .remaining()
                .get(self.checked_bytes..)
                .unwrap_or_default();
            let Ok(section) = SectionHeader::read(rest, header.order) else {
                return ScanResult::Incomplete;
            };
            let content = rest.get(SECTION_HEADER_BYTES..).unwrap_or_default();
            let Some(fits) = is_plausible_length(section, content, header) else {
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
                let mut crc = Crc::new();
                let summed = self
                    .remaining()
                    .get(..self.checked_bytes + SECTION_HEADER_BYTES);
                crc.update(summed.unwrap_or_default());
                let is_right = u32::read(content, header.order) == Some(crc.sum());
                self.checked_bytes = end;
                return match is_right {
                    true => ScanResult::Complete(end),
                    false => ScanResult::Damaged,
                };
            }
            self.checked_bytes = end;
        }
    }

    /// Gives up what is no container. One may begin within it, as bytes may have
    /// been lost; that is tried a few times only, as all of it is read again.
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

/// Whether a section's length can be right; `None` if more of it is needed to
/// tell. A damaged length would swallow the containers behind it.
fn is_plausible_length(section: SectionHeader, content: &[u8], header: CswlHeader) -> Option<bool> {
    let length = section.length;
    let holds = |least: usize| length >= least as u64 && length <= MAX_SECTION_BYTES;
    Some(match section.tag {
        SectionTag::CORE => {
            let core = CoreHeader::read(content, header.order).ok()?;
            let size = header.pointer_size.entry_bytes() as u64;
            length == CORE_HEADER_BYTES as u64 + u64::from(core.entries) * size
        }
        SectionTag::PAST => holds(CORE_HISTORY_BYTES),
        SectionTag::NAME => holds(u64::BYTES),
        SectionTag::SYMBOL => holds(SYMBOL_FIXED_BYTES),
        SectionTag::END => length == u32::BYTES as u64,
        SectionTag(other) => holds(0) && other.iter().all(|byte| (b' '..=b'~').contains(byte)),
    })
}
