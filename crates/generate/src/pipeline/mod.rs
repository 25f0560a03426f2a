//! A pipeline: an interrupt makes items, and each of several threads takes them
//! from its link, serves them and puts them into the link of the next.

mod layout;
mod links;

use crate::kernel::Kernel;
use crate::thread::ThreadIndex;
use fastrand::Rng;
use std::collections::VecDeque;

/// The id of the interrupt that makes items, after those of all devices.
pub(crate) const SOURCE: u64 = 200;
/// The part of the period by which the interrupt comes late at most.
const JITTER_DIVISOR: u64 = 8;

/// A pipeline and the items in it.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    /// The link and the thread of each stage.
    pub(crate) stages: Vec<PipelineStage>,
    /// The thread of the first stage; the others follow.
    first_thread: ThreadIndex,
    /// Ticks between two items, without jitter.
    pub(crate) period: u64,
    /// The time at which the next item is due.
    due: u64,
    /// Items made so far.
    made: u64,
    random: Rng,
}

/// A stage.
#[derive(Debug, Clone)]
pub(crate) struct PipelineStage {
    /// The link from which its thread takes items.
    pub(crate) link: Link,
    /// The item that its thread serves, or waits to put.
    item: Option<u64>,
}

/// The type of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkType {
    /// A queue with a capacity in messages.
    Queue(u64),
    /// A semaphore that counts items in shared memory.
    Semaphore,
}

/// What items pass through.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) pointer: u64,
    pub(crate) link_type: LinkType,
    /// Whether a thread waits for room; else items are dropped.
    pub(crate) waits_for_room: bool,
    items: VecDeque<u64>,
    /// The thread that waits for an item.
    taker: Option<ThreadIndex>,
    /// The thread that waits for room.
    putter: Option<ThreadIndex>,
}

impl Link {
    fn is_full(&self) -> bool {
        match self.link_type {
            LinkType::Queue(capacity) => self.items.len() as u64 >= capacity,
            LinkType::Semaphore => false,
        }
    }
}

/// What happens to an item at the link of a stage, or in the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemStep {
    /// The call that puts it. Ends its service in the stage before.
    Put,
    /// It is in the link.
    Stored,
    /// There was no room for it.
    Dropped,
    /// The thread of the stage gets it.
    Taken,
    /// The thread of the last stage asks for the next item.
    Served,
}

impl Pipeline {
    /// The stage of a thread.
    fn stage(&self, thread: ThreadIndex) -> Option<usize> {
        let stage = thread.slot().checked_sub(self.first_thread.slot())?;
        (stage < self.stages.len()).then_some(stage)
    }

    /// The next item, and the time of its successor.
    fn next_item(&mut self) -> (u64, u64) {
        let item = self.made;
        self.made += 1;
        self.due += self.period;
        (item, self.due + self.jitter())
    }

    fn jitter(&mut self) -> u64 {
        self.random.u64(0..=self.period / JITTER_DIVISOR)
    }
}

impl Kernel {
    /// Starts the source of the items. Returns the time of the first one;
    /// `u64::MAX` without a pipeline.
    pub(crate) fn start_pipeline(&mut self) -> u64 {
        let now = self.now;
        self.pipeline.as_mut().map_or(u64::MAX, |pipeline| {
            pipeline.due = now + pipeline.period;
            pipeline.due + pipeline.jitter()
        })
    }

    /// The source's handler puts an item into the first link.
    pub(crate) fn source_interrupt(&mut self) {
        let Some((item, next)) = self.pipeline.as_mut().map(|it| it.next_item()) else {
            return;
        };
        self.interrupts.next_item = next;
        self.count_standing_timer();
        self.enter(SOURCE);
        self.put_item(0, item, None);
        self.exit(SOURCE);
    }
}
