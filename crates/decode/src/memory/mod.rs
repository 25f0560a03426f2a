//! The bytes of a container, by address.

mod builder;

pub(crate) use builder::MemoryBuilder;

use std::borrow::Cow;

/// Bytes at consecutive addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemorySegment<'a> {
    /// Address of the first byte.
    pub address: u64,
    /// The bytes, at least one.
    pub bytes: Cow<'a, [u8]>,
    /// The offset in the (decompressed) input; `None` if the bytes are not
    /// contiguous there.
    pub offset: Option<u64>,
}

impl MemorySegment<'_> {
    /// The address after the last byte.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes.len() as u64)
    }
}

/// The known memory of a target: segments in order of their addresses, with
/// gaps between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory<'a> {
    segments: Vec<MemorySegment<'a>>,
    has_addresses: bool,
}

impl<'a> Memory<'a> {
    /// Creates memory from an input without addresses: its addresses are file
    /// offsets.
    pub fn from_file_bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = bytes.into();
        let segment = MemorySegment {
            address: 0,
            bytes,
            offset: Some(0),
        };
        let segments = Some(segment).filter(|segment| !segment.bytes.is_empty());
        Self {
            segments: segments.into_iter().collect(),
            has_addresses: false,
        }
    }

    /// The segments, in order of their addresses. Adjacent segments are
    /// separate only if joining them would copy hundreds of megabytes.
    pub fn segments(&self) -> &[MemorySegment<'a>] {
        &self.segments
    }

    /// The segments, for changing their bytes.
    pub(crate) fn segments_mut(&mut self) -> &mut [MemorySegment<'a>] {
        &mut self.segments
    }

    /// Whether the addresses are those of the target, not file offsets.
    pub fn has_addresses(&self) -> bool {
        self.has_addresses
    }

    /// The `length` bytes at `address`; `None` unless all of them are known.
    pub fn read(&self, address: u64, length: usize) -> Option<&[u8]> {
        self.available_from(address).get(..length)
    }

    /// The bytes from `address` to the end of its segment; empty if it is in no
    /// segment.
    pub fn available_from(&self, address: u64) -> &[u8] {
        let bytes = self.segment_at(address).and_then(|segment| {
            let skipped = usize::try_from(address - segment.address).ok()?;
            segment.bytes.get(skipped..)
        });
        bytes.unwrap_or_default()
    }

    /// Number of known bytes.
    pub fn total_bytes(&self) -> u64 {
        let lengths = self.segments.iter().map(|each| each.bytes.len() as u64);
        lengths.fold(0, u64::saturating_add)
    }

    /// The offset in the (decompressed) input of the byte at `address`, if its
    /// segment is a copy of the input.
    pub fn offset_of(&self, address: u64) -> Option<u64> {
        let segment = self.segment_at(address)?;
        segment.offset?.checked_add(address - segment.address)
    }

    /// The offset in the (decompressed) input of bytes of this memory, if they lie there.
    pub(crate) fn offset_of_bytes(&self, bytes: &[u8]) -> Option<u64> {
        let wanted = bytes.as_ptr_range();
        self.segments.iter().find_map(|segment| {
            let Cow::Borrowed(all) = segment.bytes else {
                return None;
            };
            let range = all.as_ptr_range();
            let is_inside = range.start <= wanted.start && wanted.end <= range.end;
            let skipped = wanted.start.addr().checked_sub(range.start.addr())?;
            segment
                .offset?
                .checked_add(skipped as u64)
                .filter(|_| is_inside)
        })
    }

    /// Returns an owned copy, and the number of bytes skipped because the copy
    /// would exceed `limit`; `None` if there is no memory for it.
    pub(crate) fn into_owned(self, limit: u64) -> Option<(Memory<'static>, u64)> {
        let (mut left, mut omitted) = (limit, 0);
        let mut segments = Vec::new();
        for segment in self.segments {
            let length = segment.bytes.len() as u64;
            let bytes = match segment.bytes {
                Cow::Owned(bytes) => bytes,
                Cow::Borrowed(bytes) => {
                    let Some(rest) = left.checked_sub(length) else {
                        omitted += length;
                        continue;
                    };
                    left = rest;
                    let mut copy = Vec::new();
                    copy.try_reserve_exact(bytes.len()).ok()?;
                    copy.extend_from_slice(bytes);
                    copy
                }
            };
            segments.push(MemorySegment {
                address: segment.address,
                bytes: Cow::Owned(bytes),
                offset: segment.offset,
            });
        }
        let addressed = self.has_addresses;
        let memory = Memory {
            segments,
            has_addresses: addressed,
        };
        Some((memory, omitted))
    }

    /// The segment that contains the byte at `address`.
    fn segment_at(&self, address: u64) -> Option<&MemorySegment<'a>> {
        let following = self
            .segments
            .partition_point(|each| each.address <= address);
        let segment = self.segments.get(following.checked_sub(1)?)?;
        (address - segment.address < segment.bytes.len() as u64).then_some(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_by_their_address() {
        let mut builder = MemoryBuilder::default();
        builder.push(0x2000_0000, &[1, 2, 3]);
        builder.push(0x3000_0000, &[4]);
        let (memory, diagnostics) = builder.finish(true);
        assert!(diagnostics.is_empty());
        assert_eq!(memory.read(0x2000_0001, 2), Some(&[2, 3][..]));
        assert_eq!(memory.read(0x2000_0001, 3), None);
        assert_eq!(memory.read(0x1FFF_FFFF, 1), None);
        assert_eq!(memory.available_from(0x3000_0000), [4]);
        assert!(memory.available_from(0x3000_0001).is_empty());
        assert_eq!(memory.total_bytes(), 4);
        assert_eq!(memory.offset_of(0x2000_0000), None);
    }

    #[test]
    fn a_file_lies_at_its_offsets() {
        let memory = Memory::from_file_bytes(&b"abc"[..]);
        assert!(!memory.has_addresses());
        assert_eq!(memory.offset_of(2), Some(2));
        assert_eq!(memory.offset_of(3), None);
        assert_eq!(Memory::from_file_bytes(Vec::new()).segments(), []);
    }

    #[test]
    fn bytes_of_the_input_are_found_there() {
        let input = *b"abcdef";
        let mut builder = MemoryBuilder::borrowing(&input);
        builder.push_input(100, 2..6);
        builder.push(200, b"xyz");
        let (memory, _) = builder.finish(true);
        let offset = |address| memory.offset_of_bytes(&memory.available_from(address)[..2]);
        assert_eq!((offset(101), offset(200)), (Some(3), None));
        assert_eq!(memory.offset_of_bytes(&input[..3]), None);
    }

    #[test]
    fn copies_are_limited() {
        let memory = Memory::from_file_bytes(&b"abc"[..]);
        let whole = (memory.clone(), 0);
        assert_eq!(memory.clone().into_owned(3), Some(whole));
        assert_eq!(memory.into_owned(2), Some((Memory::default(), 3)));
    }
}
