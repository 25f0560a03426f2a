//! What a log says beside its trace.

use super::log::Shape;
use crate::symbols::Symbol;
use rtoscope_trace::Name;

/// What only a context-switch log has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// How its entries are laid out.
    pub shape: Shape,
    /// Whether it came in a CSWL container.
    pub contained: bool,
    /// The cores, in the order of the log.
    pub cores: Vec<CoreOrigin>,
    /// Threads.
    pub threads: usize,
    /// Threads whose name could be read.
    pub named_threads: usize,
    /// Different addresses in the code.
    pub addresses: usize,
    /// Those of them whose function is known.
    pub placed_addresses: usize,
    /// The names that were read, by their pointers: of threads and of interrupt
    /// handlers.
    pub names: Vec<(u64, Name)>,
    /// The functions in which the addresses lie, by address.
    pub functions: Vec<Symbol>,
}

/// The log of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreOrigin {
    /// The core's number.
    pub core: u8,
    /// Entries that became events.
    pub entries: u64,
    /// Entries that were left out, as they say nothing: unfinished, or of types
    /// that there are not.
    pub left_out: u64,
    /// Whether the buffer is used as a ring; `None` if nothing says so.
    pub cyclic: Option<bool>,
    /// Whether entries have been overwritten.
    pub wrapped: bool,
    /// Entries that were not taken, as the buffer was full, if the target
    /// counts them.
    pub lost: Option<u64>,
    /// Ticks spent idle in all, if the target sums them up.
    pub idle: Option<u64>,
}
