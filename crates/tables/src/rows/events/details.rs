//! The arguments of events in words.

use crate::StringTable;
use rtoscope_trace::{Event, Trace};
use std::ops::Range;

/// The arguments of each of these events in words. Most events say what one not
/// far before them said, whose words are taken again.
pub(super) fn details(trace: &Trace, rows: Range<usize>) -> StringTable {
    let events = &trace.events;
    let mut texts = StringTable::default();
    // The event that said something last, by a hash of what it said.
    let bits = rows.len().max(2).ilog2();
    let mut recent = vec![u32::MAX; 1 << bits];
    events.visit(rows.clone(), |event| {
        // What has more than that to say has seldom said it before.
        if events.extras.words(event.index).is_empty() {
            let slot = &mut recent[(hash(&event) >> (u64::BITS - bits)) as usize];
            let before = std::mem::replace(slot, event.index.0) as usize;
            let is_same = events.kind.get(before) == Some(&event.kind)
                && events.arguments.get(before) == Some(event.arguments);
            if is_same {
                texts.push_copy(before - rows.start);
                return;
            }
        }
        texts.push_display(trace.arguments_line(&event));
    });
    texts
}

/// Of the kind and the arguments: what decides about the words.
fn hash(event: &Event) -> u64 {
    let start = u64::from(event.kind.0);
    event.arguments.iter().fold(start, |hash, argument| {
        (hash.rotate_left(5) ^ argument).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}
