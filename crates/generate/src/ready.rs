//! The ready list.

use crate::thread::{Thread, ThreadIndex};
use crate::thread_list::ThreadList;

/// Priorities of the simulated kernel (`TX_MAX_PRIORITIES`); 0 is the highest.
const PRIORITIES: usize = 32;

/// Ready threads by priority, including the running one, which is always the
/// first of the highest priority in use.
#[derive(Debug, Clone)]
pub(crate) struct ReadyThreads {
    lists: [ThreadList; PRIORITIES],
    used: u32,
    length: u32,
}

impl ReadyThreads {
    pub(crate) fn new() -> Self {
        Self {
            lists: [ThreadList::default(); PRIORITIES],
            used: 0,
            length: 0,
        }
    }

    /// The thread that should run.
    #[inline]
    pub(crate) fn first(&self) -> Option<ThreadIndex> {
        self.lists
            .get(self.used.trailing_zeros() as usize)
            .and_then(ThreadList::first)
    }

    /// The number of ready threads.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.length
    }

    /// The number of ready threads with a priority.
    pub(crate) fn len_at(&self, priority: u8) -> u32 {
        self.lists[usize::from(priority) % PRIORITIES].len()
    }

    /// Makes a thread ready, after those with its priority.
    #[inline]
    pub(crate) fn push(&mut self, threads: &mut [Thread], index: ThreadIndex) {
        let priority = usize::from(threads[index.slot()].priority) % PRIORITIES;
        self.lists[priority].push(threads, index);
        self.used |= 1 << priority;
        self.length += 1;
    }

    /// Removes the thread that should run.
    #[inline]
    pub(crate) fn pop(&mut self, threads: &[Thread]) -> Option<ThreadIndex> {
        let priority = self.used.trailing_zeros() as usize;
        let list = self.lists.get_mut(priority)?;
        let index = list.pop(threads)?;
        if list.len() == 0 {
            self.used &= !(1 << priority);
        }
        self.length -= 1;
        Some(index)
    }

    /// Makes a thread ready, before those with its priority.
    pub(crate) fn push_first(&mut self, threads: &mut [Thread], index: ThreadIndex) {
        let priority = usize::from(threads[index.slot()].priority) % PRIORITIES;
        self.lists[priority].push_first(threads, index);
        self.used |= 1 << priority;
        self.length += 1;
    }

    /// Removes any thread. Returns whether it was ready.
    pub(crate) fn remove(&mut self, threads: &mut [Thread], index: ThreadIndex) -> bool {
        let Thread {
            priority, number, ..
        } = threads[index.slot()];
        let priority = usize::from(priority) % PRIORITIES;
        let list = &mut self.lists[priority];
        let removed = if list.first() == Some(index) {
            list.pop(threads)
        } else {
            list.take(threads, |thread| thread.number == number)
        };
        if list.len() == 0 {
            self.used &= !(1 << priority);
        }
        self.length -= u32::from(removed.is_some());
        removed.is_some()
    }

    /// Moves the thread that should run after those with its priority.
    pub(crate) fn rotate(&mut self, threads: &mut [Thread]) {
        if let Some(index) = self.pop(threads) {
            self.push(threads, index);
        }
    }
}
