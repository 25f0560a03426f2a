//! Converts entries of targets with different word sizes to a common layout.

use super::entry_store::EntrySlice;
use rtoscope_wire::threadx::{BufferLayout, EventEntry, UlongSize};
use std::borrow::Cow;

/// The bytes of all slices in one layout: that of the first, unless another
/// target replaced it meanwhile.
pub(super) fn common_layout(parts: &[EntrySlice]) -> (BufferLayout, Vec<Cow<'_, [u8]>>) {
    let first = parts
        .first()
        .map_or(BufferLayout::ALL[0], |part| part.layout);
    if parts.iter().all(|part| part.layout == first) {
        let bytes = parts.iter().map(|part| Cow::Borrowed(part.bytes()));
        return (first, bytes.collect());
    }
    let is_wide = |part: &EntrySlice| part.layout.ulong == UlongSize::Eight;
    let ulong = if parts.iter().any(is_wide) {
        UlongSize::Eight
    } else {
        UlongSize::Four
    };
    let common = BufferLayout::new(first.order, ulong);
    let bytes = parts
        .iter()
        .map(|part| Cow::Owned(convert_slice(part, common)));
    (common, bytes.collect())
}

fn convert_slice(part: &EntrySlice, common: BufferLayout) -> Vec<u8> {
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

fn read(layout: BufferLayout, bytes: &[u8]) -> Option<EventEntry<u64>> {
    match layout.ulong {
        UlongSize::Four => EventEntry::<u32>::read(bytes, layout.order).map(wide),
        UlongSize::Eight => EventEntry::<u64>::read(bytes, layout.order),
    }
}

fn wide(entry: EventEntry<u32>) -> EventEntry<u64> {
    EventEntry {
        context: entry.context.into(),
        priority: entry.priority.into(),
        id: entry.id.into(),
        timestamp: entry.timestamp.into(),
        info: entry.info.map(u64::from),
    }
}

/// Converts an entry back that was narrow before.
fn narrow(entry: EventEntry<u64>) -> EventEntry<u32> {
    EventEntry {
        context: entry.context as u32,
        priority: entry.priority as u32,
        id: entry.id as u32,
        timestamp: entry.timestamp as u32,
        info: entry.info.map(|word| word as u32),
    }
}
