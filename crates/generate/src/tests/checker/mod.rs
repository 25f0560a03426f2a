//! An independent model of the kernel: it follows a trace by the format's
//! documentation and panics at the first contradiction.

mod services;

use super::reading::Buffer;
use crate::ThreadXOptions;
use rtoscope_wire::threadx::{
    CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, EventEntry, ObjectType, PRIORITY_VALID,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;

const READY: u64 = 0;

#[derive(Default)]
struct Thread {
    core: usize,
    /// Current priority, and that of its creation.
    priority: u64,
    own_priority: u64,
    state: u64,
    stack: (u64, u64),
    waits_for: u64,
    /// Whether its wait has a timeout.
    is_limited: bool,
    dispatches: u64,
    suspensions: u64,
    resumptions: u64,
}

#[derive(Default)]
struct Core {
    running: u64,
    next: u64,
    handlers: Vec<u64>,
    /// Whether a handler without an entry event may be active.
    in_silence: bool,
    /// Events, with first and second field, that must come next on this core.
    expected: VecDeque<(u64, u64, u64)>,
    last_service: u64,
}

#[derive(Default)]
pub(crate) struct Checker {
    threads: BTreeMap<u64, Thread>,
    cores: Vec<Core>,
    /// Owner and count of a mutex.
    mutexes: BTreeMap<u64, (u64, u64)>,
    /// Mutexes whose owners inherit priorities.
    inheriting: BTreeSet<u64>,
    /// Count of a semaphore, messages of a queue, flags of a group.
    counts: BTreeMap<u64, u64>,
    /// Capacities of queues in messages.
    capacities: BTreeMap<u64, u64>,
    waiters: BTreeMap<u64, VecDeque<u64>>,
    blocks: BTreeMap<u64, u64>,
    started: bool,
    /// Whether the timer's handler logs neither entry nor exit.
    is_bare: bool,
    /// Whether cores make threads of other cores ready.
    is_shared: bool,
    pub(crate) remote_resumptions: u64,
    pub(crate) idle_entries: u64,
    pub(crate) events_by_id: BTreeMap<u64, u64>,
    pub(crate) deepest_nesting: usize,
    /// Of ready threads, including time slices and relinquishing.
    pub(crate) preemptions: u64,
    /// Threads that waited for a mutex owned by a thread of lower priority.
    pub(crate) inversions: u64,
    /// Threads that inherited a priority, including waiting ones.
    pub(crate) inheritances: u64,
    /// States of threads whose wait timed out.
    pub(crate) timeouts: BTreeSet<u64>,
    /// Events of services that blocked their thread, and its state.
    pub(crate) waits: BTreeSet<(u64, u64)>,
}

impl Checker {
    /// Follows a buffer that starts with the initialisation.
    pub(crate) fn follow(buffer: &Buffer, options: &ThreadXOptions) -> Self {
        let cores = options.cores;
        let mut checker = Self {
            is_bare: options.bare_ticks,
            is_shared: options.shared_objects,
            ..Self::default()
        };
        checker.cores.resize_with(usize::from(cores), Core::default);
        let is_thread = |object_type| object_type == ObjectType::THREAD.0;
        let objects = buffer.objects.iter();
        for (number, object) in objects.filter(|o| is_thread(o.object_type)).enumerate() {
            let thread = Thread {
                core: number.saturating_sub(1) % usize::from(cores),
                priority: u64::from(object.priority.unwrap()),
                own_priority: u64::from(object.priority.unwrap()),
                state: 3,
                stack: (
                    object.parameters[0],
                    object.parameters[0] + object.parameters[1],
                ),
                ..Thread::default()
            };
            checker.threads.insert(object.pointer, thread);
        }
        let mutexes = buffer.objects.iter().filter(|object| {
            object.object_type == ObjectType::MUTEX.0 && object.parameters[0] == 1
        });
        let queues = buffer.objects.iter();
        let queues = queues.filter(|object| object.object_type == ObjectType::QUEUE.0);
        let word_bytes = options.layout.ulong.bytes() as u64;
        checker.capacities = queues
            .map(|object| {
                let [bytes, words] = object.parameters;
                (object.pointer, bytes / (words * word_bytes))
            })
            .collect();
        checker.inheriting = mutexes.map(|object| object.pointer).collect();
        for (index, event) in buffer.events().iter().enumerate() {
            checker.event(index, event, usize::from(cores));
        }
        checker
    }

    /// Number of dispatches of a thread; one more is possible if the buffer
    /// ends in a handler that logs no exit.
    pub(crate) fn dispatches(&self, pointer: u64) -> RangeInclusive<u64> {
        let Thread {
            dispatches, core, ..
        } = self.threads[&pointer];
        let core = &self.cores[core];
        let is_next = core.in_silence && core.next == pointer && core.running != pointer;
        dispatches..=dispatches + u64::from(is_next)
    }

    /// Cores that may have switched with the last event.
    pub(crate) fn undecided(&self) -> u64 {
        let cores = self.cores.iter();
        cores.filter(|core| core.in_silence).count() as u64
    }

    pub(crate) fn suspensions(&self, pointer: u64) -> u64 {
        self.threads[&pointer].suspensions
    }

    pub(crate) fn resumptions(&self, pointer: u64) -> u64 {
        self.threads[&pointer].resumptions
    }

    fn best_ready(&self, core: usize) -> Option<u64> {
        let ready = |thread: &&Thread| thread.core == core && thread.state == READY;
        let threads = self.threads.values();
        threads.filter(ready).map(|thread| thread.priority).min()
    }

    /// Checks that `pointer` is what the core should run.
    fn check_next(&self, core: usize, pointer: u64, index: usize) {
        match self.threads.get(&pointer) {
            Some(thread) => {
                assert_eq!((thread.core, thread.state), (core, READY), "event {index}");
                assert_eq!(
                    Some(thread.priority),
                    self.best_ready(core),
                    "event {index}"
                );
            }
            None => {
                assert_eq!(pointer, 0, "event {index}");
                assert_eq!(self.best_ready(core), None, "event {index}");
            }
        }
    }

    fn switch(&mut self, core: usize, next: u64) {
        let previous = std::mem::replace(&mut self.cores[core].running, next);
        self.cores[core].next = next;
        if previous == next {
            return;
        }
        match self.threads.get_mut(&next) {
            Some(thread) => thread.dispatches += 1,
            None => self.idle_entries += 1,
        }
        if self
            .threads
            .get(&previous)
            .is_some_and(|thread| thread.state == READY)
        {
            self.preemptions += 1;
        }
    }

    fn start(&mut self) {
        self.started = true;
        for core in 0..self.cores.len() {
            let best = self.best_ready(core).unwrap();
            let wanted = |thread: &&Thread| {
                thread.core == core && thread.priority == best && thread.state == READY
            };
            // Control blocks are created at ascending addresses.
            let first = self.threads.iter().find(|(_, thread)| wanted(thread));
            let first = *first.unwrap().0;
            self.switch(core, first);
        }
    }

    fn event(&mut self, index: usize, event: &EventEntry<u64>, cores: usize) {
        let (core, id) = if cores > 1 {
            ((event.id >> 24) as usize, event.id & 0xFF_FFFF)
        } else {
            (0, event.id)
        };
        *self.events_by_id.entry(id).or_default() += 1;
        let info = event.info;
        let expected = self.cores[core].expected.pop_front();
        if let Some(expected) = expected {
            assert_eq!((id, info[0], info[1]), expected, "event {index}");
        }
        if event.context == u64::from(CONTEXT_INITIALIZE) {
            assert!(!self.started && core == 0, "event {index}");
            if id == 1 {
                self.resume(core, event, index, expected.is_some());
            }
            return;
        }
        if !self.started {
            self.start();
        }
        self.end_silent_handler(core, id, event);
        if event.context == u64::from(CONTEXT_INTERRUPT) {
            assert_eq!(event.priority, self.cores[core].running, "event {index}");
            // Only the timer's handler logs no entry.
            let is_silent = self.is_bare && matches!(id, 1 | 5);
            let Core {
                handlers,
                in_silence,
                ..
            } = &mut self.cores[core];
            *in_silence = handlers.is_empty() && id != 3;
            assert!(is_silent || !*in_silence, "event {index}");
        } else {
            assert!(self.cores[core].handlers.is_empty(), "event {index}");
            assert_eq!(event.context, self.cores[core].running, "event {index}");
            let thread = self.threads.get_mut(&event.context).unwrap();
            if id == 1 && info[..2] == [event.context, 14] {
                thread.priority = thread.own_priority;
            }
            let priority = thread.priority;
            let word = u64::from(PRIORITY_VALID) | priority << 16 | priority;
            assert_eq!(event.priority, word, "event {index}");
        }
        self.check_stack(id, event, index);
        let service = std::mem::replace(&mut self.cores[core].last_service, id);
        match id {
            1 if info[1] == 14 => self.change_back(core, event, index),
            1 => self.resume(core, event, index, expected.is_some()),
            2 if info[1] == 14 => self.change(core, event, index),
            2 => {
                self.waits.insert((service, info[1]));
                self.suspend(core, event, index);
            }
            3 => {
                let handlers = &mut self.cores[core].handlers;
                handlers.push(info[1]);
                assert_eq!(info[2], handlers.len() as u64, "event {index}");
                self.deepest_nesting = self.deepest_nesting.max(handlers.len());
            }
            4 => {
                let handlers = &mut self.cores[core].handlers;
                assert_eq!(info[2], handlers.len() as u64, "event {index}");
                assert_eq!(handlers.pop(), Some(info[1]), "event {index}");
                if handlers.is_empty() {
                    let next = self.cores[core].next;
                    self.switch(core, next);
                }
            }
            5 => {
                self.check_next(core, info[0], index);
                self.cores[core].next = info[0];
            }
            109 => {
                self.check_next(core, info[1], index);
                self.switch(core, info[1]);
            }
            10 | 20 if info[1] != 0 => {
                let owner = self.blocks.insert(info[1], event.context);
                assert_eq!(owner, None, "event {index}");
            }
            17 | 27 => {
                let owner = self.blocks.remove(&info[1]);
                assert_eq!(owner, Some(event.context), "event {index}");
            }
            32 | 36 | 68 | 69 | 83 | 88 => self.object(core, id, event, index),
            52 | 57 => self.mutex(core, id, event, index),
            _ => {}
        }
    }

    /// Stack pointers are within the stack of the running context.
    fn check_stack(&self, id: u64, event: &EventEntry<u64>, index: usize) {
        let field = match id {
            109 | 3 | 4 => 0,
            68 | 69 => 1,
            1 | 2 | 112 => 2,
            5 | 17 | 57 | 83 | 88 => 3,
            _ => return,
        };
        let pointer = event.info[field];
        let inside = |thread: &Thread| (thread.stack.0..thread.stack.1).contains(&pointer);
        match self.threads.get(&event.context) {
            Some(thread) => assert!(inside(thread), "event {index}: {event:x?}"),
            None => assert!(!self.threads.values().any(inside), "event {index}"),
        }
    }

    /// A handler that logged no exit has ended if a thread continues, another
    /// handler starts, or another thread is interrupted.
    fn end_silent_handler(&mut self, core: usize, id: u64, event: &EventEntry<u64>) {
        let Core {
            running,
            next,
            in_silence,
            ..
        } = self.cores[core];
        let goes_on =
            event.context == u64::from(CONTEXT_INTERRUPT) && event.priority == running && id != 3;
        if in_silence && !goes_on {
            self.cores[core].in_silence = false;
            self.switch(core, next);
        }
    }

    /// A ready thread is removed for a change of its priority.
    fn change(&mut self, core: usize, event: &EventEntry<u64>, index: usize) {
        let [pointer, state, _, next] = event.info;
        let thread = self.threads.get_mut(&pointer).unwrap();
        assert_eq!(thread.state, READY, "event {index}");
        thread.state = state;
        self.check_next(core, next, index);
    }

    /// It is inserted again: with its own priority by its own call, else with
    /// that of the thread that waits for it.
    fn change_back(&mut self, core: usize, event: &EventEntry<u64>, index: usize) {
        let [pointer, _, _, next] = event.info;
        let inherited = self.threads[&event.context].priority;
        let thread = self.threads.get_mut(&pointer).unwrap();
        assert_eq!(thread.state, 14, "event {index}");
        thread.state = READY;
        if pointer != event.context {
            assert!(inherited < thread.priority, "event {index}");
            thread.priority = inherited;
        }
        self.check_next(core, next, index);
        let priority = |pointer| self.threads.get(&pointer).map(|thread| thread.priority);
        // A running thread stays ahead of others of its new priority.
        let stays = pointer == self.cores[core].running && priority(pointer) == priority(next);
        let next = if stays { pointer } else { next };
        self.cores[core].next = next;
        // The call that changes the priority may not have finished.
        if self.cores[core].expected.is_empty() {
            self.switch(core, next);
        }
    }

    fn resume(&mut self, core: usize, event: &EventEntry<u64>, index: usize, is_served: bool) {
        let [pointer, previous, _, next] = event.info;
        let thread = self.threads.get_mut(&pointer).unwrap();
        assert_eq!(thread.state, previous, "event {index}");
        let home = thread.core;
        assert!(
            home == core || !self.started || self.is_shared,
            "event {index}"
        );
        thread.state = READY;
        thread.resumptions += 1;
        let object = std::mem::take(&mut thread.waits_for);
        let is_over = self.started && !is_served && previous != 4;
        if is_over {
            assert!(thread.is_limited, "event {index}");
            assert_eq!(event.context, u64::from(CONTEXT_INTERRUPT));
            self.timeouts.insert(previous);
        } else if previous == 13 {
            assert_eq!(self.mutexes[&object].0, 0, "event {index}");
            self.mutexes.insert(object, (pointer, 1));
        }
        if let Some(waiters) = self.waiters.get_mut(&object) {
            waiters.retain(|waiter| *waiter != pointer);
        }
        self.check_next(core, next, index);
        self.cores[core].next = next;
        if self.threads.contains_key(&event.context) {
            self.switch(core, next);
        }
        if home != core && self.started {
            self.resume_remote(home, pointer);
        }
    }

    /// A core notices immediately that another core made one of its threads
    /// ready.
    fn resume_remote(&mut self, home: usize, pointer: u64) {
        self.remote_resumptions += 1;
        // Only one core runs at a time.
        assert!(self.cores[home].handlers.is_empty());
        if std::mem::take(&mut self.cores[home].in_silence) {
            self.switch(home, self.cores[home].next);
        }
        let running = self.cores[home].running;
        let priority = |pointer| self.threads.get(&pointer).map(|it| it.priority);
        if priority(running).is_none_or(|running| priority(pointer) < Some(running)) {
            self.switch(home, pointer);
        }
    }

    fn suspend(&mut self, core: usize, event: &EventEntry<u64>, index: usize) {
        let [pointer, state, _, next] = event.info;
        assert_eq!(pointer, event.context, "event {index}");
        assert_ne!(state, READY, "event {index}");
        let thread = self.threads.get_mut(&pointer).unwrap();
        thread.state = state;
        thread.suspensions += 1;
        self.check_next(core, next, index);
        self.switch(core, next);
    }
}
