//! Interrupts-off sections.

use super::ScheduleBuilder;
use crate::schedule::{InterruptsOffEnding, InterruptsOffSection};
use rtoscope_trace::{ContextId, Ticks};

impl ScheduleBuilder {
    pub(super) fn disable_interrupts(&mut self, place: usize, context: ContextId, already: bool) {
        if already {
            self.found_interrupts_off(place, context);
        } else {
            // An open section has ended without a record.
            self.end_interrupts_off(place, InterruptsOffEnding::Unrecorded, false);
            self.begin_interrupts_off(place, context, true);
        }
    }

    /// The core switches to another context.
    pub(super) fn end_interrupts_off_by_switch(&mut self, place: usize) {
        self.end_interrupts_off(place, InterruptsOffEnding::Switched, true);
    }

    /// Ends the open section, now or at the last event that found interrupts
    /// off.
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
            // The event that begins the section is not nested in it.
            masked.nested += u32::from(masked.first != now.event);
        }
    }
}
