//! Entries of targets with different words, made alike.

use super::entries::Part;
use rtoscope_wire::threadx::{Entry, Layout, UlongSize};
use std::borrow::Cow;

/// The bytes of all parts in one layout: that of the first, unless another
/// target took its place meanwhile.
pub(super) fn widened(parts: &[Part]) -> (Layout, Vec<Cow<'_, [u8]>>) {
    let first = parts.first().map_or(Layout::ALL[0], |part| part.layout);
    if parts.iter().all(|part| part.layout == first) {
        let bytes = parts.iter().map(|part| Cow::Borrowed(part.bytes()));
        return (first, bytes.collect());
    }
    let is_wide = |part: &Part| part.layout.ulong == UlongSize::Eight;
    let ulong = if parts.iter().any(is_wide) {
        UlongSize::Eight
    } else {
        UlongSize::Four
    };
    let common = Layout::new(first.order, ulong);
    let bytes = parts.iter().map(|part| Cow::Owned(part_in(part, common)));
    (common, bytes.collect())
}

fn part_in(part: &Part, common: Layout) -> Vec<u8> {
    let entries = part.bytes().chunks_exact(part.layout.entry_bytes());
    let mut bytes = vec![0; entries.len() * common.entry_bytes()];
    for (from, to) in entries.zip(bytes.chunks_exact_mut(common.entry_bytes())) {
        let written = read(part.layout, from).and_then(|entry| match common.ulong {
            UlongSize::Four => narrow(entry).write(common.order, to).ok(),
            UlongSize::Eight => entry.write(common.order, to).ok(),
        });
        debug_assert!(written.is_some(), "chunks are whole entries");
    }
    bytes
}

fn read(layout: Layout, bytes: &[u8]) -> Option<Entry<u64>> {
    match layout.ulong {
        UlongSize::Four => Entry::<u32>::read(bytes, layout.order).map(wide),
        UlongSize::Eight => Entry::<u64>::read(bytes, layout.order),
    }
}

fn wide(entry: Entry<u32>) -> Entry<u64> {
    Entry {
        context: entry.context.into(),
        priority: entry.priority.into(),
        id: entry.id.into(),
        stamp: entry.stamp.into(),
        info: entry.info.map(u64::from),
    }
}

/// Of an entry that was narrow before.
fn narrow(entry: Entry<u64>) -> Entry<u32> {
    Entry {
        context: entry.context as u32,
        priority: entry.priority as u32,
        id: entry.id as u32,
        stamp: entry.stamp as u32,
        info: entry.info.map(|word| word as u32),
    }
}
