//! The ground truth of a stream.

use crate::Address;
use serde::Serialize;
use std::collections::BTreeMap;

/// The ground truth up to the last record, including lost ones. Times are in
/// ticks of the timestamps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RkhTruth {
    /// Records that were made.
    pub records: u64,
    /// Records that are not in the stream because the recorder's buffer was
    /// full.
    pub lost: u64,
    /// Number of gaps of consecutive lost records.
    pub gaps: u64,
    /// From the first to the last timestamp in the stream.
    pub span_ticks: u64,
    /// Records in the stream by group and name; user records by name only.
    pub kinds: BTreeMap<String, u64>,
    /// The active objects, by priority.
    pub objects: Vec<ActiveObjectTruth>,
    /// Posts by receiver, signal and sender.
    pub signals: Vec<SignalTruth>,
    /// The timers of the active objects, in the same order.
    pub timers: Vec<TimerTruth>,
}

/// An active object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActiveObjectTruth {
    /// The name.
    pub name: String,
    /// The address.
    pub address: Address,
    /// Events posted to it.
    pub posted: u64,
    /// Maximum queue level after a post.
    pub max_queued: u32,
    /// Steps, including the initial one.
    pub steps: u64,
    /// The starts of the steps, since the first timestamp in the stream.
    pub step_starts: Vec<u64>,
    /// Steps by outcome.
    pub endings: StepEndingTruth,
    /// Guards that evaluated to false.
    pub guards_false: u64,
    /// Deferred events.
    pub deferred: u64,
    /// Recalled events.
    pub recalled: u64,
    /// Transitions, including internal and initial ones.
    pub transitions: u64,
    /// Time spent in steps.
    pub busy_ticks: u64,
    /// The visited states, in the order of the machine.
    pub states: Vec<MachineStateTruth>,
}

/// Steps by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StepEndingTruth {
    /// A transition was taken.
    pub processed: u64,
    /// No transition handled the event, or its guard was false.
    pub unhandled: u64,
}

/// The residency of a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MachineStateTruth {
    /// The name.
    pub name: String,
    /// The address.
    pub address: Address,
    /// Number of visits.
    pub visits: u64,
    /// Total time.
    pub ticks: u64,
}

/// Posts of one signal from one sender to one receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignalTruth {
    /// The receiver.
    pub object: String,
    /// The signal.
    pub signal: String,
    /// The sender.
    pub sender: String,
    /// Number of posts.
    pub posted: u64,
    /// Posts at the front of the queue.
    pub front: u64,
}

/// A timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TimerTruth {
    /// The address.
    pub address: Address,
    /// Number of starts.
    pub starts: u64,
    /// Number of stops while it ran.
    pub stops: u64,
    /// Number of expirations.
    pub expirations: u64,
}
