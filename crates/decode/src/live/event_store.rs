//! Retains the most recent events.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The layout of the items of events.
pub(crate) trait EventLayout: Copy + PartialEq {
    /// Number of items per event.
    fn items(self) -> usize;
}

/// An item is an event.
impl EventLayout for () {
    fn items(self) -> usize {
        1
    }
}

/// The last events, numbered from the first received one.
pub(crate) struct EventStore<T, L = ()> {
    blocks: VecDeque<EventBlock<T, L>>,
    event_range: Range<u64>,
}

/// Consecutive events.
struct EventBlock<T, L> {
    /// The number of the first event.
    first: u64,
    layout: L,
    /// Shared with slices of it.
    items: Arc<Vec<T>>,
}

/// Consecutive events of a block.
pub(crate) struct EventSlice<T, L = ()> {
    pub(crate) layout: L,
    items: Arc<Vec<T>>,
    range: Range<usize>,
}

/// Size at which a block is full: events are discarded a block at a time.
const BLOCK_BYTES: usize = 256 << 10;

impl<T: Clone, L: EventLayout> EventStore<T, L> {
    /// Creates an empty store whose first event will have number `first`.
    pub(crate) fn new(first: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            event_range: first..first,
        }
    }

    /// The numbers of the retained events.
    pub(crate) fn event_range(&self) -> Range<u64> {
        self.event_range.clone()
    }

    /// Appends the items of complete events.
    pub(crate) fn extend(&mut self, layout: L, items: &[T]) {
        if items.is_empty() {
            return;
        }
        if let Some(last) = self.blocks.back_mut()
            && last.layout == layout
            && size_of_val(last.items.as_slice()) < BLOCK_BYTES
            && let Some(held) = Arc::get_mut(&mut last.items)
        {
            held.extend_from_slice(items);
        } else {
            self.blocks.push_back(EventBlock {
                first: self.event_range.end,
                layout,
                items: Arc::new(items.to_vec()),
            });
        }
        self.event_range.end = self.blocks.back().map_or(0, EventBlock::end);
    }

    /// The items of the newest event.
    pub(crate) fn last(&self) -> Option<&[T]> {
        let block = self
            .blocks
            .back()
            .filter(|_| !self.event_range.is_empty())?;
        block.items.rchunks(block.layout.items()).next()
    }

    /// Changes an event, if it is retained.
    pub(crate) fn update(&mut self, number: u64, change: impl FnOnce(&mut [T])) {
        let following = self.blocks.partition_point(|block| block.first <= number);
        let block = following
            .checked_sub(1)
            .filter(|_| self.event_range.contains(&number))
            .and_then(|at| self.blocks.get_mut(at));
        if let Some(block) = block {
            let at = block.position(number);
            let place = at..at + block.layout.items();
            change(
                Arc::make_mut(&mut block.items)
                    .get_mut(place)
                    .unwrap_or_default(),
            );
        }
    }

    /// Discards events before that number.
    pub(crate) fn discard_before(&mut self, before: u64) {
        self.event_range.start = before.clamp(self.event_range.start, self.event_range.end);
        let start = self.event_range.start;
        while self
            .blocks
            .front()
            .is_some_and(|block| block.end() <= start)
        {
            self.blocks.pop_front();
        }
    }

    /// The retained events with these numbers.
    pub(crate) fn slices(&self, numbers: &Range<u64>) -> Vec<EventSlice<T, L>> {
        let start = numbers.start.max(self.event_range.start);
        let end = numbers.end.min(self.event_range.end);
        let before = self.blocks.partition_point(|block| block.end() <= start);
        let blocks = self.blocks.range(before..);
        let slice = |block: &EventBlock<T, L>| EventSlice {
            layout: block.layout,
            items: Arc::clone(&block.items),
            range: block.position(start)..block.position(end),
        };
        let blocks = blocks.take_while(|block| block.first < end);
        blocks.map(slice).collect()
    }
}

impl<T, L: EventLayout> EventBlock<T, L> {
    /// The number of the event after the last one.
    fn end(&self) -> u64 {
        self.first + (self.items.len() / self.layout.items()) as u64
    }

    /// The position of the first item of an event, or the start or the end.
    fn position(&self, number: u64) -> usize {
        let event = number.clamp(self.first, self.end()) - self.first;
        event as usize * self.layout.items()
    }
}

impl<T, L> EventSlice<T, L> {
    /// The items of the events.
    pub(crate) fn items(&self) -> &[T] {
        self.items.get(self.range.clone()).unwrap_or_default()
    }
}
