//! Connections that wait until the current target disconnects.
//!
//! A target that restarts, or sends its trace over many short connections, reconnects
//! before its last connection is known to be closed. A connection is therefore refused
//! only if the one before it is known to be open long after: bytes sent earlier, or
//! still in flight, are no evidence.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Maximum number of accepted connections; others wait in the system's queue.
const MAX_WAITING: usize = 256;

/// How long after it was drained a target must still send for the next one to be
/// refused: longer than bytes can be in flight.
const DRAINED_GRACE: Duration = Duration::from_secs(1);

/// How long a target may be silent: longer than the system takes to detect a lost
/// connection with [`KeepAlive::Short`](super::target_connection::KeepAlive::Short).
const MAX_SILENCE: Duration = Duration::from_secs(6);

/// A waiting connection.
pub(super) struct WaitingConnection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// When the target was first drained since this connection was accepted.
    drained: Option<Instant>,
}

/// Waiting connections, oldest first.
#[derive(Default)]
pub(super) struct WaitingConnections {
    connections: VecDeque<WaitingConnection>,
}

impl WaitingConnections {
    pub(super) fn len(&self) -> usize {
        self.connections.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.connections.is_empty()
    }

    /// Accepts new connections.
    pub(super) fn accept(&mut self, listener: &TcpListener) {
        while self.connections.len() < MAX_WAITING {
            // The failure concerns a connection that is gone, or is temporary.
            let Ok((stream, peer)) = listener.accept() else {
                break;
            };
            self.connections.push_back(WaitingConnection {
                stream,
                peer,
                drained: None,
            });
        }
    }

    /// Takes the next connection.
    pub(super) fn next(&mut self) -> Option<WaitingConnection> {
        // The others now wait for another target.
        self.forget_drained();
        self.connections.pop_front()
    }

    /// Forgets the state of the target, which may have disconnected since.
    pub(super) fn forget_drained(&mut self) {
        for candidate in &mut self.connections {
            candidate.drained = None;
        }
    }

    /// Takes the connections to refuse: the target is connected, drained now, and last
    /// sent bytes at `last_received`.
    pub(super) fn take_refused(
        &mut self,
        now: Instant,
        last_received: Instant,
    ) -> Vec<WaitingConnection> {
        for candidate in &mut self.connections {
            candidate.drained.get_or_insert(now);
        }
        let is_refused = |candidate: &WaitingConnection| {
            candidate.drained.is_some_and(|drained| {
                last_received >= drained + DRAINED_GRACE || now >= drained + MAX_SILENCE
            })
        };
        // The oldest has waited longest.
        let count = self.connections.partition_point(is_refused);
        self.connections.drain(..count).collect()
    }
}
