//! Tracks one active object and its state machine.

use super::super::{ActiveObjects, PostId, RtcStep, StateInterval, StepEnding, StepId, Transition};
use super::discontinuities::Discontinuities;
use super::queue::QueueTracker;
use foldhash::HashMap;
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{ContextId, EventHeader, Signal, Ticks, Vertex};

/// What is known about an active object at the current event.
#[derive(Debug, Clone, Default)]
pub(super) struct MachineTracker {
    /// Whether the trace has an event of it.
    pub(super) seen: bool,
    /// Number of discontinuities that it has passed.
    passed_discontinuities: usize,
    /// Whether no unknown step of it can be in progress.
    synchronous: bool,
    /// Whether it was created since the last gap.
    pub(super) created_since_gap: bool,
    /// Whether it was terminated.
    ended: bool,
    open_step: Option<OpenStep>,
    /// Its current state; the last state interval belongs to it.
    current_state: Option<Vertex>,
    /// The last time at which it was confirmed to be in the state.
    last_confirmed: Ticks,
    /// The transition that has not settled yet.
    transition: Option<usize>,
    /// States that were entered and not exited, with the index of their
    /// interval.
    active_intervals: HashMap<Vertex, usize>,
    pub(super) queue: QueueTracker,
    /// The last post at the front, unless an event was taken since.
    pub(super) front_post: Option<PostId>,
}

/// A step that has not ended.
#[derive(Debug, Clone, Copy)]
struct OpenStep {
    id: StepId,
    initial: bool,
    /// Whether the event was dispatched to the machine, which ends the search
    /// for a transition.
    dispatched: bool,
    /// Whether a transition is in progress.
    takes_transition: bool,
    /// Whether that transition is internal.
    internal_transition: bool,
}

impl OpenStep {
    /// Whether the machine still searches for a transition.
    fn is_searching(&self) -> bool {
        !(self.dispatched || self.takes_transition || self.initial)
    }
}

/// A machine and the event that it processes, with the shared results.
pub(super) struct MachineContext<'s> {
    pub(super) active: &'s mut ActiveObjects,
    pub(super) object: ContextId,
    pub(super) event: &'s EventHeader,
}

impl MachineContext<'_> {
    fn step(&mut self, id: StepId) -> Option<&mut RtcStep> {
        self.active.steps.get_mut(id.index())
    }

    fn state_intervals(&mut self) -> Option<&mut Vec<StateInterval>> {
        self.active.state_intervals.get_mut(self.object.index())
    }

    fn active_intervals(&mut self) -> Option<&mut Vec<StateInterval>> {
        self.active
            .active_state_intervals
            .get_mut(self.object.index())
    }

    /// A state interval that begins at this event.
    fn new_interval(&self, state: Vertex) -> StateInterval {
        StateInterval {
            state,
            first: self.event.index,
            start: self.event.time,
            end: self.event.time,
            complete: false,
        }
    }
}

