//! Delay causes: what a thread did in an interval, and what kept it from running.

use super::{CoreSlices, InterruptsOffSection, RunningContext, Schedule, Slice, ThreadState};
use rtoscope_trace::{
    ContextId, Contexts, EventIndex, ObjectClass, ResourceId, Ticks, Trace, WaitReason,
};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// What a thread does in a part of an interval, or what keeps it from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DelayCause {
    /// It runs.
    Running,
    /// It is ready, and its core runs this thread.
    PreemptedBy(ContextId),
    /// It does not run, and its core runs this thread, or idle. Only in traces with
    /// explicit switches: whether a thread is ready or waits is not recorded there, unless
    /// it continues where an interrupt had preempted it.
    OffCore(ContextId),
    /// It does not wait, as far as recorded, and its core runs the ISR of this number.
    InterruptedBy(Option<u32>),
    /// It does not wait, as far as recorded, and its core runs the kernel outside the
    /// ISRs.
    Kernel,
    /// It is ready, and its core is idle: the kernel has not dispatched it yet.
    NotDispatched,
    /// It cannot run.
    Waiting {
        /// The reason.
        wait_reason: WaitReason,
        /// The object that it is blocked on, if known.
        resource: Option<ResourceId>,
        /// The owner of that mutex, if known.
        owner: Option<ContextId>,
    },
    /// It is preempted or waits, other than for a mutex, and another context has
    /// interrupts off: index into [`Schedule::interrupts_off`]. What resumes or
    /// dispatches the thread is delayed until they are on.
    InterruptsOff(u32),
    /// The trace has no evidence.
    Unknown,
}

impl DelayCause {
    /// The same cause in other intervals: any interrupts-off section.
    pub const fn usual(self) -> Self {
        match self {
            Self::InterruptsOff(_) => Self::InterruptsOff(u32::MAX),
            other => other,
        }
    }
}

/// A part of an interval with one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DelayPart<C = DelayCause> {
    /// Its start.
    pub start: Ticks,
    /// Its end.
    pub end: Ticks,
    /// The event that began the part, or the last before it.
    pub event: EventIndex,
    /// The cause.
    pub cause: C,
}

impl<C> DelayPart<C> {
    /// The same part with another form of its cause.
    pub fn map<D>(self, cause: impl FnOnce(C) -> D) -> DelayPart<D> {
        DelayPart {
            start: self.start,
            end: self.end,
            event: self.event,
            cause: cause(self.cause),
        }
    }

    /// Ticks from start to end.
    pub fn ticks(&self) -> u64 {
        self.end.0.saturating_sub(self.start.0)
    }
}

/// The time of one cause in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CauseTime<C = DelayCause> {
    /// The cause.
    pub cause: C,
    /// Its total time in the interval.
    pub ticks: Ticks,
    /// The event that began its first part, or the last before it.
    pub event: EventIndex,
}

/// Divides intervals of threads by cause. It holds an index of the schedule: create
/// it once for many intervals.
#[derive(Debug, Clone)]
pub struct DelayCauses<'s> {
    schedule: &'s Schedule,
    /// Whether the trace records switches, but not the states of threads.
    is_explicit: bool,
    /// The holds of each mutex, in the order of their start, as indices.
    holds: HashMap<ResourceId, Vec<u32>>,
    /// The interrupts-off sections of each core of the schedule, in order of time.
    interrupts_off: Vec<Vec<u32>>,
}

impl<'s> DelayCauses<'s> {
    /// Indexes the schedule of a trace.
    pub fn new(trace: &Trace, schedule: &'s Schedule) -> Self {
        let mut holds: HashMap<_, Vec<_>> = HashMap::new();
        for (hold, index) in schedule.mutex_holds.iter().zip(0..) {
            holds.entry(hold.resource).or_default().push(index);
        }
        let sections = |core: &CoreSlices| {
            let all = schedule.interrupts_off.iter().zip(0..);
            let of_core = all.filter(|(section, _)| section.core == core.core);
            of_core.map(|(_, index)| index).collect()
        };
        Self {
            schedule,
            is_explicit: !trace.switch_model.records_states(),
            holds,
            interrupts_off: schedule.cores.iter().map(sections).collect(),
        }
    }

