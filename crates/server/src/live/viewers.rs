//! Who looks at a live trace.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long somebody who has looked is expected to look again.
const VIEWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Who looks at a live trace: nothing is made for nobody.
#[derive(Default)]
pub(super) struct Viewers {
    state: Mutex<ViewerState>,
    changed: Condvar,
}

#[derive(Default)]
struct ViewerState {
    /// Those that wait for news now.
    waiting: usize,
    /// Those of them that want to see the newest events.
    following: usize,
    /// When somebody last looked.
    last_active: Option<Instant>,
    /// When somebody last looked at the newest events.
    last_following: Option<Instant>,
    is_closed: bool,
}

/// How much of an interest there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// The trace is closed.
    Closed,
    /// Nobody looks; since when, if somebody did.
    Absent(Option<Instant>),
    /// In how it stands, and not in the newest events.
    Status,
    /// In the newest events.
    NewestEvents,
}

/// Somebody who waits for news, until this is dropped.
pub(super) struct ViewerGuard<'a> {
    viewers: &'a Viewers,
    is_following: bool,
}

impl Viewers {
    /// Somebody waits for news.
    pub(super) fn join(&self, is_following: bool) -> ViewerGuard<'_> {
        let mut looks = self.state();
        looks.waiting += 1;
        looks.following += usize::from(is_following);
        looks.record_activity(is_following);
        self.changed.notify_all();
        ViewerGuard {
            viewers: self,
            is_following,
        }
    }

    /// Somebody asks about the newest events.
    pub(super) fn record_activity(&self) {
        self.state().record_activity(true);
        self.changed.notify_all();
    }

    /// The trace is closed.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Who looks.
    pub(super) fn interest(&self) -> Interest {
        self.state().interest(Instant::now())
    }

    /// Waits so long that somebody looks.
    pub(super) fn wait_for_viewer(&self, most: Duration) -> Interest {
        self.wait(most, |interest| !matches!(interest, Interest::Absent(_)))
    }

    /// Waits so long, unless the trace is closed.
    pub(super) fn wait_unless_closed(&self, time: Duration) -> Interest {
        self.wait(time, |interest| interest == Interest::Closed)
    }

    fn wait(&self, most: Duration, is_enough: impl Fn(Interest) -> bool) -> Interest {
        let end = Instant::now() + most;
        let mut looks = self.state();
        loop {
            let now = Instant::now();
            let interest = looks.interest(now);
            let left = end.saturating_duration_since(now);
            if is_enough(interest) || left.is_zero() {
                return interest;
            }
            let waited = self.changed.wait_timeout(looks, left);
            looks = waited.unwrap_or_else(PoisonError::into_inner).0;
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
        let mut looks = self.viewers.state();
        looks.waiting -= 1;
        looks.following -= usize::from(self.is_following);
        looks.record_activity(self.is_following);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(audience: &Viewers, time: Duration) -> Interest {
        audience.state().interest(Instant::now() + time)
    }

    #[test]
    fn interest_expires() {
        let audience = Viewers::default();
        assert_eq!(audience.interest(), Interest::Absent(None));
        let follower = audience.join(true);
        assert_eq!(later(&audience, 2 * VIEWER_TIMEOUT), Interest::NewestEvents);
        drop(follower);
        assert_eq!(audience.interest(), Interest::NewestEvents);
        assert!(matches!(
            later(&audience, VIEWER_TIMEOUT),
            Interest::Absent(Some(_))
        ));
        let pausing = audience.join(false);
        assert_eq!(later(&audience, VIEWER_TIMEOUT), Interest::Status);
        drop(pausing);
        assert!(matches!(
            later(&audience, VIEWER_TIMEOUT),
            Interest::Absent(Some(_))
        ));
        audience.record_activity();
        assert_eq!(audience.interest(), Interest::NewestEvents);
        audience.close();
        assert_eq!(audience.interest(), Interest::Closed);
    }

    #[test]
    fn waiting_ends_when_a_viewer_connects() {
        let audience = Viewers::default();
        let long = Duration::from_secs(60);
        std::thread::scope(|threads| {
            let waits = threads.spawn(|| audience.wait_for_viewer(long));
            audience.record_activity();
            assert_eq!(waits.join().unwrap(), Interest::NewestEvents);
            let rests = threads.spawn(|| audience.wait_unless_closed(long));
            audience.record_activity();
            audience.close();
            assert_eq!(rests.join().unwrap(), Interest::Closed);
        });
        let short = Duration::from_millis(1);
        let nobody = Viewers::default();
        assert_eq!(nobody.wait_for_viewer(short), Interest::Absent(None));
    }
}
