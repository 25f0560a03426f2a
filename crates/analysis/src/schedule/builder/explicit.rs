//! Traces with explicit switches: an event names the running context from there
//! on.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::thread::ThreadTracker;
use crate::schedule::{Dispatch, InterruptsOffEnding, Resumption, Running, SwitchCause};
use rtoscope_trace::{ContextId, Contexts, EventHeader, SchedEvent, Ticks};

impl ScheduleBuilder {
    /// Applies an event of a trace with explicit switches. `returns` is whether
    /// interrupt returns are recorded.
    pub(super) fn push_explicit(
        &mut self,
        event: &EventHeader,
        sched_event: SchedEvent,
        returns: bool,
    ) {
        let core_index = self.core_index(event.core);
        self.now = EventTime {
            time: event.time.0,
            event: event.index,
        };
        match sched_event {
            SchedEvent::Switch { to, preempted } => {
                self.explicit_switch(core_index, to, preempted);
            }
            SchedEvent::Stop { next, .. } => self.explicit_switch(core_index, next, false),
            SchedEvent::Return { to } => self.explicit_return(core_index, to),
            SchedEvent::IsrEnter { number } => self.enter_isr(core_index, number),
            SchedEvent::IsrExit { number } => self.explicit_isr_exit(core_index, number, returns),
            SchedEvent::InterruptsDisabled {
                already_disabled: already,
            } => self.disable_interrupts(core_index, event.context, already),
            SchedEvent::InterruptsRestored => {
                self.end_interrupts_off(core_index, InterruptsOffEnding::Restored, true);
            }
            _ => {}
        }
        self.cores[core_index].settled_at = self.now;
    }

    /// Applies an event of a trace with explicit switches that records when threads become
    /// ready and when they wait.
    pub(super) fn push_explicit_state(&mut self, event: &EventHeader, sched_event: SchedEvent) {
        let core_index = self.core_index(event.core);
        self.now = EventTime {
            time: event.time.0,
            event: event.index,
        };
        match sched_event {
            SchedEvent::Resume {
                thread,
                wait_reason,
                ..
            } => {
                let is_interrupt = event.context == Contexts::INTERRUPT;
                self.resume(thread, wait_reason, is_interrupt);
                self.leave_idle_for_ready(core_index);
            }
            SchedEvent::Suspend {
                thread,
                wait_reason,
                next,
            } => self.suspend(core_index, event.context, thread, wait_reason, next),
            SchedEvent::Stop {
                thread,
                wait_reason,
                next,
            } => self.suspend(core_index, event.context, thread, wait_reason, next),
            SchedEvent::Delete { thread } => self.delete(thread),
            SchedEvent::Acquire { .. } | SchedEvent::Release { .. } | SchedEvent::Use { .. } => {
                self.apply(core_index, event.context, sched_event);
            }
            _ => {}
        }
    }

    /// A thread is ready while the core is idle: what follows up to the switch is the
    /// scheduler. On several cores, another one may take the thread.
    fn leave_idle_for_ready(&mut self, core_index: usize) {
        if self.cores.len() > 1 || self.cores[core_index].base != Contexts::IDLE {
            return;
        }
        if self.cores[core_index].nesting.is_empty() {
            self.enter_kernel(core_index);
        } else {
            self.cores[core_index].in_kernel = true;
        }
    }

    fn explicit_switch(&mut self, core_index: usize, to: ContextId, preempted: bool) {
        self.end_interrupts_off_by_switch(core_index);
        self.end_isrs(core_index);
        if to == Contexts::INTERRUPT {
            self.leave_idle(core_index);
            return;
        }
        if to.is_thread() {
            let thread = self.threads.get(to.index());
            self.resumptions.push(Resumption {
                event: self.now.event,
                continues: preempted && thread.is_some_and(ThreadTracker::has_run),
            });
        }
        let from = self.set_base(core_index, to);
        // Without states, it is not recorded when a thread stops being ready.
        if self.records_states && from != to && self.is_ready(from) {
            self.mark_ready_uncertain(from, to, self.now);
        }
        if from == to || !to.is_thread() {
            return;
        }
        let core = &mut self.cores[core_index];
        let last_thread = std::mem::replace(&mut core.last_thread, to);
        self.dispatches.push(Dispatch {
            time: Ticks(self.now.time),
            event: self.now.event,
            thread: to,
            previous: from,
            last_thread,
            core: core.slices.core,
            cause: match from {
                Contexts::IDLE => SwitchCause::Idle,
                Contexts::INITIALIZE => SwitchCause::Start,
                // Why a thread gave way is not recorded.
                _ => SwitchCause::Unknown,
            },
        });
    }

