use super::{Memory, MemorySegment};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

/// Maximum number of input bytes to copy to join adjacent segments.
const MAX_JOINED_BYTES: usize = 256 << 20;
/// Maximum number of bytes of overlapping blocks to compare.
const MAX_COMPARED_BYTES: usize = 256 << 20;

/// Collects memory blocks in any order; the later block takes precedence where
/// two overlap.
#[derive(Debug, Default)]
pub(crate) struct MemoryBuilder<'a> {
    input: &'a [u8],
    decoded: Vec<u8>,
    blocks: Vec<MemoryBlock>,
    dropped_bytes: u64,
}

#[derive(Debug, Clone)]
struct MemoryBlock {
    address: u64,
    storage: BlockStorage,
}

/// The location of a block's bytes.
#[derive(Debug, Clone)]
enum BlockStorage {
    Input(Range<usize>),
    Decoded(Range<usize>),
}

impl BlockStorage {
    fn range(&self) -> &Range<usize> {
        match self {
            Self::Input(range) | Self::Decoded(range) => range,
        }
    }

    fn slice(&self, skipped: usize, length: usize) -> Self {
        let start = self.range().start.saturating_add(skipped);
        let range = start..start.saturating_add(length);
        match self {
            Self::Input(_) => Self::Input(range),
            Self::Decoded(_) => Self::Decoded(range),
        }
    }

    /// Appends `next` if its bytes are contiguous in the same storage.
    fn extend(&mut self, next: &Self) -> bool {
        let (range, next) = match (self, next) {
            (Self::Input(range), Self::Input(next)) => (range, next),
            (Self::Decoded(range), Self::Decoded(next)) => (range, next),
            _ => return false,
        };
        let follows = range.end == next.start;
        if follows {
            range.end = next.end;
        }
        follows
    }
}

impl MemoryBlock {
    fn end(&self) -> u64 {
        self.address
            .saturating_add(self.storage.range().len() as u64)
    }
}

impl<'a> MemoryBuilder<'a> {
    /// Creates a builder whose blocks may be ranges of `input`.
    pub(crate) fn borrowing(input: &'a [u8]) -> Self {
        Self {
            input,
            ..Self::default()
        }
    }

    /// Adds decoded bytes. Returns their storage range, for
    /// [`Self::swap_words`].
    pub(crate) fn push(&mut self, address: u64, bytes: &[u8]) -> Range<usize> {
        self.push_repeated(address, bytes, bytes.len())
    }

    /// Adds `length` bytes that repeat `pattern`.
    pub(crate) fn push_repeated(
        &mut self,
        address: u64,
        pattern: &[u8],
        length: usize,
    ) -> Range<usize> {
        let length = self.clamp_length(address, length);
        let start = self.decoded.len();
        self.decoded.extend(pattern.iter().cycle().take(length));
        let range = start..self.decoded.len();
        self.add(address, BlockStorage::Decoded(range.clone()));
        range
    }

    /// Adds bytes of the input; `range` must be within it.
    pub(crate) fn push_input(&mut self, address: u64, range: Range<usize>) {
        let length = self.clamp_length(address, range.len());
        self.add(
            address,
            BlockStorage::Input(range.start..range.start + length),
        );
    }

    /// Whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The lowest address.
    pub(crate) fn lowest_address(&self) -> Option<u64> {
        self.blocks.iter().map(|block| block.address).min()
    }

    /// Reverses the bytes of each word of `width` bytes in a range that
    /// [`Self::push`] returned.
    pub(crate) fn swap_words(&mut self, range: Range<usize>, width: usize) {
        let bytes = self.decoded.get_mut(range).unwrap_or_default();
        bytes
            .chunks_exact_mut(width.max(1))
            .for_each(<[u8]>::reverse);
    }

    /// Builds the memory, with diagnostics.
    pub(crate) fn finish(&self, addressed: bool) -> (Memory<'a>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        if self.dropped_bytes > 0 {
            let message = format!(
                "{} bytes have addresses beyond 2^64 and are missing",
                self.dropped_bytes
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
            diagnostics.push(diagnostic.with_count(self.dropped_bytes));
        }
        let runs = self.overlay(&mut diagnostics);
        let segments = self.join(&runs);
        let memory = Memory {
            segments,
            has_addresses: addressed,
        };
        (memory, diagnostics)
    }

    /// The length that fits below the end of the address space.
    fn clamp_length(&mut self, address: u64, length: usize) -> usize {
        let room = u64::MAX - address;
        let fitting = usize::try_from(room).map_or(length, |room| length.min(room));
        self.dropped_bytes += (length - fitting) as u64;
        fitting
    }

