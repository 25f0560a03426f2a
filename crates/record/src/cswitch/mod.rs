//! The context-switch log: 16-byte entries that record the running context, the time and
//! the code address.
//!
//! [`SwitchLog`] disables interrupts for the few instructions of an entry and runs
//! everywhere. [`AtomicSwitchLog`] needs atomic compare-and-exchange and never disables
//! interrupts. [`PerCoreLogs`] has a log for every core, or for one. A [`LogReader`]
//! reads entries from a running log; [`CswlWriter`] writes a self-contained file, or sends
//! the entries that are new.

#[cfg(target_has_atomic = "32")]
mod atomic;
mod control;
mod cores;
mod cswl;
mod entry;
mod events;
mod freeze;
mod hooked;
#[cfg(all(test, loom))]
mod interleavings;
mod log;
mod new_entries;
mod readable;
mod record_stack;
mod recording;
#[cfg(target_has_atomic = "32")]
mod slot;
mod source;
#[cfg(cortex_m)]
mod thumb_asm;

#[cfg(target_has_atomic = "32")]
pub use atomic::AtomicSwitchLog;
pub use cores::{CurrentCore, PerCoreLogs, SingleCoreLog};
pub use cswl::{ByteSink, CswlWriter, write_raw};
pub use entry::{BufferMode, LogEntry, UNFINISHED};
pub use events::SwitchRecorder;
pub use hooked::{EntryHook, FixedKinds, HookedRecorder, KindMask};
pub use log::SwitchLog;
pub use new_entries::{CONTAINER_BYTES, LogCursor};
pub use readable::{MAX_NAME_LEN, MemoryRegion, ReadableMemory};
#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
pub use record_stack::StackHook;
pub use record_stack::record_stack;
pub use recording::FinishedLog;
pub use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};
pub use source::{LogReader, LogSnapshot, LogSource};
