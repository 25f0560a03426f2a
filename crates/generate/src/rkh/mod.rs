//! A trace stream of RKH, of a simulated application, recorded by the recorder
//! that targets use.
//!
//! A station grants pumps their turns. Both are active objects with state
//! machines, queues and timers; they post to each other, put events aside and
//! take them back. Every record goes through a
//! [`Recorder`](rtoscope_record::rkh::Recorder) and comes out as its stream.

mod address;
mod application;
mod dispatch;
mod events;
mod machine;
mod object;
mod options;
mod pump;
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
