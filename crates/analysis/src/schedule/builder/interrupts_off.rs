//! Interrupts-off sections.

use super::ScheduleBuilder;
use crate::schedule::{InterruptsOffEnding, InterruptsOffSection};
use rtoscope_trace::{ContextId, Ticks};

impl ScheduleBuilder {
    pub(super) fn disable_interrupts(
        &mut self,
        core_index: usize,
        context: ContextId,
        already: bool,
    ) {
        if already {
            self.found_interrupts_off(core_index, context);
        } else {
            // An open section has ended without a record.
            self.end_interrupts_off(core_index, InterruptsOffEnding::Unrecorded, false);
            self.begin_interrupts_off(core_index, context, true);
        }
    }

    /// The core switches to another context.
    pub(super) fn end_interrupts_off_by_switch(&mut self, core_index: usize) {
        self.end_interrupts_off(core_index, InterruptsOffEnding::Switched, true);
    }

    /// Ends the open section, now or at the last event that found interrupts
    /// off.
    pub(super) fn end_interrupts_off(
        &mut self,
        core_index: usize,
        ending: InterruptsOffEnding,
        now: bool,
    ) {
        let moment = self.now;
        if let Some(mut section) = self.cores[core_index].interrupts_off.take() {
            if now {
                section.end = Ticks(moment.time);
                section.last = moment.event;
            }
            section.ending = ending;
            self.interrupts_off.push(section);
        }
    }

    fn begin_interrupts_off(&mut self, core_index: usize, context: ContextId, start_known: bool) {
        let core = &mut self.cores[core_index];
        core.interrupts_off = Some(InterruptsOffSection {
            core: core.slices.core,
            context,
            activation: core.nesting.last().copied(),
            start: Ticks(self.now.time),
            end: Ticks(self.now.time),
            first: self.now.event,
            last: self.now.event,
            nested: 0,
            start_known,
            ending: InterruptsOffEnding::Open,
        });
    }

    fn found_interrupts_off(&mut self, core_index: usize, context: ContextId) {
        if self.cores[core_index].interrupts_off.is_none() {
            self.begin_interrupts_off(core_index, context, false);
        }
        let now = self.now;
        if let Some(section) = &mut self.cores[core_index].interrupts_off {
            section.end = Ticks(now.time);
            section.last = now.event;
            // The event that begins the section is not nested in it.
            section.nested += u32::from(section.first != now.event);
        }
    }
}
