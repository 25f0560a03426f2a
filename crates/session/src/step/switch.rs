//! Context switches of cores as events.
//!
//! An event is a context switch if the previous event of its core belongs to another
//! context, or if a slice of the schedule starts with it:
//! - a slice of a context that logs events starts with the first of these events, a
//!   slice of an interrupt service routine with its entry;
//! - a slice without events, such as idle, starts with the event that caused it, or the
//!   last event before it.
//!
//! Unknown time is not a slice. Using both rules also handles clocks that stand
//! still, where no slice has a length, and threads that continue after idle time
//! without any record.

use crate::query::Direction;
use crate::session::Session;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_trace::{ContextId, Contexts, EventIndex};

impl Session {
    /// The nearest event at which a core switches to another context.
    pub(super) fn step_switch(&self, from: u32, direction: Direction) -> Option<u32> {
        let cores = self.recording.schedule.cores.iter().enumerate();
        let by_slices = cores.filter_map(|(place, slices)| match direction {
            Direction::Next => self.next_slice(place, slices, from),
            Direction::Previous => self.previous_slice(place, slices, from),
        });
        let by_slices = direction.nearest_event(by_slices);
        let by_events = match direction {
            Direction::Next => {
                let end = by_slices.unwrap_or(self.event_count());
                let mut after = from.saturating_add(1)..end;
                after.find(|event| self.switches_context(*event))
            }
            Direction::Previous => {
                let start = by_slices.map_or(0, |event| event + 1);
                let mut before = (start..from.min(self.event_count())).rev();
                before.find(|event| self.switches_context(*event))
            }
        };
        by_events.or(by_slices)
    }

    /// Whether the core's previous event belongs to another context.
    fn switches_context(&self, event: u32) -> bool {
        let events = &self.recording.trace.events;
        let core = |event: u32| events.core(EventIndex(event)).unwrap_or_default();
        let context = |event: u32| events.context(EventIndex(event));
        let before = (0..event).rev().find(|before| core(*before) == core(event));
        before.is_none_or(|before| context(before) != context(event))
    }

    fn next_slice(&self, place: usize, slices: &CoreSlices, from: u32) -> Option<u32> {
        let after = slices.slices.partition_point(|slice| slice.event.0 <= from);
        // The first event of the two previous slices may come later.
        let first = after.saturating_sub(2);
        let mut begins =
            (first..slices.slices.len()).filter_map(|at| self.slice_start_event(place, slices, at));
        begins.find(|event| *event > from)
    }

    fn previous_slice(&self, place: usize, slices: &CoreSlices, from: u32) -> Option<u32> {
        let after = slices.slices.partition_point(|slice| slice.event.0 < from);
        let begins = (0..after).rev();
        let mut begins = begins.filter_map(|at| self.slice_start_event(place, slices, at));
        begins.find(|event| *event < from)
    }

    /// The event with which a slice of a core starts.
    fn slice_start_event(&self, place: usize, slices: &CoreSlices, at: usize) -> Option<u32> {
        let slice = slices.slices.get(at)?;
        let until = slices
            .slices
            .get(at + 1)
            .map_or(u32::MAX, |next| next.event.0);
        let part = [slice.event.0, until];
        let own = match slice.running.running_context() {
            RunningContext::Unknown => return None,
            // It starts with the event that records it.
            RunningContext::Kernel => None,
            RunningContext::Thread(thread) => self.first_event_of(thread, place, part),
            RunningContext::Idle => self.first_event_of(Contexts::IDLE, place, part),
            RunningContext::Initialize => self.first_event_of(Contexts::INITIALIZE, place, part),
            RunningContext::Isr(id) => {
                let activation = self.recording.schedule.activations.get(id.index());
                let entry = activation.map(|activation| activation.first.0);
                let entry = entry.filter(|entry| *entry >= slice.event.0);
                entry.or_else(|| {
                    // Another routine that interrupted it has ended.
                    let after = slice.event.0.saturating_add(1);
                    self.first_event_of(Contexts::INTERRUPT, place, [after, until])
                })
            }
        };
        // Nothing causes the first slice.
        own.or((at > 0).then_some(slice.event.0))
    }

    /// The first event of a context on a core within a range of events.
    fn first_event_of(
        &self,
        context: ContextId,
        place: usize,
        [first, last]: [u32; 2],
    ) -> Option<u32> {
        let list = self.events_by_context.on_core(context, place);
        let core = self.recording.trace.cores.get(place).copied();
        let events = &self.recording.trace.events;
        // The list of a thread includes events on other cores.
        let is_here = |number: u32| {
            let at = events.core(EventIndex(number)).unwrap_or_default();
            core.is_none_or(|core| core == at)
        };
        let at = list.partition_point(|number| *number < first);
        let after = list.get(at..).unwrap_or_default().iter().copied();
        let mut within = after.take_while(|number| *number <= last);
        within.find(|number| is_here(*number))
    }
}
