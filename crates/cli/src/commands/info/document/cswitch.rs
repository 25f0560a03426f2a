//! Details of context-switch logs.

use rtoscope_decode::cswitch::{CoreLogInfo, LogInfo};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct CswitchDocument {
    pub(crate) endianness: &'static str,
    pub(crate) pointer_bytes: usize,
    pub(crate) counter_bits: u8,
    /// Whether the log is in a CSWL container.
    pub(crate) contained: bool,
    pub(crate) logs: Vec<LogDocument>,
    pub(crate) threads: usize,
    pub(crate) named_threads: usize,
    /// Number of distinct code addresses.
    pub(crate) code_addresses: usize,
    /// Number of these addresses inside known functions.
    pub(crate) resolved_code_addresses: usize,
}

/// The log of one core.
#[derive(Serialize)]
pub(crate) struct LogDocument {
    pub(crate) core: u8,
    pub(crate) entries: u64,
    pub(crate) skipped: u64,
    /// Whether the buffer is a ring, if known.
    pub(crate) cyclic: Option<bool>,
    pub(crate) wrapped: bool,
    /// Entries that the target dropped, if it counts them.
    pub(crate) lost: Option<u64>,
    /// Total idle ticks, if the target counts them.
    pub(crate) idle_ticks: Option<u64>,
}

impl CswitchDocument {
    pub(super) fn new(origin: &LogInfo) -> Self {
        Self {
            endianness: origin.layout.order.name(),
            pointer_bytes: origin.layout.pointer.bytes(),
            counter_bits: origin.layout.counter_bits,
            contained: origin.is_self_contained,
            logs: origin.cores.iter().map(log_document).collect(),
            threads: origin.threads,
            named_threads: origin.named_threads,
            code_addresses: origin.addresses,
            resolved_code_addresses: origin.resolved_addresses,
        }
    }
}

fn log_document(core: &CoreLogInfo) -> LogDocument {
    LogDocument {
        core: core.core,
        entries: core.entries,
        skipped: core.skipped_entries,
        cyclic: core.cyclic,
        wrapped: core.is_wrapped,
        lost: core.lost_entries,
        idle_ticks: core.idle_ticks,
    }
}
