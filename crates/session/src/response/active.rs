//! Responses about active objects.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A state machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct StateMachine {
    /// The active object's context.
    pub context: u32,
    /// Its visited states, by number: the `subject` of its lane's bars.
    pub states: Vec<MachineState>,
}

/// A state of a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct MachineState {
    /// The object that names it.
    pub object: Option<u32>,
    /// Its name, or its address.
    pub name: String,
    /// The class of its bars.
    pub class: u8,
    /// Number of state intervals.
    pub visits: u32,
    /// Time in the state, in ticks.
    pub residency: u64,
    /// Time in the state, in percent of the trace's length, as in the report of states;
    /// `null` if no time passes.
    pub share: Option<f64>,
}

/// Posts to active objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Posts {
    /// Number of posts that overlap the window.
    pub total: u32,
    /// All of them, in the order of events; empty if there are more than the limit.
    pub posts: Vec<Post>,
}

/// An event posted to an active object's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Post {
    /// The event of the post.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
    /// The context of the active object that posted it; `null` for other senders.
    pub sender_context: Option<u32>,
    /// The sender's name, address or `unknown`.
    pub sender_name: String,
    /// The context of the receiving active object.
    pub receiver: u32,
    /// The signal's number.
    pub signal: u32,
    /// The signal's name.
    pub signal_name: String,
    /// Whether it was posted at the front of the queue.
    pub front: bool,
    /// Whether it is a recalled deferred event.
    pub recalled: bool,
    /// The first event of the step that handles it; `null` if unknown.
    pub step_event: Option<u64>,
    /// The time of that event in ticks.
    pub step_time: Option<u64>,
}

/// A diagram.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Diagram {
    /// The text of the diagram in the requested format.
    pub text: String,
    /// Number of shown rows of a sequence, or states and transitions of a machine.
    pub shown: u32,
    /// Number of skipped ones beyond the limit; a machine beyond the limit is skipped
    /// entirely, and `text` is empty.
    pub skipped: u32,
}
