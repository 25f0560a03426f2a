//! Targets that wait until another one makes room.
//!
//! A target that restarts, or sends its trace in many short connections, comes again
//! before it is known that its last connection is closed. So a connection is refused
//! only if the one before it is known to be open long after: what was sent before is
//! no evidence, nor is what is still on its way.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Connections that are accepted at most; others wait in the system's queue.
const MAX_WAITING: usize = 256;

/// How long after it was read empty a target must still send for the next one to be
/// refused: longer than what it sent before takes to arrive.
const DRAINED_GRACE: Duration = Duration::from_secs(1);

/// How long a target may be silent: the system finds out within
/// [`KeepAlive::Short`](super::connection::KeepAlive::Short) whether it is gone, which
/// takes less.
const MAX_SILENCE: Duration = Duration::from_secs(6);

/// A connection that waits.
pub(super) struct WaitingConnection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// When the target was first seen without anything to read since this came.
    drained: Option<Instant>,
}

/// Connections that wait, the first first.
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

    /// Takes in those that want to connect.
    pub(super) fn accept(&mut self, listener: &TcpListener) {
        while self.connections.len() < MAX_WAITING {
            // A failure is that of one that came and went, or passes.
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

    /// Takes out the next.
    pub(super) fn next(&mut self) -> Option<WaitingConnection> {
        // The others wait for another target now.
        self.forget_drained();
        self.connections.pop_front()
    }

    /// Forgets what is known of the target, which may have closed since.
    pub(super) fn forget_drained(&mut self) {
        for candidate in &mut self.connections {
            candidate.drained = None;
        }
    }

    /// Takes out those for which the target does not make room. It is open, nothing
    /// is there to read now, and it last sent something at `heard_at`.
    pub(super) fn take_refused(
        &mut self,
        now: Instant,
        heard_at: Instant,
    ) -> Vec<WaitingConnection> {
        for candidate in &mut self.connections {
            candidate.drained.get_or_insert(now);
        }
        let is_refused = |candidate: &WaitingConnection| {
            candidate.drained.is_some_and(|drained| {
                heard_at >= drained + DRAINED_GRACE || now >= drained + MAX_SILENCE
            })
        };
        // The first that came was seen first.
        let count = self.connections.partition_point(is_refused);
        self.connections.drain(..count).collect()
    }
}
