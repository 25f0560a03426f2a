//! Context-switch logs of the simulated kernel, recorded by the recorder for
//! targets.
//!
//! The kernel is the one that writes ThreadX buffers. Every dispatch, idle
//! period, interrupt and critical section goes into the log of its core, whose
//! clock is the simulation's, and the recorder's own writers write the result.

mod core;
mod firmware;
mod markers;
mod options;
mod pipeline;
mod stream;
mod target;
mod truth;
mod workload;
mod write;

#[cfg(test)]
mod tests;

pub use markers::MarkerTruth;
pub use options::{CswitchOptions, LogBuffer, OutputForm};
pub use pipeline::{MarkedItemTruth, MarkedPipelineTruth, MarkedSpanTruth};
pub use truth::{
    CswitchThreadTruth, CswitchTruth, HandlerTruth, IdleTruth, InterruptsOffTruth, LogTruth,
};
pub use write::{CswitchSummary, write, write_with_truth};
