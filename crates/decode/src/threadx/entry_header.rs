//! Reads the header of an entry of any layout.

use rtoscope_wire::Word;
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_UNUSED, EventEntry, UlongSize};

/// The words of an entry that every event has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryHeader {
    pub(crate) context: u64,
    pub(crate) priority: u64,
    pub(crate) id: u64,
    pub(crate) timestamp: u64,
}

impl EntryHeader {
    /// Reads the entry at the start of `bytes`; `None` if `bytes` is too short.
    #[inline]
    pub(crate) fn read(layout: BufferLayout, bytes: &[u8]) -> Option<Self> {
        fn words<W: Word>(entry: EventEntry<W>) -> EntryHeader {
            EntryHeader {
                context: entry.context.into(),
                priority: entry.priority.into(),
                id: entry.id.into(),
                timestamp: entry.timestamp.into(),
            }
        }
        match layout.ulong {
            UlongSize::Four => EventEntry::<u32>::read(bytes, layout.order).map(words),
            UlongSize::Eight => EventEntry::<u64>::read(bytes, layout.order).map(words),
        }
    }

    /// Whether the entry was written.
    pub(crate) fn is_used(&self) -> bool {
        self.context != u64::from(CONTEXT_UNUSED)
    }
}
