//! Merging of several ordered sources.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A queue of the next times of several ordered sources.
#[derive(Debug, Default)]
pub(super) struct MergeQueue {
    next: BinaryHeap<Reverse<(u64, usize)>>,
}

impl MergeQueue {
    /// Sets the next time of a source.
    pub(super) fn push(&mut self, time: u64, source: usize) {
        self.next.push(Reverse((time, source)));
    }

    /// The earliest time.
    pub(super) fn time(&self) -> Option<u64> {
        self.next.peek().map(|Reverse((time, _))| *time)
    }

    /// Takes the earliest source, if its time is `time`. `then` returns the next
    /// time of the source.
    #[inline]
    pub(super) fn pop_at(
        &mut self,
        time: u64,
        then: impl FnOnce(usize) -> Option<u64>,
    ) -> Option<usize> {
        let mut first = self.next.peek_mut()?;
        let Reverse((at, source)) = *first;
        if at != time {
            return None;
        }
        match then(source) {
            Some(next) => *first = Reverse((next.max(time), source)),
            None => {
                std::collections::binary_heap::PeekMut::pop(first);
            }
        }
        Some(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earliest_source_comes_first() {
        let sources = [vec![1, 4, 4, 9], vec![], vec![0, 4], vec![7]];
        let mut taken = vec![0; sources.len()];
        let mut merge = MergeQueue::default();
        for (source, times) in sources.iter().enumerate() {
            if let Some(first) = times.first() {
                merge.push(*first, source);
            }
        }
        let mut order = Vec::new();
        while let Some(time) = merge.time() {
            while let Some(source) = merge.pop_at(time, |source| {
                taken[source] += 1;
                sources[source].get(taken[source]).copied()
            }) {
                order.push((time, source));
            }
        }
        let expected = [(0, 2), (1, 0), (4, 0), (4, 0), (4, 2), (7, 3), (9, 0)];
        assert_eq!(order, expected);
    }
}
