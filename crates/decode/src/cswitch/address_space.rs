//! The target's memory, for images that may have no addresses.

use crate::memory::Memory;
use crate::records::{self, RecordRun};
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word};
use std::ops::Range;

/// Memory at the target's addresses.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddressSpace<'a> {
    memory: &'a Memory<'a>,
    /// The target address of address 0 in the image.
    base: u64,
}

impl<'a> AddressSpace<'a> {
    /// An image whose first byte is at `base`, if it has no addresses.
    pub(super) fn new(memory: &'a Memory<'a>, base: Option<u64>) -> Self {
        let base = base.filter(|_| !memory.has_addresses()).unwrap_or_default();
        Self { memory, base }
    }

    /// The contiguous known bytes from `address` on.
    pub(super) fn available_from(&self, address: u64) -> &'a [u8] {
        let inside = address.checked_sub(self.base);
        inside.map_or(&[], |inside| self.memory.available_from(inside))
    }

    /// The address range of the first contiguous part of memory.
    pub(super) fn first_part(&self) -> Range<u64> {
        let first = self.memory.segments().first();
        first.map_or(0..0, |segment| {
            self.base.saturating_add(segment.address)..self.base.saturating_add(segment.end())
        })
    }

    /// The parts of memory, with their addresses.
    pub(super) fn segments(&self) -> impl Iterator<Item = (u64, &'a [u8])> + use<'a> {
        let base = self.base;
        let segments = self.memory.segments().iter();
        segments.map(move |it| (base.saturating_add(it.address), &*it.bytes))
    }

    /// Whether the memory is contiguous.
    pub(super) fn is_contiguous(&self) -> bool {
        self.memory.segments().len() == 1
    }

    /// The runs of entries of an array at `start` that are in memory.
    pub(super) fn runs(
        &self,
        start: u64,
        size: usize,
        wanted: Range<u64>,
    ) -> impl Iterator<Item = RecordRun<'a>> + use<'a> {
        // Addresses before the image are in none of its segments.
        let (start, wanted) = match start.checked_sub(self.base) {
            Some(start) => (start, wanted),
            None => (0, 0..0),
        };
        records::record_runs(self.memory, start, size, wanted)
    }

    /// The word of four bytes at `address`.
    pub(super) fn word(&self, address: u64, order: ByteOrder) -> Option<u32> {
        u32::read(self.available_from(address), order)
    }

    /// The pointer at `address`.
    pub(super) fn pointer(&self, address: u64, size: PointerSize, order: ByteOrder) -> Option<u64> {
        let bytes = self.available_from(address);
        match size {
            PointerSize::Four => u32::read(bytes, order).map(u64::from),
            PointerSize::Eight => u64::read(bytes, order),
        }
    }

    /// The offset in the input of the byte at `address`.
    pub(super) fn offset_of(&self, address: u64) -> Option<u64> {
        self.memory.offset_of(address.checked_sub(self.base)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_has_a_base() {
        let memory = Memory::from_file_bytes(&[1, 2, 3, 4, 5, 6, 7, 8][..]);
        let target = AddressSpace::new(&memory, Some(0x100));
        assert_eq!(target.word(0x104, ByteOrder::Big), Some(0x0506_0708));
        assert_eq!(target.word(0x105, ByteOrder::Big), None);
        assert_eq!(target.word(0xFF, ByteOrder::Big), None);
        let eight = target.pointer(0x100, PointerSize::Eight, ByteOrder::Little);
        assert_eq!(eight, Some(0x0807_0605_0403_0201));
        assert_eq!(target.first_part(), 0x100..0x108);
        assert_eq!(
            target
                .runs(0x102, 2, 0..9)
                .map(|run| run.count)
                .sum::<u64>(),
            3
        );
        assert_eq!(target.runs(0x50, 2, 0..9).count(), 0);
        assert_eq!(target.offset_of(0x103), Some(3));
    }
}
