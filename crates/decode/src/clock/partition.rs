//! Partitions timestamps for threads.

use rtoscope_trace::events::records::BLOCK_EVENTS;
use std::ops::Range;

/// Smaller parts are not worth a thread of their own.
const MIN_TIMESTAMPS_PER_THREAD: usize = 1 << 17;

/// The numbers of the timestamps of each thread: whole blocks, except at the end.
pub(super) fn partition(count: usize) -> Vec<Range<usize>> {
    let cores = rtoscope_trace::parallel::threads();
    let threads = (count / MIN_TIMESTAMPS_PER_THREAD).clamp(1, cores);
    let size = count.div_ceil(threads).next_multiple_of(BLOCK_EVENTS);
    let starts = (0..count).step_by(size.max(1));
    starts
        .map(|start| start..(start + size).min(count))
        .collect()
}
