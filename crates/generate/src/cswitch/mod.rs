//! A context-switch log of the simulated kernel, recorded by the recorder that
//! targets use.
//!
//! The kernel is the one that writes ThreadX's buffers. Every dispatch, idle
//! time, interrupt and critical section goes into a
//! [`Log`](rtoscope_record::cswitch::Log) a core, whose clock is the
//! simulation's, and comes out through the recorder's own writers.

mod core;
mod firmware;
mod options;
mod stream;
mod target;
mod truth;
mod workload;
mod write;

#[cfg(test)]
mod tests;

pub use options::{CswitchOptions, LogBuffer, OutputForm};
pub use truth::{
    CswitchThreadTruth, CswitchTruth, HandlerTruth, IdleTruth, InterruptsOffTruth, LogTruth,
};
pub use write::{CswitchSummary, write, write_with_truth};