    /// An interrupt takes the core, usually from idle. The interrupted context
    /// may continue later.
    fn leave_idle(&mut self, core_index: usize) {
        if self.cores[core_index].base == ContextId::UNKNOWN {
            self.cores[core_index].base = Contexts::IDLE;
        }
        self.enter_kernel(core_index);
    }

    /// The core enters the kernel's part of an interrupt.
    fn enter_kernel(&mut self, core_index: usize) {
        let now = self.now;
        let core = &mut self.cores[core_index];
        core.in_kernel = true;
        core.slices.push(now, core.base_running());
    }

    fn explicit_return(&mut self, core_index: usize, to: ContextId) {
        self.end_interrupts_off_by_switch(core_index);
        self.end_isrs(core_index);
        let to = match to {
            ContextId::UNKNOWN => self.cores[core_index].base,
            to => to,
        };
        self.set_base(core_index, to);
        if to.is_thread() {
            self.cores[core_index].last_thread = to;
        }
    }

    fn explicit_isr_exit(&mut self, core_index: usize, number: u32, returns: bool) {
        let now = self.now;
        if self.cores[core_index].nesting.is_empty() {
            if self.is_stray_exit(core_index, number) {
                return;
            }
            // It has run for an unknown part of the time since the last event.
            let core = &mut self.cores[core_index];
            core.slices.push(core.settled_at, Running::UNKNOWN);
            let id = self.activate(core_index, Some(number), ContextId::UNKNOWN);
            self.activations
                .update(id.index(), |activation| activation.entered = false);
            self.end_activation(core_index, id, now, true);
        } else {
            self.exit_isr(core_index, number);
        }
        let core = &mut self.cores[core_index];
        if core.nesting.is_empty() {
            core.in_kernel |= returns;
            core.slices.push(now, core.base_running());
        }
    }

    /// All active ISRs without a recorded exit end by the switch, or had ended before it at an
    /// unknown time.
    fn end_isrs(&mut self, core_index: usize) {
        let core = &mut self.cores[core_index];
        let end = if self.ends_handlers {
            self.now
        } else {
            core.settled_at
        };
        if !core.nesting.is_empty() && !self.ends_handlers {
            core.slices.push(end, Running::UNKNOWN);
        }
        while let Some(id) = self.cores[core_index].nesting.pop() {
            self.end_activation(core_index, id, end, self.ends_handlers);
        }
    }

    /// From now on the core runs `to`. Returns the previous context.
    fn set_base(&mut self, core_index: usize, to: ContextId) -> ContextId {
        let now = self.now;
        let core = &mut self.cores[core_index];
        let from = std::mem::replace(&mut core.base, to);
        core.has_run |= to >= Contexts::IDLE;
        core.in_kernel = false;
        core.slices.push(now, core.base_running());
        if from != to {
            self.leave_core(from, now);
            self.take_core(core_index, to, now, true);
        }
        from
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::switch_log::{
        A, B, C, SLEEP, enter, exit, log, on_one_core, resume, scripted,
    };
    use crate::schedule::{Running, Schedule, ThreadState};
    use rtoscope_trace::{ContextId, SchedEvent, SwitchModel, WaitReason};

    fn ready(thread: ContextId) -> SchedEvent {
        SchedEvent::Resume {
            thread,
            wait_reason: WaitReason::Other,
            next: ContextId::UNKNOWN,
        }
    }

    fn wait(thread: ContextId, wait_reason: WaitReason) -> SchedEvent {
        SchedEvent::Suspend {
            thread,
            wait_reason,
            next: ContextId::UNKNOWN,
        }
    }

    /// The states of a thread with their start times.
    fn states(schedule: &Schedule, thread: ContextId) -> Vec<(u64, ThreadState)> {
        let intervals = schedule.threads[thread.index()].iter();
        intervals.map(|it| (it.start.0, it.state)).collect()
    }

    #[test]
    fn recorded_readiness_gives_the_states_of_threads() {
        let events = on_one_core(&[
            (0, resume(A)),
            (10, wait(A, WaitReason::Queue)),
            (11, SLEEP),
            (20, enter(0)),
            (22, ready(A)),
            (23, exit(0)),
            (25, resume(A)),
            (30, ready(B)),
            (31, resume(B)),
            (40, wait(B, WaitReason::Sleep)),
            (41, resume(A)),
            (50, SLEEP),
        ]);
        let schedule = |records_states| {
            let mut trace = log(&events, false);
            trace.switch_model = SwitchModel::Explicit {
                ends_handlers: false,
                records_returns: false,
                records_states,
            };
            Schedule::from_trace(&trace, &mut scripted(&events))
        };
        let waiting = |wait_reason| ThreadState::Waiting {
            wait_reason,
            resource: None,
        };
        assert_eq!(
            states(&schedule(true), A),
            [
                (0, ThreadState::Running),
                (10, waiting(WaitReason::Queue)),
                (22, ThreadState::Ready),
                (25, ThreadState::Running),
                // Preempted, because no wait was recorded.
                (31, ThreadState::Ready),
                // It went to idle without a recorded wait.
                (41, ThreadState::Running),
                (50, ThreadState::Unknown),
            ]
        );
        assert_eq!(schedule(true).unrecorded, 1);
        assert_eq!(schedule(false).unrecorded, 0);
        let only_switches = states(&schedule(false), A);
        assert_eq!(
            only_switches,
            [
                (0, ThreadState::Running),
                (11, ThreadState::Unknown),
                (25, ThreadState::Running),
                (31, ThreadState::Unknown),
                (41, ThreadState::Running),
                (50, ThreadState::Unknown),
            ]
        );
    }

    fn with_states(events: &[(u64, SchedEvent)]) -> Schedule {
        let events = on_one_core(events);
        let mut trace = log(&events, false);
        trace.switch_model = SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: false,
            records_states: true,
        };
        Schedule::from_trace(&trace, &mut scripted(&events))
    }

