//! Trace generator: a simulated ThreadX kernel that writes trace buffers as a
//! target would, with their ground truth.
//!
//! Threads with six roles call the usual services in a loop, are preempted by
//! priority and interrupted by a tick and by devices, and log every call into a
//! valid TXTB buffer of any length. The buffer is written as a stream: memory
//! use depends on the number of threads, not on the number of events. Equal
//! [`ThreadXOptions`] give equal bytes. [`write_with_truth`] also returns the
//! ground truth, to compare a reader's findings with. The modules [`cswitch`]
//! and [`rkh`] generate the other formats.
//!
//! ```
//! use rtoscope_generate::{ThreadXOptions, write};
//!
//! let options = ThreadXOptions { events: 500, ..ThreadXOptions::default() };
//! let mut buffer = Vec::new();
//! let summary = write(&options, &mut buffer, &mut |_| ())?;
//! assert_eq!(summary.events, 500);
//! assert_eq!(summary.bytes, buffer.len() as u64);
//! # Ok::<(), rtoscope_generate::GenerateError>(())
//! ```

#![forbid(unsafe_code)]

mod address_allocator;
mod board;
mod clock;
mod control;
mod controller;
mod counter;
mod creation;
pub mod cswitch;
mod error;
mod event;
mod facts;
mod interrupts;
mod kernel;
mod mutexes;
mod neighbours;
mod objects;
mod options;
mod pipeline;
mod ready;
mod ring;
pub mod rkh;
mod role;
mod services;
mod simulation;
mod startup;
mod thread;
mod thread_list;
mod timeouts;
mod timing;
mod truth;
mod writer;

#[cfg(test)]
mod tests;

pub use error::GenerateError;
pub use options::ThreadXOptions;
pub use ring::{ThreadSummary, ThreadXSummary, write};
pub use truth::{
    Address, DispatchCause, DispatchTruth, EventTimeTruth, InversionTotals, InversionTruth,
    IsrActivationTruth, IsrTruth, ItemStageTruth, KernelObjectTruth, PerformanceTotals,
    PipelineItemTruth, PipelineStageTruth, PipelineTruth, PreemptionTotals, SliceTruth,
    ThreadStateIntervalTruth, ThreadStateTruth, ThreadTruth, ThreadXTruth, TrueContext,
    write_with_truth,
};