    /// Divides an interval of a thread, in ticks, into parts without gaps, in order of
    /// time. Neighbours have different causes. The cost grows with the number of slices
    /// in the interval.
    ///
    /// On several cores, what kept the thread from running is what ran on the core on
    /// which it runs next in the interval, or else on the one on which it ran last.
    pub fn breakdown(&self, thread: ContextId, window: Range<u64>) -> Vec<DelayPart> {
        let mut parts = PartList::default();
        let mut at = window.start;
        for state in self.states(thread, &window) {
            parts.push(at..state.window.start, state.event, DelayCause::Unknown);
            at = state.window.end;
            self.push_state(&mut parts, thread, &state);
        }
        let last = parts.all.last().map_or(EventIndex(0), |part| part.event);
        parts.push(at..window.end, last, DelayCause::Unknown);
        parts.all
    }

    /// Divides an interval of a core as an ISR of this number experiences it: it runs,
    /// another ISR runs, or interrupts are off. Nothing else delays an ISR; what does not
    /// is unknown.
    pub fn isr_breakdown(
        &self,
        number: Option<u32>,
        core: u8,
        window: Range<u64>,
    ) -> Vec<DelayPart> {
        let mut parts = PartList::default();
        let cores = &self.schedule.cores;
        let Some(at) = cores.iter().position(|it| it.core == core) else {
            return parts.all;
        };
        let slices = cores.get(at).into_iter();
        for (slice, part) in slices.flat_map(|core| core.within(window.clone())) {
            let cause = match slice.running.running_context() {
                RunningContext::Isr(id) => {
                    let activation = self.schedule.activations.get(id.index());
                    let other = activation.and_then(|it| it.number);
                    match other == number {
                        true => DelayCause::Running,
                        false => DelayCause::InterruptedBy(other),
                    }
                }
                RunningContext::Kernel => DelayCause::Kernel,
                _ => {
                    let unknown = DelayCause::Unknown;
                    self.push_with_interrupts_off(&mut parts, unknown, Some(at), part, slice.event);
                    continue;
                }
            };
            parts.push(part, slice.event, cause);
        }
        parts.all
    }

    /// The longest part of an interrupts-off section in which the thread runs that turned
    /// them off. `parts` are those of an interval of the thread.
    pub fn longest_own_section(&self, thread: ContextId, parts: &[DelayPart]) -> Option<DelayPart> {
        let running = parts.iter().filter(|it| it.cause == DelayCause::Running);
        let own = running.flat_map(|part| {
            let cores = self.interrupts_off.iter();
            let sections = cores.flat_map(|core| self.sections_in(core, part.start.0..part.end.0));
            let own = sections.filter(|(_, section)| section.context == thread);
            own.map(|(index, section)| DelayPart {
                start: section.start.max(part.start),
                end: section.end.min(part.end),
                event: section.first,
                cause: DelayCause::InterruptsOff(index),
            })
        });
        own.max_by_key(|part| (part.ticks(), std::cmp::Reverse(part.start)))
    }

