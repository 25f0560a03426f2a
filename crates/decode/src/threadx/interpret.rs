//! Interprets ThreadX events as scheduler events.
//!
//! References: `tx_trace.h` and the calls of `TX_TRACE_IN_LINE_INSERT` in
//! ThreadX 6.4.

use super::exitless_isrs;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{
    Address, ContextId, Contexts, Event, Interpret, LevelEffect, Object, ObjectClass, Resource,
    ResourceId, SchedEvent, Trace, WaitReason,
};

/// Interprets the events of a ThreadX trace as scheduler events.
#[derive(Debug, Clone)]
pub struct ThreadXInterpreter {
    threads: HashMap<u64, ContextId>,
    resource_ids: HashMap<(u64, ObjectClass), ResourceId>,
    resources: Vec<Resource>,
    /// Whether the owner of each resource inherits the priority of its waiters.
    inherits_priority: Vec<bool>,
    /// Whether the kernel schedules several cores.
    is_smp: bool,
    exitless_isrs: Vec<u32>,
}

impl ThreadXInterpreter {
    /// Creates an interpreter for the events of `trace`.
    pub fn new(trace: &Trace) -> Self {
        let mut threads = HashMap::new();
        for thread in trace.contexts.threads() {
            threads.entry(thread.address.0).or_insert(thread.id);
        }
        let mut interpreter = Self {
            threads,
            resource_ids: HashMap::new(),
            resources: Vec::new(),
            inherits_priority: Vec::new(),
            is_smp: trace.cores.len() > 1,
            exitless_isrs: exitless_isrs::of(trace),
        };
        for object in &trace.objects {
            let named = trace.objects.find_class(object.address, object.class);
            if named.is_some_and(|named| named.id == object.id) {
                let resource = interpreter.resource(object.address.0, object.class);
                if let Some(known) = interpreter.resources.get_mut(resource.index()) {
                    known.object = Some(object.id);
                    known.capacity = capacity(trace, object);
                }
                if let Some(inherits) = interpreter.inherits_priority.get_mut(resource.index()) {
                    // A mutex's first parameter is its inheritance option.
                    *inherits = object.parameters.is_some_and(|[option, _]| option != 0);
                }
            }
        }
        interpreter
    }

    /// The thread at an address; idle for address 0.
    fn thread(&self, address: u64) -> ContextId {
        if address == 0 {
            return Contexts::IDLE;
        }
        let found = self.threads.get(&address);
        found.copied().unwrap_or(ContextId::UNKNOWN)
    }

    /// The thread at an address that a record may leave 0 because it is
    /// unknown.
    fn thread_if_any(&self, address: u64) -> ContextId {
        match address {
            0 => ContextId::UNKNOWN,
            address => self.thread(address),
        }
    }

    fn resource(&mut self, address: u64, class: ObjectClass) -> ResourceId {
        let resources = &mut self.resources;
        let inherits = &mut self.inherits_priority;
        *self
            .resource_ids
            .entry((address, class))
            .or_insert_with(|| {
                let number = ResourceId(u32::try_from(resources.len()).unwrap_or(u32::MAX));
                resources.push(Resource::new(class, Address(address)));
                inherits.push(false);
                number
            })
    }

    fn resume(&mut self, [thread, state, _, next]: [u64; 4]) -> SchedEvent {
        let thread = self.thread(thread);
        match parse_state(state) {
            // The SMP kernel logs the call before it checks whether there is
            // anything to do.
            ThreadStateWord::Ready => SchedEvent::None,
            ThreadStateWord::Reprioritised => SchedEvent::Reprioritise { thread, done: true },
            ThreadStateWord::Blocked(wait) => SchedEvent::Resume {
                thread,
                wait_reason: wait,
                // Written after the event was inserted, or never.
                next: self.thread_if_any(next),
            },
        }
    }

    fn suspend(&mut self, [thread, state, _, next]: [u64; 4]) -> SchedEvent {
        let thread = self.thread(thread);
        let wait = match parse_state(state) {
            ThreadStateWord::Reprioritised => {
                return SchedEvent::Reprioritise {
                    thread,
                    done: false,
                };
            }
            ThreadStateWord::Ready => WaitReason::Other,
            ThreadStateWord::Blocked(wait) => wait,
        };
        let next = match self.thread(next) {
            // Not updated after the event was inserted.
            next if next == thread => ContextId::UNKNOWN,
            next => next,
        };
        SchedEvent::Suspend {
            thread,
            wait_reason: wait,
            next,
        }
    }

    fn put(
        &mut self,
        class: ObjectClass,
        object: u64,
        flow: LevelEffect,
        level: u64,
    ) -> SchedEvent {
        self.uses(class, object, flow, level, false)
    }

    /// A put whose record contains the number of waiting threads.
    fn give(&mut self, class: ObjectClass, object: u64, level: u64, waiters: u64) -> SchedEvent {
        let flow = match waiters {
            0 => LevelEffect::Store,
            _ => LevelEffect::Deliver,
        };
        self.put(class, object, flow, level)
    }

