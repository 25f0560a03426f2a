//! An active object and its state machine, as far as it is known.

use super::super::{Active, Ending, PostId, Stay, Step, StepId, Transition};
use super::cuts::Cuts;
use super::queue::Queue;
use rtoscope_trace::reaction::{Outcome, Role};
use rtoscope_trace::{ContextId, Event, Signal, Ticks, Vertex};
use std::collections::HashMap;

/// What is known of an active object at present.
#[derive(Debug, Default)]
pub(super) struct Machine {
    /// Whether the trace speaks of it.
    pub(super) met: bool,
    /// Cuts that it has taken note of.
    cuts: usize,
    /// Whether no step of it can be under way that is not known.
    synchronous: bool,
    /// Whether it came into being since the last gap.
    pub(super) whole: bool,
    /// Whether it was terminated.
    ended: bool,
    step: Option<Open>,
    /// The state that it is in; its stay is the last one then.
    state: Option<Vertex>,
    /// When it was last known to be in it.
    confirmed: Ticks,
    /// The transition that has not settled yet.
    transition: Option<usize>,
    /// States that were entered and not left, with the number of their spell.
    spells: HashMap<Vertex, usize>,
    pub(super) queue: Queue,
    /// The last post at the front, unless something was taken since.
    pub(super) front: Option<PostId>,
}

/// A step that has not ended.
#[derive(Debug, Clone, Copy)]
struct Open {
    id: StepId,
    initial: bool,
    /// Whether the machine was given the event: the search for a transition is
    /// over then.
    dispatched: bool,
    /// Whether a transition is on its way.
    moves: bool,
    /// Whether that is an internal one.
    internal: bool,
}

impl Open {
    /// Whether transitions are still looked for.
    fn searches(&self) -> bool {
        !(self.dispatched || self.moves || self.initial)
    }
}

/// A machine among what becomes of all of them.
pub(super) struct Scene<'s> {
    pub(super) active: &'s mut Active,
    pub(super) object: ContextId,
    pub(super) event: &'s Event,
}

impl Scene<'_> {
    fn step(&mut self, id: StepId) -> Option<&mut Step> {
        self.active.steps.get_mut(id.index())
    }

    fn stays(&mut self) -> Option<&mut Vec<Stay>> {
        self.active.stays.get_mut(self.object.index())
    }

    fn spells(&mut self) -> Option<&mut Vec<Stay>> {
        self.active.spells.get_mut(self.object.index())
    }

    /// A stay that begins.
    fn begin(&self, state: Vertex) -> Stay {
        Stay {
            state,
            first: self.event.index,
            start: self.event.time,
            end: self.event.time,
            whole: false,
        }
    }
}

