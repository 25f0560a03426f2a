//! Partitions a column of timestamps for threads.

/// Consecutive timestamps, and the one before them.
#[derive(Clone, Copy)]
pub(super) struct TimestampPart<'a, W> {
    /// The timestamp before the first; in the first part, the first timestamp
    /// itself.
    pub(super) previous: u64,
    pub(super) timestamps: &'a [W],
}

/// Smaller parts are not worth a thread of their own.
const MIN_TIMESTAMPS_PER_THREAD: usize = 1 << 17;

/// Splits timestamps into one part per thread.
pub(super) fn partition<W: Copy + Into<u64>>(stamps: &[W]) -> Vec<TimestampPart<'_, W>> {
    let cores = rtoscope_trace::parallel::threads();
    let threads = (stamps.len() / MIN_TIMESTAMPS_PER_THREAD).clamp(1, cores);
    let size = stamps.len().div_ceil(threads).max(1);
    let mut parts: Vec<TimestampPart<'_, W>> = Vec::new();
    for stamps in stamps.chunks(size) {
        let last = parts.last().and_then(|part| part.timestamps.last());
        let before = last.or(stamps.first());
        let before = before.map_or(0, |timestamp| (*timestamp).into());
        parts.push(TimestampPart {
            previous: before,
            timestamps: stamps,
        });
    }
    parts
}