    fn ceiling_put(&mut self, [semaphore, count, waiters, ceiling]: [u64; 4]) -> SchedEvent {
        if count >= ceiling {
            return self.put(
                ObjectClass::Semaphore,
                semaphore,
                LevelEffect::Refuse,
                count,
            );
        }
        self.give(ObjectClass::Semaphore, semaphore, count, waiters)
    }

    /// `tx_thread_terminate` records the current state. It suspends only a
    /// ready thread, and has no effect on a terminated one.
    fn terminate(&mut self, [thread, state, ..]: [u64; 4]) -> SchedEvent {
        let thread = self.thread(thread);
        let wait = match parse_state(state) {
            ThreadStateWord::Blocked(wait) if wait.is_end() => return SchedEvent::None,
            ThreadStateWord::Blocked(wait) => Some(wait),
            ThreadStateWord::Ready | ThreadStateWord::Reprioritised => None,
        };
        SchedEvent::Terminate {
            thread,
            wait_reason: wait,
        }
    }

    /// `tx_thread_suspend` and `tx_thread_resume` record the current state. For
    /// a blocked thread, the first sets a flag that takes effect when the wait
    /// ends, even if the thread is terminated and reset before. The second
    /// clears the flag, unless the thread is suspended.
    fn delay_suspension(&mut self, [thread, state, ..]: [u64; 4], pending: bool) -> SchedEvent {
        match parse_state(state) {
            ThreadStateWord::Blocked(wait)
                if wait != WaitReason::Suspended && !(pending && wait.is_end()) =>
            {
                let thread = self.thread(thread);
                SchedEvent::DelayedSuspend {
                    thread,
                    requested: pending,
                }
            }
            _ => SchedEvent::None,
        }
    }

    /// The single-core kernel records the next running thread; the SMP kernel
    /// records the neighbour in the ready list, which may run on any core or
    /// none.
    fn relinquish(&mut self, next: u64) -> SchedEvent {
        let next = match self.is_smp {
            true => ContextId::UNKNOWN,
            false => self.thread_if_any(next),
        };
        SchedEvent::Yield { next }
    }

    /// The SMP kernel writes the record on the core that handles the timer,
    /// with the next running thread of core 0, whether or not a time slice has
    /// expired there.
    fn time_slice(&mut self, core: u8, next: u64) -> SchedEvent {
        if self.is_smp && core != 0 {
            return SchedEvent::None;
        }
        let next = self.thread_if_any(next);
        SchedEvent::TimeSlice { next }
    }

    fn uses(
        &mut self,
        class: ObjectClass,
        object: u64,
        flow: LevelEffect,
        level: u64,
        waits: bool,
    ) -> SchedEvent {
        SchedEvent::Use {
            resource: self.resource(object, class),
            effect: flow,
            level: u32::try_from(level).unwrap_or(SchedEvent::UNKNOWN_LEVEL),
            waits,
        }
    }

    fn acquire(&mut self, [mutex, wait_option, owner, count]: [u64; 4]) -> SchedEvent {
        let resource = self.resource(mutex, ObjectClass::Mutex);
        SchedEvent::Acquire {
            resource,
            owner: self.thread(owner),
            count: mutex_count(count),
            waits: wait_option != 0,
            inherits: self.inherits_priority.get(resource.index()) == Some(&true),
        }
    }

    /// A call on a queue. A queue without storage hands messages over.
    fn send(&mut self, queue: u64, effect: LevelEffect, level: u64, waits: bool) -> SchedEvent {
        let resource = self.resource(queue, ObjectClass::Queue);
        let known = self.resources.get(resource.index());
        let stores = known.is_none_or(|queue| queue.capacity != Some(0));
        let (effect, level) = match effect {
            effect if stores => (effect, level),
            LevelEffect::Take => (LevelEffect::Accept, 0),
            _ => (LevelEffect::Offer, 0),
        };
        self.uses(ObjectClass::Queue, queue, effect, level, waits)
    }

    /// The record has the size of the storage.
    fn create_queue(&mut self, [queue, message_words, _, bytes]: [u64; 4]) -> SchedEvent {
        if bytes == 0 && message_words > 0 {
            let resource = self.resource(queue, ObjectClass::Queue);
            if let Some(queue) = self.resources.get_mut(resource.index()) {
                queue.capacity = Some(0);
            }
        }
        SchedEvent::None
    }

    fn create_mutex(&mut self, [mutex, inheritance, ..]: [u64; 4]) -> SchedEvent {
        let resource = self.resource(mutex, ObjectClass::Mutex);
        if let Some(inherits) = self.inherits_priority.get_mut(resource.index()) {
            *inherits = inheritance != 0;
        }
        SchedEvent::CreateMutex { resource }
    }
}

fn mutex_count(count: u64) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

