//! Interrupts that are disabled and restored.

use super::ScheduleBuilder;
use crate::schedule::{InterruptsOffEnding, InterruptsOffSection};
use rtoscope_trace::{ContextId, Ticks};

impl ScheduleBuilder {
    pub(super) fn disable_interrupts(&mut self, place: usize, context: ContextId, already: bool) {
        if already {
            self.found_interrupts_off(place, context);
        } else {
            // One that goes on has ended without a record.
            self.end_interrupts_off(place, InterruptsOffEnding::Unrecorded, false);
            self.begin_interrupts_off(place, context, true);
        }
    }

    /// The core goes to somebody else.
    pub(super) fn end_interrupts_off_by_switch(&mut self, place: usize) {
        self.end_interrupts_off(place, InterruptsOffEnding::Switched, true);
    }

    /// Ends what is left open, now or when interrupts were last found disabled.
    pub(super) fn end_interrupts_off(
        &mut self,
        place: usize,
        ending: InterruptsOffEnding,
        now: bool,
    ) {
        let moment = self.now;
        if let Some(mut masked) = self.cores[place].interrupts_off.take() {
            if now {
                masked.end = Ticks(moment.time);
                masked.last = moment.event;
            }
            masked.ending = ending;
            self.interrupts_off.push(masked);
        }
    }

    fn begin_interrupts_off(&mut self, place: usize, context: ContextId, begun: bool) {
        let core = &mut self.cores[place];
        core.interrupts_off = Some(InterruptsOffSection {
            core: core.slices.core,
            context,
            activation: core.nesting.last().copied(),
            start: Ticks(self.now.time),
            end: Ticks(self.now.time),
            first: self.now.event,
            last: self.now.event,
            nested: 0,
            start_known: begun,
            ending: InterruptsOffEnding::Open,
        });
    }

    fn found_interrupts_off(&mut self, place: usize, context: ContextId) {
        if self.cores[place].interrupts_off.is_none() {
            self.begin_interrupts_off(place, context, false);
        }
        let now = self.now;
        if let Some(masked) = &mut self.cores[place].interrupts_off {
            masked.end = Ticks(now.time);
            masked.last = now.event;
            // The one that begins it is not nested in itself, as far as is known.
            masked.nested += u32::from(masked.first != now.event);
        }
    }
}
