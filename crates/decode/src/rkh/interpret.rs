//! Interprets RKH records as scheduler events.
//!
//! The native scheduler runs one active object after the other: each takes an
//! event from its queue and processes it to completion (`rkh_fwk_enter()` of
//! RKH 3.4.00). An object is ready while its queue contains events, and
//! otherwise waits for one.

use super::active_object_events;
use super::active_object_state::{ActiveObjectState, ActiveObjectTable, Activity};
use super::kind_semantics::{KindSemantics, RecordRole, SemanticsTable};
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{
    ActiveObjectEvent, Address, ContextId, Contexts, Event, EventIndex, Interpret, LevelEffect,
    ObjectClass, Resource, ResourceId, SchedEvent, Trace, WaitReason,
};

/// Interprets the events of an RKH trace.
#[derive(Debug, Clone)]
pub struct RkhInterpreter {
    semantics: SemanticsTable,
    objects: HashMap<u32, ContextId>,
    resources: Vec<Resource>,
    /// The secondary effect of the last event.
    secondary_event: Option<SchedEvent>,
    resource_ids: HashMap<(u64, ObjectClass), ResourceId>,
    /// The state of each active object.
    active: ActiveObjectTable,
    /// The object that owns each queue.
    queues: HashMap<u64, ContextId>,
    /// The last recorded number of free blocks of each pool.
    free_blocks: HashMap<u64, u32>,
    /// Number of the trace's gaps already passed.
    gaps_passed: usize,
}

/// Maximum number of events to examine for the continuation of a step after its
/// end.
const MAX_LOOK_AHEAD: usize = 16;

