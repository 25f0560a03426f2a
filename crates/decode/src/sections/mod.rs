//! Formats whose units are a header and sections, the last one with a checksum: the
//! containers of context-switch logs, and the packets of ThreadX traces.

mod ends;
mod framer;

pub(crate) use ends::{ends, is_sequence};
pub(crate) use framer::{CompleteContainer, ContainerFramer};

use memchr::memmem;
use rtoscope_wire::cswitch::{ORDER_MARK, SECTION_HEADER_BYTES, SectionHeader, SectionTag};
use rtoscope_wire::{ByteOrder, Word};
use std::fmt::Debug;
use std::ops::Range;

/// The header of a kind of container. A container is such a header, followed by sections.
pub(crate) trait ContainerHeader: Copy + Debug {
    /// The first four bytes. The byte-order mark follows.
    const MAGIC: [u8; 4];
    /// Length of the header.
    const BYTES: usize;

    /// Reads the header at the start of `bytes`; `None` if it is invalid, or of a version
    /// that this program does not know.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// The byte order of the container.
    fn order(self) -> ByteOrder;

    /// Whether a section's length is plausible; `None` if more of its content is needed. A
    /// damaged length would swallow the following containers.
    fn is_plausible(self, section: SectionHeader, content: &[u8]) -> Option<bool>;

    /// Whether the content of the last section is the checksum of the bytes before it.
    fn is_checksum(self, content: &[u8], bytes: &[u8]) -> bool {
        u32::read(content, self.order()) == Some(crc32fast::hash(bytes))
    }
}

/// Bytes that identify the start of a container: its magic and its byte-order mark.
pub(crate) const SIGNATURE_BYTES: usize = 8;

/// Maximum size of a section with a length of its own choice: a longer one has a damaged
/// length.
pub(crate) const MAX_SECTION_BYTES: u64 = 1 << 20;

/// Finds the start of a container by its magic and its byte-order mark.
pub(crate) fn find<H: ContainerHeader>(bytes: &[u8]) -> Option<usize> {
    let mut found = memmem::find_iter(bytes, &H::MAGIC);
    found.find(|at| bytes.get(*at..).is_some_and(starts::<H>))
}

/// Whether `bytes` start with a container.
pub(crate) fn starts<H: ContainerHeader>(bytes: &[u8]) -> bool {
    let mark = bytes
        .strip_prefix(&H::MAGIC)
        .and_then(|following| following.get(..4));
    mark.is_some_and(|mark| mark == ORDER_MARK.to_le_bytes() || mark == ORDER_MARK.to_be_bytes())
}

/// Bytes at the end of `bytes` that may be the start of a container's signature.
pub(crate) fn partial_signature<H: ContainerHeader>(bytes: &[u8]) -> usize {
    let may_start = |length: &usize| {
        let tail = bytes.get(bytes.len() - length..).unwrap_or_default();
        let magic = tail.len().min(H::MAGIC.len());
        tail.get(..magic) == H::MAGIC.get(..magic)
    };
    let max = bytes.len().min(SIGNATURE_BYTES - 1);
    (1..=max).rev().find(may_start).unwrap_or_default()
}

/// The complete sections of a container up to its end: the tag of each, and the range of its
/// content.
pub(crate) fn sections<H: ContainerHeader>(
    bytes: &[u8],
    order: ByteOrder,
) -> impl Iterator<Item = (SectionTag, Range<usize>)> {
    let mut next = Some(H::BYTES);
    std::iter::from_fn(move || {
        let header = next.take()?;
        let section = SectionHeader::read(bytes.get(header..)?, order).ok()?;
        let start = header.checked_add(SECTION_HEADER_BYTES)?;
        let end = start.checked_add(usize::try_from(section.length).ok()?)?;
        next = (section.tag != SectionTag::END).then_some(end);
        (end <= bytes.len()).then_some((section.tag, start..end))
    })
}
