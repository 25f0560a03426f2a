//! Interprets lines as scheduler events.

use super::catalogue::id;
use super::entities::{EntityId, EntityTable, EntityType};
use rtoscope_trace::{
    ContextId, Contexts, Event, EventIndex, Interpret, IsrFunction, Name, ObjectClass, Resource,
    ResourceId, SchedEvent, Trace, WaitReason,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Interprets the events of a file as scheduler events.
#[derive(Debug, Clone)]
pub(super) struct BtfInterpreter {
    entities: Arc<EntityTable>,
    functions: Vec<IsrFunction>,
    resources: Vec<Resource>,
    /// What each core runs outside of interrupts, and its active ISRs, the innermost last.
    cores: HashMap<u8, CoreState>,
    /// The owners of semaphores, by number.
    owners: HashMap<u32, ContextId>,
    /// The tasks that wait for a semaphore, with its number.
    waiting: HashSet<(ContextId, u32)>,
    /// The tasks that will wait for a semaphore.
    requested: HashSet<ContextId>,
    /// Why tasks wait.
    wait_reasons: HashMap<ContextId, WaitReason>,
    /// Number of the trace's gaps that are passed.
    gaps_passed: usize,
}

#[derive(Debug, Clone)]
struct CoreState {
    base: ContextId,
    isrs: Vec<u32>,
}

impl Default for CoreState {
    fn default() -> Self {
        Self {
            base: ContextId::UNKNOWN,
            isrs: Vec::new(),
        }
    }
}

/// What a core runs next, at the time of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Following {
    Isr,
    Task(ContextId),
    Idle,
}

/// Number of events of the same time among which the core's next one is looked for.
const MAX_LOOK_AHEAD: u32 = 16;

impl BtfInterpreter {
    pub(super) fn new(trace: &Trace, entities: Arc<EntityTable>) -> Self {
        let object = |entity: EntityId| trace.objects.find(entity.address(), None);
        let isrs = entities.of_type(EntityType::Isr);
        let functions = isrs.map(|(isr, entity)| IsrFunction {
            name: Some(object(isr).map_or_else(|| Name::new(&entity.name), |it| it.name.clone())),
            address: isr.address(),
        });
        let functions = functions.collect();
        let semaphores = entities.of_type(EntityType::Semaphore);
        let resources = semaphores.map(|(semaphore, _)| {
            let found = object(semaphore);
            Resource {
                class: found.map_or(ObjectClass::Semaphore, |object| object.class),
                address: semaphore.address(),
                object: found.map(|object| object.id),
                capacity: None,
                owner: None,
            }
        });
        Self {
            functions,
            resources: resources.collect(),
            entities,
            cores: HashMap::new(),
            owners: HashMap::new(),
            waiting: HashSet::new(),
            requested: HashSet::new(),
            wait_reasons: HashMap::new(),
            gaps_passed: 0,
        }
    }

    /// Forgets what runs if lines are missing before this one.
    fn pass_gaps(&mut self, trace: &Trace, event: EventIndex) {
        while let Some(gap) = trace.gaps.get(self.gaps_passed)
            && gap.next_event <= event
        {
            self.gaps_passed += 1;
            self.cores.clear();
            self.owners.clear();
            self.waiting.clear();
            self.requested.clear();
            self.wait_reasons.clear();
        }
    }

    fn core(&mut self, event: &Event) -> &mut CoreState {
        self.cores.entry(event.core).or_default()
    }

    /// The number of the target among the entities of its type.
    fn target_number(&self, event: &Event) -> u32 {
        let [target, ..] = event.arguments;
        let entity = EntityId::at(target).and_then(|target| self.entities.get(target));
        entity.map_or(u32::MAX, |entity| entity.number)
    }

    /// What the event's core runs from its time on, as later lines of that time say.
    fn following(&self, trace: &Trace, event: &Event) -> Option<Following> {
        let numbers = event.index.0.saturating_add(1)..;
        let later = numbers.take(MAX_LOOK_AHEAD as usize).map(EventIndex);
        let later = later.map_while(|index| trace.events.get(index));
        let mut later = later.take_while(|other| other.time == event.time);
        later.find_map(|other| match other.kind.0 {
            _ if other.core != event.core => None,
            id::ISR_START | id::ISR_RESUME => Some(Following::Isr),
            id::START | id::RESUME | id::POLL_PARKING => Some(Following::Task(other.context)),
            id::IDLE => Some(Following::Idle),
            _ => None,
        })
    }

    /// A task becomes ready.
    fn ready(&mut self, event: &Event) -> SchedEvent {
        let known = self.wait_reasons.remove(&event.context);
        SchedEvent::Resume {
            thread: event.context,
            wait_reason: known.unwrap_or(match event.kind.0 {
                id::ACTIVATE => WaitReason::Completed,
                _ => WaitReason::Other,
            }),
            next: ContextId::UNKNOWN,
        }
    }

    /// A task runs.
    fn run(&mut self, event: &Event) -> SchedEvent {
        let has_idle = self.entities.has_idle;
        let core = self.core(event);
        let from = std::mem::replace(&mut core.base, event.context);
        if from == event.context && core.isrs.is_empty() {
            // It was interrupted.
            return match has_idle {
                true => SchedEvent::Return { to: event.context },
                false => SchedEvent::None,
            };
        }
        core.isrs.clear();
        SchedEvent::Switch {
            to: event.context,
            preempted: event.kind.0 == id::RESUME,
        }
    }

