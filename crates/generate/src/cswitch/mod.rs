//! A context-switch log of the simulated kernel, recorded by the recorder that
//! targets use.
//!
//! The kernel is the one that writes ThreadX's buffers. Every dispatch, idle
//! time, interrupt and critical section goes into a
//! [`Log`](rtoscope_record::cswitch::Log) a core, whose clock is the
//! simulation's, and comes out through the recorder's own writers.

mod core;
mod course;
mod firmware;
mod settings;
mod stream;
mod target;
mod truth;
mod write;

#[cfg(test)]
mod tests;

pub use settings::{Buffer, Form, Settings};
pub use truth::{HandlerTruth, IdleTruth, LogTruth, MaskTruth, ThreadTruth, Truth};
pub use write::{Summary, write, write_with_truth};
