//! Threads that wait in line.

use rtoscope_trace::ContextId;
use std::collections::{BTreeMap, BTreeSet};

/// Items of threads in the order of their arrival. Any thread can leave, in logarithmic time.
#[derive(Debug, Clone)]
pub(crate) struct WaitingList<T> {
    by_arrival: BTreeMap<u64, (ContextId, T)>,
    by_thread: BTreeSet<(ContextId, u64)>,
    arrivals: u64,
}

impl<T> Default for WaitingList<T> {
    fn default() -> Self {
        Self {
            by_arrival: BTreeMap::new(),
            by_thread: BTreeSet::new(),
            arrivals: 0,
        }
    }
}

impl<T> WaitingList<T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_arrival.is_empty()
    }

    pub(crate) fn push_back(&mut self, thread: ContextId, item: T) {
        self.by_thread.insert((thread, self.arrivals));
        self.by_arrival.insert(self.arrivals, (thread, item));
        self.arrivals += 1;
    }

    pub(crate) fn pop_front(&mut self) -> Option<T> {
        let (arrival, (thread, item)) = self.by_arrival.pop_first()?;
        self.by_thread.remove(&(thread, arrival));
        Some(item)
    }

    /// Takes the first item of a thread.
    pub(crate) fn take(&mut self, thread: ContextId) -> Option<T> {
        let of_thread = (thread, 0)..=(thread, u64::MAX);
        let (_, arrival) = *self.by_thread.range(of_thread).next()?;
        self.by_thread.remove(&(thread, arrival));
        let (_, item) = self.by_arrival.remove(&arrival)?;
        Some(item)
    }

    /// All items in the order of their arrival.
    pub(crate) fn into_items(self) -> impl Iterator<Item = T> {
        self.by_arrival.into_values().map(|(_, item)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_leave_in_any_order() {
        let mut list = WaitingList::default();
        for (thread, item) in [(1, 'a'), (2, 'b'), (1, 'c'), (3, 'd')] {
            list.push_back(ContextId(thread), item);
        }
        assert_eq!(list.take(ContextId(1)), Some('a'));
        assert_eq!(list.take(ContextId(4)), None);
        assert_eq!(list.pop_front(), Some('b'));
        assert_eq!(list.clone().into_items().collect::<String>(), "cd");
        assert_eq!(list.take(ContextId(3)), Some('d'));
        assert_eq!(list.take(ContextId(1)), Some('c'));
        assert!(list.is_empty());
        assert_eq!(list.pop_front(), None);
    }
}
