//! The context-switch log: who got the processor, when and where in the code,
//! in 16 bytes an entry.
//!
//! [`Log`] keeps interrupts away for the few instructions of an entry and runs
//! everywhere; [`AtomicLog`] needs atomic exchange and never keeps anybody
//! away. [`PerCore`] has a log for every core, or for one. A [`Reader`] reads
//! entries from a log that goes on; [`Cswl`] writes a self-contained file.

#[cfg(target_has_atomic = "32")]
mod atomic;
#[cfg(all(target_arch = "arm", target_os = "none"))]
mod by_hand;
mod control;
mod cores;
mod cswl;
mod entry;
mod events;
mod log;
mod readable;
mod recording;
mod sink;
#[cfg(target_has_atomic = "32")]
mod slot;
mod source;
mod switch;

#[cfg(target_has_atomic = "32")]
pub use atomic::AtomicLog;
pub use cores::{CurrentCore, OnCore, PerCore};
pub use cswl::{Cswl, save_raw};
pub use entry::{Entry, Mode, UNFINISHED};
pub use events::Recorder;
pub use log::Log;
pub use readable::{NAME_CHARACTERS, Readable, Region};
pub use recording::Recording;
pub use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};
pub use sink::Sink;
pub use source::{Reader, Snapshot, Source};