    fn preempt(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        if self.core(event).base != event.context {
            // Loggers write it for tasks that are created, too.
            return self.ready(event);
        }
        match self.following(trace, event) {
            // What follows says it.
            Some(_) => SchedEvent::None,
            None => {
                self.core(event).base = ContextId::UNKNOWN;
                SchedEvent::Switch {
                    to: ContextId::UNKNOWN,
                    preempted: false,
                }
            }
        }
    }

    /// A task waits, or ends.
    fn wait(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        let thread = event.context;
        let requested = self.requested.remove(&thread);
        let [.., note] = event.arguments;
        let note = trace.events.extras().text(note);
        let reason = note.split(|byte| *byte == b' ').next();
        if event.kind.0 == id::TERMINATE && reason == Some(b"deleted") {
            return SchedEvent::Delete { thread };
        }
        let mut reasons = WaitReason::ALL.iter().copied();
        let named = reasons.find(|it| Some(it.name().as_bytes()) == reason);
        let usual = match (event.kind.0, requested) {
            (id::TERMINATE, _) => WaitReason::Completed,
            (_, true) => WaitReason::Mutex,
            _ => WaitReason::Other,
        };
        let wait_reason = named.unwrap_or(usual);
        self.wait_reasons.insert(thread, wait_reason);
        let leaves = self.core(event).base == thread && self.following(trace, event).is_none();
        if leaves {
            self.core(event).base = ContextId::UNKNOWN;
            return SchedEvent::Stop {
                thread,
                wait_reason,
                next: ContextId::UNKNOWN,
            };
        }
        SchedEvent::Suspend {
            thread,
            wait_reason,
            next: ContextId::UNKNOWN,
        }
    }

    fn enter_isr(&mut self, event: &Event) -> SchedEvent {
        let number = self.target_number(event);
        let isrs = &mut self.core(event).isrs;
        if event.kind.0 == id::ISR_RESUME && isrs.contains(&number) {
            return SchedEvent::None;
        }
        isrs.push(number);
        SchedEvent::IsrEnter { number }
    }

    fn exit_isr(&mut self, event: &Event) -> SchedEvent {
        let number = self.target_number(event);
        let isrs = &mut self.core(event).isrs;
        if let Some(at) = isrs.iter().rposition(|isr| *isr == number) {
            isrs.remove(at);
        }
        SchedEvent::IsrExit { number }
    }

    fn idle(&mut self, event: &Event) -> SchedEvent {
        let core = self.core(event);
        let from = std::mem::replace(&mut core.base, Contexts::IDLE);
        match from == Contexts::IDLE && core.isrs.is_empty() {
            true => SchedEvent::Return { to: Contexts::IDLE },
            false => SchedEvent::Switch {
                to: Contexts::IDLE,
                preempted: false,
            },
        }
    }

    /// A core is not idle any more.
    fn execute(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        if self.core(event).base != Contexts::IDLE || self.following(trace, event).is_some() {
            return SchedEvent::None;
        }
        self.core(event).base = ContextId::UNKNOWN;
        SchedEvent::Switch {
            to: ContextId::UNKNOWN,
            preempted: false,
        }
    }

    /// A task uses a semaphore that it locks.
    fn lock(&mut self, event: &Event) -> SchedEvent {
        let (thread, number) = (event.context, self.target_number(event));
        let resource = ResourceId(number);
        if !thread.is_thread() || resource.index() >= self.resources.len() {
            return SchedEvent::None;
        }
        let owner = self.owners.get(&number).copied();
        match event.kind.0 {
            id::WAITING => {
                self.waiting.insert((thread, number));
                self.requested.insert(thread);
                match owner {
                    Some(owner) if owner != thread => SchedEvent::Acquire {
                        resource,
                        owner,
                        count: 1,
                        waits: true,
                        inherits: false,
                    },
                    _ => SchedEvent::None,
                }
            }
            id::ASSIGNED => {
                let waited = self.waiting.remove(&(thread, number));
                self.requested.remove(&thread);
                self.owners.insert(number, thread);
                match owner {
                    // The release has handed it over.
                    _ if waited => SchedEvent::None,
                    // Several tasks can have it at the same time.
                    Some(_) => SchedEvent::None,
                    None => SchedEvent::Acquire {
                        resource,
                        owner: Contexts::IDLE,
                        count: 0,
                        waits: false,
                        inherits: false,
                    },
                }
            }
            _ => {
                if owner == Some(thread) {
                    self.owners.remove(&number);
                }
                SchedEvent::Release {
                    resource,
                    owner: thread,
                    count: 1,
                }
            }
        }
    }
}

impl Interpret for BtfInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        self.pass_gaps(trace, event.index);
        match event.kind.0 {
            id::START | id::RESUME | id::POLL_PARKING => self.run(event),
            id::PREEMPT => self.preempt(trace, event),
            id::WAIT | id::TERMINATE | id::PARK => self.wait(trace, event),
            id::ACTIVATE | id::RELEASE | id::RELEASE_PARKING => self.ready(event),
            id::ISR_START | id::ISR_RESUME => self.enter_isr(event),
            id::ISR_TERMINATE => self.exit_isr(event),
            id::IDLE => self.idle(event),
            id::EXECUTE => self.execute(trace, event),
            id::ASSIGNED | id::WAITING | id::RELEASED => self.lock(event),
            _ => SchedEvent::None,
        }
    }

    fn resources(&self) -> &[Resource] {
        &self.resources
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        &self.functions
    }

    fn max_look_ahead(&self) -> usize {
        MAX_LOOK_AHEAD as usize
    }
}
