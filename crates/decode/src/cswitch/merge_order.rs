//! An order and times that are known before decoding.

use rtoscope_trace::Clock;

/// The order and the times of the entries of all cores. All entries are events.
#[derive(Debug, Clone, Default)]
pub(super) struct MergeOrder {
    /// The core of each entry, as an index into the log's cores.
    pub(super) core_of_entry: Vec<u8>,
    /// Ticks since the first entry.
    pub(super) time: Vec<u64>,
}

impl MergeOrder {
    /// Returns the times, and the clock including the wraps that the timestamps
    /// do not show. `shown` are the times that each core's timestamps show.
    pub(super) fn corrected(&self, shown: &[Vec<u64>], clock: Clock) -> (Vec<u64>, Clock) {
        let mut spans = vec![None; shown.len()];
        for (pick, time) in self.core_of_entry.iter().zip(&self.time) {
            if let Some(span) = spans.get_mut(usize::from(*pick)) {
                let (first, _) = span.unwrap_or((*time, *time));
                *span = Some((first, *time));
            }
        }
        let unseen = spans.iter().zip(shown).map(|(span, shown)| {
            let (first, last) = span.unwrap_or_default();
            let shown = shown.last().copied().unwrap_or_default();
            (last - first).saturating_sub(shown) / clock.period.unwrap_or(u64::MAX).max(1)
        });
        let wraps = clock.wraps.saturating_add(unseen.sum());
        (self.time.clone(), Clock { wraps, ..clock })
    }
}
