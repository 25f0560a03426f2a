//! What a session answers about active objects.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A state machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct StateMachine {
    /// The active object's context.
    pub context: u32,
    /// The states in which it came to stay, by number: `what` of its lane's bars.
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
    /// How often the machine came to stay in it.
    pub visits: u32,
    /// Ticks that it stayed.
    pub residency: u64,
    /// The same in percent of the trace's length, as the state report has it;
    /// `null` if no time passes.
    pub share: Option<f64>,
}

/// Events on their way to active objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Posts {
    /// How many touch the window.
    pub total: u32,
    /// All of them by event; none if there are more than wanted.
    pub posts: Vec<Post>,
}

/// An event that was put into an active object's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Post {
    /// The event of the trace that tells.
    pub event: u32,
    /// Its time in ticks.
    pub time: u64,
    /// The active object that sent it; `null` if it was something else.
    pub sender_context: Option<u32>,
    /// The sender's name, address or `unknown`.
    pub sender_name: String,
    /// The context of the active object that gets it.
    pub receiver: u32,
    /// The signal's number.
    pub signal: u32,
    /// The signal's name.
    pub signal_name: String,
    /// Whether it was put at the front.
    pub front: bool,
    /// Whether it is a deferred event that came back.
    pub recalled: bool,
    /// The event with which the step that took it begins; `null` if that is not
    /// known.
    pub step_event: Option<u32>,
    /// The time of that event in ticks.
    pub step_time: Option<u64>,
}

/// A diagram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Diagram {
    /// What it is written in: a picture, or the source of one.
    pub text: String,
    /// How many rows of a sequence, or states and transitions of a machine, it
    /// shows.
    pub shown: u32,
    /// How many more there are, left out as there are too many: of a machine all,
    /// and `text` is empty.
    pub skipped: u32,
}
