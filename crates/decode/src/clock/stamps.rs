//! Timestamps in order, wherever they are.

use std::ops::Range;

/// Timestamps in order, which threads can read from any place on.
pub(crate) trait Stamps: Sync {
    /// Number of timestamps.
    fn count(&self) -> usize;

    /// Calls `visit` with these timestamps.
    fn visit(&self, numbers: Range<usize>, visit: impl FnMut(u64));

    /// One timestamp, if it exists.
    fn get(&self, number: usize) -> Option<u64> {
        let mut stamp = None;
        self.visit(number..number.saturating_add(1), |it| stamp = Some(it));
        stamp
    }
}

impl<W: Copy + Into<u64> + Sync> Stamps for [W] {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn visit(&self, numbers: Range<usize>, mut visit: impl FnMut(u64)) {
        let end = numbers.end.min(self.len());
        let stamps = self.get(numbers.start..end).unwrap_or_default();
        stamps.iter().for_each(|stamp| visit((*stamp).into()));
    }
}

/// What takes the times of consecutive timestamps.
pub(crate) trait TimeSink: Send {
    /// Takes the time of the next timestamp.
    fn push(&mut self, stamp: u64, time: u64);
}

impl TimeSink for std::slice::IterMut<'_, u64> {
    #[inline]
    fn push(&mut self, _stamp: u64, time: u64) {
        if let Some(slot) = self.next() {
            *slot = time;
        }
    }
}
