//! The threads that wake entries interrupted.

use rtoscope_trace::ContextId;
use std::collections::{HashMap, VecDeque};

/// The threads that ran at wake entries and have not continued since, with the numbers of the
/// events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WokenThreads {
    by_thread: HashMap<ContextId, VecDeque<usize>>,
    /// In the order of the events. Contains also those that are taken already.
    all: Vec<(ContextId, usize)>,
}

impl WokenThreads {
    pub(super) fn is_empty(&self) -> bool {
        self.by_thread.is_empty()
    }

    pub(super) fn push(&mut self, thread: ContextId, event: usize) {
        self.by_thread.entry(thread).or_default().push_back(event);
        self.all.push((thread, event));
    }

    /// Takes the first event of a thread.
    pub(super) fn take(&mut self, thread: ContextId) -> Option<usize> {
        let event = self.by_thread.get_mut(&thread)?.pop_front();
        self.remove_if_done(thread);
        event
    }

    /// Takes the last event.
    pub(super) fn take_last(&mut self) -> Option<usize> {
        while let Some((thread, event)) = self.all.pop() {
            if let Some(events) = self.by_thread.get_mut(&thread)
                && events.back() == Some(&event)
            {
                events.pop_back();
                self.remove_if_done(thread);
                return Some(event);
            }
        }
        None
    }

    fn remove_if_done(&mut self, thread: ContextId) {
        if self.by_thread.get(&thread).is_some_and(VecDeque::is_empty) {
            self.by_thread.remove(&thread);
        }
        if self.by_thread.is_empty() {
            self.all.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_taken_once() {
        let [one, other] = [ContextId(3), ContextId(4)];
        let mut woken = WokenThreads::default();
        for (thread, event) in [(one, 1), (other, 2), (one, 3), (other, 4)] {
            woken.push(thread, event);
        }
        assert_eq!(woken.take(one), Some(1));
        assert_eq!(woken.take_last(), Some(4));
        assert_eq!(woken.take(one), Some(3));
        assert_eq!(woken.take(one), None);
        assert_eq!(woken.take_last(), Some(2));
        assert!(woken.is_empty());
        assert_eq!(woken.take_last(), None);
    }
}
