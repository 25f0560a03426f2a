//! Who has a core from when on.

use super::changes::{Change, What};
use rtoscope_analysis::schedule::{Executing, Slice, Slices, Who};

/// What a core's slices tell apart from routines, in order.
pub(super) struct CoreChanges<'v> {
    core: u8,
    slices: std::slice::Iter<'v, Slice>,
    base: Who,
    in_kernel: bool,
    /// The second of two changes at once.
    second: Option<Change>,
}

impl<'v> CoreChanges<'v> {
    pub(super) fn new(slices: &'v Slices) -> Self {
        Self {
            core: slices.core,
            slices: slices.all.iter(),
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
            let slice = self.slices.next()?;
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
