//! The ThreadX event trace buffer ("TXTB").
//!
//! Three parts, in this order: a [`ControlHeader`], an object registry of
//! [`RegistryEntry`]s and a ring of [`Entry`]s. All of them are C structures
//! of `ULONG`s, so their sizes follow from a [`Layout`]: the target's byte
//! order and the size of its `ULONG`.
//!
//! Source of every fact: `common/inc/tx_trace.h` and `common/src/tx_trace_*.c`
//! of Eclipse ThreadX 6.4, and chapter 11 of the TraceX user guide.

mod entry;
mod header;
mod layout;
mod registry;
mod swap;

pub use entry::{
    CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED, Entry, PRIORITY_VALID, TIMER_MASK_32,
    USER_EVENT_FIRST, USER_EVENT_LAST,
};
pub use header::{ControlHeader, ID, MARKERS};
pub use layout::{Layout, UlongSize};
pub use registry::{
    AVAILABLE, DEFAULT_NAME_SIZE, ObjectType, RegistryEntry, THREAD_PRIORITY_VALID,
};
pub use swap::{swap_entry, swap_header, swap_registry_entry};
