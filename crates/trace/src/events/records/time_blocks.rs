//! The times of events, by blocks.

use crate::{Event, Ticks};
use std::ops::Range;

/// Number of events in a block.
pub const BLOCK_EVENTS: usize = 1 << 12;

/// The counter of the timestamps: it counts modulo a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StampCounter {
    /// Its bits.
    pub mask: u64,
    /// Whether it counts down.
    pub counts_down: bool,
}

impl StampCounter {
    #[inline(always)]
    fn ticks(self, from: u64, to: u64) -> u64 {
        let (from, to) = match self.counts_down {
            true => (to, from),
            false => (from, to),
        };
        to.wrapping_sub(from) & self.mask
    }
}

/// The times of all events.
#[derive(Debug, Default)]
pub struct TimeBlocks {
    counter: Option<StampCounter>,
    blocks: Vec<TimeBlock>,
    count: usize,
    /// The time of the last event.
    end: u64,
}

/// The times of consecutive events.
#[derive(Debug)]
struct TimeBlock {
    /// The time of the first event.
    start: u64,
    /// Its timestamp.
    stamp: u64,
    /// The times, unless they follow from the timestamps.
    times: Box<[u64]>,
}

/// Builds the times of consecutive events.
#[derive(Debug, Default)]
pub struct TimeBlockBuilder {
    counter: Option<StampCounter>,
    blocks: Vec<TimeBlock>,
    count: usize,
    /// The first timestamp, and the times, of the events after the last whole block.
    stamp: u64,
    times: Vec<u64>,
    follow: bool,
    /// The time of the last event.
    end: u64,
}

impl TimeBlockBuilder {
    /// Creates a builder; without a counter, times do not follow from timestamps.
    pub fn new(counter: Option<StampCounter>) -> Self {
        Self {
            counter,
            ..Self::default()
        }
    }

    /// Adds the next event.
    #[inline(always)]
    pub fn push(&mut self, stamp: u64, time: u64) {
        match (self.counter, self.times.first()) {
            (counter, None) => (self.stamp, self.follow) = (stamp, counter.is_some()),
            (Some(counter), Some(start)) => {
                let ticks = counter.ticks(self.stamp, stamp);
                self.follow &= start.checked_add(ticks) == Some(time);
            }
            (None, Some(_)) => {}
        }
        self.times.push(time);
        self.end = time;
        if self.times.len() == BLOCK_EVENTS {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let Some(start) = self.times.first() else {
            return;
        };
        self.count += self.times.len();
        self.blocks.push(TimeBlock {
            start: *start,
            stamp: self.stamp,
            times: match self.follow {
                true => Box::default(),
                false => self.times.as_slice().into(),
            },
        });
        self.times.clear();
    }

    /// The times of all events of consecutive builders with the same counter, which were
    /// filled with whole blocks, except the last one.
    pub fn join(builders: Vec<Self>) -> TimeBlocks {
        let mut joined = TimeBlocks::default();
        for mut builder in builders {
            builder.end_block();
            joined.counter = builder.counter;
            joined.count += builder.count;
            joined.end = builder.end.max(joined.end);
            joined.blocks.append(&mut builder.blocks);
        }
        joined
    }
}

impl TimeBlocks {
    /// Number of events.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The time of an event; `stamp` reads its timestamp, if it can be read.
    #[inline]
    pub(super) fn time(&self, index: usize, stamp: impl FnOnce() -> Option<u64>) -> u64 {
        let Some(block) = self.blocks.get(index / BLOCK_EVENTS) else {
            return 0;
        };
        match (block.times.get(index % BLOCK_EVENTS), self.counter) {
            (Some(time), _) => *time,
            (None, Some(counter)) if !index.is_multiple_of(BLOCK_EVENTS) => match stamp() {
                Some(stamp) => block
                    .start
                    .saturating_add(counter.ticks(block.stamp, stamp)),
                None => self.block_end(index / BLOCK_EVENTS),
            },
            (None, _) => block.start,
        }
    }

    /// No event of a block is later than this.
    fn block_end(&self, block: usize) -> u64 {
        self.blocks
            .get(block + 1)
            .map_or(self.end, |next| next.start)
    }

    /// Sets the times of events, whose timestamps are known if they were read.
    pub(super) fn set(&self, first: usize, events: &mut [Event], are_read: bool) {
        let mut next = first;
        let mut rest = events;
        while !rest.is_empty()
            && let Some(block) = self.blocks.get(next / BLOCK_EVENTS)
        {
            let left = BLOCK_EVENTS - next % BLOCK_EVENTS;
            let (now, later) = rest.split_at_mut(left.min(rest.len()));
            let times = block.times.get(next % BLOCK_EVENTS..).unwrap_or_default();
            match self.counter {
                _ if !block.times.is_empty() => {
                    for (event, time) in now.iter_mut().zip(times) {
                        event.time = Ticks(*time);
                    }
                }
                Some(counter) if are_read => {
                    for event in now.iter_mut() {
                        let ticks = counter.ticks(block.stamp, event.timestamp);
                        event.time = Ticks(block.start.saturating_add(ticks));
                    }
                }
                _ => {
                    let end = Ticks(self.block_end(next / BLOCK_EVENTS));
                    now.iter_mut().for_each(|event| event.time = end);
                }
            }
            next += now.len();
            rest = later;
        }
    }

    /// A part of these events, of one block, that contains the first one for whose time
    /// `is_before` is false.
    pub(super) fn narrow(
        &self,
        numbers: Range<usize>,
        is_before: impl Fn(Ticks) -> bool,
    ) -> Range<usize> {
        let first = numbers.start / BLOCK_EVENTS;
        let blocks = self.blocks.get(first..numbers.end.div_ceil(BLOCK_EVENTS));
        let blocks = blocks.unwrap_or_default();
        let after = blocks.partition_point(|block| is_before(Ticks(block.start)));
        let start = (first + after).saturating_sub(1) * BLOCK_EVENTS;
        let end = (first + after) * BLOCK_EVENTS;
        start.clamp(numbers.start, numbers.end)..end.clamp(numbers.start, numbers.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_that_timestamps_contradict_keep_times() {
        let mut builder = TimeBlockBuilder::new(Some(StampCounter {
            mask: 0xFFFF,
            counts_down: false,
        }));
        for number in 0..3 * BLOCK_EVENTS as u64 {
            let backward_step = u64::from(number > BLOCK_EVENTS as u64 + 9);
            builder.push(number - backward_step, number);
        }
        let times = TimeBlockBuilder::join(vec![builder]);
        let kept = times.blocks.iter().map(|block| block.times.len());
        assert_eq!(kept.collect::<Vec<_>>(), [0, BLOCK_EVENTS, 0]);
    }
}
