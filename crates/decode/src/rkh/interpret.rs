//! What the records of RKH mean to a scheduler.
//!
//! The native scheduler lets one active object after the other take an event
//! from its queue and process it to the end (`rkh_fwk_enter()` of RKH 3.4.00).
//! An object is ready as long as its queue holds events, and waits for one else.

use super::active::{ActiveObject, ActiveObjects, Stage};
use super::addresses::Addresses;
use super::reaction;
use super::role::{Role, Sense, Senses};
use rtoscope_trace::event::Arguments;
use rtoscope_trace::{
    Act, Address, ContextId, Contexts, Event, EventIndex, Flow, Interpret, ObjectClass, Reaction,
    Resource, ResourceId, Trace, Wait,
};
use std::collections::HashMap;

/// Says what the events of a trace of RKH mean.
pub struct Interpreter<'t> {
    trace: &'t Trace,
    senses: Senses,
    objects: Addresses<ContextId>,
    resources: Vec<Resource>,
    /// What the last event does beside its act.
    aside: Option<Act>,
    known: HashMap<(u64, ObjectClass), ResourceId>,
    /// What is known of each active object.
    active: ActiveObjects,
    /// The object that gets its events from a queue.
    queues: HashMap<u64, ContextId>,
    /// The free blocks of each pool as last recorded.
    free: HashMap<u64, u32>,
    /// How many of the trace's gaps were passed.
    gaps: usize,
}

/// Events that are looked at to see whether a step goes on behind its end.
const LOOK_AHEAD: u32 = 16;

impl<'t> Interpreter<'t> {
    /// For the events of this trace.
    pub fn new(trace: &'t Trace) -> Self {
        let mut objects = Addresses::new();
        for thread in trace.contexts.threads() {
            objects.get_or_insert(thread.address.0 as u32, || thread.id);
        }
        let active = trace.contexts.threads().count();
        let mut interpreter = Self {
            trace,
            senses: Senses::of(&trace.catalogue),
            objects,
            resources: Vec::new(),
            aside: None,
            known: HashMap::new(),
            active: ActiveObjects::new(active, trace.contexts.len()),
            queues: HashMap::new(),
            free: HashMap::new(),
            gaps: 0,
        };
        for object in &trace.objects {
            let shared = [ObjectClass::Queue, ObjectClass::BlockPool].contains(&object.class);
            let named = trace.objects.find_class(object.address, object.class);
            if shared && named.is_some_and(|named| named.id == object.id) {
                let resource = interpreter.resource(object.address.0, object.class);
                if let Some(known) = interpreter.resources.get_mut(resource.index()) {
                    known.object = Some(object.id);
                }
            }
        }
        interpreter
    }

    fn resource(&mut self, address: u64, class: ObjectClass) -> ResourceId {
        let resources = &mut self.resources;
        *self.known.entry((address, class)).or_insert_with(|| {
            let number = ResourceId(u32::try_from(resources.len()).unwrap_or(u32::MAX));
            resources.push(Resource {
                class,
                address: Address(address),
                object: None,
                capacity: None,
                owner: None,
            });
            number
        })
    }

    /// A queue or pool is created, which says how much it holds.
    fn create_resource(&mut self, address: u32, class: ObjectClass, capacity: u32) -> ResourceId {
        let resource = self.resource(address.into(), class);
        if let Some(known) = self.resources.get_mut(resource.index()) {
            known.capacity = Some(capacity.into()).filter(|capacity| *capacity > 0);
        }
        resource
    }

    fn sense(&self, index: EventIndex) -> Option<&Sense> {
        let kind = self.trace.events.kind.get(index.index())?;
        Some(self.senses.get(*kind))
    }

    fn arguments(&self, index: EventIndex) -> [u32; 4] {
        match &self.trace.events.arguments {
            Arguments::Narrow(all) => all.get(index.index()).copied().unwrap_or_default(),
            Arguments::Wide(_) => [0; 4],
        }
    }

    /// The active object that a record speaks of.
    fn object(&self, sense: &Sense, index: EventIndex) -> Option<ContextId> {
        let words = || self.trace.events.extras.words(index);
        self.objects
            .get(sense.object.of(&self.arguments(index), words)?)
    }

    fn level(&self, sense: &Sense, index: EventIndex) -> Option<u32> {
        let words = || self.trace.events.extras.words(index);
        sense.level.of(&self.arguments(index), words)
    }

    /// Forgets what was known where records are missing.
    fn pass_gaps(&mut self, index: EventIndex) {
        let gaps = self.trace.gaps.iter().skip(self.gaps);
        let passed = gaps.take_while(|gap| gap.before <= index).count();
        if passed > 0 {
            self.gaps += passed;
            self.active.forget(Stage::Unknown);
            self.free.clear();
        }
    }

    /// Whether records are missing before an event.
    fn is_behind_gap(&self, index: EventIndex) -> bool {
        let next = self.trace.gaps.get(self.gaps);
        next.is_some_and(|gap| gap.before <= index)
    }