    /// The interrupts-off sections of a core that overlap a window, with their indices.
    fn sections_in<'c>(
        &'c self,
        core: &'c [u32],
        window: Range<u64>,
    ) -> impl Iterator<Item = (u32, InterruptsOffSection)> {
        let section =
            |index: &u32| Some((*index, self.schedule.interrupts_off.get(*index as usize)?));
        let ends_before =
            move |index: &u32| section(index).is_some_and(|it| it.1.end.0 <= window.start);
        let first = core.partition_point(ends_before);
        let sections = core.iter().skip(first).filter_map(section);
        sections.take_while(move |(_, section)| section.start.0 < window.end)
    }

    /// The causes of an interval with their total times, the longest first; of equally
    /// long ones, the first in time. Running counts as a cause.
    pub fn totals<C: Copy + Eq + Hash>(parts: &[DelayPart<C>]) -> Vec<CauseTime<C>> {
        let mut indices: HashMap<C, usize> = HashMap::new();
        let mut totals: Vec<CauseTime<C>> = Vec::new();
        for part in parts {
            let index = *indices.entry(part.cause).or_insert(totals.len());
            match totals.get_mut(index) {
                Some(total) => total.ticks.0 += part.ticks(),
                None => totals.push(CauseTime {
                    cause: part.cause,
                    ticks: Ticks(part.ticks()),
                    event: part.event,
                }),
            }
        }
        totals.sort_by_key(|total| std::cmp::Reverse(total.ticks));
        totals
    }

    /// The states of a thread in an interval, each with the core to look at.
    fn states(&self, thread: ContextId, window: &Range<u64>) -> Vec<StatePart> {
        let intervals = self.schedule.thread_states(thread);
        let first = intervals.partition_point(|it| it.start.0 <= window.start);
        let first = first.saturating_sub(1);
        let span = self.schedule.span;
        let parts = intervals.with_next(first);
        let parts = parts.map(|(interval, next)| (interval, next.map_or(span, |next| next.start)));
        let parts = parts.take_while(|(interval, _)| interval.start.0 < window.end);
        let mut latest = window.start;
        let parts = parts.filter_map(|(interval, end)| {
            // Time can step back between cores.
            let part = interval.start.0.max(latest)..end.0.min(window.end);
            latest = latest.max(part.end);
            (part.start < part.end).then(|| StatePart {
                core: self.core_in(thread, interval.state, &part),
                window: part,
                event: interval.event,
                state: interval.state,
                whole: interval.start.0..end.0,
            })
        });
        let mut parts: Vec<_> = parts.collect();
        let mut next = None;
        for part in parts.iter_mut().rev() {
            part.core = part.core.or(next);
            next = part.core;
        }
        let pair = |at| Some((intervals.get(at)?, intervals.get(at + 1)?));
        let before = (0..=first).rev().filter_map(pair);
        let mut ran = before.filter(|(it, _)| it.state == ThreadState::Running);
        let mut last = || {
            let (interval, end) = ran.next()?;
            self.core_in(thread, interval.state, &(interval.start.0..end.start.0))
        };
        if let Some(part) = parts.first_mut()
            && part.core.is_none()
        {
            part.core = last();
        }
        let mut last = None;
        for part in &mut parts {
            part.core = part.core.or(last);
            last = part.core;
        }
        parts
    }

    /// The index of the only core, or of the one that runs the thread in a part of a
    /// running state.
    fn core_in(&self, thread: ContextId, state: ThreadState, part: &Range<u64>) -> Option<usize> {
        let cores = &self.schedule.cores;
        if cores.len() <= 1 {
            return (!cores.is_empty()).then_some(0);
        }
        if state != ThreadState::Running {
            return None;
        }
        let runs = |(slice, _): (Slice, Range<u64>)| {
            slice.running.running_context() == RunningContext::Thread(thread)
        };
        cores
            .iter()
            .position(|core| core.within(part.clone()).any(runs))
    }

    /// Adds the parts of an interval in one state.
    fn push_state(&self, parts: &mut PartList, thread: ContextId, state: &StatePart) {
        let core = state.core.and_then(|core| self.schedule.cores.get(core));
        let Some(core) = core else {
            return parts.push(state.window.clone(), state.event, DelayCause::Unknown);
        };
        if let ThreadState::Waiting {
            wait_reason,
            resource,
        } = state.state
        {
            return self.push_wait(parts, wait_reason, resource, state);
        }
        let is_unknown = self.is_explicit && state.state == ThreadState::Unknown;
        let was_preempted = is_unknown && self.was_preempted(thread, core, state);
        for (slice, part) in core.within(state.window.clone()) {
            let event = slice.event.max(state.event);
            let cause = match (slice.running.running_context(), state.state) {
                (RunningContext::Thread(runs), ThreadState::Running) if runs == thread => {
                    DelayCause::Running
                }
                (_, ThreadState::Unknown) if !self.is_explicit => DelayCause::Unknown,
                (RunningContext::Thread(other), ThreadState::Unknown) if !was_preempted => {
                    DelayCause::OffCore(other)
                }
                (RunningContext::Idle, ThreadState::Unknown) => DelayCause::OffCore(Contexts::IDLE),
                (RunningContext::Thread(other), _) => DelayCause::PreemptedBy(other),
                (RunningContext::Isr(id), _) => {
                    let activation = self.schedule.activations.get(id.index());
                    DelayCause::InterruptedBy(activation.and_then(|it| it.number))
                }
                (RunningContext::Kernel, _) => DelayCause::Kernel,
                (RunningContext::Idle, ThreadState::Ready) => DelayCause::NotDispatched,
                _ => DelayCause::Unknown,
            };
            match cause {
                DelayCause::PreemptedBy(_) | DelayCause::OffCore(_) => {
                    self.push_with_interrupts_off(parts, cause, state.core, part, event);
                }
                cause => parts.push(part, event, cause),
            }
        }
    }

    /// Whether a thread without recorded states continues at the end of a part where
    /// it was preempted: it was ready, as the core was never idle.
    fn was_preempted(&self, thread: ContextId, core: &CoreSlices, state: &StatePart) -> bool {
        let intervals = self.schedule.thread_states(thread);
        let next = intervals.partition_point(|it| it.start.0 < state.whole.end);
        let next = intervals.get(next).map(|next| next.event);
        let resumptions = &self.schedule.resumptions;
        let continues = next.is_some_and(|next| {
            let found = resumptions.partition_point(|it| it.event < next);
            let found = resumptions.get(found);
            found.is_some_and(|it| it.event == next && it.continues)
        });
        let is_idle =
            |slice: Slice| matches!(slice.running.running_context(), RunningContext::Idle);
        continues
            && !core
                .within(state.whole.clone())
                .any(|(slice, _)| is_idle(slice))
    }

    /// Adds a wait: for a mutex by its owners, for others with the interrupts-off
    /// sections in it, which delay whatever the thread waits for.
    fn push_wait(
        &self,
        parts: &mut PartList,
        wait_reason: WaitReason,
        resource: Option<ResourceId>,
        state: &StatePart,
    ) {
        let (window, event) = (state.window.clone(), state.event);
        let wait = |owner| DelayCause::Waiting {
            wait_reason,
            resource,
            owner,
        };
        let mutex = resource.filter(|id| {
            let class = self.schedule.resources.get(id.index()).map(|it| it.class);
            class == Some(ObjectClass::Mutex)
        });
        let Some(mutex) = mutex else {
            return self.push_with_interrupts_off(parts, wait(None), state.core, window, event);
        };
        let holds = self.holds.get(&mutex).map(Vec::as_slice);
        let holds = holds.unwrap_or_default();
        let hold = |index: &u32| self.schedule.mutex_holds.get(*index as usize);
        let first = holds.partition_point(|it| hold(it).is_some_and(|it| it.end.0 <= window.start));
        let mut at = window.start;
        for hold in holds.iter().skip(first).filter_map(hold) {
            let part = hold.start.0.max(at)..hold.end.0.min(window.end);
            if hold.start.0 >= window.end {
                break;
            }
            if part.start < part.end {
                parts.push(at..part.start, event, wait(None));
                parts.push(part.clone(), event, wait(Some(hold.owner)));
                at = part.end;
            }
        }
        parts.push(at..window.end, event, wait(None));
    }

    /// Adds a part with a cause, except in the interrupts-off sections of the core.
    fn push_with_interrupts_off(
        &self,
        parts: &mut PartList,
        cause: DelayCause,
        core: Option<usize>,
        window: Range<u64>,
        event: EventIndex,
    ) {
        let sections = core.and_then(|core| self.interrupts_off.get(core));
        let sections = sections.map(Vec::as_slice).unwrap_or_default();
        let mut at = window.start;
        for (index, section) in self.sections_in(sections, window.clone()) {
            let part = section.start.0.max(at)..section.end.0.min(window.end);
            if part.start < part.end {
                parts.push(at..part.start, event, cause);
                let first = section.first.max(event);
                parts.push(part.clone(), first, DelayCause::InterruptsOff(index));
                at = part.end;
            }
        }
        parts.push(at..window.end, event, cause);
    }
}

/// A part of an interval in one state.
#[derive(Debug)]
struct StatePart {
    window: Range<u64>,
    event: EventIndex,
    state: ThreadState,
    /// The whole time of the state.
    whole: Range<u64>,
    /// The index of the core whose slices say what ran instead.
    core: Option<usize>,
}

/// Parts in order of time.
#[derive(Debug, Default)]
struct PartList {
    all: Vec<DelayPart>,
}

impl PartList {
    /// Adds a part, unless it is empty; merges it with the last one if that has the
    /// same cause.
    fn push(&mut self, window: Range<u64>, event: EventIndex, cause: DelayCause) {
        if window.start >= window.end {
            return;
        }
        match self.all.last_mut() {
            Some(last) if last.cause == cause => last.end = Ticks(window.end),
            _ => self.all.push(DelayPart {
                start: Ticks(window.start),
                end: Ticks(window.end),
                event,
                cause,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
