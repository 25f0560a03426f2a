//! Runs work on all cores. Without the feature `parallel`, as for WebAssembly, it runs
//! on the calling thread, with the same results.

/// Number of threads that share work; 1 without the feature `parallel`.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs both functions, in parallel if possible, and returns their results.
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(one, other);
    #[cfg(not(feature = "parallel"))]
    (one(), other())
}

/// Applies a function to each item and returns the results in order. The items are
/// started in order, too, each as soon as a thread is free: items that take long
/// should be first.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 {
        use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
        let items = items.into_iter().enumerate().par_bridge();
        let mut results: Vec<_> = items.map(|(number, item)| (number, work(item))).collect();
        results.sort_unstable_by_key(|(number, _)| *number);
        return results.into_iter().map(|(_, result)| result).collect();
    }
    items.into_iter().map(work).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 100] {
            let doubled = super::map((0..count).collect(), |number: usize| number * 2);
            let expected: Vec<_> = (0..count).map(|number| number * 2).collect();
            assert_eq!(doubled, expected);
        }
    }

    #[test]
    fn both_functions_run() {
        assert_eq!(super::join(|| 1, || "b"), (1, "b"));
        assert!(super::threads() > 0);
    }
}
