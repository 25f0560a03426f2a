//! Events on their way to an active object.

use super::StepId;
use rtoscope_trace::{Address, ContextId, Endpoint, EventIndex, Signal, Ticks};

/// A post of an analysis: index into [`Active::posts`](super::Active::posts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PostId(pub u32);

impl PostId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An event that was put into an active object's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// When.
    pub time: Ticks,
    /// Whose queue.
    pub to: ContextId,
    /// What for.
    pub signal: Signal,
    /// By whom.
    pub from: Endpoint,
    /// Whether it was put at the front.
    pub front: bool,
    /// How many events the queue held then, where that was recorded.
    pub queued: Option<u32>,
    /// Whether it is a deferred event that came back.
    pub recalled: bool,
    /// The step that took it, if that is certain: after lost records it is not.
    pub step: Option<StepId>,
}

/// An event that an active object put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deferral {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// When.
    pub time: Ticks,
    /// Who put it aside, if that is known.
    pub object: Option<ContextId>,
    /// The queue that keeps it.
    pub queue: Address,
    /// Its signal.
    pub signal: Signal,
    /// The post with which it came back, if it did.
    pub recalled: Option<PostId>,
}
