//! Retains events in order.

use super::super::log::MissingEntries;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// An entry that became an event, and its time.
#[derive(Debug, Clone)]
pub(super) struct LoggedEvent {
    /// Ticks since the first event of the recording.
    pub(super) time: u64,
    pub(super) core: u8,
    /// The entries missing before it on its core.
    pub(super) missing: MissingEntries,
    /// The entry; a 16-byte entry is padded with 0.
    pub(super) entry: [u8; MAX_ENTRY_BYTES],
    /// The entries with further values of a formatted event.
    pub(super) values: Option<Arc<Vec<u8>>>,
}

/// Size of an entry with 8-byte pointers.
pub(super) const MAX_ENTRY_BYTES: usize = 24;

/// The most recent events of a stream.
#[derive(Debug, Default)]
pub(super) struct EventStore {
    /// Full blocks, which do not change any more.
    blocks: VecDeque<Arc<EventBlock>>,
    open_block: EventBlock,
    event_range: Range<u64>,
}

/// Consecutive events.
#[derive(Debug, Clone, Default)]
pub(super) struct EventBlock {
    /// The number of the first event.
    first: u64,
    events: Vec<LoggedEvent>,
}

/// Events per block: few, because the open block is copied.
const EVENTS_PER_BLOCK: usize = 4096;

impl EventStore {
    /// Creates an empty store whose first event will have `number`.
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

    /// Discards events before that number.
    pub(super) fn discard_before(&mut self, before: u64) {
        self.event_range.start = before.clamp(self.event_range.start, self.event_range.end);
        let is_old = |block: &Arc<EventBlock>| block.end() <= self.event_range.start;
        while self.blocks.front().is_some_and(is_old) {
            self.blocks.pop_front();
        }
    }

    /// The blocks that contain the events in `numbers`.
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
    /// Its events in `numbers`.
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
