//! The pass that builds [`ActiveObjects`] from active object events.

mod deferred;
mod discontinuities;
mod machine;
mod queue;
mod timers;

use super::{ActiveObjects, Deferral, Post, PostId, SyncCall, TimerEnding, TimerRun};
use deferred::DeferredEvents;
use discontinuities::Discontinuities;
use machine::{MachineContext, MachineTracker};
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{
    ActiveObjectEvent, ContextId, Endpoint, EventHeader, EventIndex, Interpret, ObjectClass,
    Signal, Trace,
};
use timers::TimerTracker;

pub(super) fn build(trace: &Trace, interpreter: &impl Interpret) -> ActiveObjects {
    let mut builder = ActiveObjectsBuilder::default();
    let events = 0..trace.events.len();
    trace.events.visit(events, |event| {
        let object_event = interpreter.active_object_event(trace, &event);
        builder.push(trace, &event.header(), object_event);
    });
    builder.finish(trace)
}

/// Builds [`ActiveObjects`] event by event.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveObjectsBuilder {
    active: ActiveObjects,
    /// By context; empty before the context's first event.
    machines: Vec<MachineTracker>,
    discontinuities: Discontinuities,
    timers: TimerTracker,
    deferred: DeferredEvents,
    /// Whether there are records of the ends of steps.
    step_ends_recorded: bool,
}

impl ActiveObjectsBuilder {
    /// Applies the next event.
    #[inline]
    pub(crate) fn push(
        &mut self,
        trace: &Trace,
        event: &EventHeader,
        object_event: ActiveObjectEvent,
    ) {
        if !matches!(object_event, ActiveObjectEvent::None) {
            self.apply(trace, event, object_event);
        }
    }

    pub(crate) fn finish(mut self, trace: &Trace) -> ActiveObjects {
        let end = EventIndex(u32::try_from(trace.events.len()).unwrap_or(u32::MAX));
        self.pass_gaps(trace, end);
        let span = trace.events.span();
        let active = &mut self.active;
        for (machine, object) in self.machines.iter_mut().zip((0..).map(ContextId)) {
            machine.catch_up(&self.discontinuities, active, object);
            machine.finish(active, object, span, self.step_ends_recorded);
        }
        self.timers.finish(&self.discontinuities, active, span);
        let contexts = trace.contexts.iter();
        let spoken_of = contexts.filter(|context| {
            let object = context.object.and_then(|id| trace.objects.get(id));
            object.is_some_and(|object| object.class == ObjectClass::ActiveObject)
                || self
                    .machines
                    .get(context.id.index())
                    .is_some_and(|machine| machine.seen)
        });
        self.active.objects = spoken_of.map(|context| context.id).collect();
        self.active
    }

    fn pass_gaps(&mut self, trace: &Trace, event: EventIndex) {
        if self.discontinuities.pass_gaps(trace, event) {
            self.invalidate();
        }
    }

    /// Everything in progress ends without a record.
    fn invalidate(&mut self) {
        self.deferred.invalidate();
        self.timers.end_tick();
    }

    fn apply(&mut self, trace: &Trace, event: &EventHeader, object_event: ActiveObjectEvent) {
        if self.machines.is_empty() {
            let contexts = trace.contexts.len();
            self.machines.resize_with(contexts, MachineTracker::default);
            self.active.state_intervals.resize_with(contexts, Vec::new);
            self.active
                .active_state_intervals
                .resize_with(contexts, Vec::new);
        }
        self.pass_gaps(trace, event.index);
        match object_event {
            ActiveObjectEvent::None => {}
            ActiveObjectEvent::AssertionFailed => self.active.failed_assertions.push(event.index),
            ActiveObjectEvent::Restart => {
                self.discontinuities.add(trace, event.index, true);
                self.invalidate();
            }
            ActiveObjectEvent::Post {
                to,
                signal,
                from,
                front,
                queued,
            } => self.post(Post {
                event: event.index,
                time: event.time,
                to,
                signal,
                from,
                front,
                queued: known_count(queued),
                recalled: false,
                step: None,
            }),
            ActiveObjectEvent::Defer { queue, signal } => self.defer(Deferral {
                event: event.index,
                time: event.time,
                object: self.deferred.sole_handler(signal),
                queue,
                signal,
                recalled: None,
            }),
            ActiveObjectEvent::Recall { object, signal } => self.recall(event, object, signal),
            ActiveObjectEvent::Call { function, from, to } => {
                self.register_endpoint(from);
                self.register_endpoint(to);
                self.active.calls.push(SyncCall {
                    event: event.index,
                    time: event.time,
                    function,
                    from,
                    to,
                });
            }
            object_event => {
                self.apply_timer_event(event, object_event);
                self.apply_step_event(event, object_event);
            }
        }
    }

    /// Applies events of timers.
    fn apply_timer_event(&mut self, event: &EventHeader, object_event: ActiveObjectEvent) {
        let (discontinuities, active) = (&self.discontinuities, &mut self.active);
        match object_event {
            ActiveObjectEvent::TimerCreate { timer, signal } => {
                self.timers.create(discontinuities, active, timer, signal);
            }
            ActiveObjectEvent::TimerStart {
                timer,
                object,
                ticks,
                period,
            } => {
                let run = TimerRun {
                    timer,
                    object,
                    signal: None,
                    ticks,
                    period,
                    periodic: false,
                    first: event.index,
                    start: event.time,
                    end: event.time,
                    ending: TimerEnding::Running,
                    last: None,
                    post: None,
                };
                self.timers.start(discontinuities, active, event, &run);
                self.register_endpoint(Endpoint::Object(object));
            }
            ActiveObjectEvent::TimerStop {
                timer,
                remaining: left,
            } => {
                self.timers
                    .stop(discontinuities, active, event, timer, left);
            }
            ActiveObjectEvent::TimerExpire {
                timer,
                object,
                signal,
            } => {
                let timers = &mut self.timers;
                timers.expire(discontinuities, active, event, timer, object, signal);
                self.register_endpoint(Endpoint::Object(object));
            }
            ActiveObjectEvent::TimerRemove { timer } => {
                self.timers.remove(discontinuities, active, event, timer);
            }
            _ => {}
        }
    }

