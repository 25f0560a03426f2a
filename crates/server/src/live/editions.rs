//! The editions of a live trace that can be asked.

use super::edition::{Draft, Edition};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Editions that can be asked though nobody holds them: viewers that follow may
/// still ask the ones before the last. Small ones come often, and are kept for
/// about a second.
const LEAST_FOLLOWED: usize = 3;
const MOST_FOLLOWED: usize = 20;
/// Events of all of those that are more than the least.
const MOST_EVENTS: u64 = 1_000_000;
/// Editions that are held at the same time.
const MOST_HELD: usize = 4;
/// How long an edition is held, if nobody says again that it shall be.
const LEASE: Duration = Duration::from_secs(60);

/// The editions of a live trace that can be asked: a bounded number.
#[derive(Default)]
pub(super) struct Editions {
    /// The number of the last one.
    last: u64,
    /// Those that follow the recording, oldest first.
    followed: VecDeque<Arc<Edition>>,
    /// Those that are held, the one that was renewed last at the end.
    held: VecDeque<Held>,
}

struct Held {
    edition: Arc<Edition>,
    renewed: Instant,
}

impl Editions {
    /// The one that viewers which follow see.
    pub(super) fn newest(&self) -> Option<&Arc<Edition>> {
        self.followed.back()
    }

    /// Whether viewers that follow may ask the edition of a number.
    pub(super) fn is_followed(&self, number: u64) -> bool {
        self.followed.iter().any(|edition| edition.number == number)
    }

    /// Another one for viewers that follow.
    pub(super) fn follow(&mut self, draft: Draft) -> Arc<Edition> {
        let edition = self.number(draft);
        self.followed.push_back(Arc::clone(&edition));
        let count = |edition: &Arc<Edition>| u64::from(edition.made.part.events);
        let mut events: u64 = self.followed.iter().map(count).sum();
        while self.followed.len() > LEAST_FOLLOWED
            && (self.followed.len() > MOST_FOLLOWED || events > MOST_EVENTS)
        {
            events -= self.followed.pop_front().as_ref().map_or(0, count);
        }
        edition
    }

    /// Another one that is held.
    pub(super) fn hold(&mut self, draft: Draft, now: Instant) -> Arc<Edition> {
        let edition = self.number(draft);
        self.keep(Arc::clone(&edition), now);
        edition
    }

    /// Holds the edition of a number from now on, if there still is one.
    pub(super) fn renew(&mut self, number: u64, now: Instant) {
        self.sweep(now);
        if let Some(edition) = self.get(number, now) {
            self.keep(edition, now);
        }
    }

    /// The edition of a number, if there still is one.
    pub(super) fn get(&self, number: u64, now: Instant) -> Option<Arc<Edition>> {
        let held = self.held.iter().filter(|held| held.is_current(now));
        let all = self.followed.iter().chain(held.map(|held| &held.edition));
        all.into_iter()
            .find(|edition| edition.number == number)
            .cloned()
    }

    /// Lets go of what nobody holds any more.
    pub(super) fn sweep(&mut self, now: Instant) {
        self.held.retain(|held| held.is_current(now));
    }

    /// Lets go of what nobody follows any more.
    pub(super) fn unfollow(&mut self) {
        self.followed.clear();
    }

    fn keep(&mut self, edition: Arc<Edition>, now: Instant) {
        self.held
            .retain(|held| held.edition.number != edition.number);
        let renewed = now;
        self.held.push_back(Held { edition, renewed });
        if self.held.len() > MOST_HELD {
            self.held.pop_front();
        }
    }

    fn number(&mut self, draft: Draft) -> Arc<Edition> {
        self.last += 1;
        draft.numbered(self.last)
    }
}

impl Held {
    fn is_current(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.renewed) < LEASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_decode::source::Input;
    use rtoscope_decode::{Choice, Content};

    fn draft() -> Draft {
        let trace = include_bytes!("../../../../testdata/threadx/cm3_short.trx");
        let content = Content::open(Input::new(trace), Choice::First, None).unwrap();
        Draft::new("live", content.decode(&Default::default()).unwrap(), None)
    }

    fn is_there(editions: &Editions, number: u64, now: Instant) -> bool {
        editions.get(number, now).is_some()
    }

    #[test]
    fn a_lease_ends() {
        let start = Instant::now();
        let soon = start + LEASE / 2;
        let later = soon + LEASE / 2;
        let mut editions = Editions::default();
        let first = editions.hold(draft(), start).number;
        let second = editions.hold(draft(), start).number;
        assert!(is_there(&editions, first, soon) && is_there(&editions, second, soon));
        editions.renew(second, soon);
        assert!(!is_there(&editions, first, later) && is_there(&editions, second, later));
        // It cannot be had back.
        editions.renew(first, later);
        assert!(!is_there(&editions, first, later));
        assert!(!is_there(&editions, second, soon + LEASE));
        editions.sweep(soon + LEASE);
        assert!(editions.held.is_empty());
    }

    #[test]
    fn the_one_renewed_longest_ago_goes_first() {
        let now = Instant::now();
        let mut editions = Editions::default();
        let numbers: Vec<_> = (0..MOST_HELD)
            .map(|_| editions.hold(draft(), now).number)
            .collect();
        editions.renew(numbers[0], now);
        let another = editions.hold(draft(), now).number;
        assert!(is_there(&editions, numbers[0], now) && is_there(&editions, another, now));
        assert!(!is_there(&editions, numbers[1], now));
        assert_eq!(editions.held.len(), MOST_HELD);
    }

    #[test]
    fn one_that_is_followed_can_be_held() {
        let now = Instant::now();
        let mut editions = Editions::default();
        assert!(editions.newest().is_none());
        let first = editions.follow(draft()).number;
        editions.renew(first, now);
        let last = (0..MOST_FOLLOWED).map(|_| editions.follow(draft()).number);
        let last = last.last().unwrap();
        assert!(!editions.is_followed(first) && is_there(&editions, first, now));
        assert!(!is_there(&editions, first, now + LEASE));
        let held = editions.hold(draft(), now).number;
        assert!(held > last && !editions.is_followed(held));
        assert_eq!(editions.newest().map(|edition| edition.number), Some(last));
        editions.unfollow();
        assert!(editions.newest().is_none() && !is_there(&editions, last, now));
        assert!(is_there(&editions, held, now));
    }
}
