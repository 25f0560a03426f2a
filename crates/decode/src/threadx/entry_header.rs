//! Reads the headers of entries of any layout.

use super::entry_survey::{entries, with_layout};
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_UNUSED, EventEntry, UlongSize};
use rtoscope_wire::{ByteOrder, Word};

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
        match layout.ulong {
            UlongSize::Four => EventEntry::<u32>::read(bytes, layout.order).map(Self::of),
            UlongSize::Eight => EventEntry::<u64>::read(bytes, layout.order).map(Self::of),
        }
    }

    /// Calls `visit` with all entries in `bytes`.
    pub(crate) fn visit(layout: BufferLayout, bytes: &[u8], visit: impl FnMut(Self)) {
        fn each<W: Word, const BIG: bool>(bytes: &[u8], visit: impl FnMut(EntryHeader)) {
            entries::<W, BIG>(bytes)
                .map(EntryHeader::of)
                .for_each(visit);
        }
        with_layout!(layout, each::<_, _>(bytes, visit));
    }

    #[inline]
    fn of<W: Word>(entry: EventEntry<W>) -> Self {
        Self {
            context: entry.context.into(),
            priority: entry.priority.into(),
            id: entry.id.into(),
            timestamp: entry.timestamp.into(),
        }
    }

    /// Whether the entry was written.
    pub(crate) fn is_used(&self) -> bool {
        self.context != u64::from(CONTEXT_UNUSED)
    }
}
