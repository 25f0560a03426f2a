//! Properties of a log apart from its trace.

use super::log::{EntryLayout, Overwritten};
use crate::black_box::BlackBox;
use rtoscope_symbols::Symbol;
use rtoscope_trace::Name;

/// Properties that only a context-switch log has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogInfo {
    /// The layout of its entries.
    pub layout: EntryLayout,
    /// Whether it came in a CSWL container.
    pub is_self_contained: bool,
    /// The black box from which the log was recovered.
    pub black_box: Option<BlackBox>,
    /// The cores, in the order of the log.
    pub cores: Vec<CoreLogInfo>,
    /// Number of threads.
    pub threads: usize,
    /// Threads whose name was readable.
    pub named_threads: usize,
    /// Number of distinct code addresses.
    pub addresses: usize,
    /// Code addresses inside a known function.
    pub resolved_addresses: usize,
    /// Names of threads and of interrupt handlers, by their pointers.
    pub names: Vec<(u64, Name)>,
    /// The functions that contain the addresses, by address.
    pub functions: Vec<Symbol>,
}

/// The log of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreLogInfo {
    /// The core's number.
    pub core: u8,
    /// Entries that became events.
    pub entries: u64,
    /// Skipped entries: unfinished, or of unknown types.
    pub skipped_entries: u64,
    /// Whether the buffer is a ring; `None` if unknown.
    pub cyclic: Option<bool>,
    /// Whether entries before the first one were overwritten.
    pub overwritten: Overwritten,
    /// Entries lost because the buffer was full, if the target counts them.
    pub lost_entries: Option<u64>,
    /// Total idle ticks, if the target counts them.
    pub idle_ticks: Option<u64>,
}