    fn add(&mut self, address: u64, place: BlockStorage) {
        if place.range().is_empty() {
            return;
        }
        if let Some(last) = self.blocks.last_mut()
            && last.end() == address
            && last.storage.extend(&place)
        {
            return;
        }
        self.blocks.push(MemoryBlock {
            address,
            storage: place,
        });
    }

    fn bytes(&self, place: &BlockStorage) -> &[u8] {
        let (all, range) = match place {
            BlockStorage::Input(range) => (self.input, range),
            BlockStorage::Decoded(range) => (self.decoded.as_slice(), range),
        };
        all.get(range.clone()).unwrap_or_default()
    }

    /// Sweeps over the addresses and keeps the latest block for every byte.
    fn overlay(&self, diagnostics: &mut Diagnostics) -> Vec<MemoryBlock> {
        let mut starts: Vec<usize> = (0..self.blocks.len()).collect();
        let address_of = |index: usize| self.blocks.get(index).map(|block| block.address);
        starts.sort_by_key(|&index| address_of(index));
        let mut starts = starts.into_iter().peekable();
        let mut ends = BinaryHeap::new();
        let mut active = BTreeSet::new();
        let mut overlap = OverlapStats::new(self.decoded.len());
        let mut runs: Vec<MemoryBlock> = Vec::new();
        let mut here = 0;
        loop {
            while let Some(&Reverse((end, index))) = ends.peek()
                && end <= here
            {
                ends.pop();
                active.remove(&index);
            }
            let started = |index: &usize| address_of(*index).is_some_and(|start| start <= here);
            while let Some(index) = starts.next_if(started) {
                active.insert(index);
                let end = self.blocks.get(index).map_or(here, MemoryBlock::end);
                ends.push(Reverse((end, index)));
            }
            let next_start = starts.peek().and_then(|&index| address_of(index));
            let Some(winner) = active.last().and_then(|&index| self.blocks.get(index)) else {
                match next_start {
                    Some(start) => here = start,
                    None => break,
                }
                continue;
            };
            let next_end = ends.peek().map_or(here, |&Reverse((end, _))| end);
            let next = next_start.map_or(next_end, |start| start.min(next_end));
            let cut = |block: &MemoryBlock| {
                let skipped = here.saturating_sub(block.address) as usize;
                block.storage.slice(skipped, (next - here) as usize)
            };
            let place = cut(winner);
            for other in active.iter().rev().skip(1) {
                if !overlap.may_compare() {
                    break;
                }
                if let Some(other) = self.blocks.get(*other) {
                    overlap.compare(here, self.bytes(&place), self.bytes(&cut(other)));
                }
            }
            let joined = runs
                .last_mut()
                .is_some_and(|last| last.end() == here && last.storage.extend(&place));
            if !joined {
                runs.push(MemoryBlock {
                    address: here,
                    storage: place,
                });
            }
            here = next;
        }
        diagnostics.extend(overlap.into_diagnostic());
        runs
    }

    /// Joins adjacent runs.
    fn join(&self, runs: &[MemoryBlock]) -> Vec<MemorySegment<'a>> {
        let mut segments = Vec::new();
        let mut copied = 0_usize;
        for group in runs.chunk_by(|left, right| left.end() == right.address) {
            let borrowed = |block: &&MemoryBlock| matches!(block.storage, BlockStorage::Input(_));
            let lengths = group.iter().filter(borrowed);
            let to_copy = lengths.fold(copied, |sum, block| {
                sum.saturating_add(block.storage.range().len())
            });
            if let [_, _, ..] = group
                && to_copy <= MAX_JOINED_BYTES
            {
                copied = to_copy;
                let parts: Vec<&[u8]> = group.iter().map(|run| self.bytes(&run.storage)).collect();
                segments.extend(group.first().map(|first| MemorySegment {
                    address: first.address,
                    bytes: Cow::Owned(parts.concat()),
                    offset: None,
                }));
            } else {
                segments.extend(group.iter().map(|run| self.segment(run)));
            }
        }
        segments
    }

    fn segment(&self, run: &MemoryBlock) -> MemorySegment<'a> {
        let (bytes, offset) = match &run.storage {
            BlockStorage::Input(range) => {
                let bytes = self.input.get(range.clone()).unwrap_or_default();
                (Cow::Borrowed(bytes), Some(range.start as u64))
            }
            decoded => (Cow::Owned(self.bytes(decoded).to_vec()), None),
        };
        MemorySegment {
            address: run.address,
            bytes,
            offset,
        }
    }
}

