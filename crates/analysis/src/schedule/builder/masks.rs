//! Interrupts that are disabled and restored.

use super::Builder;
use crate::schedule::{Masked, Unmasking};
use rtoscope_trace::{ContextId, Ticks};

impl Builder {
    pub(super) fn mask(&mut self, place: usize, context: ContextId, already: bool) {
        if already {
            self.found_masked(place, context);
        } else {
            // One that goes on has ended without a record.
            self.end_masked(place, Unmasking::Unseen, false);
            self.begin_masked(place, context, true);
        }
    }

    /// The core goes to somebody else.
    pub(super) fn unmask_unseen(&mut self, place: usize) {
        self.end_masked(place, Unmasking::Switched, true);
    }

    /// Ends what is left open, now or when interrupts were last found disabled.
    pub(super) fn end_masked(&mut self, place: usize, ending: Unmasking, now: bool) {
        let moment = self.now;
        if let Some(mut masked) = self.cores[place].masked.take() {
            if now {
                masked.end = Ticks(moment.time);
                masked.last = moment.event;
            }
            masked.ending = ending;
            self.masked.push(masked);
        }
    }

    fn begin_masked(&mut self, place: usize, context: ContextId, begun: bool) {
        let core = &mut self.cores[place];
        core.masked = Some(Masked {
            core: core.slices.core,
            context,
            routine: core.nesting.last().copied(),
            start: Ticks(self.now.time),
            end: Ticks(self.now.time),
            first: self.now.event,
            last: self.now.event,
            nested: 0,
            begun,
            ending: Unmasking::Open,
        });
    }

    fn found_masked(&mut self, place: usize, context: ContextId) {
        if self.cores[place].masked.is_none() {
            self.begin_masked(place, context, false);
        }
        let now = self.now;
        if let Some(masked) = &mut self.cores[place].masked {
            masked.end = Ticks(now.time);
            masked.last = now.event;
            // The one that begins it is not nested in itself, as far as is known.
            masked.nested += u32::from(masked.first != now.event);
        }
    }
}
