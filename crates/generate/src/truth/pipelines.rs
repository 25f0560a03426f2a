//! Items of pipelines.

use super::Address;
use super::threads::ThreadTracker;
use crate::pipeline::{ItemStep, LinkType, Pipeline, SOURCE};
use serde::Serialize;
use std::collections::BTreeMap;

/// A pipeline: an interrupt makes items, and the threads of its stages pass
/// them on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PipelineTruth {
    /// The number of the interrupt that puts items into the first link.
    pub isr: u64,
    /// Ticks between two items, without jitter.
    pub period_ticks: u64,
    /// The stages in the order in which items pass them.
    pub stages: Vec<PipelineStageTruth>,
    /// The items with an event in the buffer, by number.
    pub items: Vec<PipelineItemTruth>,
}

/// A stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PipelineStageTruth {
    /// The queue or semaphore from which it takes items.
    pub link: Address,
    /// Its name before truncation to the registry's size.
    pub link_name: String,
    /// The capacity of a queue in messages; `None` for a semaphore.
    pub capacity: Option<u64>,
    /// Whether the stage before waits for room; else it drops items.
    pub waits_for_room: bool,
    /// Control block of the thread.
    pub thread: Address,
    /// Its name before truncation to the registry's size.
    pub thread_name: String,
}

/// An item of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PipelineItemTruth {
    /// Its number, from 0 at the start of the system.
    pub item: u64,
    /// What happens to it at each stage that it is put to.
    pub stages: Vec<ItemStageTruth>,
}

/// An item at a stage. `None` is an event that was overwritten, or that did not
/// happen before the newest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ItemStageTruth {
    /// The call that puts it into the link, and ends its service in the stage
    /// before.
    pub put: Option<EventTimeTruth>,
    /// When it is in the link: later than the call if that waits for room.
    pub stored: Option<EventTimeTruth>,
    /// When it is dropped, because there is no room for it.
    pub dropped: Option<EventTimeTruth>,
    /// When the thread gets it: with its own call, or when it is resumed.
    pub taken: Option<EventTimeTruth>,
    /// When the thread first runs with it.
    pub begin: Option<EventTimeTruth>,
    /// The end of its service: the call that puts it into the next link; in the
    /// last stage the call that asks for the next item.
    pub end: Option<EventTimeTruth>,
    /// CPU time of the thread from `taken` to `end`, without interrupts; `None`
    /// if one of them is not in the buffer.
    pub running_ticks: Option<u64>,
}

/// An event and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EventTimeTruth {
    /// The number of the event.
    pub event: u64,
    /// Its time.
    pub ticks: u64,
}

/// The items of a pipeline so far.
#[derive(Debug)]
pub(super) struct PipelineTracker {
    stages: Vec<PipelineStageTruth>,
    period: u64,
    /// The number of the first stage's thread; the others follow.
    first_thread: u16,
    items: BTreeMap<u64, Vec<ItemStageTruth>>,
    /// By stage: the item whose service begins as soon as its thread runs.
    awaiting: Vec<Option<u64>>,
}

impl PipelineTracker {
    pub(super) fn new(pipeline: &Pipeline, first_thread: u16) -> Self {
        let stage = |stage: &crate::pipeline::PipelineStage| PipelineStageTruth {
            link: Address(stage.link.pointer),
            link_name: String::new(),
            capacity: match stage.link.link_type {
                LinkType::Queue(capacity) => Some(capacity),
                LinkType::Semaphore => None,
            },
            waits_for_room: stage.link.waits_for_room,
            thread: Address(0),
            thread_name: String::new(),
        };
        Self {
            stages: pipeline.stages.iter().map(stage).collect(),
            period: pipeline.period,
            first_thread,
            items: BTreeMap::new(),
            awaiting: vec![None; pipeline.stages.len()],
        }
    }

    fn visit(&mut self, item: u64, stage: usize) -> Option<&mut ItemStageTruth> {
        self.items.get_mut(&item)?.get_mut(stage)
    }

    /// Something happens to an item. `at` is `None` if it is overwritten.
    pub(super) fn step(
        &mut self,
        (item, stage, step): (u64, u8, ItemStep),
        threads: &[ThreadTracker],
        at: Option<EventTimeTruth>,
        now: u64,
    ) {
        let stage = usize::from(stage);
        let stages = self.items.entry(item).or_default();
        if step == ItemStep::Put {
            stages.push(ItemStageTruth {
                put: at,
                ..ItemStageTruth::default()
            });
        }
        let ended = match step {
            ItemStep::Put => stage.checked_sub(1),
            ItemStep::Served => Some(stage),
            _ => None,
        };
        if let Some(ended) = ended {
            let ticks = self.running_ticks(ended, threads, now);
            if let Some(visit) = self.visit(item, ended) {
                visit.end = at;
                // So far it is what the thread had run when it got the item.
                let before = visit.running_ticks;
                visit.running_ticks = before.and_then(|before| Some(ticks? - before));
            }
        }
        let is_running = self.thread(stage, threads).is_some_and(ThreadTracker::runs);
        let ticks = self.running_ticks(stage, threads, now);
        let Some(visit) = self.visit(item, stage) else {
            return;
        };
        match step {
            ItemStep::Put | ItemStep::Served => {}
            ItemStep::Stored => visit.stored = at,
            ItemStep::Dropped => visit.dropped = at,
            ItemStep::Taken => {
                visit.taken = at;
                visit.running_ticks = ticks.filter(|_| at.is_some());
                if is_running {
                    visit.begin = at;
                } else if let Some(awaiting) = self.awaiting.get_mut(stage) {
                    *awaiting = Some(item);
                }
            }
        }
    }

    /// A thread starts to run.
    pub(super) fn switch(&mut self, thread: u16, at: Option<EventTimeTruth>) {
        let stage = thread.checked_sub(self.first_thread).map(usize::from);
        let awaiting = stage.and_then(|stage| Some((stage, self.awaiting.get_mut(stage)?.take()?)));
        if let Some((stage, item)) = awaiting
            && let Some(visit) = self.visit(item, stage)
        {
            visit.begin = at;
        }
    }

    fn thread<'t>(&self, stage: usize, threads: &'t [ThreadTracker]) -> Option<&'t ThreadTracker> {
        threads.get(usize::from(self.first_thread) + stage)
    }

    fn running_ticks(&self, stage: usize, threads: &[ThreadTracker], now: u64) -> Option<u64> {
        let thread = self.thread(stage, threads)?;
        Some(thread.running_ticks(now))
    }

    /// Ends the buffer; `name` returns the name of an object.
    pub(super) fn finish(
        mut self,
        threads: &[super::ThreadTruth],
        name: impl Fn(Address) -> String,
    ) -> PipelineTruth {
        let own = threads.iter().skip(self.first_thread.into());
        for (stage, thread) in self.stages.iter_mut().zip(own) {
            stage.link_name = name(stage.link);
            stage.thread = thread.address;
            stage.thread_name.clone_from(&thread.name);
        }
        let items = self.items.into_iter().map(|(item, mut stages)| {
            for visit in &mut stages {
                visit.running_ticks = visit.running_ticks.filter(|_| visit.end.is_some());
            }
            PipelineItemTruth { item, stages }
        });
        PipelineTruth {
            isr: SOURCE,
            period_ticks: self.period,
            stages: self.stages,
            items: items.filter(PipelineItemTruth::is_recorded).collect(),
        }
    }
}

impl PipelineItemTruth {
    fn is_recorded(&self) -> bool {
        let nothing = ItemStageTruth::default();
        self.stages.iter().any(|visit| *visit != nothing)
    }
}