    /// Applies events within steps.
    fn apply_step_event(&mut self, event: &EventHeader, object_event: ActiveObjectEvent) {
        match object_event {
            ActiveObjectEvent::Activate { object } => {
                self.with_machine(event, object, |machine, _| {
                    machine.activate();
                });
            }
            ActiveObjectEvent::Terminate { object } => {
                self.with_machine(event, object, MachineTracker::terminate);
            }
            ActiveObjectEvent::Take {
                object,
                signal,
                remaining: left,
            } => {
                self.timers.end_tick();
                self.with_machine(event, object, |machine, machine_context| {
                    machine.take(machine_context, signal, known_count(left));
                });
            }
            ActiveObjectEvent::Dispatch {
                object,
                signal,
                state,
            } => {
                self.timers.end_tick();
                self.with_machine(event, object, |machine, machine_context| {
                    machine.dispatch(machine_context, signal, state);
                });
            }
            ActiveObjectEvent::Initial { object, .. } => {
                self.timers.end_tick();
                self.with_machine(event, object, MachineTracker::initial);
            }
            ActiveObjectEvent::Transition {
                object,
                source,
                target,
            } => self.with_machine(event, object, |machine, machine_context| {
                machine.transition(machine_context, source, target);
            }),
            ActiveObjectEvent::Segment { object, .. } => {
                self.with_machine(event, object, MachineTracker::continue_transition);
            }
            ActiveObjectEvent::Exit { object, state } => {
                self.with_machine(event, object, |machine, machine_context| {
                    machine.exit(machine_context, state);
                });
            }
            ActiveObjectEvent::Enter { object, state } => {
                self.with_machine(event, object, |machine, machine_context| {
                    machine.enter(machine_context, state);
                });
            }
            ActiveObjectEvent::Action {
                object,
                role,
                state,
                function,
            } => {
                self.active.actions.push(super::Action {
                    event: event.index,
                    time: event.time,
                    object,
                    role,
                    state,
                    function,
                });
                self.with_machine(event, object, |machine, machine_context| {
                    machine.action(machine_context, role);
                });
            }
            ActiveObjectEvent::Settle { object, state } => {
                self.with_machine(event, object, |machine, machine_context| {
                    machine.settle(machine_context, state);
                });
            }
            ActiveObjectEvent::Done { object, outcome } => {
                self.step_ends_recorded |= outcome != StepOutcome::GuardFalse;
                self.with_machine(event, object, |machine, machine_context| {
                    machine.done(machine_context, outcome);
                });
            }
            _ => {}
        }
    }

    fn post(&mut self, post: Post) {
        let id = PostId(u32::try_from(self.active.posts.len()).unwrap_or(u32::MAX));
        self.active.posts.push(post);
        self.register_endpoint(post.from);
        if !post.front {
            self.timers.post(&mut self.active, post.to, post.signal, id);
        }
        if let Some(machine) = self.machines.get_mut(post.to.index()) {
            machine.seen = true;
            machine.catch_up(&self.discontinuities, &mut self.active, post.to);
            let (active, queue) = (&mut self.active, &mut machine.queue);
            queue.post(active, id, &post);
            machine.front_post = post.front.then_some(id);
        }
    }

    fn defer(&mut self, deferral: Deferral) {
        let object = deferral
            .object
            .and_then(|object| self.machines.get(object.index()));
        let complete = self.discontinuities.complete_since_restart()
            || object.is_some_and(|object| object.created_since_gap);
        self.deferred.defer(&mut self.active, deferral, complete);
    }

    /// The recall record follows that of its post.
    fn recall(&mut self, event: &EventHeader, object: ContextId, signal: Signal) {
        let mut post = None;
        self.with_machine(event, object, |machine, machine_context| {
            let front = machine.front_post.take();
            let found = front.and_then(|front| machine_context.active.posts.get_mut(front.index()));
            if let Some(found) = found.filter(|found| found.signal == signal) {
                found.recalled = true;
                post = front;
            }
        });
        self.deferred.recall(&mut self.active, object, signal, post);
    }

    fn register_endpoint(&mut self, endpoint: Endpoint) {
        if let Endpoint::Object(object) = endpoint
            && let Some(machine) = self.machines.get_mut(object.index())
        {
            machine.seen = true;
        }
    }

    /// Applies an event to the machine of an object.
    fn with_machine(
        &mut self,
        event: &EventHeader,
        object: ContextId,
        what: impl FnOnce(&mut MachineTracker, &mut MachineContext<'_>),
    ) {
        let Some(machine) = self.machines.get_mut(object.index()) else {
            return;
        };
        let active = &mut self.active;
        machine.seen = true;
        machine.catch_up(&self.discontinuities, active, object);
        let before = machine.handled_signal(active);
        let mut machine_context = MachineContext {
            active,
            object,
            event,
        };
        what(machine, &mut machine_context);
        let now = machine.handled_signal(&self.active);
        self.deferred.set_handled(object, before, now);
    }
}

/// A count, if the record has it.
fn known_count(count: u32) -> Option<u32> {
    (count != ActiveObjectEvent::UNKNOWN_COUNT).then_some(count)
}

#[cfg(test)]
mod tests;
