//! The raw entries of a recording, in order.

use rtoscope_wire::threadx::BufferLayout;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The last entries, numbered from the first received one.
pub(super) struct EntryStore {
    blocks: VecDeque<EntryBlock>,
    entry_range: Range<u64>,
}

/// Consecutive entries.
struct EntryBlock {
    /// The number of the first entry.
    first: u64,
    layout: BufferLayout,
    /// Shared with slices of it.
    bytes: Arc<Vec<u8>>,
}

/// A slice of entries.
pub(super) struct EntrySlice {
    /// Their layout.
    pub(super) layout: BufferLayout,
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
}

/// Size at which a block is full: entries are discarded a block at a time.
const BLOCK_BYTES: usize = 256 << 10;

impl EntryStore {
    /// Creates an empty store whose first entry will have number `first`.
    pub(super) fn new(first: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            entry_range: first..first,
        }
    }

    /// The numbers of the retained entries.
    pub(super) fn entry_range(&self) -> Range<u64> {
        self.entry_range.clone()
    }

    /// Appends complete entries.
    pub(super) fn push(&mut self, layout: BufferLayout, bytes: &[u8]) {
        let first = self.entry_range.end;
        self.entry_range.end += (bytes.len() / layout.entry_bytes()) as u64;
        if let Some(last) = self.blocks.back_mut()
            && last.layout == layout
            && last.bytes.len() < BLOCK_BYTES
            && let Some(held) = Arc::get_mut(&mut last.bytes)
        {
            held.extend_from_slice(bytes);
            return;
        }
        self.blocks.push_back(EntryBlock {
            first,
            layout,
            bytes: Arc::new(bytes.to_vec()),
        });
    }

    /// Replaces an entry by its updated version, if it is retained and has the
    /// same kind, context and time.
    pub(super) fn update(&mut self, number: u64, bytes: &[u8], is_same: impl Fn(&[u8]) -> bool) {
        if !self.entry_range.contains(&number) {
            return;
        }
        let following = self.blocks.partition_point(|chunk| chunk.first <= number);
        let Some(chunk) = following
            .checked_sub(1)
            .and_then(|at| self.blocks.get_mut(at))
        else {
            return;
        };
        let at = (number - chunk.first) as usize * chunk.layout.entry_bytes();
        let range = at..at + chunk.layout.entry_bytes();
        if bytes.len() == range.len() && chunk.bytes.get(range.clone()).is_some_and(is_same) {
            let held = Arc::make_mut(&mut chunk.bytes).get_mut(range);
            held.unwrap_or_default().copy_from_slice(bytes);
        }
    }

    /// Discards entries before that number.
    pub(super) fn discard_before(&mut self, before: u64) {
        self.entry_range.start = before.clamp(self.entry_range.start, self.entry_range.end);
        while self.blocks.front().is_some_and(|chunk| {
            let entries = chunk.bytes.len() / chunk.layout.entry_bytes();
            chunk.first + entries as u64 <= self.entry_range.start
        }) {
            self.blocks.pop_front();
        }
    }

    /// The retained entries with these numbers.
    pub(super) fn slices(&self, numbers: &Range<u64>) -> Vec<EntrySlice> {
        let start = numbers.start.max(self.entry_range.start);
        let end = numbers.end.min(self.entry_range.end);
        let following = self.blocks.partition_point(|chunk| chunk.first <= start);
        let chunks = self.blocks.iter().skip(following.saturating_sub(1));
        let part = |chunk: &EntryBlock| {
            let size = chunk.layout.entry_bytes();
            let at = |number: u64| number.saturating_sub(chunk.first) as usize * size;
            let range = at(start)..at(end).min(chunk.bytes.len());
            (!range.is_empty()).then(|| EntrySlice {
                layout: chunk.layout,
                bytes: Arc::clone(&chunk.bytes),
                range,
            })
        };
        chunks
            .take_while(|chunk| chunk.first < end)
            .filter_map(part)
            .collect()
    }
}

impl EntrySlice {
    /// The entries' bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}
