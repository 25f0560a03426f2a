//! What a log says beside its trace.

use super::log::EntryLayout;
use crate::symbols::Symbol;
use rtoscope_trace::Name;

/// What only a context-switch log has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogInfo {
    /// How its entries are laid out.
    pub layout: EntryLayout,
    /// Whether it came in a CSWL container.
    pub is_self_contained: bool,
    /// The cores, in the order of the log.
    pub cores: Vec<CoreLogInfo>,
    /// Threads.
    pub threads: usize,
    /// Threads whose name could be read.
    pub named_threads: usize,
    /// Different addresses in the code.
    pub addresses: usize,
    /// Those of them whose function is known.
    pub resolved_addresses: usize,
    /// The names that were read, by their pointers: of threads and of interrupt
    /// handlers.
    pub names: Vec<(u64, Name)>,
    /// The functions in which the addresses lie, by address.
    pub functions: Vec<Symbol>,
}

/// The log of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreLogInfo {
    /// The core's number.
    pub core: u8,
    /// Entries that became events.
    pub entries: u64,
    /// Entries that were left out, as they say nothing: unfinished, or of types
    /// that there are not.
    pub skipped_entries: u64,
    /// Whether the buffer is used as a ring; `None` if nothing says so.
    pub cyclic: Option<bool>,
    /// Whether entries have been overwritten.
    pub is_wrapped: bool,
    /// Entries that were not taken, as the buffer was full, if the target
    /// counts them.
    pub lost_entries: Option<u64>,
    /// Ticks spent idle in all, if the target sums them up.
    pub idle_ticks: Option<u64>,
}
