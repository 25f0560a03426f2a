//! A simulated ThreadX kernel that writes trace buffers as a target would.
//!
//! Threads of six roles loop over the usual services, are preempted by
//! priority and interrupted by a tick and by devices, and log every call into
//! a valid TXTB buffer of any length. The buffer is written as a stream: memory
//! depends on the number of threads, never on the number of events. The same
//! [`ThreadxOptions`] always give the same bytes. [`write_with_truth`] says besides
//! what really happened, for a reader of the buffer to compare its findings with.
//!
//! ```
//! use rtoscope_generate::{Settings, write};
//!
//! let settings = Settings { events: 500, ..Settings::default() };
//! let mut buffer = Vec::new();
//! let summary = write(&settings, &mut buffer, &mut |_| ())?;
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
pub use options::ThreadxOptions;
pub use ring::{ThreadSummary, ThreadxSummary, write};
pub use truth::{
    Address, DispatchCause, DispatchTruth, InversionTotals, InversionTruth, IsrActivationTruth,
    IsrTruth, KernelObjectTruth, PerformanceTotals, PreemptionTotals, SliceTruth,
    ThreadStateIntervalTruth, ThreadStateTruth, ThreadTruth, ThreadxTruth, TrueContext,
    write_with_truth,
};
