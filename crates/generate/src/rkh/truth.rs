//! What really happened in the simulated application.

use crate::Address;
use serde::Serialize;
use std::collections::BTreeMap;

/// What really happened up to the last record that was made, lost ones among
/// them. Times are in ticks of the stamps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RkhTruth {
    /// Records that were made.
    pub records: u64,
    /// Those of them that are not in the stream, as the recorder's buffer was full.
    pub lost: u64,
    /// Times that records were lost one after the other.
    pub gaps: u64,
    /// From the first to the last record with a stamp that is in the stream.
    pub span_ticks: u64,
    /// Records in the stream, by group and name, the application's own by their
    /// names alone.
    pub kinds: BTreeMap<String, u64>,
    /// The active objects, by priority.
    pub objects: Vec<ActiveObjectTruth>,
    /// Posts by receiver, signal and sender.
    pub signals: Vec<SignalTruth>,
    /// The timers of the active objects, in their order.
    pub timers: Vec<TimerTruth>,
}

/// What an active object did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActiveObjectTruth {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub address: Address,
    /// Events that were put into its queue.
    pub posted: u64,
    /// The most that were in it behind a post.
    pub max_queued: u32,
    /// Steps that it began, its initial transition among them.
    pub steps: u64,
    /// How they ended.
    pub endings: StepEndingTruth,
    /// Guards that were false.
    pub guards_false: u64,
    /// Events that it put aside.
    pub deferred: u64,
    /// Events that it took back.
    pub recalled: u64,
    /// Transitions that it took, internal and initial ones among them.
    pub transitions: u64,
    /// How long it was in steps.
    pub busy_ticks: u64,
    /// The states in which it stayed, in the order of their machine.
    pub states: Vec<MachineStateTruth>,
}

/// How steps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StepEndingTruth {
    /// A transition was taken.
    pub processed: u64,
    /// None waited for the event, or its guard was false.
    pub unhandled: u64,
}

/// The time in a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MachineStateTruth {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub address: Address,
    /// How often it was reached.
    pub visits: u64,
    /// How long it lasted.
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
    /// How often.
    pub posted: u64,
    /// Of these, in front of all others.
    pub front: u64,
}

/// What a timer did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TimerTruth {
    /// Where it lies.
    pub address: Address,
    /// How often it was started.
    pub starts: u64,
    /// How often it was stopped while it ran.
    pub stops: u64,
    /// How often it ran out.
    pub expirations: u64,
}