    #[test]
    fn a_thread_has_no_state_before_its_first_entry_and_after_its_deletion() {
        let delete = |thread| SchedEvent::Delete { thread };
        let schedule = with_states(&[
            (0, resume(A)),
            (5, ready(B)),
            (6, resume(B)),
            // It deletes itself.
            (8, delete(B)),
            (9, wait(B, WaitReason::Other)),
            (10, resume(A)),
            (11, ready(C)),
            (12, delete(C)),
            (20, SLEEP),
        ]);
        let before_and = |states: &[(u64, ThreadState)]| {
            let unknown = [(0, ThreadState::Unknown)];
            [&unknown, states].concat()
        };
        let deleted = before_and(&[
            (5, ThreadState::Ready),
            (6, ThreadState::Running),
            (9, ThreadState::Deleted),
        ]);
        assert_eq!(states(&schedule, B), deleted);
        let deleted = before_and(&[(11, ThreadState::Ready), (12, ThreadState::Deleted)]);
        assert_eq!(states(&schedule, C), deleted);
    }

    #[test]
    fn a_thread_that_stops_leaves_its_core() {
        let schedule = with_states(&[
            (0, resume(A)),
            (
                10,
                SchedEvent::Stop {
                    thread: A,
                    wait_reason: WaitReason::Queue,
                    next: ContextId::UNKNOWN,
                },
            ),
            (20, resume(B)),
            (30, SLEEP),
        ]);
        let wait_reason = WaitReason::Queue;
        let waiting = ThreadState::Waiting {
            wait_reason,
            resource: None,
        };
        let expected = [(0, ThreadState::Running), (10, waiting)];
        assert_eq!(states(&schedule, A), expected);
        let slices = schedule.cores[0].slices.iter();
        let slices: Vec<_> = slices.map(|it| (it.start.0, it.running)).collect();
        let [a, b] = [A, B].map(Running::context);
        assert_eq!(slices, [(0, a), (10, Running::UNKNOWN), (20, b)]);
    }

    #[test]
    fn a_second_exit_of_a_handler_ends_nothing() {
        let schedule = with_states(&[
            (0, resume(A)),
            (10, enter(0)),
            (12, enter(1)),
            (14, exit(1)),
            (15, exit(1)),
            (20, exit(0)),
            (21, exit(0)),
            (30, SLEEP),
        ]);
        let isrs = schedule.activations.iter();
        let isrs: Vec<_> = isrs.map(|it| (it.number, it.start.0, it.end.0)).collect();
        assert_eq!(isrs, [(Some(0), 10, 20), (Some(1), 12, 14)]);
        let stray = schedule.stray_exits.iter();
        let stray: Vec<_> = stray.map(|it| (it.number, it.count)).collect();
        assert_eq!(stray, [(0, 1), (1, 1)]);
    }
}
