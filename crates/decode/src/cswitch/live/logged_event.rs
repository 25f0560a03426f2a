//! An event of a stream.

use super::super::log::MissingEntries;
use std::sync::Arc;

/// An entry that became an event, and its time.
#[derive(Debug, Clone)]
pub(super) struct LoggedEvent {
    /// Ticks on the common timeline.
    pub(super) time: u64,
    pub(super) core: u8,
    /// The epoch of the names.
    pub(super) epoch: u32,
    /// The entries missing before it on its core.
    pub(super) missing: MissingEntries,
    /// The entry; a 16-byte entry is padded with 0.
    pub(super) entry: [u8; MAX_ENTRY_BYTES],
    /// The entries with further values of a formatted event.
    pub(super) values: Option<Arc<Vec<u8>>>,
}

/// Size of an entry with 8-byte pointers.
pub(super) const MAX_ENTRY_BYTES: usize = 24;
