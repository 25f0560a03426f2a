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

/// Does something with each of some things at the same time.
pub(super) fn at_once<T: Send, R: Send>(
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut things: Vec<T> = things.into_iter().collect();
    let Some(last) = things.pop() else {
        return Vec::new();
    };
    if things.is_empty() {
        return vec![work(last)];
    }
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = things
            .into_iter()
            .map(|thing| scope.spawn(move || work(thing)))
            .collect();
        // The calling thread does the last part itself.
        let last = work(last);
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        let results = joined.map(|it| it.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut results: Vec<R> = results.collect();
        results.push(last);
        results
    })
}