    /// The next record that no interrupt made, if none is missing before it.
    fn next(&self, index: EventIndex) -> Option<(EventIndex, ContextId)> {
        let next = (index.0.saturating_add(1)..)
            .take(LOOK_AHEAD as usize)
            .map(EventIndex);
        let mut next = next.take_while(|index| !self.is_behind_gap(*index));
        next.find_map(|index| {
            let context = *self.trace.events.context.get(index.index())?;
            (context != Contexts::INTERRUPT).then_some((index, context))
        })
    }

    /// Whether an object's step goes on behind a record: it frees its event, or
    /// is told to have started.
    fn goes_on(&self, object: ContextId, index: EventIndex) -> bool {
        let Some((next, context)) = self.next(index) else {
            return false;
        };
        let role = self.sense(next).map(|sense| sense.role);
        let takes = matches!(
            role,
            Some(Role::Take | Role::QueueGet | Role::QueueGetLast | Role::Register | Role::Initial)
        );
        context == object && !takes
    }

    /// A record of an object's own: its step ends here if nothing more of it
    /// follows.
    fn step_on(&mut self, object: ContextId, index: EventIndex) -> Act {
        let mut state = self.active.get(object);
        if state.stage != Stage::Done || self.goes_on(object, index) {
            return Act::None;
        }
        let next = match self.active.awake() {
            0 | 1 => Contexts::IDLE,
            _ => ContextId::UNKNOWN,
        };
        let suspend = |wait| Act::Suspend {
            thread: object,
            wait,
            next,
        };
        let (stage, act) = match state.queued {
            _ if state.terminated => (Stage::Waiting, suspend(Wait::Terminated)),
            Some(0) => (Stage::Waiting, suspend(Wait::Queue)),
            Some(_) => (
                Stage::Ready,
                Act::Yield {
                    next: ContextId::UNKNOWN,
                },
            ),
            None => (Stage::Unknown, Act::None),
        };
        state.stage = stage;
        self.active.set(object, state);
        act
    }

    fn create(&mut self, sense: &Sense, index: EventIndex) -> Act {
        let words = || self.trace.events.extras.words(index);
        let priority = sense.priority.of(&self.arguments(index), words);
        let Some(object) = self.object(sense, index) else {
            return Act::None;
        };
        self.active.set(object, ActiveObject::created());
        Act::Create {
            thread: object,
            priority: priority
                .and_then(|it| u16::try_from(it).ok())
                .unwrap_or_default(),
        }
    }

    fn terminate(&mut self, sense: &Sense, index: EventIndex) -> Act {
        let Some(object) = self.object(sense, index) else {
            return Act::None;
        };
        let mut state = self.active.get(object);
        if state.terminated {
            return Act::None;
        }
        state.terminated = true;
        // Most end themselves, within a step.
        let later = state.stage == Stage::Busy || self.goes_on(object, index);
        if !later {
            state.stage = Stage::Waiting;
        }
        self.active.set(object, state);
        if later {
            return Act::None;
        }
        Act::Suspend {
            thread: object,
            wait: Wait::Terminated,
            next: ContextId::UNKNOWN,
        }
    }

    /// An event is put into an object's queue.
    fn post(&mut self, object: ContextId, queued: Option<u32>) -> Act {
        let mut state = self.active.get(object);
        state.queued = queued.or(state.queued.map(|queued| queued.saturating_add(1)));
        let wakes = state.stage == Stage::Waiting && !state.terminated;
        if wakes {
            state.stage = Stage::Ready;
        }
        self.active.set(object, state);
        if !wakes {
            return Act::None;
        }
        Act::Resume {
            thread: object,
            wait: Wait::Queue,
            next: ContextId::UNKNOWN,
        }
    }

    fn use_queue(&mut self, role: Role, sense: &Sense, index: EventIndex) -> Act {
        let [queue, ..] = self.arguments(index);
        let queue = u64::from(queue);
        let level = match role {
            Role::QueueGetLast => Some(0),
            _ => self.level(sense, index),
        };
        let puts = matches!(role, Role::QueueFifo | Role::QueueLifo);
        let owner = self.owner(queue, puts, index);
        let before = level.map(|level| {
            if puts {
                level.wrapping_sub(1)
            } else {
                level + 1
            }
        });
        let resource = self.resource(queue, ObjectClass::Queue);
        let used = Act::Use {
            resource,
            flow: match role {
                Role::QueueFifo => Flow::Put,
                Role::QueueLifo => Flow::PutFront,
                _ => Flow::Take,
            },
            level: before.unwrap_or(Act::NO_LEVEL),
            waits: false,
        };
        match owner {
            Some((object, true)) => self.own(queue, resource, object),
            // The record that would say so is filtered out on the target.
            Some((object, false)) if puts => {
                let act = self.post(object, level);
                if act != Act::None {
                    self.aside = Some(used);
                    return act;
                }
            }
            Some((object, false)) => self.take(object, level),
            None => {}
        }
        used
    }