impl Interpret for ThreadXInterpreter {
    fn sched_event(&mut self, _trace: &Trace, event: &Event) -> SchedEvent {
        use ObjectClass::{BlockPool, BytePool, EventFlags, Mutex, Queue, Semaphore};
        const NO_LEVEL: u64 = SchedEvent::UNKNOWN_LEVEL as u64;
        let arguments @ [first, second, third, fourth] = event.arguments;
        match event.kind.0 {
            1 => self.resume(arguments),
            2 => self.suspend(arguments),
            3 => SchedEvent::IsrEnter {
                number: second as u32,
            },
            4 => SchedEvent::IsrExit {
                number: second as u32,
            },
            5 => self.time_slice(event.core, first),
            10 => self.uses(BlockPool, first, LevelEffect::Take, fourth, third != 0),
            17 => self.give(BlockPool, first, NO_LEVEL, third),
            20 => self.uses(BytePool, first, LevelEffect::Remove, NO_LEVEL, fourth != 0),
            27 => self.put(BytePool, first, LevelEffect::Add, fourth),
            // The record does not contain the wait option.
            32 => self.uses(EventFlags, first, LevelEffect::Remove, NO_LEVEL, true),
            36 => self.put(EventFlags, first, LevelEffect::Add, NO_LEVEL),
            50 => self.create_mutex(arguments),
            52 => self.acquire(arguments),
            57 => SchedEvent::Release {
                resource: self.resource(first, Mutex),
                owner: self.thread(second),
                count: mutex_count(third),
            },
            62 => self.put(Queue, first, LevelEffect::Flush, NO_LEVEL),
            60 => self.create_queue(arguments),
            63 => self.send(first, LevelEffect::PutFront, fourth, third != 0),
            68 => self.send(first, LevelEffect::Take, fourth, third != 0),
            69 => self.send(first, LevelEffect::Put, fourth, third != 0),
            80 => self.ceiling_put(arguments),
            83 => self.uses(Semaphore, first, LevelEffect::Take, third, second != 0),
            88 => self.give(Semaphore, first, second, third),
            100 => SchedEvent::Create {
                thread: self.thread(first),
                priority: second as u16,
            },
            101 => SchedEvent::Delete {
                thread: self.thread(first),
            },
            108 => SchedEvent::Priority {
                thread: self.thread(first),
                priority: second as u16,
                effective: third as u16,
            },
            109 => self.relinquish(second),
            110 => SchedEvent::Reset {
                thread: self.thread(first),
            },
            111 => self.delay_suspension(arguments, false),
            // With 0 it returns immediately.
            112 if first != 0 => SchedEvent::Sleep,
            114 => self.delay_suspension(arguments, true),
            115 => self.terminate(arguments),
            _ => SchedEvent::None,
        }
    }

    fn resources(&self) -> &[Resource] {
        &self.resources
    }

    fn exitless_isrs(&self) -> &[u32] {
        &self.exitless_isrs
    }
}

/// The maximum level of an object, from its registered parameters.
///
/// Each block contains a pointer, assumed to be as wide as the target's words:
/// with wider pointers a pool has fewer blocks.
fn capacity(trace: &Trace, object: &Object) -> Option<u64> {
    let [size, unit] = object.parameters?;
    let word = u64::from(trace.events.word_bits() / 8);
    match object.class {
        // Kernels with rendezvous have queues without storage.
        ObjectClass::Queue if size == 0 && unit > 0 => return Some(0),
        ObjectClass::Queue => size.checked_div(unit.checked_mul(word)?),
        ObjectClass::BlockPool if unit > 0 => size.checked_div(unit.checked_add(word)?),
        ObjectClass::BytePool => Some(size),
        _ => None,
    }
    .filter(|capacity| *capacity > 0)
}

/// The state of a thread.
enum ThreadStateWord {
    Ready,
    Blocked(WaitReason),
    /// The kernel moves the thread to the list of another priority.
    Reprioritised,
}

/// `TX_READY` to `TX_PRIORITY_CHANGE` in `tx_api.h`.
fn parse_state(state: u64) -> ThreadStateWord {
    match state {
        0 => ThreadStateWord::Ready,
        14 => ThreadStateWord::Reprioritised,
        state => ThreadStateWord::Blocked(wait_reason(state)),
    }
}

/// The reason for which a thread in a state waits.
pub(crate) fn wait_reason(state: u64) -> WaitReason {
    match state {
        1 => WaitReason::Completed,
        2 => WaitReason::Terminated,
        3 => WaitReason::Suspended,
        4 => WaitReason::Sleep,
        5 => WaitReason::Queue,
        6 => WaitReason::Semaphore,
        7 => WaitReason::EventFlags,
        8 => WaitReason::BlockPool,
        9 => WaitReason::BytePool,
        10 => WaitReason::Driver,
        11 => WaitReason::File,
        12 => WaitReason::Network,
        13 => WaitReason::Mutex,
        _ => WaitReason::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_is_idle_after_any_other() {
        let interpreter = ThreadXInterpreter {
            threads: HashMap::new(),
            resource_ids: HashMap::new(),
            resources: Vec::new(),
            inherits_priority: Vec::new(),
            exitless_isrs: Vec::new(),
            is_smp: false,
        };
        for address in (0x2000_0000..0x2000_4000).step_by(4) {
            assert_eq!(interpreter.thread(address), ContextId::UNKNOWN);
            assert_eq!(interpreter.thread(0), Contexts::IDLE);
        }
    }
}
