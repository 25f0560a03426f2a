//! The snapshots of a live trace that can be queried.

use super::snapshot::{Snapshot, UnnumberedSnapshot};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of snapshots that can be queried without being held: following viewers may
/// still query the ones before the last. Small ones are frequent and stay for about a
/// second.
const MIN_FOLLOWED: usize = 3;
const MAX_FOLLOWED: usize = 20;
/// Maximum number of events in all snapshots beyond the minimum number.
const MAX_FOLLOWED_EVENTS: u64 = 1_000_000;
/// Maximum number of held snapshots.
const MAX_HELD: usize = 4;
/// How long a snapshot is held without renewal.
const HOLD_LEASE: Duration = Duration::from_secs(60);

/// The snapshots of a live trace that can be queried: a bounded number.
#[derive(Default)]
pub(super) struct SnapshotStore {
    /// The number of the last one.
    last: u64,
    /// Snapshots for following viewers, oldest first.
    followed: VecDeque<Arc<Snapshot>>,
    /// Held snapshots, most recently renewed last.
    held: VecDeque<HeldSnapshot>,
}

struct HeldSnapshot {
    snapshot: Arc<Snapshot>,
    renewed: Instant,
}

impl SnapshotStore {
    /// The snapshot that following viewers see.
    pub(super) fn newest(&self) -> Option<&Arc<Snapshot>> {
        self.followed.back()
    }

    /// Whether following viewers may query the snapshot with this number.
    pub(super) fn is_followed(&self, number: u64) -> bool {
        self.followed
            .iter()
            .any(|snapshot| snapshot.number == number)
    }

    /// Adds a snapshot for following viewers.
    pub(super) fn add_followed(&mut self, unnumbered: UnnumberedSnapshot) -> Arc<Snapshot> {
        let snapshot = self.assign_number(unnumbered);
        self.followed.push_back(Arc::clone(&snapshot));
        let count = |snapshot: &Arc<Snapshot>| u64::from(snapshot.info.part.events);
        let mut events: u64 = self.followed.iter().map(count).sum();
        while self.followed.len() > MIN_FOLLOWED
            && (self.followed.len() > MAX_FOLLOWED || events > MAX_FOLLOWED_EVENTS)
        {
            events -= self.followed.pop_front().as_ref().map_or(0, count);
        }
        snapshot
    }

    /// Adds a held snapshot.
    pub(super) fn add_held(
        &mut self,
        unnumbered: UnnumberedSnapshot,
        now: Instant,
    ) -> Arc<Snapshot> {
        let snapshot = self.assign_number(unnumbered);
        self.insert_held(Arc::clone(&snapshot), now);
        snapshot
    }

    /// Holds or renews the snapshot with this number, if it still exists.
    pub(super) fn renew(&mut self, number: u64, now: Instant) {
        self.sweep(now);
        if let Some(snapshot) = self.get(number, now) {
            self.insert_held(snapshot, now);
        }
    }

    /// The snapshot with this number, if it still exists.
    pub(super) fn get(&self, number: u64, now: Instant) -> Option<Arc<Snapshot>> {
        let held = self.held.iter().filter(|held| held.is_current(now));
        let all = self.followed.iter().chain(held.map(|held| &held.snapshot));
        all.into_iter()
            .find(|snapshot| snapshot.number == number)
            .cloned()
    }

    /// Drops snapshots with expired leases.
    pub(super) fn sweep(&mut self, now: Instant) {
        self.held.retain(|held| held.is_current(now));
    }

    /// Drops snapshots for following viewers.
    pub(super) fn unfollow(&mut self) {
        self.followed.clear();
    }

    fn insert_held(&mut self, snapshot: Arc<Snapshot>, now: Instant) {
        self.held
            .retain(|held| held.snapshot.number != snapshot.number);
        let renewed = now;
        self.held.push_back(HeldSnapshot { snapshot, renewed });
        if self.held.len() > MAX_HELD {
            self.held.pop_front();
        }
    }

    fn assign_number(&mut self, unnumbered: UnnumberedSnapshot) -> Arc<Snapshot> {
        self.last += 1;
        unnumbered.numbered(self.last)
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
    use rtoscope_session::Session;

    fn unnumbered() -> UnnumberedSnapshot {
        let trace = include_bytes!("../../../../testdata/threadx/cm3_short.trx");
        let content = UnpackedInput::open(Input::new(trace), BufferChoice::First, None).unwrap();
        let recording = content.decode(&Default::default()).unwrap();
        UnnumberedSnapshot::new(Session::new("live", recording), None)
    }

    fn is_available(snapshots: &SnapshotStore, number: u64, now: Instant) -> bool {
        snapshots.get(number, now).is_some()
    }

    #[test]
    fn leases_expire() {
        let start = Instant::now();
        let soon = start + HOLD_LEASE / 2;
        let later = soon + HOLD_LEASE / 2;
        let mut snapshots = SnapshotStore::default();
        let first = snapshots.add_held(unnumbered(), start).number;
        let second = snapshots.add_held(unnumbered(), start).number;
        assert!(is_available(&snapshots, first, soon) && is_available(&snapshots, second, soon));
        snapshots.renew(second, soon);
        assert!(!is_available(&snapshots, first, later) && is_available(&snapshots, second, later));
        // It does not come back.
        snapshots.renew(first, later);
        assert!(!is_available(&snapshots, first, later));
        assert!(!is_available(&snapshots, second, soon + HOLD_LEASE));
        snapshots.sweep(soon + HOLD_LEASE);
        assert!(snapshots.held.is_empty());
    }

    #[test]
    fn least_recently_renewed_snapshot_is_dropped_first() {
        let now = Instant::now();
        let mut snapshots = SnapshotStore::default();
        let numbers: Vec<_> = (0..MAX_HELD)
            .map(|_| snapshots.add_held(unnumbered(), now).number)
            .collect();
        snapshots.renew(numbers[0], now);
        let another = snapshots.add_held(unnumbered(), now).number;
        assert!(
            is_available(&snapshots, numbers[0], now) && is_available(&snapshots, another, now)
        );
        assert!(!is_available(&snapshots, numbers[1], now));
        assert_eq!(snapshots.held.len(), MAX_HELD);
    }

    #[test]
    fn followed_snapshots_can_be_held() {
        let now = Instant::now();
        let mut snapshots = SnapshotStore::default();
        assert!(snapshots.newest().is_none());
        let first = snapshots.add_followed(unnumbered()).number;
        snapshots.renew(first, now);
        let last = (0..MAX_FOLLOWED).map(|_| snapshots.add_followed(unnumbered()).number);
        let last = last.last().unwrap();
        assert!(!snapshots.is_followed(first) && is_available(&snapshots, first, now));
        assert!(!is_available(&snapshots, first, now + HOLD_LEASE));
        let held = snapshots.add_held(unnumbered(), now).number;
        assert!(held > last && !snapshots.is_followed(held));
        assert_eq!(
            snapshots.newest().map(|snapshot| snapshot.number),
            Some(last)
        );
        snapshots.unfollow();
        assert!(snapshots.newest().is_none() && !is_available(&snapshots, last, now));
        assert!(is_available(&snapshots, held, now));
    }
}
