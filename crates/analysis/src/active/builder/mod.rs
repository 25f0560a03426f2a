//! The pass that makes [`Active`] of reactions.

mod cuts;
mod deferred;
mod machine;
mod queue;
mod timers;

use super::{Active, Call, Deferral, Post, PostId, TimerEnd, TimerRun};
use cuts::Cuts;
use deferred::Deferred;
use machine::{Machine, Scene};
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{
    ContextId, Event, EventIndex, Interpret, ObjectClass, Party, Reaction, Signal, Trace,
};
use timers::Timers;

pub(super) fn build(trace: &Trace, interpreter: &impl Interpret) -> Active {
    let mut builder = Builder::new(trace);
    let events = 0..trace.events.len();
    trace.events.visit(events, |event| {
        builder.take(&event, interpreter.reaction(&event));
    });
    builder.finish()
}

/// Makes [`Active`] of reactions as they come.
pub(crate) struct Builder<'a> {
    trace: &'a Trace,
    active: Active,
    /// Of each context; empty until the trace speaks of one.
    machines: Vec<Machine>,
    cuts: Cuts,
    timers: Timers,
    deferred: Deferred,
    /// Whether there are records of steps that end.
    ends_are_told: bool,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        Self {
            trace,
            active: Active::default(),
            machines: Vec::new(),
            cuts: Cuts::default(),
            timers: Timers::default(),
            deferred: Deferred::default(),
            ends_are_told: false,
        }
    }

    /// Takes the next event.
    #[inline]
    pub(crate) fn take(&mut self, event: &Event, reaction: Reaction) {
        if !matches!(reaction, Reaction::None) {
            self.react(event, reaction);
        }
    }

    pub(crate) fn finish(mut self) -> Active {
        let end = EventIndex(u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX));
        self.pass_gaps(end);
        let span = self.trace.events.span();
        let active = &mut self.active;
        for (machine, object) in self.machines.iter_mut().zip((0..).map(ContextId)) {
            machine.catch_up(&self.cuts, active, object);
            machine.finish(active, object, span, self.ends_are_told);
        }
        self.timers.finish(&self.cuts, active, span);
        let contexts = self.trace.contexts.iter();
        let spoken_of = contexts.filter(|context| {
            let object = context.object.and_then(|id| self.trace.objects.get(id));
            object.is_some_and(|object| object.class == ObjectClass::ActiveObject)
                || self
                    .machines
                    .get(context.id.index())
                    .is_some_and(|machine| machine.met)
        });
        self.active.objects = spoken_of.map(|context| context.id).collect();
        self.active
    }

    fn pass_gaps(&mut self, event: EventIndex) {
        if self.cuts.pass_gaps(self.trace, event) {
            self.forget();
        }
    }

    /// What is under way ends unseen.
    fn forget(&mut self) {
        self.deferred.cut();
        self.timers.end_tick();
    }

    fn react(&mut self, event: &Event, reaction: Reaction) {
        if self.machines.is_empty() {
            let contexts = self.trace.contexts.len();
            self.machines.resize_with(contexts, Machine::default);
            self.active.stays.resize_with(contexts, Vec::new);
            self.active.spells.resize_with(contexts, Vec::new);
        }
        self.pass_gaps(event.index);
        match reaction {
            Reaction::None => {}
            Reaction::Failure => self.active.failures.push(event.index),
            Reaction::Restart => {
                if event.index != EventIndex(0) {
                    self.active.restarts.push(event.index);
                }
                self.cuts.add(self.trace, event.index, true);
                self.forget();
            }
            Reaction::Post {
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
                queued: told(queued),
                recalled: false,
                step: None,
            }),
            Reaction::Defer { queue, signal } => self.defer(Deferral {
                event: event.index,
                time: event.time,
                object: self.deferred.handles(signal),
                queue,
                signal,
                recalled: None,
            }),
            Reaction::Recall { object, signal } => self.recall(event, object, signal),
            Reaction::Call { function, from, to } => {
                self.meet(from);
                self.meet(to);
                self.active.calls.push(Call {
                    event: event.index,
                    time: event.time,
                    function,
                    from,
                    to,
                });
            }
            reaction => {
                self.time(event, reaction);
                self.run(event, reaction);
            }
        }
    }

    /// What timers do.
    fn time(&mut self, event: &Event, reaction: Reaction) {
        let (cuts, active) = (&self.cuts, &mut self.active);
        match reaction {
            Reaction::TimerCreate { timer, signal } => {
                self.timers.create(cuts, active, timer, signal);
            }
            Reaction::TimerStart {
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
                    ending: TimerEnd::Running,
                    last: None,
                    post: None,
                };
                self.timers.start(cuts, active, event, &run);
                self.meet(Party::Object(object));
            }
            Reaction::TimerStop { timer, left } => {
                self.timers.stop(cuts, active, event, timer, left);
            }
            Reaction::TimerExpire {
                timer,
                object,
                signal,
            } => {
                let timers = &mut self.timers;
                timers.expire(cuts, active, event, timer, object, signal);
                self.meet(Party::Object(object));
            }
            Reaction::TimerRemove { timer } => self.timers.remove(cuts, active, event, timer),
            _ => {}
        }
    }

    /// What active objects do in steps.
    fn run(&mut self, event: &Event, reaction: Reaction) {
        match reaction {
            Reaction::Activate { object } => self.with(event, object, |machine, _| {
                machine.activate();
            }),
            Reaction::Terminate { object } => self.with(event, object, Machine::terminate),
            Reaction::Take {
                object,
                signal,
                left,
            } => {
                self.timers.end_tick();
                self.with(event, object, |machine, scene| {
                    machine.take(scene, signal, told(left));
                });
            }
            Reaction::Dispatch {
                object,
                signal,
                state,
            } => {
                self.timers.end_tick();
                self.with(event, object, |machine, scene| {
                    machine.dispatch(scene, signal, state);
                });
            }
            Reaction::Initial { object, .. } => {
                self.timers.end_tick();
                self.with(event, object, Machine::initial);
            }
            Reaction::Transition {
                object,
                source,
                target,
            } => self.with(event, object, |machine, scene| {
                machine.transition(scene, source, target);
            }),
            Reaction::Segment { object, .. } => self.with(event, object, Machine::go_on),
            Reaction::Exit { object, state } => self.with(event, object, |machine, scene| {
                machine.exit(scene, state);
            }),
            Reaction::Enter { object, state } => self.with(event, object, |machine, scene| {
                machine.enter(scene, state);
            }),
            Reaction::Action {
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
                self.with(event, object, |machine, scene| machine.act(scene, role));
            }
            Reaction::Settle { object, state } => self.with(event, object, |machine, scene| {
                machine.settle(scene, state);
            }),
            Reaction::Done { object, outcome } => {
                self.ends_are_told |= outcome != Outcome::GuardFalse;
                self.with(event, object, |machine, scene| machine.done(scene, outcome));
            }
            _ => {}
        }
    }

    fn post(&mut self, post: Post) {
        let id = PostId(u32::try_from(self.active.posts.len()).unwrap_or(u32::MAX));
        self.active.posts.push(post);
        self.meet(post.from);
        if !post.front {
            self.timers.post(&mut self.active, post.to, post.signal, id);
        }
        if let Some(machine) = self.machines.get_mut(post.to.index()) {
            machine.met = true;
            machine.catch_up(&self.cuts, &mut self.active, post.to);
            let (active, queue) = (&mut self.active, &mut machine.queue);
            queue.post(active, id, &post);
            machine.front = post.front.then_some(id);
        }
    }

    fn defer(&mut self, deferral: Deferral) {
        let object = deferral
            .object
            .and_then(|object| self.machines.get(object.index()));
        let whole = self.cuts.since_restart() || object.is_some_and(|object| object.whole);
        self.deferred.defer(&mut self.active, deferral, whole);
    }

    /// The record stands behind that of the post.
    fn recall(&mut self, event: &Event, object: ContextId, signal: Signal) {
        let mut post = None;
        self.with(event, object, |machine, scene| {
            let front = machine.front.take();
            let found = front.and_then(|front| scene.active.posts.get_mut(front.index()));
            if let Some(found) = found.filter(|found| found.signal == signal) {
                found.recalled = true;
                post = front;
            }
        });
        self.deferred.recall(&mut self.active, object, signal, post);
    }

    fn meet(&mut self, party: Party) {
        if let Party::Object(object) = party
            && let Some(machine) = self.machines.get_mut(object.index())
        {
            machine.met = true;
        }
    }

    /// An object does something.
    fn with(
        &mut self,
        event: &Event,
        object: ContextId,
        what: impl FnOnce(&mut Machine, &mut Scene<'_>),
    ) {
        let Some(machine) = self.machines.get_mut(object.index()) else {
            return;
        };
        let active = &mut self.active;
        machine.met = true;
        machine.catch_up(&self.cuts, active, object);
        let before = machine.handles(active);
        let mut scene = Scene {
            active,
            object,
            event,
        };
        what(machine, &mut scene);
        let now = machine.handles(&self.active);
        self.deferred.handle(object, before, now);
    }
}

/// A count of a record that gives it.
fn told(count: u32) -> Option<u32> {
    (count != Reaction::NOT_TOLD).then_some(count)
}

#[cfg(test)]
mod tests;
