//! What only a context-switch log has.

use rtoscope_decode::cswitch::{CoreOrigin, Origin};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Cswitch {
    pub(crate) endianness: &'static str,
    pub(crate) pointer_bytes: usize,
    pub(crate) counter_bits: u8,
    /// Whether the log came in a CSWL container.
    pub(crate) contained: bool,
    pub(crate) logs: Vec<LogDocument>,
    pub(crate) threads: usize,
    pub(crate) named_threads: usize,
    /// Different addresses in the code.
    pub(crate) code_addresses: usize,
    /// Those of them that lie in a known function.
    pub(crate) placed_code_addresses: usize,
}

/// The log of a core.
#[derive(Serialize)]
pub(crate) struct LogDocument {
    pub(crate) core: u8,
    pub(crate) entries: u64,
    pub(crate) left_out: u64,
    /// Whether the buffer is used as a ring, if that is known.
    pub(crate) cyclic: Option<bool>,
    pub(crate) wrapped: bool,
    /// Entries that were not taken, if the target counts them.
    pub(crate) lost: Option<u64>,
    /// Ticks spent idle in all, if the target sums them up.
    pub(crate) idle_ticks: Option<u64>,
}

impl Cswitch {
    pub(super) fn new(origin: &Origin) -> Self {
        Self {
            endianness: origin.shape.order.name(),
            pointer_bytes: origin.shape.pointer.bytes(),
            counter_bits: origin.shape.counter_bits,
            contained: origin.contained,
            logs: origin.cores.iter().map(log).collect(),
            threads: origin.threads,
            named_threads: origin.named_threads,
            code_addresses: origin.addresses,
            placed_code_addresses: origin.placed_addresses,
        }
    }
}

fn log(core: &CoreOrigin) -> LogDocument {
    LogDocument {
        core: core.core,
        entries: core.entries,
        left_out: core.left_out,
        cyclic: core.cyclic,
        wrapped: core.wrapped,
        lost: core.lost,
        idle_ticks: core.idle,
    }
}
