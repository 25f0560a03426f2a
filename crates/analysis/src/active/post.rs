//! Posted and deferred events.

use super::StepId;
use rtoscope_trace::{Address, ContextId, Endpoint, EventIndex, Signal, Ticks};

/// A post: index into [`ActiveObjects::posts`](super::ActiveObjects::posts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PostId(pub u32);

impl PostId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An event put into an active object's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The receiver.
    pub to: ContextId,
    /// The signal.
    pub signal: Signal,
    /// The sender.
    pub from: Endpoint,
    /// Whether it was put at the front.
    pub front: bool,
    /// Number of events in the queue after the post, if recorded.
    pub queued: Option<u32>,
    /// Whether it is a recalled event.
    pub recalled: bool,
    /// The step that took it; `None` if that is not certain, as after lost
    /// records.
    pub step: Option<StepId>,
}

/// A deferred event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deferral {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The active object that deferred it, if known.
    pub object: Option<ContextId>,
    /// The queue that keeps it.
    pub queue: Address,
    /// Its signal.
    pub signal: Signal,
    /// The post that recalled it, if any.
    pub recalled: Option<PostId>,
}
