//! Events that are kept, in their order.

use super::super::log::MissingEntries;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// An entry that became an event, and when.
#[derive(Debug, Clone)]
pub(super) struct LoggedEvent {
    /// Ticks since the first event of the recording.
    pub(super) time: u64,
    pub(super) core: u8,
    /// What is missing before it on its core.
    pub(super) missing: MissingEntries,
    /// The entry; of one of 16 bytes the rest is 0.
    pub(super) entry: [u8; MAX_ENTRY_BYTES],
}

/// Bytes of an entry with wide pointers.
pub(super) const MAX_ENTRY_BYTES: usize = 24;

/// The last events of a stream.
#[derive(Debug, Default)]
pub(super) struct EventStore {
    /// Blocks that do not change any more.
    blocks: VecDeque<Arc<EventBlock>>,
    open_block: EventBlock,
    event_range: Range<u64>,
}

/// Events one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct EventBlock {
    /// The number of the first.
    first: u64,
    events: Vec<LoggedEvent>,
}

/// Events of a block: few, as the open one is copied.
const EVENTS_PER_BLOCK: usize = 4096;

impl EventStore {
    /// None yet, of which the first will have that number.
    pub(super) fn starting_at(number: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            open_block: EventBlock {
                first: number,
                events: Vec::new(),
            },
            event_range: number..number,
        }
    }

    pub(super) fn event_range(&self) -> Range<u64> {
        self.event_range.clone()
    }

    pub(super) fn push(&mut self, event: LoggedEvent) {
        self.open_block.events.push(event);
        self.event_range.end += 1;
        if self.open_block.events.len() >= EVENTS_PER_BLOCK {
            let open = EventBlock {
                first: self.event_range.end,
                events: Vec::new(),
            };
            let full = std::mem::replace(&mut self.open_block, open);
            self.blocks.push_back(Arc::new(full));
        }
    }

    pub(super) fn last(&self) -> Option<&LoggedEvent> {
        let block = self.blocks.back().and_then(|block| block.events.last());
        let newest = self.open_block.events.last().or(block);
        newest.filter(|_| !self.event_range.is_empty())
    }

    /// Lets go of events before that number.
    pub(super) fn discard_before(&mut self, before: u64) {
        self.event_range.start = before.clamp(self.event_range.start, self.event_range.end);
        let is_old = |block: &Arc<EventBlock>| block.end() <= self.event_range.start;
        while self.blocks.front().is_some_and(is_old) {
            self.blocks.pop_front();
        }
    }

    /// The blocks in which events of these numbers are.
    pub(super) fn blocks(&self, numbers: &Range<u64>) -> Vec<Arc<EventBlock>> {
        let first = self
            .blocks
            .partition_point(|block| block.end() <= numbers.start);
        let full = self.blocks.range(first..);
        let mut blocks: Vec<_> = full
            .take_while(|block| block.first < numbers.end)
            .cloned()
            .collect();
        if self.open_block.first < numbers.end {
            blocks.push(Arc::new(self.open_block.clone()));
        }
        blocks
    }
}

impl EventBlock {
    /// Its events of these numbers.
    pub(super) fn events(&self, numbers: &Range<u64>) -> &[LoggedEvent] {
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
