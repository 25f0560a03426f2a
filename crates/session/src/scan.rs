//! Parallel search through all events.

/// Number of events that a thread scans at a time.
const SCAN_CHUNK: u32 = 1 << 19;

/// The numbers below `count` that match, in ascending order.
pub(crate) fn scan(count: u32, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    scan_in_chunks(count, SCAN_CHUNK, matches)
}

fn scan_in_chunks(count: u32, chunk: u32, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let starts = (0..count).step_by(chunk as usize).collect();
    let scan_chunk = |from: u32| -> Vec<u32> {
        let to = from.saturating_add(chunk).min(count);
        (from..to).filter(|number| matches(*number)).collect()
    };
    rtoscope_trace::parallel::map(starts, scan_chunk).concat()
}