    /// An object gets its events from a queue.
    fn own(&mut self, queue: u64, resource: ResourceId, object: ContextId) {
        self.queues.insert(queue, object);
        if let Some(known) = self.resources.get_mut(resource.index()) {
            known.owner = Some(object);
        }
    }

    /// Whose queue it is, and whether the next record says so as well.
    fn owner(&self, queue: u64, puts: bool, index: EventIndex) -> Option<(ContextId, bool)> {
        let next = EventIndex(index.0.saturating_add(1));
        let told = self.sense(next).filter(|sense| match sense.role {
            Role::Take => !puts,
            Role::PostFifo | Role::PostLifo => puts,
            _ => false,
        });
        let told = told.filter(|_| !self.is_behind_gap(next));
        match told.and_then(|sense| self.object(sense, next)) {
            Some(object) => Some((object, true)),
            None => self.queues.get(&queue).map(|object| (*object, false)),
        }
    }

    /// An object takes an event from its queue.
    fn take(&mut self, object: ContextId, left: Option<u32>) {
        let mut state = self.active.get(object);
        state.queued = left.or(state.queued.and_then(|queued| queued.checked_sub(1)));
        state.stage = Stage::Busy;
        self.active.set(object, state);
    }

    fn use_pool(&mut self, takes: bool, sense: &Sense, index: EventIndex) -> Act {
        let [pool, ..] = self.arguments(index);
        let pool = u64::from(pool);
        let free = self.level(sense, index);
        let last = free.and_then(|free| self.free.insert(pool, free));
        let level = free.map(|free| match free {
            // None was left, so that none was given.
            0 if takes && last == Some(0) => 0,
            _ if takes => free.saturating_add(1),
            _ => free.wrapping_sub(1),
        });
        Act::Use {
            resource: self.resource(pool, ObjectClass::BlockPool),
            flow: if takes { Flow::Take } else { Flow::Put },
            level: level.unwrap_or(Act::NO_LEVEL),
            waits: false,
        }
    }
}

impl Interpret for Interpreter<'_> {
    fn act(&mut self, event: &Event) -> Act {
        let index = event.index;
        self.aside = None;
        self.pass_gaps(index);
        let sense = *self.senses.get(event.kind);
        let act = match sense.role {
            Role::Target if reaction::is_restart(self.trace, event) => {
                self.active.forget(Stage::Waiting);
                self.free.clear();
                self.queues.clear();
                Act::None
            }
            Role::PoolInit => {
                let [pool, blocks, ..] = self.arguments(index);
                self.create_resource(pool, ObjectClass::BlockPool, blocks);
                Act::None
            }
            Role::QueueInit => {
                let [queue, _, elements, _] = self.arguments(index);
                let resource = self.create_resource(queue, ObjectClass::Queue, elements);
                if let Some(object) = self.object(&sense, index) {
                    self.own(queue.into(), resource, object);
                }
                Act::None
            }
            role @ (Role::QueueGet | Role::QueueGetLast | Role::QueueFifo | Role::QueueLifo) => {
                self.use_queue(role, &sense, index)
            }
            Role::PoolGet => self.use_pool(true, &sense, index),
            Role::PoolPut => self.use_pool(false, &sense, index),
            Role::Register => self.create(&sense, index),
            Role::Terminate | Role::Unregister => self.terminate(&sense, index),
            Role::Take => {
                if let Some(object) = self.object(&sense, index) {
                    self.take(object, self.level(&sense, index));
                }
                Act::None
            }
            Role::PostFifo | Role::PostLifo => match self.object(&sense, index) {
                Some(object) => self.post(object, self.level(&sense, index)),
                None => Act::None,
            },
            Role::Initial | Role::Dispatch => {
                if let Some(object) = self.object(&sense, index) {
                    self.active.set_stage(object, Stage::Busy);
                }
                Act::None
            }
            Role::Done(outcome) => {
                let ends = reaction::ends(&self.senses, self.trace, event, outcome);
                if let Some(object) = self.object(&sense, index).filter(|_| ends) {
                    self.active.set_stage(object, Stage::Done);
                }
                Act::None
            }
            _ => Act::None,
        };
        match event
            .context
            .is_thread()
            .then(|| self.step_on(event.context, index))
        {
            None | Some(Act::None) => act,
            Some(end) => {
                // The step ends with the memory of its event.
                if matches!(act, Act::Use { .. }) {
                    self.aside = Some(act);
                }
                end
            }
        }
    }

    fn aside(&self) -> Option<Act> {
        self.aside
    }

    fn resources(&self) -> &[Resource] {
        &self.resources
    }

    fn reaction(&self, event: &Event) -> Reaction {
        reaction::of(self.trace, &self.senses, &self.objects, event)
    }
}
