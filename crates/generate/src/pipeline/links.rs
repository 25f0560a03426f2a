//! The calls by which items pass links.

use super::{ItemStep, LinkType};
use crate::event::{NO_WAIT, id};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::thread::{ThreadIndex, ThreadState, WaitTarget};
use crate::timeouts::MAX_SEMAPHORE_WAIT_TICKS;
use crate::truth::DispatchCause;

impl Kernel {
    fn record_item(&mut self, stage: usize, item: u64, step: ItemStep) {
        let stage = stage as u8;
        self.record_fact(KernelFact::Item { item, stage, step });
    }

    /// The thread of a stage asks for the next item.
    pub(crate) fn take_item(&mut self, index: ThreadIndex) {
        let stack = self.stack_pointer();
        let wait = self.wait_option(MAX_SEMAPHORE_WAIT_TICKS);
        let Some(pipeline) = &mut self.pipeline else {
            return;
        };
        let Some(number) = pipeline.stage(index) else {
            return;
        };
        let (before, from) = pipeline.stages.split_at_mut(number);
        let Some(stage) = from.first_mut() else {
            return;
        };
        let served = stage.item.take();
        let link = &mut stage.link;
        let (pointer, level) = (link.pointer, link.items.len() as u64);
        let taken = link.items.pop_front();
        stage.item = taken;
        // The item of a thread that waits for room takes the free slot.
        let putter = link.putter.take();
        let stored = before.last_mut().filter(|_| putter.is_some());
        let stored = stored.and_then(|stage| stage.item.take());
        link.items.extend(stored);
        let left = link.items.len() as u64;
        let (event, info, state) = match link.link_type {
            LinkType::Queue(_) => (
                id::QUEUE_RECEIVE,
                [pointer, stack, wait, level],
                ThreadState::QueueSuspended,
            ),
            LinkType::Semaphore => (
                id::SEMAPHORE_GET,
                [pointer, wait, level, stack],
                ThreadState::SemaphoreSuspended,
            ),
        };
        if taken.is_none() {
            link.taker = Some(index);
        }
        self.log(event, info);
        self.record_fact(KernelFact::Level(pointer, left));
        if let Some(item) = served {
            self.record_item(number, item, ItemStep::Served);
        }
        if let Some(item) = taken {
            self.record_item(number, item, ItemStep::Taken);
        } else {
            self.begin_wait(index, wait, WaitTarget::Item);
            self.suspend(state, pointer);
        }
        if let Some((putter, item)) = putter.zip(stored) {
            self.resume(putter);
            self.record_item(number, item, ItemStep::Stored);
            self.reschedule(DispatchCause::PreemptionSolicited);
        }
    }

    /// The thread of a stage puts its item into the link of the next stage. The
    /// last stage keeps it until it asks for another.
    pub(crate) fn pass_item(&mut self, index: ThreadIndex) {
        let Some(pipeline) = &mut self.pipeline else {
            return;
        };
        let Some(number) = pipeline.stage(index) else {
            return;
        };
        if number + 1 < pipeline.stages.len()
            && let Some(item) = pipeline.stages[number].item.take()
        {
            self.put_item(number + 1, item, Some(index));
        }
    }

    /// Puts an item into the link of a stage: from a thread, or from a handler,
    /// which cannot wait.
    pub(super) fn put_item(&mut self, number: usize, item: u64, from: Option<ThreadIndex>) {
        let stack = self.stack_pointer();
        let limited = self.wait_option(MAX_SEMAPHORE_WAIT_TICKS);
        let Some(pipeline) = &mut self.pipeline else {
            return;
        };
        let Some(link) = pipeline.stages.get_mut(number).map(|it| &mut it.link) else {
            return;
        };
        let wait = match from {
            Some(_) if link.waits_for_room => limited,
            _ => NO_WAIT,
        };
        let (pointer, level) = (link.pointer, link.items.len() as u64);
        let is_full = link.is_full();
        let taker = link.taker.take();
        let waits = taker.is_none() && is_full && wait != NO_WAIT;
        let (event, info) = match link.link_type {
            LinkType::Queue(_) => (id::QUEUE_SEND, [pointer, stack, wait, level]),
            LinkType::Semaphore => (
                id::SEMAPHORE_PUT,
                [pointer, level, u64::from(taker.is_some()), stack],
            ),
        };
        if taker.is_none() && !is_full {
            link.items.push_back(item);
        }
        let after = link.items.len() as u64;
        let putter = from.filter(|_| waits);
        link.putter = link.putter.or(putter);
        if taker.is_some() {
            pipeline.stages[number].item = Some(item);
        } else if putter.is_some() {
            pipeline.stages[number - 1].item = Some(item);
        }
        self.log(event, info);
        self.record_fact(KernelFact::Level(pointer, after));
        self.record_item(number, item, ItemStep::Put);
        if let Some(taker) = taker {
            self.record_item(number, item, ItemStep::Stored);
            self.resume(taker);
            self.record_item(number, item, ItemStep::Taken);
            if from.is_some() {
                self.reschedule(DispatchCause::PreemptionSolicited);
            }
        } else if let Some(putter) = putter {
            self.begin_wait(putter, wait, WaitTarget::ItemRoom);
            self.suspend(ThreadState::QueueSuspended, pointer);
        } else if is_full {
            self.record_item(number, item, ItemStep::Dropped);
        } else {
            self.record_item(number, item, ItemStep::Stored);
        }
    }

    /// The wait of a stage's thread for an item or for room ends without it.
    pub(crate) fn end_item_wait(&mut self, index: ThreadIndex) {
        let Some(pipeline) = &mut self.pipeline else {
            return;
        };
        let Some(number) = pipeline.stage(index) else {
            return;
        };
        match self.threads[index.slot()].wait_target {
            WaitTarget::ItemRoom => pipeline.stages[number + 1].link.putter = None,
            _ => pipeline.stages[number].link.taker = None,
        }
    }

    /// A thread has been resumed because its wait timed out: one that waited
    /// for an item asks again, one that waited for room drops its item.
    pub(crate) fn give_up_item(&mut self, index: ThreadIndex) {
        let wait_target = self.threads[index.slot()].wait_target;
        if wait_target == WaitTarget::Item {
            self.threads[index.slot()].step = 0;
        }
        if wait_target == WaitTarget::ItemRoom
            && let Some(pipeline) = &mut self.pipeline
            && let Some(number) = pipeline.stage(index)
            && let Some(item) = pipeline.stages[number].item.take()
        {
            self.record_item(number + 1, item, ItemStep::Dropped);
        }
    }
}
