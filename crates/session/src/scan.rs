//! Events that are found by looking at all of them.

use std::thread;

/// As many events are looked at by one thread alone.
const MIN_PARALLEL_EVENTS: u32 = 1 << 20;

/// The numbers below `count` that match, rising.
pub(crate) fn scan(count: u32, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    scan_in_chunks(
        count,
        if count > MIN_PARALLEL_EVENTS {
            threads
        } else {
            1
        },
        matches,
    )
}

fn scan_in_chunks(count: u32, parts: usize, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
    let matches = &matches;
    let part = |from: u32| {
        let to = from.saturating_add(count.div_ceil(parts)).min(count);
        move || -> Vec<u32> { (from..to).filter(|number| matches(*number)).collect() }
    };
    let mut starts = (0..count).step_by(count.div_ceil(parts).max(1) as usize);
    let first = starts.next();
    thread::scope(|threads| {
        let others: Vec<_> = starts.map(|from| threads.spawn(part(from))).collect();
        let mut found = first.map(|from| part(from)()).unwrap_or_default();
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_chunks_are_scanned() {
        for count in [0, 1, 2, 7, 100, 101] {
            let expected: Vec<_> = (0..count).filter(|number| number % 3 != 1).collect();
            for parts in [1, 2, 3, 8, 200] {
                let found = scan_in_chunks(count, parts, |number| number % 3 != 1);
                assert_eq!(found, expected, "{count} in {parts}");
            }
        }
    }
}
