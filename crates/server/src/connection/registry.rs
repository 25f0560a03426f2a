//! The open connections, and the choice of the one that a new connection replaces.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Slots kept free if the system limits the number of open files.
const RESERVED_FILES: usize = 64;
/// Minimum number of connections despite this reserve.
const MIN_CONNECTIONS: usize = 16;

/// Activity of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionPhase {
    /// No request is in progress.
    Idle,
    /// The body of a request is being read.
    Receiving,
    /// A request waits for updates of a live trace.
    Waiting,
    /// A request is being answered: the connection keeps its slot.
    Answering,
}

/// All open connections.
pub(super) struct ConnectionRegistry {
    slots: Mutex<ConnectionSlots>,
    /// A slot may be free: a connection ended, or can be closed now.
    changed: Notify,
}

struct ConnectionSlots {
    capacity: usize,
    /// Logical clock: counts admissions and phase changes.
    clock: u64,
    open: BTreeMap<u64, ConnectionSlot>,
}

struct ConnectionSlot {
    phase: ConnectionPhase,
    /// Start of the current phase, by the logical clock.
    since: u64,
    /// Whether it has sent a request that the guard accepted.
    is_authorized: bool,
    is_closing: bool,
    close: Arc<Notify>,
}

/// A connection's entry in the registry, removed when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct ConnectionHandle(Arc<ConnectionEntry>);

struct ConnectionEntry {
    number: u64,
    close: Arc<Notify>,
    registry: Arc<ConnectionRegistry>,
}

/// A phase of a connection; the previous phase is restored when this is dropped.
pub(crate) struct PhaseGuard {
    connection: ConnectionHandle,
    previous: ConnectionPhase,
}

impl ConnectionRegistry {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            slots: Mutex::new(ConnectionSlots {
                capacity,
                clock: 0,
                open: BTreeMap::new(),
            }),
            changed: Notify::new(),
        }
    }

    /// Admits a new connection. If all slots are taken, asks the least useful
    /// connection to close; the slot is free after [`Self::changed`].
    pub(super) fn admit(self: &Arc<Self>) -> Option<ConnectionHandle> {
        let mut slots = self.slots();
        if slots.open.len() >= slots.capacity {
            slots.close_one();
            return None;
        }
        let number = slots.tick();
        let close = Arc::new(Notify::new());
        let slot = ConnectionSlot {
            phase: ConnectionPhase::Idle,
            since: number,
            is_authorized: false,
            is_closing: false,
            close: Arc::clone(&close),
        };
        slots.open.insert(number, slot);
        Some(ConnectionHandle(Arc::new(ConnectionEntry {
            number,
            close,
            registry: Arc::clone(self),
        })))
    }

    /// Reduces the capacity because the system has no resources for another connection,
    /// so that some files can still be opened.
    pub(super) fn shrink(&self) {
        let mut slots = self.slots();
        let fitting = slots.open.len().saturating_sub(RESERVED_FILES);
        slots.capacity = slots.capacity.min(fitting.max(MIN_CONNECTIONS));
        slots.close_one();
    }

    /// Waits until [`Self::admit`] may succeed.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn slots(&self) -> MutexGuard<'_, ConnectionSlots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlots {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Asks the least useful connection to close; one at a time.
    fn close_one(&mut self) {
        if self.open.values().any(|slot| slot.is_closing) {
            return;
        }
        let slots = self.open.values_mut();
        let ranked = slots.filter_map(|slot| Some((slot.eviction_rank()?, slot)));
        if let Some((_, slot)) = ranked.min_by_key(|(rank, _)| *rank) {
            slot.is_closing = true;
            slot.close.notify_one();
        }
    }
}

impl ConnectionSlot {
    /// The lowest rank is closed first: unauthorised before authorised, idle before
    /// receiving before waiting, and the longest in its phase first.
    fn eviction_rank(&self) -> Option<(bool, u8, u64)> {
        let phase = match self.phase {
            ConnectionPhase::Idle => 0,
            ConnectionPhase::Receiving => 1,
            ConnectionPhase::Waiting => 2,
            ConnectionPhase::Answering => return None,
        };
        Some((self.is_authorized, phase, self.since))
    }
}

impl ConnectionHandle {
    /// Starts a phase.
    pub(crate) fn begin_phase(&self, phase: ConnectionPhase) -> PhaseGuard {
        PhaseGuard {
            connection: self.clone(),
            previous: self.set_phase(phase),
        }
    }

    /// Marks the connection as authorised: the guard accepted a request.
    pub(crate) fn authorize(&self) {
        if let Some(slot) = self.0.registry.slots().open.get_mut(&self.0.number) {
            slot.is_authorized = true;
        }
    }

    /// The number of open connections, including this one.
    pub(super) fn open_connections(&self) -> usize {
        self.0.registry.slots().open.len()
    }

    /// Waits until its slot is needed.
    pub(super) async fn close_requested(&self) {
        self.0.close.notified().await;
    }