impl RkhInterpreter {
    /// Creates an interpreter for the events of `trace`.
    pub fn new(trace: &Trace) -> Self {
        let mut objects = HashMap::new();
        for thread in trace.contexts.threads() {
            let address = thread.address.0 as u32;
            objects.entry(address).or_insert(thread.id);
        }
        let active = trace.contexts.threads().count();
        let mut interpreter = Self {
            semantics: SemanticsTable::from_catalogue(&trace.catalogue),
            objects,
            resources: Vec::new(),
            secondary_event: None,
            resource_ids: HashMap::new(),
            active: ActiveObjectTable::new(active, trace.contexts.len()),
            queues: HashMap::new(),
            free_blocks: HashMap::new(),
            gaps_passed: 0,
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
        *self
            .resource_ids
            .entry((address, class))
            .or_insert_with(|| {
                let number = ResourceId(u32::try_from(resources.len()).unwrap_or(u32::MAX));
                resources.push(Resource::new(class, Address(address)));
                number
            })
    }

    /// Adds a queue or pool with its recorded capacity.
    fn create_resource(&mut self, address: u32, class: ObjectClass, capacity: u32) -> ResourceId {
        let resource = self.resource(address.into(), class);
        if let Some(known) = self.resources.get_mut(resource.index()) {
            known.capacity = Some(capacity.into()).filter(|capacity| *capacity > 0);
        }
        resource
    }

    fn record_semantics(&self, trace: &Trace, index: EventIndex) -> Option<&KindSemantics> {
        let kind = trace.events.kind(index)?;
        Some(self.semantics.get(kind))
    }

    fn arguments(&self, trace: &Trace, index: EventIndex) -> [u32; 4] {
        let arguments = trace.events.arguments(index).unwrap_or_default();
        arguments.map(|argument| argument as u32)
    }

    /// The active object that a record refers to.
    fn object(&self, trace: &Trace, sense: &KindSemantics, index: EventIndex) -> Option<ContextId> {
        let words = || trace.events.extras().words(index);
        let address = sense.object.value(&self.arguments(trace, index), words)?;
        self.objects.get(&address).copied()
    }

    fn level(&self, trace: &Trace, sense: &KindSemantics, index: EventIndex) -> Option<u32> {
        let words = || trace.events.extras().words(index);
        sense.level.value(&self.arguments(trace, index), words)
    }

    /// Resets the state at gaps.
    fn pass_gaps(&mut self, trace: &Trace, index: EventIndex) {
        let gaps = trace.gaps.iter().skip(self.gaps_passed);
        let passed = gaps.take_while(|gap| gap.next_event <= index).count();
        if passed > 0 {
            self.gaps_passed += passed;
            self.active.reset(Activity::Unknown);
            self.free_blocks.clear();
        }
    }

    /// Whether records are missing before an event.
    fn is_after_gap(&self, trace: &Trace, index: EventIndex) -> bool {
        let next = trace.gaps.get(self.gaps_passed);
        next.is_some_and(|gap| gap.next_event <= index)
    }

    /// The next record outside interrupts, if none is missing before it.
    fn next_record(&self, trace: &Trace, index: EventIndex) -> Option<(EventIndex, ContextId)> {
        let next = (index.0.saturating_add(1)..)
            .take(MAX_LOOK_AHEAD)
            .map(EventIndex);
        let mut next = next.take_while(|index| !self.is_after_gap(trace, *index));
        next.find_map(|index| {
            let context = trace.events.context(index)?;
            (context != Contexts::INTERRUPT).then_some((index, context))
        })
    }

    /// Whether an object's step continues after a record: it frees its event,
    /// or a record of its step follows.
    fn step_continues(&self, trace: &Trace, object: ContextId, index: EventIndex) -> bool {
        let Some((next, context)) = self.next_record(trace, index) else {
            return false;
        };
        let role = self.record_semantics(trace, next).map(|sense| sense.role);
        let takes = matches!(
            role,
            Some(
                RecordRole::Take
                    | RecordRole::QueueGet
                    | RecordRole::QueueGetLast
                    | RecordRole::Register
                    | RecordRole::Initial
            )
        );
        context == object && !takes
    }

    /// Handles a record of an object: its step ends here unless more of it
    /// follows.
    fn continue_step(&mut self, trace: &Trace, object: ContextId, index: EventIndex) -> SchedEvent {
        let mut state = self.active.get(object);
        if state.activity != Activity::StepEnded || self.step_continues(trace, object, index) {
            return SchedEvent::None;
        }
        let next = match self.active.awake_count() {
            0 | 1 => Contexts::IDLE,
            _ => ContextId::UNKNOWN,
        };
        let suspend = |wait| SchedEvent::Suspend {
            thread: object,
            wait_reason: wait,
            next,
        };
        let (stage, act) = match state.queued_events {
            _ if state.is_terminated => (Activity::Waiting, suspend(WaitReason::Terminated)),
            Some(0) => (Activity::Waiting, suspend(WaitReason::Queue)),
            Some(_) => (
                Activity::Ready,
                SchedEvent::Yield {
                    next: ContextId::UNKNOWN,
                },
            ),
            None => (Activity::Unknown, SchedEvent::None),
        };
        state.activity = stage;
        self.active.set(object, state);
        act
    }

    fn create(&mut self, trace: &Trace, sense: &KindSemantics, index: EventIndex) -> SchedEvent {
        let words = || trace.events.extras().words(index);
        let priority = sense.priority.value(&self.arguments(trace, index), words);
        let Some(object) = self.object(trace, sense, index) else {
            return SchedEvent::None;
        };
        self.active.set(object, ActiveObjectState::created());
        SchedEvent::Create {
            thread: object,
            priority: priority
                .and_then(|it| u16::try_from(it).ok())
                .unwrap_or_default(),
        }
    }

    fn terminate(&mut self, trace: &Trace, sense: &KindSemantics, index: EventIndex) -> SchedEvent {
        let Some(object) = self.object(trace, sense, index) else {
            return SchedEvent::None;
        };
        let mut state = self.active.get(object);
        if state.is_terminated {
            return SchedEvent::None;
        }
        state.is_terminated = true;
        // Most terminate themselves, within a step.
        let later = state.activity == Activity::Busy || self.step_continues(trace, object, index);
        if !later {
            state.activity = Activity::Waiting;
        }
        self.active.set(object, state);
        if later {
            return SchedEvent::None;
        }
        SchedEvent::Suspend {
            thread: object,
            wait_reason: WaitReason::Terminated,
            next: ContextId::UNKNOWN,
        }
    }

    /// Posts an event to an object's queue.
    fn post(&mut self, object: ContextId, queued: Option<u32>) -> SchedEvent {
        let mut state = self.active.get(object);
        state.queued_events = queued.or(state.queued_events.map(|queued| queued.saturating_add(1)));
        let wakes = state.activity == Activity::Waiting && !state.is_terminated;
        if wakes {
            state.activity = Activity::Ready;
        }
        self.active.set(object, state);
        if !wakes {
            return SchedEvent::None;
        }
        SchedEvent::Resume {
            thread: object,
            wait_reason: WaitReason::Queue,
            next: ContextId::UNKNOWN,
        }
    }

    fn use_queue(
        &mut self,
        trace: &Trace,
        role: RecordRole,
        sense: &KindSemantics,
        index: EventIndex,
    ) -> SchedEvent {
        let [queue, ..] = self.arguments(trace, index);
        let queue = u64::from(queue);
        let level = match role {
            RecordRole::QueueGetLast => Some(0),
            _ => self.level(trace, sense, index),
        };
        let puts = matches!(role, RecordRole::QueueFifo | RecordRole::QueueLifo);
        let owner = self.queue_owner(trace, queue, puts, index);
        let before = level.map(|level| {
            if puts {
                level.wrapping_sub(1)
            } else {
                level + 1
            }
        });
        let resource = self.resource(queue, ObjectClass::Queue);
        let used = SchedEvent::Use {
            resource,
            effect: match role {
                RecordRole::QueueFifo => LevelEffect::Put,
                RecordRole::QueueLifo => LevelEffect::PutFront,
                _ => LevelEffect::Take,
            },
            level: before.unwrap_or(SchedEvent::UNKNOWN_LEVEL),
            waits: false,
        };
        match owner {
            Some((object, true)) => self.assign_queue(queue, resource, object),
            // The target filters out the record of the post itself.
            Some((object, false)) if puts => {
                let act = self.post(object, level);
                if act != SchedEvent::None {
                    self.secondary_event = Some(used);
                    return act;
                }
            }
            Some((object, false)) => self.dequeue(object, level),
            None => {}
        }
        used
    }

    /// Assigns a queue to the object that gets its events from it.
    fn assign_queue(&mut self, queue: u64, resource: ResourceId, object: ContextId) {
        self.queues.insert(queue, object);
        if let Some(known) = self.resources.get_mut(resource.index()) {
            known.owner = Some(object);
        }
    }

    /// The owner of a queue, and whether the next record identifies it as well.
    fn queue_owner(
        &self,
        trace: &Trace,
        queue: u64,
        puts: bool,
        index: EventIndex,
    ) -> Option<(ContextId, bool)> {
        let next = EventIndex(index.0.saturating_add(1));
        let next_semantics = self
            .record_semantics(trace, next)
            .filter(|sense| match sense.role {
                RecordRole::Take => !puts,
                RecordRole::PostFifo | RecordRole::PostLifo => puts,
                _ => false,
            });
        let next_semantics = next_semantics.filter(|_| !self.is_after_gap(trace, next));
        match next_semantics.and_then(|sense| self.object(trace, sense, next)) {
            Some(object) => Some((object, true)),
            None => self.queues.get(&queue).map(|object| (*object, false)),
        }
    }

    /// An object takes an event from its queue.
    fn dequeue(&mut self, object: ContextId, left: Option<u32>) {
        let mut state = self.active.get(object);
        state.queued_events = left.or(state.queued_events.and_then(|queued| queued.checked_sub(1)));
        state.activity = Activity::Busy;
        self.active.set(object, state);
    }

    fn use_pool(
        &mut self,
        trace: &Trace,
        takes: bool,
        sense: &KindSemantics,
        index: EventIndex,
    ) -> SchedEvent {
        let [pool, ..] = self.arguments(trace, index);
        let pool = u64::from(pool);
        let free = self.level(trace, sense, index);
        let last = free.and_then(|free| self.free_blocks.insert(pool, free));
        let level = free.map(|free| match free {
            // The pool was empty, so the allocation failed.
            0 if takes && last == Some(0) => 0,
            _ if takes => free.saturating_add(1),
            _ => free.wrapping_sub(1),
        });
        SchedEvent::Use {
            resource: self.resource(pool, ObjectClass::BlockPool),
            effect: if takes {
                LevelEffect::Take
            } else {
                LevelEffect::Put
            },
            level: level.unwrap_or(SchedEvent::UNKNOWN_LEVEL),
            waits: false,
        }
    }
}

impl Interpret for RkhInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        let index = event.index;
        self.secondary_event = None;
        self.pass_gaps(trace, index);
        let sense = *self.semantics.get(event.kind);
        let act = match sense.role {
            RecordRole::Target if active_object_events::is_restart(trace, event) => {
                self.active.reset(Activity::Waiting);
                self.free_blocks.clear();
                self.queues.clear();
                SchedEvent::None
            }
            RecordRole::PoolInit => {
                let [pool, blocks, ..] = self.arguments(trace, index);
                self.create_resource(pool, ObjectClass::BlockPool, blocks);
                SchedEvent::None
            }
            RecordRole::QueueInit => {
                let [queue, _, elements, _] = self.arguments(trace, index);
                let resource = self.create_resource(queue, ObjectClass::Queue, elements);
                if let Some(object) = self.object(trace, &sense, index) {
                    self.assign_queue(queue.into(), resource, object);
                }
                SchedEvent::None
            }
            role @ (RecordRole::QueueGet
            | RecordRole::QueueGetLast
            | RecordRole::QueueFifo
            | RecordRole::QueueLifo) => self.use_queue(trace, role, &sense, index),
            RecordRole::PoolGet => self.use_pool(trace, true, &sense, index),
            RecordRole::PoolPut => self.use_pool(trace, false, &sense, index),
            RecordRole::Register => self.create(trace, &sense, index),
            RecordRole::Terminate | RecordRole::Unregister => self.terminate(trace, &sense, index),
            RecordRole::Take => {
                if let Some(object) = self.object(trace, &sense, index) {
                    self.dequeue(object, self.level(trace, &sense, index));
                }
                SchedEvent::None
            }
            RecordRole::PostFifo | RecordRole::PostLifo => {
                match self.object(trace, &sense, index) {
                    Some(object) => self.post(object, self.level(trace, &sense, index)),
                    None => SchedEvent::None,
                }
            }
            RecordRole::Initial | RecordRole::Dispatch => {
                if let Some(object) = self.object(trace, &sense, index) {
                    self.active.set_activity(object, Activity::Busy);
                }
                SchedEvent::None
            }
            RecordRole::Done(outcome) => {
                let ends = active_object_events::ends_step(&self.semantics, trace, event, outcome);
                if let Some(object) = self.object(trace, &sense, index).filter(|_| ends) {
                    self.active.set_activity(object, Activity::StepEnded);
                }
                SchedEvent::None
            }
            _ => SchedEvent::None,
        };
        match event
            .context
            .is_thread()
            .then(|| self.continue_step(trace, event.context, index))
        {
            None | Some(SchedEvent::None) => act,
            Some(end) => {
                // The step ends when the memory of its event is freed.
                if matches!(act, SchedEvent::Use { .. }) {
                    self.secondary_event = Some(act);
                }
                end
            }
        }
    }

    fn secondary_event(&self) -> Option<SchedEvent> {
        self.secondary_event
    }

    fn resources(&self) -> &[Resource] {
        &self.resources
    }

    fn active_object_event(&self, trace: &Trace, event: &Event) -> ActiveObjectEvent {
        active_object_events::active_object_event(trace, &self.semantics, &self.objects, event)
    }

    fn max_look_ahead(&self) -> usize {
        MAX_LOOK_AHEAD
    }
}
