//! Who has a core from when on.

use super::changes::{Change, What};
use rtoscope_analysis::schedule::{Executing, Slice, Slices, Who};
use rtoscope_trace::{EventIndex, Ticks};

/// What a core's slices tell apart from routines, in order.
pub(super) struct CoreChanges<'v> {
    core: u8,
    slices: std::slice::Iter<'v, Slice>,
    /// When the last slice ends, and the last event there.
    end: Option<(Ticks, EventIndex)>,
    base: Who,
    in_kernel: bool,
    /// The second of two changes at once.
    second: Option<Change>,
}

impl<'v> CoreChanges<'v> {
    /// Of a core's slices in a trace that ends with that event.
    pub(super) fn new(slices: &'v Slices, last: EventIndex) -> Self {
        Self {
            core: slices.core,
            slices: slices.all.iter(),
            end: Some((slices.end, last)),
            base: Who::UNKNOWN,
            in_kernel: false,
            second: None,
        }
    }
}

impl Iterator for CoreChanges<'_> {
    type Item = Change;

    fn next(&mut self) -> Option<Change> {
        if let Some(second) = self.second.take() {
            return Some(second);
        }
        loop {
            // Readers count what executes at the end only if it is switched from.
            let slice = self.slices.next().copied().or_else(|| {
                let (start, event) = self.end.take()?;
                let who = Who::UNKNOWN;
                Some(Slice { start, event, who })
            })?;
            let core = self.core;
            let change = |what| Change {
                time: slice.start,
                event: slice.event,
                core,
                what,
            };
            let left = std::mem::take(&mut self.in_kernel).then(|| change(What::ExitKernel));
            let begun = match slice.who.executing() {
                Executing::Kernel => {
                    self.in_kernel = true;
                    Some(change(What::EnterKernel))
                }
                Executing::Isr(_) => None,
                _ if slice.who == self.base => None,
                _ => {
                    let before = std::mem::replace(&mut self.base, slice.who);
                    let next = slice.who;
                    Some(change(What::Switch { before, next }))
                }
            };
            match left {
                Some(left) => {
                    self.second = begun;
                    return Some(left);
                }
                None if begun.is_some() => return begun,
                None => {}
            }
        }
    }
}