    /// Whether it may close now. If it answers a request meanwhile, another connection
    /// is chosen.
    pub(super) fn may_close(&self) -> bool {
        let registry = &self.0.registry;
        let mut slots = registry.slots();
        let Some(slot) = slots.open.get_mut(&self.0.number) else {
            return true;
        };
        if slot.phase != ConnectionPhase::Answering {
            return true;
        }
        slot.is_closing = false;
        drop(slots);
        registry.changed.notify_one();
        false
    }

    /// Sets the phase and returns the previous one.
    fn set_phase(&self, phase: ConnectionPhase) -> ConnectionPhase {
        let registry = &self.0.registry;
        let mut slots = registry.slots();
        let now = slots.tick();
        let Some(slot) = slots.open.get_mut(&self.0.number) else {
            return ConnectionPhase::Idle;
        };
        let before = std::mem::replace(&mut slot.phase, phase);
        slot.since = now;
        drop(slots);
        if phase != ConnectionPhase::Answering {
            registry.changed.notify_one();
        }
        before
    }
}

impl Drop for ConnectionEntry {
    fn drop(&mut self) {
        self.registry.slots().open.remove(&self.number);
        self.registry.changed.notify_one();
    }
}

impl Drop for PhaseGuard {
    fn drop(&mut self) {
        self.connection.set_phase(self.previous);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn full(capacity: usize) -> (Arc<ConnectionRegistry>, Vec<ConnectionHandle>) {
        let registry = Arc::new(ConnectionRegistry::new(capacity));
        let connections = (0..capacity).map(|_| registry.admit().unwrap());
        let connections = connections.collect();
        (registry, connections)
    }

    /// Whether it was asked to close; resets the notification.
    fn is_close_requested(connection: &ConnectionHandle) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        pin!(connection.close_requested()).poll(&mut context) == Poll::Ready(())
    }

    /// The indices of the connections in the order in which new ones replace them; the
    /// new ones are answered at once.
    fn closed(
        registry: &Arc<ConnectionRegistry>,
        held: Vec<(ConnectionHandle, Option<PhaseGuard>)>,
    ) -> Vec<usize> {
        let mut open: Vec<_> = held.into_iter().enumerate().collect();
        let mut order = Vec::new();
        let mut admitted = Vec::new();
        while registry.admit().is_none() {
            let Some(place) = open.iter().position(|(_, (it, _))| is_close_requested(it)) else {
                break;
            };
            let (number, (connection, phase)) = open.remove(place);
            assert!(connection.may_close());
            drop((connection, phase));
            order.push(number);
            admitted.push(
                registry
                    .admit()
                    .unwrap()
                    .begin_phase(ConnectionPhase::Answering),
            );
        }
        order
    }

    #[test]
    fn least_useful_connection_is_closed_first() {
        let (registry, connections) = full(7);
        let phases = [
            (true, ConnectionPhase::Waiting),
            (true, ConnectionPhase::Receiving),
            (true, ConnectionPhase::Idle),
            (true, ConnectionPhase::Answering),
            (false, ConnectionPhase::Receiving),
            (false, ConnectionPhase::Idle),
            (true, ConnectionPhase::Idle),
        ];
        let held = connections.into_iter().zip(phases);
        let held = held.map(|(connection, (is_authorized, phase))| {
            if is_authorized {
                connection.authorize();
            }
            let phase = connection.begin_phase(phase);
            (connection, Some(phase))
        });
        assert_eq!(closed(&registry, held.collect()), [5, 4, 2, 6, 1, 0]);
    }

    #[test]
    fn longest_idle_connection_is_closed_first() {
        let (registry, connections) = full(3);
        for connection in &connections {
            connection.authorize();
        }
        drop(connections[0].begin_phase(ConnectionPhase::Answering));
        let held = connections.into_iter().map(|connection| (connection, None));
        assert_eq!(closed(&registry, held.collect()), [1, 2, 0]);
    }

    #[test]
    fn one_connection_is_asked_to_close_at_a_time() {
        let (registry, connections) = full(2);
        assert!(registry.admit().is_none() && registry.admit().is_none());
        assert!(is_close_requested(&connections[0]) && !is_close_requested(&connections[1]));
    }

    #[test]
    fn requests_during_closing_are_answered() {
        let (registry, connections) = full(2);
        assert!(registry.admit().is_none());
        let _answering = connections[0].begin_phase(ConnectionPhase::Answering);
        assert!(is_close_requested(&connections[0]) && !connections[0].may_close());
        assert!(registry.admit().is_none());
        assert!(is_close_requested(&connections[1]) && connections[1].may_close());
    }

    #[test]
    fn capacity_shrinks_when_the_system_runs_out_of_files() {
        let (registry, mut connections) = full(200);
        registry.shrink();
        assert!(is_close_requested(&connections[0]));
        connections.drain(..100);
        let admitted: Vec<_> = std::iter::from_fn(|| registry.admit()).collect();
        assert_eq!(admitted.len(), 36);
    }
}
