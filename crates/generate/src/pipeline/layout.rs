//! The random choice of a pipeline's links.

use super::{Link, LinkType, Pipeline, PipelineStage};
use crate::thread::ThreadIndex;
use fastrand::Rng;
use std::collections::VecDeque;

/// One in this many links is a semaphore.
const ONE_SEMAPHORE_IN: u32 = 4;
/// The largest capacity of a queue in messages.
const MAX_CAPACITY: u64 = 4;

/// A link before its creation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedLink {
    pub(crate) link_type: LinkType,
    pub(crate) waits_for_room: bool,
}

impl Pipeline {
    /// A pipeline without stages, whose period suits `stages` stages: from a
    /// third of the core's time to more than all of it.
    pub(crate) fn new(stages: u8, tick: u64, seed: u64, first_thread: ThreadIndex) -> Self {
        let mut random = Rng::with_seed(seed);
        let stages = u64::from(stages);
        let halves = random.u64(stages + 2..=5 * stages + 5);
        Self {
            stages: Vec::new(),
            first_thread,
            period: halves * tick / 2,
            due: 0,
            made: 0,
            random,
        }
    }

    /// Chooses the link of the next stage.
    pub(crate) fn plan_link(&mut self) -> PlannedLink {
        let is_semaphore = self.random.u32(0..ONE_SEMAPHORE_IN) == 0;
        let capacity = self.random.u64(1..=MAX_CAPACITY);
        PlannedLink {
            link_type: if is_semaphore {
                LinkType::Semaphore
            } else {
                LinkType::Queue(capacity)
            },
            waits_for_room: self.random.bool(),
        }
    }

    /// Adds a stage with its link.
    pub(crate) fn add_stage(&mut self, pointer: u64, planned: PlannedLink) {
        self.stages.push(PipelineStage {
            link: Link {
                pointer,
                link_type: planned.link_type,
                // Handlers cannot wait.
                waits_for_room: planned.waits_for_room && !self.stages.is_empty(),
                items: VecDeque::new(),
                taker: None,
                putter: None,
            },
            item: None,
        });
    }
}
