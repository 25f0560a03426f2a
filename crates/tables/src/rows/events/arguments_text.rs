//! The column `arguments`: the formatted arguments of events.

use crate::StringTable;
use rtoscope_trace::{Event, EventIndex, Trace};
use std::ops::Range;

/// The formatted arguments of these events. Most events have the same arguments
/// as a recent one, whose text is copied instead of being formatted again.
pub(super) fn arguments_text(trace: &Trace, rows: Range<usize>) -> StringTable {
    let events = &trace.events;
    let mut strings = StringTable::default();
    // By hash of kind and arguments: the last event with that hash.
    let bits = rows.len().max(2).ilog2();
    let mut recent = vec![u32::MAX; 1 << bits];
    events.visit(rows.clone(), |event| {
        // Events with more than four words seldom repeat.
        if events.extras().words(event.index).is_empty() {
            let slot = &mut recent[(hash(&event) >> (u64::BITS - bits)) as usize];
            let previous = EventIndex(std::mem::replace(slot, event.index.0));
            let is_same = events.kind(previous) == Some(event.kind)
                && events.arguments(previous) == Some(event.arguments);
            if is_same {
                strings.push_copy(previous.index() - rows.start);
                return;
            }
        }
        strings.push_display(trace.arguments_line(&event));
    });
    strings
}

/// Hashes what determines the text: the kind and the arguments.
fn hash(event: &Event) -> u64 {
    let start = u64::from(event.kind.0);
    event.arguments.iter().fold(start, |hash, argument| {
        (hash.rotate_left(5) ^ argument).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}
