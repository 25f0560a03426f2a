//! Arrays of fixed-size records in memory that may have gaps.

use crate::memory::Memory;
use std::ops::Range;

/// Consecutive records that are completely in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordRun<'a> {
    /// Index of the first record in its array.
    pub(crate) first: u64,
    /// Number of records, at least one.
    pub(crate) count: u64,
    /// The bytes of the records.
    pub(crate) bytes: &'a [u8],
}

impl RecordRun<'_> {
    /// The records of a range of indices; `size` is that of a record in bytes.
    pub(crate) fn within(&self, wanted: Range<u64>, size: usize) -> Option<Self> {
        let first = self.first.max(wanted.start);
        let count = self.end().min(wanted.end).checked_sub(first)?;
        let from = usize::try_from(first - self.first)
            .ok()?
            .checked_mul(size)?;
        let length = usize::try_from(count).ok()?.checked_mul(size)?;
        let bytes = self.bytes.get(from..from.checked_add(length)?)?;
        (count > 0).then_some(Self {
            first,
            count,
            bytes,
        })
    }

    /// The index after the last record.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.count
    }
}

/// The runs of the records `wanted` of an array that begins at `start`, in
/// order. `size` is the size of a record in bytes, and not 0.
pub(crate) fn record_runs<'a>(
    memory: &'a Memory<'_>,
    start: u64,
    size: usize,
    wanted: Range<u64>,
) -> impl Iterator<Item = RecordRun<'a>> {
    let size = size as u64;
    memory.segments().iter().filter_map(move |segment| {
        let skipped = segment.address.saturating_sub(start);
        let first = skipped.div_ceil(size).max(wanted.start);
        let end = (segment.end().saturating_sub(start) / size).min(wanted.end);
        let count = end.checked_sub(first).filter(|count| *count > 0)?;
        let from = usize::try_from(start + first * size - segment.address).ok()?;
        let length = usize::try_from(count * size).ok()?;
        let bytes = segment.bytes.get(from..from.checked_add(length)?)?;
        Some(RecordRun {
            first,
            count,
            bytes,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryBuilder;

    #[test]
    fn records_across_a_gap_are_left_out() {
        let mut builder = MemoryBuilder::default();
        builder.push(100, &[0; 10]);
        builder.push(111, &[1; 9]);
        let (memory, _) = builder.finish(true);
        let found = |wanted| -> Vec<_> {
            let runs = record_runs(&memory, 102, 4, wanted);
            runs.map(|run| (run.first, run.count, run.bytes.len()))
                .collect()
        };
        assert_eq!(found(0..4), [(0, 2, 8), (3, 1, 4)]);
        assert_eq!(found(1..2), [(1, 1, 4)]);
        assert_eq!(found(2..3), []);
        assert_eq!(found(4..u64::MAX), []);
    }
}
