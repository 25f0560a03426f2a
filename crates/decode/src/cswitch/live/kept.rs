//! Events that are kept, in their order.

use super::super::log::Missing;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// An entry that became an event, and when.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// Ticks since the first event of the recording.
    pub(super) time: u64,
    pub(super) core: u8,
    /// What is missing before it on its core.
    pub(super) missing: Missing,
    /// The entry; of one of 16 bytes the rest is 0.
    pub(super) entry: [u8; MOST_ENTRY_BYTES],
}

/// Bytes of an entry with wide pointers.
pub(super) const MOST_ENTRY_BYTES: usize = 24;

/// The last events of a stream.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Blocks that do not change any more.
    blocks: VecDeque<Arc<Block>>,
    open: Block,
    numbers: Range<u64>,
}

/// Events one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// The number of the first.
    first: u64,
    events: Vec<Event>,
}

/// Events of a block: few, as the open one is copied.
const BLOCK: usize = 4096;

impl Kept {
    /// None yet, of which the first will have that number.
    pub(super) fn from(number: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            open: Block {
                first: number,
                events: Vec::new(),
            },
            numbers: number..number,
        }
    }

    pub(super) fn numbers(&self) -> Range<u64> {
        self.numbers.clone()
    }

    pub(super) fn push(&mut self, event: Event) {
        self.open.events.push(event);
        self.numbers.end += 1;
        if self.open.events.len() >= BLOCK {
            let open = Block {
                first: self.numbers.end,
                events: Vec::new(),
            };
            let full = std::mem::replace(&mut self.open, open);
            self.blocks.push_back(Arc::new(full));
        }
    }

    pub(super) fn last(&self) -> Option<&Event> {
        let block = self.blocks.back().and_then(|block| block.events.last());
        let newest = self.open.events.last().or(block);
        newest.filter(|_| !self.numbers.is_empty())
    }

    /// Lets go of events before that number.
    pub(super) fn forget(&mut self, before: u64) {
        self.numbers.start = before.clamp(self.numbers.start, self.numbers.end);
        let is_old = |block: &Arc<Block>| block.end() <= self.numbers.start;
        while self.blocks.front().is_some_and(is_old) {
            self.blocks.pop_front();
        }
    }

    /// The blocks in which events of these numbers are.
    pub(super) fn blocks(&self, numbers: &Range<u64>) -> Vec<Arc<Block>> {
        let first = self
            .blocks
            .partition_point(|block| block.end() <= numbers.start);
        let full = self.blocks.range(first..);
        let mut blocks: Vec<_> = full
            .take_while(|block| block.first < numbers.end)
            .cloned()
            .collect();
        if self.open.first < numbers.end {
            blocks.push(Arc::new(self.open.clone()));
        }
        blocks
    }
}

impl Block {
    /// Its events of these numbers.
    pub(super) fn events(&self, numbers: &Range<u64>) -> &[Event] {
        let place = |number: u64| {
            let place = number.clamp(self.first, self.end()) - self.first;
            usize::try_from(place).unwrap_or(usize::MAX)
        };
        let events = self.events.get(place(numbers.start)..place(numbers.end));
        events.unwrap_or_default()
    }

    fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }
}