impl Machine {
    /// Takes note of the cuts since it was last spoken of.
    pub(super) fn catch_up(&mut self, cuts: &Cuts, active: &mut Active, object: ContextId) {
        let Some(cut) = cuts.catch_up(&mut self.cuts) else {
            return;
        };
        let known = cuts.since_restart();
        if let Some(open) = self.step.take()
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.ending = Ending::Lost;
        }
        self.leave(active, object, cut.time, false);
        self.transition = None;
        self.front = None;
        self.queue.cut(active, known);
        self.synchronous = known;
        self.whole = known;
        self.ended = false;
    }

    /// The signal of the step that is open, if one is.
    pub(super) fn handles(&self, active: &Active) -> Option<Signal> {
        active.steps.get(self.step?.id.index())?.signal
    }

    pub(super) fn take(&mut self, scene: &mut Scene<'_>, signal: Signal, left: Option<u32>) {
        self.ended = false;
        self.front = None;
        let open = self.begin(scene, Some(signal), false);
        self.queue.take(scene.active, open.id, signal, left);
    }

    pub(super) fn dispatch(&mut self, scene: &mut Scene<'_>, signal: Signal, state: Vertex) {
        let waits = self.step.filter(|open| {
            let step = scene.active.steps.get(open.id.index());
            let handles = step.and_then(|step| step.signal);
            open.searches() && handles.is_none_or(|handles| handles == signal)
        });
        let open = waits.unwrap_or_else(|| self.begin(scene, Some(signal), false));
        if let Some(step) = scene.step(open.id) {
            step.signal = Some(signal);
            step.before = Some(state);
        }
        self.step = Some(Open {
            dispatched: true,
            ..open
        });
        self.touch(scene);
        if self.state == Some(state) {
            self.confirmed = scene.event.time;
        } else {
            // The records of how it got there are missing.
            self.leave_state(scene.active, scene.object, self.confirmed, false);
            self.stay(scene, state);
        }
    }

    pub(super) fn initial(&mut self, scene: &mut Scene<'_>) {
        self.leave(scene.active, scene.object, scene.event.time, true);
        self.whole = true;
        self.ended = false;
        self.begin(scene, None, true);
    }

    pub(super) fn activate(&mut self) {
        self.whole = true;
        self.ended = false;
    }

    pub(super) fn terminate(&mut self, scene: &mut Scene<'_>) {
        self.ended = true;
        self.touch(scene);
        if self.step.is_none() {
            self.leave(scene.active, scene.object, scene.event.time, true);
        }
    }

    pub(super) fn transition(
        &mut self,
        scene: &mut Scene<'_>,
        source: Vertex,
        target: Option<Vertex>,
    ) {
        self.begin_unless_open(scene);
        if let Some(open) = &mut self.step {
            open.moves = true;
            open.internal = target.is_none();
        }
        self.touch(scene);
        let open = self.step;
        let step = open.and_then(|open| scene.active.steps.get(open.id.index()));
        self.transition = Some(scene.active.transitions.len());
        let transition = Transition {
            event: scene.event.index,
            time: scene.event.time,
            object: scene.object,
            step: open.map(|open| open.id),
            trigger: step.and_then(|step| step.signal),
            initial: open.is_some_and(|open| open.initial),
            source,
            target,
            settled: None,
        };
        scene.active.transitions.push(transition);
    }

    /// A segment is taken, a state left or entered, an effect executed.
    pub(super) fn go_on(&mut self, scene: &mut Scene<'_>) {
        if let Some(open) = &mut self.step {
            open.moves = true;
        }
        self.touch(scene);
    }

    pub(super) fn act(&mut self, scene: &mut Scene<'_>, role: Role) {
        match role {
            // They stand before the record that gives the event to the machine.
            Role::Preprocess | Role::Guard | Role::Other => {
                self.begin_unless_open(scene);
                self.touch(scene);
            }
            Role::Effect | Role::Entry | Role::Exit | Role::Initial => self.go_on(scene),
        }
    }

    pub(super) fn enter(&mut self, scene: &mut Scene<'_>, state: Vertex) {
        self.go_on(scene);
        let spell = scene.begin(state);
        if let Some(spells) = scene.spells() {
            self.spells.insert(state, spells.len());
            spells.push(spell);
        }
    }

    pub(super) fn exit(&mut self, scene: &mut Scene<'_>, state: Vertex) {
        self.go_on(scene);
        let now = scene.event.time;
        let spell = self.spells.remove(&state);
        if let Some(spell) = spell.and_then(|spell| scene.spells()?.get_mut(spell)) {
            end(spell, now, true);
        }
    }

    pub(super) fn settle(&mut self, scene: &mut Scene<'_>, state: Vertex) {
        let internal = self.step.is_some_and(|open| open.internal);
        self.go_on(scene);
        self.settled(scene, Some(state));
        if internal && self.state == Some(state) {
            self.confirmed = scene.event.time;
        } else {
            self.leave_state(scene.active, scene.object, scene.event.time, true);
            self.stay(scene, state);
        }
    }

    pub(super) fn done(&mut self, scene: &mut Scene<'_>, outcome: Outcome) {
        if outcome == Outcome::GuardFalse {
            self.begin_unless_open(scene);
            if let Some(step) = self.step.and_then(|open| scene.step(open.id)) {
                step.guards_false += 1;
            }
            if self.step.is_some_and(|open| open.searches()) {
                self.touch(scene);
                return;
            }
        }
        self.touch(scene);
        if let Some(open) = self.step {
            let stays = match outcome {
                Outcome::Processed => open.internal,
                Outcome::Unhandled | Outcome::GuardFalse | Outcome::NoBranch => true,
                Outcome::UnknownState | Outcome::TooDeep | Outcome::TooManySegments => false,
            };
            let state = self.state.filter(|_| stays && !open.initial);
            let before = scene.step(open.id).and_then(|step| step.before);
            let after = state.or(before.filter(|_| stays));
            if let Some(step) = scene.step(open.id) {
                step.after = step.after.or(after);
            }
            if outcome == Outcome::Processed {
                self.settled(scene, after);
            }
            self.close(scene.active, Ending::Told(outcome));
        }
        self.transition = None;
        self.synchronous = true;
        if self.ended {
            self.leave(scene.active, scene.object, scene.event.time, true);
        }
    }

    /// The trace ends. `ends_are_told` says whether it has records of steps that end.
    pub(super) fn finish(
        &mut self,
        active: &mut Active,
        object: ContextId,
        span: Ticks,
        ends_are_told: bool,
    ) {
        if ends_are_told
            && let Some(open) = self.step
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.end = span;
            step.ending = Ending::Open;
        }
        self.leave(active, object, span, true);
        self.queue.finish(active);
    }

    /// A step begins; one that was open is over.
    fn begin(&mut self, scene: &mut Scene<'_>, signal: Option<Signal>, initial: bool) -> Open {
        self.close(scene.active, Ending::Untold);
        self.synchronous = true;
        let id = StepId(u32::try_from(scene.active.steps.len()).unwrap_or(u32::MAX));
        let event = scene.event;
        scene.active.steps.push(Step {
            object: scene.object,
            signal,
            initial,
            post: None,
            first: event.index,
            last: event.index,
            start: event.time,
            end: event.time,
            ending: Ending::Untold,
            guards_false: 0,
            before: self.state.filter(|_| !initial),
            after: None,
        });
        let open = Open {
            id,
            initial,
            dispatched: false,
            moves: false,
            internal: false,
        };
        self.step = Some(open);
        open
    }

    /// A step begins whose first records are filtered out, unless records are
    /// missing, so that it may have begun long ago.
    fn begin_unless_open(&mut self, scene: &mut Scene<'_>) {
        if self.step.is_none() && self.synchronous {
            self.begin(scene, None, false);
        }
    }

    fn close(&mut self, active: &mut Active, ending: Ending) {
        if let Some(open) = self.step.take()
            && let Some(step) = active.steps.get_mut(open.id.index())
        {
            step.ending = ending;
        }
        self.transition = None;
    }

    /// The record belongs to the step that is open.
    fn touch(&mut self, scene: &mut Scene<'_>) {
        let event = scene.event;
        if let Some(step) = self.step.and_then(|open| scene.step(open.id)) {
            step.last = event.index;
            step.end = event.time;
        }
    }

    /// The transition, and the step, lead to that state.
    fn settled(&mut self, scene: &mut Scene<'_>, state: Option<Vertex>) {
        let transition = self.transition.take();
        if let Some(found) = transition.and_then(|at| scene.active.transitions.get_mut(at)) {
            found.settled = state;
        }
        if let Some(step) = self.step.and_then(|open| scene.step(open.id)) {
            step.after = state.or(step.after);
        }
    }

    fn stay(&mut self, scene: &mut Scene<'_>, state: Vertex) {
        let stay = scene.begin(state);
        if let Some(stays) = scene.stays() {
            stays.push(stay);
            self.state = Some(state);
            self.confirmed = scene.event.time;
        }
    }

    fn leave_state(&mut self, active: &mut Active, object: ContextId, now: Ticks, whole: bool) {
        if self.state.take().is_some()
            && let Some(stay) = last(&mut active.stays, object)
        {
            end(stay, now, whole);
        }
    }

    /// Leaves every state that it is in.
    fn leave(&mut self, active: &mut Active, object: ContextId, now: Ticks, whole: bool) {
        self.leave_state(active, object, now, whole);
        let Some(spells) = active.spells.get_mut(object.index()) else {
            return;
        };
        for (_, spell) in self.spells.drain() {
            if let Some(spell) = spells.get_mut(spell) {
                end(spell, now, whole);
            }
        }
    }
}

fn last(stays: &mut [Vec<Stay>], object: ContextId) -> Option<&mut Stay> {
    stays.get_mut(object.index())?.last_mut()
}

fn end(stay: &mut Stay, now: Ticks, whole: bool) {
    stay.end = now;
    stay.whole = whole;
}