/// The differences between overlapping blocks.
struct OverlapStats {
    budget: usize,
    first: Option<u64>,
    bytes: u64,
}

impl OverlapStats {
    fn new(decoded: usize) -> Self {
        Self {
            budget: decoded.saturating_add(MAX_COMPARED_BYTES),
            first: None,
            bytes: 0,
        }
    }

    fn may_compare(&self) -> bool {
        self.budget > 0
    }

    fn compare(&mut self, address: u64, kept: &[u8], overridden: &[u8]) {
        self.budget = self.budget.saturating_sub(kept.len());
        if kept == overridden {
            return;
        }
        let pairs = kept.iter().zip(overridden).enumerate();
        let mut differing = pairs.filter(|(_, (kept, overridden))| kept != overridden);
        if let Some((index, _)) = differing.next() {
            self.first
                .get_or_insert(address.saturating_add(index as u64));
            self.bytes += 1 + differing.count() as u64;
        }
    }

    fn into_diagnostic(self) -> Option<Diagnostic> {
        let first = self.first?;
        let Self { bytes, .. } = self;
        let message = format!(
            "{bytes} bytes, first at address {first:#x}, occur again with another value; the \
             later value is used"
        );
        Some(Diagnostic::new(DiagnosticKind::OverlappingRecords, message).with_count(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_fixtures::ProcessorTimer;
    use std::time::Duration;

    fn pieces<'m>(memory: &'m Memory<'_>) -> Vec<(u64, &'m [u8])> {
        let segments = memory.segments().iter();
        segments.map(|each| (each.address, &*each.bytes)).collect()
    }

    #[test]
    fn pieces_are_sorted_and_joined() {
        let mut builder = MemoryBuilder::default();
        builder.push(4, b"ef");
        builder.push(0xFFFF_FFF0, b"z");
        builder.push(2, b"cd");
        builder.push(0, b"ab");
        let (memory, diagnostics) = builder.finish(true);
        assert_eq!(
            pieces(&memory),
            [(0, &b"abcdef"[..]), (0xFFFF_FFF0, &b"z"[..])]
        );
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn later_pieces_win_and_differences_are_counted() {
        let mut builder = MemoryBuilder::default();
        builder.push(0, b"aaaaaaaa");
        builder.push(2, b"abb");
        builder.push(4, b"cc");
        let (memory, diagnostics) = builder.finish(true);
        assert_eq!(pieces(&memory), [(0, &b"aaabccaa"[..])]);
        let overlap = diagnostics.iter().next().unwrap();
        assert_eq!(overlap.kind, DiagnosticKind::OverlappingRecords);
        // 'b' over 'a' at 3, 'c' over 'a' and 'b' at 4, 'c' over 'a' at 5.
        assert_eq!(overlap.count, 4);
        assert!(overlap.message.contains("address 0x3"));
    }

    #[test]
    fn repeating_the_same_bytes_is_no_conflict() {
        let mut builder = MemoryBuilder::default();
        builder.push(0, b"abcd");
        builder.push(1, b"bc");
        let (memory, diagnostics) = builder.finish(true);
        assert_eq!(pieces(&memory), [(0, &b"abcd"[..])]);
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn input_is_borrowed_where_it_is_contiguous() {
        let input = b"abcdefgh";
        let mut builder = MemoryBuilder::borrowing(input);
        builder.push_input(10, 0..2);
        builder.push_input(12, 2..4);
        builder.push_input(20, 6..8);
        builder.push_input(22, 4..6);
        let (memory, _) = builder.finish(true);
        assert_eq!(pieces(&memory), [(10, &b"abcd"[..]), (20, &b"ghef"[..])]);
        assert_eq!(memory.offset_of(13), Some(3));
        assert_eq!(memory.offset_of(20), None);
    }

    #[test]
    fn the_end_of_the_address_space_is_no_overflow() {
        let mut builder = MemoryBuilder::default();
        builder.push(u64::MAX - 2, b"abcd");
        let (memory, diagnostics) = builder.finish(true);
        assert_eq!(memory.total_bytes(), 2);
        assert_eq!(diagnostics.iter().next().unwrap().count, 2);
    }

    #[test]
    fn a_million_single_bytes_in_reverse_are_fast() {
        let timer = ProcessorTimer::start();
        let mut builder = MemoryBuilder::default();
        for address in (0..1_000_000_u64).rev() {
            builder.push(address, &[address as u8]);
        }
        let (memory, _) = builder.finish(true);
        assert_eq!(memory.segments().len(), 1);
        assert_eq!(memory.total_bytes(), 1_000_000);
        assert!(timer.elapsed() < Duration::from_secs(20));
    }
}
