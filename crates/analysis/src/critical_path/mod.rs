//! The critical path: from an event back through all waits to the first cause.
//!
//! The path follows the context of the event back in time. Where that context waited, the
//! path goes on in the context that resumed it:
//!
//! - For good, if that one sent, gave or posted something: what the receiver did before is
//!   no cause. The path ends at the first cause, such as an interrupt.
//! - Only for the time of the wait, if that one gave back a mutex, memory of a pool or room
//!   in a queue: then the path returns to the context that waited.

mod path_finder;
#[cfg(test)]
mod tests;

pub use path_finder::CriticalPathFinder;

use crate::schedule::DelayCause;
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks, WaitReason};

/// Limits of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CriticalPathOptions {
    /// The path goes back to this time at most, also beyond the first cause: through waits
    /// that interrupts and timers ended. `None` ends it at the first cause.
    pub from: Option<Ticks>,
    /// The thread or active object that the path follows from the time of the event on;
    /// `None` for the context of the event.
    pub context: Option<ContextId>,
    /// Maximum number of segments; at least 1.
    pub max_segments: usize,
}

impl Default for CriticalPathOptions {
    fn default() -> Self {
        Self {
            from: None,
            context: None,
            max_segments: 1000,
        }
    }
}

/// What led to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticalPath {
    /// The event.
    pub event: EventIndex,
    /// The context that it explains: that of its end.
    pub context: PathContext,
    /// The time of its first segment.
    pub start: Ticks,
    /// The time of the event.
    pub end: Ticks,
    /// Why it does not go back further.
    pub origin: PathOrigin,
    /// The segments in order of time, without gaps from `start` to `end`.
    pub segments: Vec<PathSegment>,
}

/// A part of a path, in which one context has one cause to run or not to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathSegment {
    /// The context that the path follows.
    pub context: PathContext,
    /// Its start.
    pub start: Ticks,
    /// Its end; its start if the context resumes another as soon as the path reaches it.
    pub end: Ticks,
    /// The event that began it, or the last before it.
    pub event: EventIndex,
    /// What the context does, or what keeps it from running.
    pub cause: PathCause,
    /// The wait to which the path returns, as the context holds what is waited for.
    pub blocks: Option<BlockedWait>,
    /// The resumption that ends the segment, if the path goes on in another context.
    pub resumes: Option<Resumption>,
}

impl PathSegment {
    /// Ticks from start to end.
    pub fn ticks(&self) -> u64 {
        self.end.0.saturating_sub(self.start.0)
    }
}

/// A context that a path follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathContext {
    /// A thread, an active object, or initialisation.
    Context(ContextId),
    /// An interrupt service routine.
    Isr {
        /// Its core.
        core: u8,
        /// Its number; `None` if it has none.
        number: Option<u32>,
    },
}

/// What a context does in a segment, or what keeps it from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathCause {
    /// What a thread or an interrupt service routine does.
    Delay(DelayCause),
    /// An event is in the queue of the active object.
    Queued,
}

/// A thread waits for something that another context holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockedWait {
    /// The thread.
    pub thread: ContextId,
    /// The reason.
    pub wait_reason: WaitReason,
    /// The object.
    pub resource: Option<ResourceId>,
}

/// The end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumption {
    /// The event that ends it.
    pub event: EventIndex,
    /// The context that waited.
    pub context: ContextId,
    /// Why it waited; `None` if it is an active object, which gets an event.
    pub wait_reason: Option<WaitReason>,
    /// The object that it was blocked on, if known.
    pub resource: Option<ResourceId>,
}

/// Why a path does not go back further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathOrigin {
    /// An interrupt service routine begins.
    Interrupt,
    /// It begins in an interrupt whose entry is not recorded.
    InterruptEntryNotRecorded,
    /// The initialisation did it.
    Initialize,
    /// The start of the requested window.
    Window,
    /// The start of the trace.
    TraceStart,
    /// What the context did before is not recorded.
    NotRecorded,
    /// What resumed the context is not recorded.
    ResumptionNotRecorded,
    /// The maximum number of segments.
    Limit,
}

impl PathOrigin {
    /// All origins.
    pub const ALL: [Self; 8] = [
        Self::Interrupt,
        Self::InterruptEntryNotRecorded,
        Self::Initialize,
        Self::Window,
        Self::TraceStart,
        Self::NotRecorded,
        Self::ResumptionNotRecorded,
        Self::Limit,
    ];

    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupt",
            Self::InterruptEntryNotRecorded => "interrupt-entry-not-recorded",
            Self::Initialize => "initialize",
            Self::Window => "window",
            Self::TraceStart => "trace-start",
            Self::NotRecorded => "not-recorded",
            Self::ResumptionNotRecorded => "resumption-not-recorded",
            Self::Limit => "limit",
        }
    }
}
