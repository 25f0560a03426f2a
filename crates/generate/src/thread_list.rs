//! Intrusive lists of threads.

use crate::thread::{Thread, ThreadIndex};

/// Threads in order of arrival. A thread is in at most one list: that of its
/// priority while it is ready, else that of the object it waits for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ThreadList {
    ends: Option<(ThreadIndex, ThreadIndex)>,
    length: u32,
}

impl ThreadList {
    /// The first thread.
    #[inline]
    pub(crate) fn first(&self) -> Option<ThreadIndex> {
        self.ends.map(|(first, _)| first)
    }

    /// The number of threads.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.length
    }

    /// Adds a thread at the end.
    #[inline]
    pub(crate) fn push(&mut self, threads: &mut [Thread], index: ThreadIndex) {
        threads[index.slot()].next = None;
        self.ends = Some(match self.ends {
            Some((first, last)) => {
                threads[last.slot()].next = Some(index);
                (first, index)
            }
            None => (index, index),
        });
        self.length += 1;
    }

    /// Adds a thread at the start.
    pub(crate) fn push_first(&mut self, threads: &mut [Thread], index: ThreadIndex) {
        let (first, last) = match self.ends {
            Some((first, last)) => (Some(first), last),
            None => (None, index),
        };
        threads[index.slot()].next = first;
        self.ends = Some((index, last));
        self.length += 1;
    }

    /// Removes the first thread.
    #[inline]
    pub(crate) fn pop(&mut self, threads: &[Thread]) -> Option<ThreadIndex> {
        let (first, last) = self.ends?;
        self.ends = threads[first.slot()].next.map(|second| (second, last));
        self.length -= 1;
        Some(first)
    }

    /// Moves the thread with the highest priority, the first one of several, to
    /// the start.
    pub(crate) fn prioritize(&mut self, threads: &mut [Thread]) {
        let Some(mut highest) = self.first() else {
            return;
        };
        let mut next = threads[highest.slot()].next;
        while let Some(index) = next {
            if threads[index.slot()].priority < threads[highest.slot()].priority {
                highest = index;
            }
            next = threads[index.slot()].next;
        }
        let number = threads[highest.slot()].number;
        if let Some(index) = self.take(threads, |thread| thread.number == number) {
            self.push_first(threads, index);
        }
    }

    /// Removes the first thread that `wanted` accepts.
    pub(crate) fn take(
        &mut self,
        threads: &mut [Thread],
        wanted: impl Fn(&Thread) -> bool,
    ) -> Option<ThreadIndex> {
        let mut found = None;
        for _ in 0..self.length {
            let Some(index) = self.pop(threads) else {
                break;
            };
            if found.is_none() && wanted(&threads[index.slot()]) {
                found = Some(index);
            } else {
                self.push(threads, index);
            }
        }
        found
    }
}
