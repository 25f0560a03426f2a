//! A column of stamps shared out to threads.

use std::num::NonZero;
use std::thread;

/// Stamps that follow each other, and the one before them.
#[derive(Clone, Copy)]
pub(super) struct Part<'a, W> {
    /// The stamp before the first; the first itself in the first part.
    pub(super) before: u64,
    pub(super) stamps: &'a [W],
}

/// Parts smaller than this are not worth a thread of their own.
const LEAST_PER_THREAD: usize = 1 << 17;

/// Stamps in parts, one a thread.
pub(super) fn parts<W: Copy + Into<u64>>(stamps: &[W]) -> Vec<Part<'_, W>> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (stamps.len() / LEAST_PER_THREAD).clamp(1, cores);
    let size = stamps.len().div_ceil(threads).max(1);
    let mut parts: Vec<Part<'_, W>> = Vec::new();
    for stamps in stamps.chunks(size) {
        let last = parts.last().and_then(|part| part.stamps.last());
        let before = last.or(stamps.first());
        let before = before.map_or(0, |stamp| (*stamp).into());
        parts.push(Part { before, stamps });
    }
    parts
}
