//! Effects of the services on objects and waiting threads.

use super::{Checker, READY};
use rtoscope_wire::threadx::EventEntry;
use std::collections::VecDeque;

impl Checker {
    fn wait(&mut self, core: usize, object: u64, state: u64, context: u64, option: u64) {
        self.cores[core].expected.push_back((2, context, state));
        let thread = self.threads.get_mut(&context).unwrap();
        thread.waits_for = object;
        thread.is_limited = option != 0xFFFF_FFFF;
        self.waiters.entry(object).or_default().push_back(context);
    }

    /// A thread that waits for the object is resumed next: the first one, if
    /// the order is fixed.
    fn serve(&mut self, core: usize, object: u64, state: u64) -> bool {
        let waiters = self.waiters.get(&object).and_then(VecDeque::front);
        if let Some(first) = waiters {
            self.cores[core].expected.push_back((1, *first, state));
        }
        waiters.is_some()
    }

    pub(super) fn object(&mut self, core: usize, id: u64, event: &EventEntry<u64>, index: usize) {
        let [object, second, third, fourth] = event.info;
        let count = self.counts.get(&object).copied().unwrap_or_default();
        let waiting = self.waiters.get(&object).map_or(0, VecDeque::len) as u64;
        let mut after = count;
        match id {
            83 => {
                assert_eq!(third, count, "event {index}");
                match count {
                    0 => self.wait(core, object, 6, event.context, second),
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
                    self.wait(core, object, 5, event.context, third);
                } else if !self.serve(core, object, 5) {
                    after -= 1;
                }
            }
            69 => {
                assert_eq!(fourth, count, "event {index}");
                let capacity = self.capacities[&object];
                if count == capacity && third != 0 {
                    self.wait(core, object, 5, event.context, third);
                } else if count < capacity && !self.serve(core, object, 5) {
                    after += 1;
                }
            }
            32 => {
                assert_eq!((third, fourth), (count, 1), "event {index}");
                if second & count == 0 {
                    self.wait(core, object, 7, event.context, 0xFFFF_FFFF);
                } else {
                    after &= !second;
                }
            }
            _ => {
                assert_eq!(fourth, waiting, "event {index}");
                // A set event does not show which threads wait for which flag:
                // the threads of a group have flags 1 and 2, according to their
                // names.
                after = self.set_flags(core, object, second, count);
            }
        }
        self.counts.insert(object, after);
    }

    fn set_flags(&mut self, core: usize, object: u64, flags: u64, current: u64) -> u64 {
        let waiters = self.waiters.entry(object).or_default();
        let threads = &self.threads;
        let groups: Vec<u64> = threads.keys().copied().collect();
        // Six threads per group, after the System Timer Thread; cores
        // alternate.
        let flag = |pointer: &u64| {
            let number = groups.iter().position(|other| other == pointer).unwrap() - 1;
            1 << (number / self.cores.len() / 6 % 2)
        };
        match waiters.iter().find(|pointer| flag(pointer) & flags != 0) {
            Some(waiter) => {
                self.cores[core].expected.push_back((1, *waiter, 7));
                current
            }
            None => current | flags,
        }
    }

    pub(super) fn mutex(&mut self, core: usize, id: u64, event: &EventEntry<u64>, index: usize) {
        let [object, second, third, fourth] = event.info;
        let (owner, count) = self.mutexes.get(&object).copied().unwrap_or_default();
        if id == 52 {
            assert_eq!((third, fourth), (owner, count), "event {index}");
            if owner == 0 || owner == event.context {
                self.mutexes.insert(object, (event.context, count + 1));
            } else if second != 0 {
                let priority = self.threads[&event.context].priority;
                if self.threads[&owner].priority > priority {
                    self.inversions += 1;
                    self.inherit(core, object, owner, priority);
                }
                self.wait(core, object, 13, event.context, second);
            }
            return;
        }
        assert_eq!((second, third), (owner, count), "event {index}");
        assert_eq!(owner, event.context, "event {index}");
        if count > 1 {
            self.mutexes.insert(object, (owner, count - 1));
        } else {
            self.mutexes.insert(object, (0, 0));
            if self.inheriting.contains(&object) {
                self.give_back(core, object, owner);
            }
            self.serve(core, object, 13);
        }
    }
    /// The owner of a mutex inherits the priority of a thread that will wait.
    fn inherit(&mut self, core: usize, mutex: u64, owner: u64, priority: u64) {
        if !self.inheriting.contains(&mutex) {
            return;
        }
        self.inheritances += 1;
        let thread = self.threads.get_mut(&owner).unwrap();
        if thread.state == READY {
            self.cores[core]
                .expected
                .extend([(2, owner, 14), (1, owner, 14)]);
        } else {
            thread.priority = priority;
        }
    }

    /// The owner of such a mutex hands it to the waiting thread with the
    /// highest priority.
    fn give_back(&mut self, core: usize, mutex: u64, owner: u64) {
        let waiters = self.waiters.entry(mutex).or_default();
        let expected = &mut self.cores[core].expected;
        if waiters.len() > 1 {
            // Once before the mutex is handed to the first, once after.
            let waiting = waiters.len() as u64;
            expected.extend([(56, mutex, waiting), (56, mutex, waiting - 1)]);
        }
        let thread = &self.threads[&owner];
        if thread.priority != thread.own_priority {
            expected.extend([(2, owner, 14), (1, owner, 14)]);
        }
        let threads = &self.threads;
        let waiters = waiters.make_contiguous();
        // Stable: those of equal priority keep their order.
        waiters.sort_by_key(|waiter| threads[waiter].priority);
    }
}
