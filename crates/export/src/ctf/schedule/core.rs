//! The running context of a core over time.

use super::changes::{ChangeKind, ScheduleChange};
use rtoscope_analysis::schedule::{CoreSlices, Running, RunningContext, Slice};
use rtoscope_trace::{EventIndex, Ticks};

/// The changes of a core's slices, without interrupt service routines, in order.
pub(super) struct CoreChanges<'v> {
    core: u8,
    slices: std::slice::Iter<'v, Slice>,
    /// The end of the last slice, and the last event there.
    end: Option<(Ticks, EventIndex)>,
    base: Running,
    in_kernel: bool,
    /// The second of two simultaneous changes.
    second: Option<ScheduleChange>,
}

impl<'v> CoreChanges<'v> {
    /// Creates the changes of a core's slices in a trace whose last event is
    /// `last`.
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
            // Readers count the last slice only if there is a switch after it.
            let slice = self.slices.next().copied().or_else(|| {
                let (start, event) = self.end.take()?;
                let running = Running::UNKNOWN;
                Some(Slice {
                    start,
                    event,
                    running,
                })
            })?;
            let core = self.core;
            let change = |kind| ScheduleChange {
                time: slice.start,
                event: slice.event,
                core,
                kind,
            };
            let left = std::mem::take(&mut self.in_kernel).then(|| change(ChangeKind::ExitKernel));
            let started = match slice.running.running_context() {
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
                    self.second = started;
                    return Some(left);
                }
                None if started.is_some() => return started,
                None => {}
            }
        }
    }
}
