//! Parallel execution.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies a function to each item on all cores and returns the results in
/// order. Threads take the next item as they finish one, so that long items do
/// not delay the others.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.min(items.len());
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let items = Mutex::new(items.into_iter().enumerate());
    let next = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        items.next()
    };
    let work_loop = || {
        let mut done = Vec::new();
        while let Some((number, item)) = next() {
            done.push((number, work(item)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work_loop)).collect();
        // The calling thread takes part.
        let mut done = work_loop();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 100] {
            let doubled = super::map((0..count).collect(), |number: usize| number * 2);
            assert_eq!(
                doubled,
                (0..count).map(|number| number * 2).collect::<Vec<_>>()
            );
        }
    }
}
