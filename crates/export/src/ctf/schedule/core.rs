//! Who has a core from when on.

use super::changes::{ChangeKind, ScheduleChange};
use rtoscope_analysis::schedule::{CoreSlices, Running, RunningContext, Slice};
use rtoscope_trace::{EventIndex, Ticks};

/// What a core's slices tell apart from routines, in order.
pub(super) struct CoreChanges<'v> {
    core: u8,
    slices: std::slice::Iter<'v, Slice>,
    /// When the last slice ends, and the last event there.
    end: Option<(Ticks, EventIndex)>,
    base: Running,
    in_kernel: bool,
    /// The second of two changes at once.
    second: Option<ScheduleChange>,
}

impl<'v> CoreChanges<'v> {
    /// Of a core's slices in a trace that ends with that event.
    pub(super) fn new(slices: &'v CoreSlices, last: EventIndex) -> Self {
        Self {
            core: slices.core,
            slices: slices.slices.iter(),
            end: Some((slices.end, last)),
            base: Running::UNKNOWN,
            in_kernel: false,
            second: None,
        }
    }
}

impl Iterator for CoreChanges<'_> {
    type Item = ScheduleChange;

    fn next(&mut self) -> Option<ScheduleChange> {
        if let Some(second) = self.second.take() {
            return Some(second);
        }
        loop {
            // Readers count what executes at the end only if it is switched from.
            let slice = self.slices.next().copied().or_else(|| {
                let (start, event) = self.end.take()?;
                let who = Running::UNKNOWN;
                Some(Slice {
                    start,
                    event,
                    running: who,
                })
            })?;
            let core = self.core;
            let change = |what| ScheduleChange {
                time: slice.start,
                event: slice.event,
                core,
                kind: what,
            };
            let left = std::mem::take(&mut self.in_kernel).then(|| change(ChangeKind::ExitKernel));
            let begun = match slice.running.running_context() {
                RunningContext::Kernel => {
                    self.in_kernel = true;
                    Some(change(ChangeKind::EnterKernel))
                }
                RunningContext::Isr(_) => None,
                _ if slice.running == self.base => None,
                _ => {
                    let before = std::mem::replace(&mut self.base, slice.running);
                    let next = slice.running;
                    Some(change(ChangeKind::Switch { before, next }))
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