impl MachineTracker {
    /// Applies the discontinuities since its last event.
    pub(super) fn catch_up(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        object: ContextId,
    ) {
        let Some(discontinuity) = discontinuities.catch_up(&mut self.passed_discontinuities) else {
            return;
        };
        let known = discontinuities.complete_since_restart();
        if let Some(open) = self.open_step.take()
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.ending = StepEnding::Lost;
        }
        self.leave_all_states(active, object, discontinuity.time, false);
        self.transition = None;
        self.front_post = None;
        self.queue.invalidate(active, known);
        self.synchronous = known;
        self.created_since_gap = known;
        self.ended = false;
    }

    /// The signal of the open step, if there is one.
    pub(super) fn handled_signal(&self, active: &ActiveObjects) -> Option<Signal> {
        active.steps.get(self.open_step?.id.index())?.signal
    }

    pub(super) fn take(
        &mut self,
        context: &mut MachineContext<'_>,
        signal: Signal,
        left: Option<u32>,
    ) {
        self.ended = false;
        self.front_post = None;
        let open = self.begin_step(context, Some(signal), false);
        self.queue.take(context.active, open.id, signal, left);
    }

    pub(super) fn dispatch(
        &mut self,
        context: &mut MachineContext<'_>,
        signal: Signal,
        state: Vertex,
    ) {
        let waits = self.open_step.filter(|open| {
            let step = context.active.steps.get(open.id.index());
            let handles = step.and_then(|step| step.signal);
            open.is_searching() && handles.is_none_or(|handles| handles == signal)
        });
        let open = waits.unwrap_or_else(|| self.begin_step(context, Some(signal), false));
        if let Some(step) = context.step(open.id) {
            step.signal = Some(signal);
            step.before = Some(state);
        }
        self.open_step = Some(OpenStep {
            dispatched: true,
            ..open
        });
        self.extend_step(context);
        if self.current_state == Some(state) {
            self.last_confirmed = context.event.time;
        } else {
            // The records of its way into the state are missing.
            self.leave_state(context.active, context.object, self.last_confirmed, false);
            self.enter_state(context, state);
        }
    }

    pub(super) fn initial(&mut self, context: &mut MachineContext<'_>) {
        self.leave_all_states(context.active, context.object, context.event.time, true);
        self.created_since_gap = true;
        self.ended = false;
        self.begin_step(context, None, true);
    }

    pub(super) fn activate(&mut self) {
        self.created_since_gap = true;
        self.ended = false;
    }

    pub(super) fn terminate(&mut self, context: &mut MachineContext<'_>) {
        self.ended = true;
        self.extend_step(context);
        if self.open_step.is_none() {
            self.leave_all_states(context.active, context.object, context.event.time, true);
        }
    }

    pub(super) fn transition(
        &mut self,
        context: &mut MachineContext<'_>,
        source: Vertex,
        target: Option<Vertex>,
    ) {
        self.begin_step_unless_open(context);
        if let Some(open) = &mut self.open_step {
            open.takes_transition = true;
            open.internal_transition = target.is_none();
        }
        self.extend_step(context);
        let open = self.open_step;
        let step = open.and_then(|open| context.active.steps.get(open.id.index()));
        self.transition = Some(context.active.transitions.len());
        let transition = Transition {
            event: context.event.index,
            time: context.event.time,
            object: context.object,
            step: open.map(|open| open.id),
            trigger: step.and_then(|step| step.signal),
            initial: open.is_some_and(|open| open.initial),
            source,
            target,
            settled: None,
        };
        context.active.transitions.push(transition);
    }

    /// The machine takes a segment, exits or enters a state, or executes an
    /// effect.
    pub(super) fn continue_transition(&mut self, context: &mut MachineContext<'_>) {
        if let Some(open) = &mut self.open_step {
            open.takes_transition = true;
        }
        self.extend_step(context);
    }

    pub(super) fn action(&mut self, context: &mut MachineContext<'_>, role: ActionRole) {
        match role {
            // These records precede the one that dispatches the event to the
            // machine.
            ActionRole::Preprocess | ActionRole::Guard | ActionRole::Other => {
                self.begin_step_unless_open(context);
                self.extend_step(context);
            }
            ActionRole::Effect | ActionRole::Entry | ActionRole::Exit | ActionRole::Initial => {
                self.continue_transition(context);
            }
        }
    }

    pub(super) fn enter(&mut self, context: &mut MachineContext<'_>, state: Vertex) {
        self.continue_transition(context);
        let interval_index = context.new_interval(state);
        if let Some(intervals) = context.active_intervals() {
            self.active_intervals.insert(state, intervals.len());
            intervals.push(interval_index);
        }
    }

    pub(super) fn exit(&mut self, context: &mut MachineContext<'_>, state: Vertex) {
        self.continue_transition(context);
        let now = context.event.time;
        let interval_index = self.active_intervals.remove(&state);
        if let Some(interval_index) = interval_index
            .and_then(|interval_index| context.active_intervals()?.get_mut(interval_index))
        {
            end_interval(interval_index, now, true);
        }
    }

    pub(super) fn settle(&mut self, context: &mut MachineContext<'_>, state: Vertex) {
        let internal = self.open_step.is_some_and(|open| open.internal_transition);
        self.continue_transition(context);
        self.settle_transition(context, Some(state));
        if internal && self.current_state == Some(state) {
            self.last_confirmed = context.event.time;
        } else {
            self.leave_state(context.active, context.object, context.event.time, true);
            self.enter_state(context, state);
        }
    }

    pub(super) fn done(&mut self, context: &mut MachineContext<'_>, outcome: StepOutcome) {
        if outcome == StepOutcome::GuardFalse {
            self.begin_step_unless_open(context);
            if let Some(step) = self.open_step.and_then(|open| context.step(open.id)) {
                step.guards_false += 1;
            }
            if self.open_step.is_some_and(|open| open.is_searching()) {
                self.extend_step(context);
                return;
            }
        }
        self.extend_step(context);
        if let Some(open) = self.open_step {
            let intervals = match outcome {
                StepOutcome::Processed => open.internal_transition,
                StepOutcome::Unhandled | StepOutcome::GuardFalse | StepOutcome::NoBranch => true,
                StepOutcome::UnknownState | StepOutcome::TooDeep | StepOutcome::TooManySegments => {
                    false
                }
            };
            let state = self.current_state.filter(|_| intervals && !open.initial);
            let before = context.step(open.id).and_then(|step| step.before);
            let after = state.or(before.filter(|_| intervals));
            if let Some(step) = context.step(open.id) {
                step.after = step.after.or(after);
            }
            if outcome == StepOutcome::Processed {
                self.settle_transition(context, after);
            }
            self.close_step(context.active, StepEnding::Recorded(outcome));
        }
        self.transition = None;
        self.synchronous = true;
        if self.ended {
            self.leave_all_states(context.active, context.object, context.event.time, true);
        }
    }

    /// Ends the trace. `step_ends_recorded` is whether it has records of the
    /// ends of steps.
    pub(super) fn finish(
        &mut self,
        active: &mut ActiveObjects,
        object: ContextId,
        span: Ticks,
        step_ends_recorded: bool,
    ) {
        if step_ends_recorded
            && let Some(open) = self.open_step
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.end = span;
            step.ending = StepEnding::Open;
        }
        self.leave_all_states(active, object, span, true);
        self.queue.finish(active);
    }

    /// Begins a step and ends one that was open.
    fn begin_step(
        &mut self,
        context: &mut MachineContext<'_>,
        signal: Option<Signal>,
        initial: bool,
    ) -> OpenStep {
        self.close_step(context.active, StepEnding::Unrecorded);
        self.synchronous = true;
        let id = StepId(u32::try_from(context.active.steps.len()).unwrap_or(u32::MAX));
        let event = context.event;
        context.active.steps.push(RtcStep {
            object: context.object,
            signal,
            initial,
            post: None,
            first: event.index,
            last: event.index,
            start: event.time,
            end: event.time,
            ending: StepEnding::Unrecorded,
            guards_false: 0,
            before: self.current_state.filter(|_| !initial),
            after: None,
        });
        let open = OpenStep {
            id,
            initial,
            dispatched: false,
            takes_transition: false,
            internal_transition: false,
        };
        self.open_step = Some(open);
        open
    }

    /// Begins a step whose first records are filtered out. If records are
    /// missing, it may have begun much earlier, and none begins.
    fn begin_step_unless_open(&mut self, context: &mut MachineContext<'_>) {
        if self.open_step.is_none() && self.synchronous {
            self.begin_step(context, None, false);
        }
    }

    fn close_step(&mut self, active: &mut ActiveObjects, ending: StepEnding) {
        if let Some(open) = self.open_step.take()
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.ending = ending;
        }
        self.transition = None;
    }

    /// The record belongs to the open step.
    fn extend_step(&mut self, context: &mut MachineContext<'_>) {
        let event = context.event;
        if let Some(step) = self.open_step.and_then(|open| context.step(open.id)) {
            step.last = event.index;
            step.end = event.time;
        }
    }

    /// The transition, and the step, lead to that state.
    fn settle_transition(&mut self, context: &mut MachineContext<'_>, state: Option<Vertex>) {
        let transition = self.transition.take();
        if let Some(found) = transition.and_then(|at| context.active.transitions.get_mut(at)) {
            found.settled = state;
        }
        if let Some(step) = self.open_step.and_then(|open| context.step(open.id)) {
            step.after = state.or(step.after);
        }
    }

    fn enter_state(&mut self, context: &mut MachineContext<'_>, state: Vertex) {
        let interval = context.new_interval(state);
        if let Some(intervals) = context.state_intervals() {
            intervals.push(interval);
            self.current_state = Some(state);
            self.last_confirmed = context.event.time;
        }
    }

    fn leave_state(
        &mut self,
        active: &mut ActiveObjects,
        object: ContextId,
        now: Ticks,
        complete: bool,
    ) {
        if self.current_state.take().is_some()
            && let Some(interval) = last_interval(&mut active.state_intervals, object)
        {
            end_interval(interval, now, complete);
        }
    }

    /// Leaves all active states.
    fn leave_all_states(
        &mut self,
        active: &mut ActiveObjects,
        object: ContextId,
        now: Ticks,
        complete: bool,
    ) {
        self.leave_state(active, object, now, complete);
        let Some(intervals) = active.active_state_intervals.get_mut(object.index()) else {
            return;
        };
        for (_, interval_index) in self.active_intervals.drain() {
            if let Some(interval_index) = intervals.get_mut(interval_index) {
                end_interval(interval_index, now, complete);
            }
        }
    }
}

fn last_interval(
    intervals: &mut [Vec<StateInterval>],
    object: ContextId,
) -> Option<&mut StateInterval> {
    intervals.get_mut(object.index())?.last_mut()
}

fn end_interval(interval: &mut StateInterval, now: Ticks, complete: bool) {
    interval.end = now;
    interval.complete = complete;
}
