//! The editions of a live trace that can be asked.

use super::snapshot::{Snapshot, UnnumberedSnapshot};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Editions that can be asked though nobody holds them: viewers that follow may
/// still ask the ones before the last. Small ones come often, and are kept for
/// about a second.
const MIN_FOLLOWED: usize = 3;
const MAX_FOLLOWED: usize = 20;
/// Events of all of those that are more than the least.
const MAX_FOLLOWED_EVENTS: u64 = 1_000_000;
/// Editions that are held at the same time.
const MAX_HELD: usize = 4;
/// How long an edition is held, if nobody says again that it shall be.
const HOLD_LEASE: Duration = Duration::from_secs(60);

/// The editions of a live trace that can be asked: a bounded number.
#[derive(Default)]
pub(super) struct SnapshotStore {
    /// The number of the last one.
    last: u64,
    /// Those that follow the recording, oldest first.
    followed: VecDeque<Arc<Snapshot>>,
    /// Those that are held, the one that was renewed last at the end.
    held: VecDeque<HeldSnapshot>,
}

struct HeldSnapshot {
    snapshot: Arc<Snapshot>,
    renewed: Instant,
}

impl SnapshotStore {
    /// The one that viewers which follow see.
    pub(super) fn newest(&self) -> Option<&Arc<Snapshot>> {
        self.followed.back()
    }

    /// Whether viewers that follow may ask the edition of a number.
    pub(super) fn is_followed(&self, number: u64) -> bool {
        self.followed.iter().any(|edition| edition.number == number)
    }

    /// Another one for viewers that follow.
    pub(super) fn add_followed(&mut self, draft: UnnumberedSnapshot) -> Arc<Snapshot> {
        let edition = self.assign_number(draft);
        self.followed.push_back(Arc::clone(&edition));
        let count = |edition: &Arc<Snapshot>| u64::from(edition.info.part.events);
        let mut events: u64 = self.followed.iter().map(count).sum();
        while self.followed.len() > MIN_FOLLOWED
            && (self.followed.len() > MAX_FOLLOWED || events > MAX_FOLLOWED_EVENTS)
        {
            events -= self.followed.pop_front().as_ref().map_or(0, count);
        }
        edition
    }

    /// Another one that is held.
    pub(super) fn add_held(&mut self, draft: UnnumberedSnapshot, now: Instant) -> Arc<Snapshot> {
        let edition = self.assign_number(draft);
        self.insert_held(Arc::clone(&edition), now);
        edition
    }

    /// Holds the edition of a number from now on, if there still is one.
    pub(super) fn renew(&mut self, number: u64, now: Instant) {
        self.sweep(now);
        if let Some(edition) = self.get(number, now) {
            self.insert_held(edition, now);
        }
    }

    /// The edition of a number, if there still is one.
    pub(super) fn get(&self, number: u64, now: Instant) -> Option<Arc<Snapshot>> {
        let held = self.held.iter().filter(|held| held.is_current(now));
        let all = self.followed.iter().chain(held.map(|held| &held.snapshot));
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

    fn insert_held(&mut self, edition: Arc<Snapshot>, now: Instant) {
        self.held
            .retain(|held| held.snapshot.number != edition.number);
        let renewed = now;
        self.held.push_back(HeldSnapshot {
            snapshot: edition,
            renewed,
        });
        if self.held.len() > MAX_HELD {
            self.held.pop_front();
        }
    }

    fn assign_number(&mut self, draft: UnnumberedSnapshot) -> Arc<Snapshot> {
        self.last += 1;
        draft.numbered(self.last)
    }
}

impl HeldSnapshot {
    fn is_current(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.renewed) < HOLD_LEASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_decode::source::Input;
    use rtoscope_decode::{BufferChoice, UnpackedInput};

    fn unnumbered() -> UnnumberedSnapshot {
        let trace = include_bytes!("../../../../testdata/threadx/cm3_short.trx");
        let content = UnpackedInput::open(Input::new(trace), BufferChoice::First, None).unwrap();
        UnnumberedSnapshot::new("live", content.decode(&Default::default()).unwrap(), None)
    }

    fn is_available(editions: &SnapshotStore, number: u64, now: Instant) -> bool {
        editions.get(number, now).is_some()
    }

    #[test]
    fn leases_expire() {
        let start = Instant::now();
        let soon = start + HOLD_LEASE / 2;
        let later = soon + HOLD_LEASE / 2;
        let mut editions = SnapshotStore::default();
        let first = editions.add_held(unnumbered(), start).number;
        let second = editions.add_held(unnumbered(), start).number;
        assert!(is_available(&editions, first, soon) && is_available(&editions, second, soon));
        editions.renew(second, soon);
        assert!(!is_available(&editions, first, later) && is_available(&editions, second, later));
        // It cannot be had back.
        editions.renew(first, later);
        assert!(!is_available(&editions, first, later));
        assert!(!is_available(&editions, second, soon + HOLD_LEASE));
        editions.sweep(soon + HOLD_LEASE);
        assert!(editions.held.is_empty());
    }

    #[test]
    fn least_recently_renewed_snapshot_is_dropped_first() {
        let now = Instant::now();
        let mut editions = SnapshotStore::default();
        let numbers: Vec<_> = (0..MAX_HELD)
            .map(|_| editions.add_held(unnumbered(), now).number)
            .collect();
        editions.renew(numbers[0], now);
        let another = editions.add_held(unnumbered(), now).number;
        assert!(is_available(&editions, numbers[0], now) && is_available(&editions, another, now));
        assert!(!is_available(&editions, numbers[1], now));
        assert_eq!(editions.held.len(), MAX_HELD);
    }

    #[test]
    fn followed_snapshots_can_be_held() {
        let now = Instant::now();
        let mut editions = SnapshotStore::default();
        assert!(editions.newest().is_none());
        let first = editions.add_followed(unnumbered()).number;
        editions.renew(first, now);
        let last = (0..MAX_FOLLOWED).map(|_| editions.add_followed(unnumbered()).number);
        let last = last.last().unwrap();
        assert!(!editions.is_followed(first) && is_available(&editions, first, now));
        assert!(!is_available(&editions, first, now + HOLD_LEASE));
        let held = editions.add_held(unnumbered(), now).number;
        assert!(held > last && !editions.is_followed(held));
        assert_eq!(editions.newest().map(|edition| edition.number), Some(last));
        editions.unfollow();
        assert!(editions.newest().is_none() && !is_available(&editions, last, now));
        assert!(is_available(&editions, held, now));
    }
}
