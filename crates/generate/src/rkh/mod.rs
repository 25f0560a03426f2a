//! RKH streams of a simulated application, recorded by the recorder for
//! targets.
//!
//! A station grants pumps permission to run. All of them are active objects
//! with state machines, queues and timers; they post to each other, defer
//! events and recall them. Every record goes through a recorder and leaves as
//! its stream.

mod address;
mod application;
mod dispatch;
mod events;
mod machine;
mod object;
mod options;
mod pump;
mod reframe;
mod scheduler;
mod setup;
mod start;
mod station;
mod timers;
mod tracer;
mod truth;
mod truth_builder;
mod write;

#[cfg(test)]
mod tests;

pub use options::RkhOptions;
pub use truth::{
    ActiveObjectTruth, MachineStateTruth, RkhTruth, SignalTruth, StepEndingTruth, TimerTruth,
};
pub use write::{RkhSummary, write, write_with_truth};
