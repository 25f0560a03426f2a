//! A column of stamps shared out to threads.

use std::num::NonZero;
use std::thread;

/// Stamps that follow each other, and the one before them.
#[derive(Clone, Copy)]
pub(super) struct TimestampPart<'a, W> {
    /// The stamp before the first; the first itself in the first part.
    pub(super) previous: u64,
    pub(super) timestamps: &'a [W],
}

/// Parts smaller than this are not worth a thread of their own.
const MIN_TIMESTAMPS_PER_THREAD: usize = 1 << 17;

/// Stamps in parts, one a thread.
pub(super) fn partition<W: Copy + Into<u64>>(stamps: &[W]) -> Vec<TimestampPart<'_, W>> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (stamps.len() / MIN_TIMESTAMPS_PER_THREAD).clamp(1, cores);
    let size = stamps.len().div_ceil(threads).max(1);
    let mut parts: Vec<TimestampPart<'_, W>> = Vec::new();
    for stamps in stamps.chunks(size) {
        let last = parts.last().and_then(|part| part.timestamps.last());
        let before = last.or(stamps.first());
        let before = before.map_or(0, |stamp| (*stamp).into());
        parts.push(TimestampPart {
            previous: before,
            timestamps: stamps,
        });
    }
    parts
}
