//! Waits with a deadline: sleep, and waits for objects with a timeout.

use crate::event::WAIT_FOREVER;
use crate::kernel::Kernel;
use crate::thread::{Thread, ThreadIndex, WaitTarget};
use std::cmp::Reverse;

/// One in this many waits has a timeout.
const ONE_LIMITED_IN: u32 = 3;
/// The longest timeout for a mutex, in timer interrupts: some threads hold it
/// longer.
pub(crate) const MAX_MUTEX_WAIT_TICKS: u64 = 4;
/// The longest timeout for a semaphore: longer than most devices are silent.
pub(crate) const MAX_SEMAPHORE_WAIT_TICKS: u64 = 24;

impl Kernel {
    /// The wait option for an object: forever, or up to `max_ticks` timer
    /// interrupts.
    pub(crate) fn wait_option(&mut self, max_ticks: u64) -> u64 {
        if self.has_timeouts && self.random.u32(0..ONE_LIMITED_IN) == 0 {
            self.random.u64(1..=max_ticks)
        } else {
            WAIT_FOREVER
        }
    }

    /// Prepares a thread's wait of at most `ticks` timer interrupts.
    pub(crate) fn begin_wait(&mut self, index: ThreadIndex, ticks: u64, awaited: WaitTarget) {
        let end = self.interrupts.ticks() + ticks;
        let thread = &mut self.threads[index.slot()];
        thread.wait_target = awaited;
        if ticks != WAIT_FOREVER {
            thread.deadline = end;
            self.sleepers.push(Reverse((end, index)));
        }
    }

    /// Resumes the threads whose deadline has passed.
    pub(crate) fn end_waits(&mut self) {
        while let Some(&Reverse((end, index))) = self.sleepers.peek()
            && end <= self.interrupts.ticks()
        {
            self.sleepers.pop();
            // Otherwise its wait has already ended.
            if self.threads[index.slot()].deadline == end {
                self.end_wait(index);
                self.resume(index);
                self.give_up_item(index);
            }
        }
    }

    /// Removes a thread from the waiters of its object.
    pub(crate) fn end_wait(&mut self, index: ThreadIndex) {
        let thread = &self.threads[index.slot()];
        let (number, awaited) = (thread.number, thread.wait_target);
        let set = usize::from(thread.set);
        if matches!(awaited, WaitTarget::Item | WaitTarget::ItemRoom) {
            return self.end_item_wait(index);
        }
        let set = &mut self.sets[set];
        let waiters = match awaited {
            WaitTarget::Time | WaitTarget::Item | WaitTarget::ItemRoom => return,
            WaitTarget::Device => &mut set.device.waiters,
            WaitTarget::Work => &mut set.work.waiters,
            WaitTarget::Mutex => &mut set.mutex.waiters,
            WaitTarget::Message => &mut set.queue.receivers,
            WaitTarget::Room => &mut set.queue.senders,
            WaitTarget::Flag => &mut set.flags.waiters,
        };
        waiters.take(&mut self.threads, |thread: &Thread| thread.number == number);
    }
}
