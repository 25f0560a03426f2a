//! An independent kernel that only watches: it follows a trace by what the
//! format's documentation says and panics at the first contradiction.

use super::reading::Buffer;
use rtoscope_wire::threadx::{
    CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, Entry, ObjectType, PRIORITY_VALID,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const READY: u64 = 0;

#[derive(Default)]
struct Thread {
    core: usize,
    priority: u64,
    state: u64,
    stack: (u64, u64),
    waits_for: u64,
    dispatches: u64,
    suspensions: u64,
    resumptions: u64,
}

#[derive(Default)]
struct Core {
    running: u64,
    next: u64,
    handlers: Vec<u64>,
    /// Event, first and second field that must come next on this core.
    expected: Option<(u64, Option<u64>, u64)>,
    last_service: u64,
}

#[derive(Default)]
pub(crate) struct Checker {
    threads: BTreeMap<u64, Thread>,
    cores: Vec<Core>,
    /// Owner and count of a mutex.
    mutexes: BTreeMap<u64, (u64, u64)>,
    /// Count of a semaphore, messages of a queue, flags of a group.
    counts: BTreeMap<u64, u64>,
    waiters: BTreeMap<u64, VecDeque<u64>>,
    blocks: BTreeMap<u64, u64>,
    started: bool,
    pub(crate) idle_entries: u64,
    pub(crate) events_by_id: BTreeMap<u64, u64>,
    pub(crate) deepest_nesting: usize,
    /// Of ready threads, by time slices and relinquishing too.
    pub(crate) preemptions: u64,
    /// Threads that waited for a mutex of one of lower priority.
    pub(crate) inversions: u64,
    /// Events of services that made their thread wait, and its state.
    pub(crate) waits: BTreeSet<(u64, u64)>,
}

impl Checker {
    /// Follows a buffer that begins with the initialisation.
    pub(crate) fn follow(buffer: &Buffer, cores: u8) -> Self {
        let mut checker = Self::default();
        checker.cores.resize_with(usize::from(cores), Core::default);
        let is_thread = |object_type| object_type == ObjectType::THREAD.0;
        let objects = buffer.objects.iter();
        for (number, object) in objects.filter(|o| is_thread(o.object_type)).enumerate() {
            let thread = Thread {
                core: number.saturating_sub(1) % usize::from(cores),
                priority: u64::from(object.priority.unwrap()),
                state: 3,
                stack: (
                    object.parameters[0],
                    object.parameters[0] + object.parameters[1],
                ),
                ..Thread::default()
            };
            checker.threads.insert(object.pointer, thread);
        }
        for (index, event) in buffer.events().iter().enumerate() {
            checker.event(index, event, usize::from(cores));
        }
        checker
    }

    pub(crate) fn dispatches(&self, pointer: u64) -> u64 {
        self.threads[&pointer].dispatches
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
            // Control blocks were created at rising addresses.
            let first = self.threads.iter().find(|(_, thread)| wanted(thread));
            let first = *first.unwrap().0;
            self.switch(core, first);
        }
    }

    fn event(&mut self, index: usize, event: &Entry<u64>, cores: usize) {
        let (core, id) = if cores > 1 {
            ((event.id >> 24) as usize, event.id & 0xFF_FFFF)
        } else {
            (0, event.id)
        };
        *self.events_by_id.entry(id).or_default() += 1;
        let info = event.info;
        if let Some((expected, first, second)) = self.cores[core].expected.take() {
            assert_eq!((id, info[1]), (expected, second), "event {index}");
            assert!(
                first.is_none_or(|first| first == info[0]),
                "event {index}: {event:?}"
            );
        }
        if event.context == u64::from(CONTEXT_INITIALIZE) {
            assert!(!self.started && core == 0, "event {index}");
            if id == 1 {
                self.resume(core, event, index);
            }
            return;
        }
        if !self.started {
            self.start();
        }
        if event.context == u64::from(CONTEXT_INTERRUPT) {
            assert_eq!(event.priority, self.cores[core].running, "event {index}");
            assert!(id == 3 || !self.cores[core].handlers.is_empty());
        } else {
            assert!(self.cores[core].handlers.is_empty(), "event {index}");
            assert_eq!(event.context, self.cores[core].running, "event {index}");
            let priority = self.threads[&event.context].priority;
            let word = u64::from(PRIORITY_VALID) | priority << 16 | priority;
            assert_eq!(event.priority, word, "event {index}");
        }
        self.check_stack(id, event, index);
        let service = std::mem::replace(&mut self.cores[core].last_service, id);
        match id {
            1 => self.resume(core, event, index),
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

    /// Stack pointers lie within the stack of the running context.
    fn check_stack(&self, id: u64, event: &Entry<u64>, index: usize) {
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

    fn resume(&mut self, core: usize, event: &Entry<u64>, index: usize) {
        let [pointer, previous, _, next] = event.info;
        let thread = self.threads.get_mut(&pointer).unwrap();
        assert_eq!(thread.state, previous, "event {index}");
        assert!(thread.core == core || !self.started, "event {index}");
        thread.state = READY;
        thread.resumptions += 1;
        let object = std::mem::take(&mut thread.waits_for);
        if previous == 13 {
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
    }

    fn suspend(&mut self, core: usize, event: &Entry<u64>, index: usize) {
        let [pointer, state, _, next] = event.info;
        assert_eq!(pointer, event.context, "event {index}");
        assert_ne!(state, READY, "event {index}");
        let thread = self.threads.get_mut(&pointer).unwrap();
        thread.state = state;
        thread.suspensions += 1;
        self.check_next(core, next, index);
        self.switch(core, next);
    }

    fn wait(&mut self, core: usize, object: u64, state: u64, context: u64) {
        self.cores[core].expected = Some((2, Some(context), state));
        self.threads.get_mut(&context).unwrap().waits_for = object;
        self.waiters.entry(object).or_default().push_back(context);
    }

    /// Whoever waits for the object is resumed next: the first, if it matters.
    fn serve(&mut self, core: usize, object: u64, state: u64) -> bool {
        let waiters = self.waiters.get(&object).and_then(VecDeque::front);
        if let Some(first) = waiters {
            self.cores[core].expected = Some((1, Some(*first), state));
        }
        waiters.is_some()
    }

    fn object(&mut self, core: usize, id: u64, event: &Entry<u64>, index: usize) {
        let [object, second, third, fourth] = event.info;
        let count = self.counts.get(&object).copied().unwrap_or_default();
        let waiting = self.waiters.get(&object).map_or(0, VecDeque::len) as u64;
        let mut after = count;
        match id {
            83 => {
                assert_eq!(third, count, "event {index}");
                match count {
                    0 => self.wait(core, object, 6, event.context),
                    _ => after -= 1,
                }
            }
            88 => {
                assert_eq!((second, third), (count, waiting), "event {index}");
                if !self.serve(core, object, 6) {
                    after += 1;
                }
            }
            68 => {
                assert_eq!(fourth, count, "event {index}");
                if count == 0 {
                    self.wait(core, object, 5, event.context);
                } else if !self.serve(core, object, 5) {
                    after -= 1;
                }
            }
            69 => {
                assert_eq!(fourth, count, "event {index}");
                // Four messages fit.
                if count == 4 && third != 0 {
                    self.wait(core, object, 5, event.context);
                } else if count < 4 && !self.serve(core, object, 5) {
                    after += 1;
                }
            }
            32 => {
                assert_eq!((third, fourth), (count, 1), "event {index}");
                if second & count == 0 {
                    self.wait(core, object, 7, event.context);
                } else {
                    after &= !second;
                }
            }
            _ => {
                assert_eq!(fourth, waiting, "event {index}");
                // Which threads wait for which flag is not in a set event: the
                // groups' threads have the flags 1 and 2 as their names say.
                after = self.set_flags(core, object, second, count);
            }
        }
        self.counts.insert(object, after);
    }

    fn set_flags(&mut self, core: usize, object: u64, flags: u64, current: u64) -> u64 {
        let waiters = self.waiters.entry(object).or_default();
        let threads = &self.threads;
        let groups: Vec<u64> = threads.keys().copied().collect();
        // Six threads a group, after the System Timer Thread; cores take turns.
        let flag = |pointer: &u64| {
            let number = groups.iter().position(|other| other == pointer).unwrap() - 1;
            1 << (number / self.cores.len() / 6 % 2)
        };
        match waiters.iter().find(|pointer| flag(pointer) & flags != 0) {
            Some(waiter) => {
                self.cores[core].expected = Some((1, Some(*waiter), 7));
                current
            }
            None => current | flags,
        }
    }

    fn mutex(&mut self, core: usize, id: u64, event: &Entry<u64>, index: usize) {
        let [object, second, third, fourth] = event.info;
        let (owner, count) = self.mutexes.get(&object).copied().unwrap_or_default();
        if id == 52 {
            assert_eq!((third, fourth), (owner, count), "event {index}");
            if owner == 0 || owner == event.context {
                self.mutexes.insert(object, (event.context, count + 1));
            } else if second != 0 {
                let priority = |pointer| self.threads[pointer].priority;
                self.inversions += u64::from(priority(&owner) > priority(&event.context));
                self.wait(core, object, 13, event.context);
            }
            return;
        }
        assert_eq!((second, third), (owner, count), "event {index}");
        assert_eq!(owner, event.context, "event {index}");
        if count > 1 {
            self.mutexes.insert(object, (owner, count - 1));
        } else {
            self.mutexes.insert(object, (0, 0));
            self.serve(core, object, 13);
        }
    }
}
