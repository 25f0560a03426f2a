//! Runs work on several threads.

use std::panic::resume_unwind;
use std::thread;

/// Applies `work` to all items in parallel.
pub(crate) fn map_parallel<T: Send, R: Send>(
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
        // The calling thread processes the last item itself.
        let last = work(last);
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        let results = joined.map(|it| it.unwrap_or_else(|panic| resume_unwind(panic)));
        let mut results: Vec<R> = results.collect();
        results.push(last);
        results
    })
}
