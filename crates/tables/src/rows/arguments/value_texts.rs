//! Values of arguments as text.

use super::{Argument, Recorded};
use crate::StringTable;
use rtoscope_trace::render::RenderedValue;
use rtoscope_trace::{EventKindId, Trace};
use std::ops::Range;

/// Values whose text is remembered.
const RECENT_VALUES: usize = 1 << 13;

/// Appends arguments to texts. Most equal a recent one, whose text is copied instead of being
/// formatted again.
pub(in crate::rows) struct ValueTexts<'a, F> {
    trace: &'a Trace,
    /// Formats an argument with this value.
    format: F,
    recent: Vec<Option<(ValueKey, Range<u32>)>>,
}

/// The kind of an event, the position of an argument and its value.
type ValueKey = (EventKindId, u8, u64);

impl<'a, F: FnMut(&mut StringTable, &Argument<'_>, RenderedValue<'_>)> ValueTexts<'a, F> {
    pub(in crate::rows) fn new(trace: &'a Trace, format: F) -> Self {
        Self {
            trace,
            format,
            recent: vec![None; RECENT_VALUES],
        }
    }

    /// Appends an argument of an event. All calls must be for the same `texts`.
    #[inline]
    pub(in crate::rows) fn write(
        &mut self,
        kind: EventKindId,
        argument: &Argument<'_>,
        texts: &mut StringTable,
    ) {
        match argument.recorded {
            Recorded::Item(item) => (self.format)(texts, argument, self.trace.item(item)),
            Recorded::Word(meaning, value) => {
                let key = (kind, argument.position, value);
                let recent = &mut self.recent[place(key)];
                match recent {
                    Some((known, place)) if *known == key => texts.write_copy(place.clone()),
                    _ => {
                        let start = texts.end();
                        (self.format)(texts, argument, self.trace.value(*meaning, value));
                        *recent = Some((key, start..texts.end()));
                    }
                }
            }
        }
    }
}

/// The place of a value among the recent ones.
fn place((kind, position, value): ValueKey) -> usize {
    let argument = u64::from(kind.0) << 8 | u64::from(position);
    let hash = (value ^ argument.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) as usize % RECENT_VALUES
}
