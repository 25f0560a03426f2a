//! A first look at an entry, whatever its layout.

use rtoscope_wire::Word;
use rtoscope_wire::threadx::{CONTEXT_UNUSED, Entry, Layout, UlongSize};

/// The words of an entry that every event has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glance {
    pub(crate) context: u64,
    pub(crate) id: u64,
    pub(crate) stamp: u64,
}

impl Glance {
    /// Of the entry at the start of `bytes`; `None` if they are too few.
    #[inline]
    pub(crate) fn at(layout: Layout, bytes: &[u8]) -> Option<Self> {
        fn words<W: Word>(entry: Entry<W>) -> Glance {
            Glance {
                context: entry.context.into(),
                id: entry.id.into(),
                stamp: entry.stamp.into(),
            }
        }
        match layout.ulong {
            UlongSize::Four => Entry::<u32>::read(bytes, layout.order).map(words),
            UlongSize::Eight => Entry::<u64>::read(bytes, layout.order).map(words),
        }
    }

    /// Whether the entry was written.
    pub(crate) fn is_used(&self) -> bool {
        self.context != u64::from(CONTEXT_UNUSED)
    }
}
