//! Viewers of a live trace.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A viewer counts as connected for this long after its last request.
const VIEWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Tracks viewers; snapshots are built only while one is connected.
#[derive(Default)]
pub(super) struct Viewers {
    state: Mutex<ViewerState>,
    changed: Condvar,
}

#[derive(Default)]
struct ViewerState {
    /// Number of waiting polls.
    waiting: usize,
    /// Number of them that follow the newest events.
    following: usize,
    /// Last activity of any viewer.
    last_active: Option<Instant>,
    /// Last activity of a following viewer.
    last_following: Option<Instant>,
    is_closed: bool,
}

/// What the connected viewers need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// The trace is closed.
    Closed,
    /// No viewer is connected; the last activity, if any.
    Absent(Option<Instant>),
    /// Only the status.
    Status,
    /// The newest events.
    NewestEvents,
}

/// A waiting poll, counted until this is dropped.
pub(super) struct ViewerGuard<'a> {
    viewers: &'a Viewers,
    is_following: bool,
}

impl Viewers {
    /// Registers a waiting poll.
    pub(super) fn join(&self, is_following: bool) -> ViewerGuard<'_> {
        let mut state = self.state();
        state.waiting += 1;
        state.following += usize::from(is_following);
        state.record_activity(is_following);
        self.changed.notify_all();
        ViewerGuard {
            viewers: self,
            is_following,
        }
    }

    /// Records a request for the newest events.
    pub(super) fn record_activity(&self) {
        self.state().record_activity(true);
        self.changed.notify_all();
    }

    /// Marks the trace as closed.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// What the connected viewers need now.
    pub(super) fn interest(&self) -> Interest {
        self.state().interest(Instant::now())
    }

    /// Waits for a viewer, up to the timeout.
    pub(super) fn wait_for_viewer(&self, timeout: Duration) -> Interest {
        self.wait(timeout, |interest| !matches!(interest, Interest::Absent(_)))
    }

    /// Waits for this time, or until the trace is closed.
    pub(super) fn wait_unless_closed(&self, time: Duration) -> Interest {
        self.wait(time, |interest| interest == Interest::Closed)
    }

    fn wait(&self, timeout: Duration, is_enough: impl Fn(Interest) -> bool) -> Interest {
        let end = Instant::now() + timeout;
        let mut state = self.state();
        loop {
            let now = Instant::now();
            let interest = state.interest(now);
            let left = end.saturating_duration_since(now);
            if is_enough(interest) || left.is_zero() {
                return interest;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, ViewerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ViewerState {
    fn record_activity(&mut self, is_following: bool) {
        let now = Instant::now();
        self.last_active = Some(now);
        if is_following {
            self.last_following = Some(now);
        }
    }

    fn interest(&self, now: Instant) -> Interest {
        let lately = |then: Option<Instant>| {
            then.is_some_and(|then| now.saturating_duration_since(then) < VIEWER_TIMEOUT)
        };
        if self.is_closed {
            Interest::Closed
        } else if self.following > 0 || lately(self.last_following) {
            Interest::NewestEvents
        } else if self.waiting > 0 || lately(self.last_active) {
            Interest::Status
        } else {
            Interest::Absent(self.last_active)
        }
    }
}

impl Drop for ViewerGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.viewers.state();
        state.waiting -= 1;
        state.following -= usize::from(self.is_following);
        state.record_activity(self.is_following);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(viewers: &Viewers, time: Duration) -> Interest {
        viewers.state().interest(Instant::now() + time)
    }

    #[test]
    fn interest_expires() {
        let viewers = Viewers::default();
        assert_eq!(viewers.interest(), Interest::Absent(None));
        let follower = viewers.join(true);
        assert_eq!(later(&viewers, 2 * VIEWER_TIMEOUT), Interest::NewestEvents);
        drop(follower);
        assert_eq!(viewers.interest(), Interest::NewestEvents);
        assert!(matches!(
            later(&viewers, VIEWER_TIMEOUT),
            Interest::Absent(Some(_))
        ));
        let pausing = viewers.join(false);
        assert_eq!(later(&viewers, VIEWER_TIMEOUT), Interest::Status);
        drop(pausing);
        assert!(matches!(
            later(&viewers, VIEWER_TIMEOUT),
            Interest::Absent(Some(_))
        ));
        viewers.record_activity();
        assert_eq!(viewers.interest(), Interest::NewestEvents);
        viewers.close();
        assert_eq!(viewers.interest(), Interest::Closed);
    }

    #[test]
    fn waiting_ends_when_a_viewer_connects() {
        let viewers = Viewers::default();
        let long = Duration::from_secs(60);
        std::thread::scope(|threads| {
            let waits = threads.spawn(|| viewers.wait_for_viewer(long));
            viewers.record_activity();
            assert_eq!(waits.join().unwrap(), Interest::NewestEvents);
            let rests = threads.spawn(|| viewers.wait_unless_closed(long));
            viewers.record_activity();
            viewers.close();
            assert_eq!(rests.join().unwrap(), Interest::Closed);
        });
        let short = Duration::from_millis(1);
        let viewers = Viewers::default();
        assert_eq!(viewers.wait_for_viewer(short), Interest::Absent(None));
    }
}
