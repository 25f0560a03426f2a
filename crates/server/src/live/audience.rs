//! Who looks at a live trace.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long somebody who has looked is expected to look again.
const ATTENTION: Duration = Duration::from_secs(5);

/// Who looks at a live trace: nothing is made for nobody.
#[derive(Default)]
pub(super) struct Audience {
    looks: Mutex<Looks>,
    changed: Condvar,
}

#[derive(Default)]
struct Looks {
    /// Those that wait for news now.
    waiting: usize,
    /// Those of them that want to see the newest events.
    following: usize,
    /// When somebody last looked.
    looked: Option<Instant>,
    /// When somebody last looked at the newest events.
    followed: Option<Instant>,
    is_over: bool,
}

/// How much of an interest there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// The trace is closed.
    Over,
    /// Nobody looks; since when, if somebody did.
    Nobody(Option<Instant>),
    /// In how it stands, and not in the newest events.
    Status,
    /// In the newest events.
    Newest,
}

/// Somebody who waits for news, until this is dropped.
pub(super) struct Onlooker<'a> {
    audience: &'a Audience,
    is_following: bool,
}

impl Audience {
    /// Somebody waits for news.
    pub(super) fn join(&self, is_following: bool) -> Onlooker<'_> {
        let mut looks = self.looks();
        looks.waiting += 1;
        looks.following += usize::from(is_following);
        looks.look(is_following);
        self.changed.notify_all();
        Onlooker {
            audience: self,
            is_following,
        }
    }

    /// Somebody asks about the newest events.
    pub(super) fn look(&self) {
        self.looks().look(true);
        self.changed.notify_all();
    }

    /// The trace is closed.
    pub(super) fn close(&self) {
        self.looks().is_over = true;
        self.changed.notify_all();
    }

    /// Who looks.
    pub(super) fn interest(&self) -> Interest {
        self.looks().interest(Instant::now())
    }

    /// Waits so long that somebody looks.
    pub(super) fn await_somebody(&self, most: Duration) -> Interest {
        self.wait(most, |interest| !matches!(interest, Interest::Nobody(_)))
    }

    /// Waits so long, unless the trace is closed.
    pub(super) fn rest(&self, time: Duration) -> Interest {
        self.wait(time, |interest| interest == Interest::Over)
    }

    fn wait(&self, most: Duration, is_enough: impl Fn(Interest) -> bool) -> Interest {
        let end = Instant::now() + most;
        let mut looks = self.looks();
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

    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Looks {
    fn look(&mut self, is_following: bool) {
        let now = Instant::now();
        self.looked = Some(now);
        if is_following {
            self.followed = Some(now);
        }
    }

    fn interest(&self, now: Instant) -> Interest {
        let lately = |then: Option<Instant>| {
            then.is_some_and(|then| now.saturating_duration_since(then) < ATTENTION)
        };
        if self.is_over {
            Interest::Over
        } else if self.following > 0 || lately(self.followed) {
            Interest::Newest
        } else if self.waiting > 0 || lately(self.looked) {
            Interest::Status
        } else {
            Interest::Nobody(self.looked)
        }
    }
}

impl Drop for Onlooker<'_> {
    fn drop(&mut self) {
        let mut looks = self.audience.looks();
        looks.waiting -= 1;
        looks.following -= usize::from(self.is_following);
        looks.look(self.is_following);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(audience: &Audience, time: Duration) -> Interest {
        audience.looks().interest(Instant::now() + time)
    }

    #[test]
    fn interest_fades() {
        let audience = Audience::default();
        assert_eq!(audience.interest(), Interest::Nobody(None));
        let follower = audience.join(true);
        assert_eq!(later(&audience, 2 * ATTENTION), Interest::Newest);
        drop(follower);
        assert_eq!(audience.interest(), Interest::Newest);
        assert!(matches!(
            later(&audience, ATTENTION),
            Interest::Nobody(Some(_))
        ));
        let pausing = audience.join(false);
        assert_eq!(later(&audience, ATTENTION), Interest::Status);
        drop(pausing);
        assert!(matches!(
            later(&audience, ATTENTION),
            Interest::Nobody(Some(_))
        ));
        audience.look();
        assert_eq!(audience.interest(), Interest::Newest);
        audience.close();
        assert_eq!(audience.interest(), Interest::Over);
    }

    #[test]
    fn waiting_ends_when_somebody_comes() {
        let audience = Audience::default();
        let long = Duration::from_secs(60);
        std::thread::scope(|threads| {
            let waits = threads.spawn(|| audience.await_somebody(long));
            audience.look();
            assert_eq!(waits.join().unwrap(), Interest::Newest);
            let rests = threads.spawn(|| audience.rest(long));
            audience.look();
            audience.close();
            assert_eq!(rests.join().unwrap(), Interest::Over);
        });
        let short = Duration::from_millis(1);
        let nobody = Audience::default();
        assert_eq!(nobody.await_somebody(short), Interest::Nobody(None));
    }
}
