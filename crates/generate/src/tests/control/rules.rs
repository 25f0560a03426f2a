//! Rules for the sequence of the kernel's events, and the states of threads
//! that they imply.

use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, EventEntry};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The state of a thread that does not exist; not a word of the kernel.
pub(super) const DELETED: u64 = u64::MAX;

pub(super) struct Thread {
    pub(super) state: u64,
    pub(super) delayed: bool,
    /// Whether a call aborts its wait, which is followed by its resumption.
    is_aborted: bool,
    /// Whether it is removed from its list for a change of its priority.
    is_moved: bool,
    /// The object of its last call.
    object: u64,
    /// Whether that call sends a message.
    sends: bool,
}

#[derive(Default)]
pub(super) struct Rules {
    pub(super) threads: BTreeMap<u64, Thread>,
    /// Owner and count of the mutexes.
    pub(super) mutexes: BTreeMap<u64, (u64, u64)>,
    /// Threads that wait for room in queues, the first one first.
    senders: BTreeMap<u64, VecDeque<u64>>,
    /// Suspensions, resumptions and puts that a call causes: id, first and
    /// second field.
    expected: VecDeque<(u64, u64, u64)>,
    /// The mutex released by the last put.
    given: u64,
    pub(super) ids: BTreeSet<u64>,
    pub(super) delayed_suspensions: u64,
    pub(super) released_mutexes: u64,
    pub(super) flushed_senders: u64,
}

impl Rules {
    pub(super) fn event(&mut self, number: usize, event: &EventEntry<u64>) {
        let EventEntry {
            context, id, info, ..
        } = *event;
        let [first, second, _, fourth] = info;
        self.ids.insert(id);
        let is_interrupt = context == u64::from(CONTEXT_INTERRUPT);
        let is_result = matches!(id, 1 | 2) && second != 14 || id == 57;
        if !is_interrupt
            && is_result
            && let Some(expected) = self.expected.pop_front()
        {
            assert_eq!((id, first, second), expected, "event {number}");
        } else if !is_interrupt && !matches!(id, 1 | 2 | 56) {
            assert_eq!(self.expected, [], "event {number}: {id}");
        }
        match id {
            1 => self.resume(number, first, second),
            2 => self.suspend(number, first, second),
            52 => self.get(number, context, info),
            57 => self.put(number, info),
            62 => self.flush(first),
            32 | 63 | 68 | 69 | 83 => {
                if let Some(thread) = self.threads.get_mut(&context) {
                    thread.object = first;
                    thread.sends = matches!(id, 63 | 69);
                }
            }
            100 => {
                assert!(
                    self.threads
                        .get(&first)
                        .is_none_or(|it| it.state == DELETED)
                );
                let thread = self.thread(first, 3);
                thread.state = 3;
                thread.delayed = false;
            }
            101 => {
                let thread = self.thread(first, 2);
                assert!(matches!(thread.state, 1 | 2), "event {number}");
                thread.state = DELETED;
            }
            110 => {
                let thread = self.thread(first, 2);
                assert!(matches!(thread.state, 1 | 2), "event {number}");
                assert_eq!(second, 3, "event {number}");
                thread.state = 3;
            }
            108 => self.check(number, first, fourth),
            111 => {
                self.check(number, first, second);
                if second == 3 {
                    self.expected.push_back((1, first, 3));
                } else {
                    self.thread(first, second).delayed = false;
                }
            }
            114 => {
                self.check(number, first, second);
                match second {
                    0 => self.expected.push_back((2, first, 3)),
                    1..=3 => {}
                    _ => self.thread(first, second).delayed = true,
                }
            }
            115 => self.terminate(number, first, second),
            117 => {
                self.check(number, first, second);
                if second > 3 {
                    self.thread(first, second).is_aborted = true;
                    self.expected.push_back((1, first, 3));
                }
            }
            _ => {}
        }
        let is_thread = !is_interrupt && context != u64::from(CONTEXT_INITIALIZE);
        if is_thread && self.threads.contains_key(&context) && self.expected.is_empty() {
            let state = self.threads[&context].state;
            // The event of its own suspension is its last.
            assert!(
                state == 0 || is_result || id == 115,
                "event {number}: {state}"
            );
        }
    }

    /// The thread at an address; a new one starts in the given state.
    fn thread(&mut self, address: u64, state: u64) -> &mut Thread {
        self.threads.entry(address).or_insert(Thread {
            state,
            delayed: false,
            is_aborted: false,
            is_moved: false,
            object: 0,
            sends: false,
        })
    }

    /// Checks a thread's state against an event.
    fn check(&mut self, number: usize, address: u64, state: u64) {
        let thread = self.thread(address, state);
        assert_eq!(thread.state, state, "event {number}: {address:#x}");
    }

    fn resume(&mut self, number: usize, address: u64, previous: u64) {
        if previous == 14 {
            let thread = self.thread(address, 0);
            assert!(std::mem::take(&mut thread.is_moved), "event {number}");
            return;
        }
        let given = std::mem::take(&mut self.given);
        let thread = self.thread(address, previous);
        let is_aborted = std::mem::take(&mut thread.is_aborted);
        assert!(is_aborted || thread.state == previous, "event {number}");
        assert_ne!(previous, 0, "event {number}");
        let delayed = std::mem::take(&mut thread.delayed);
        thread.state = if delayed { 3 } else { 0 };
        let object = std::mem::take(&mut thread.object);
        self.delayed_suspensions += u64::from(delayed);
        if previous == 13 && object == given && given != 0 {
            self.mutexes.insert(given, (address, 1));
        }
        if let Some(senders) = self.senders.get_mut(&object) {
            senders.retain(|sender| *sender != address);
        }
    }

    fn suspend(&mut self, number: usize, address: u64, state: u64) {
        let thread = self.thread(address, 0);
        assert_eq!(thread.state, 0, "event {number}");
        if state == 14 {
            thread.is_moved = true;
            return;
        }
        thread.state = state;
        let queue = thread.object;
        if state == 5 && thread.sends {
            self.senders.entry(queue).or_default().push_back(address);
        }
    }

    fn get(&mut self, number: usize, context: u64, [mutex, _, owner, count]: [u64; 4]) {
        let known = *self.mutexes.entry(mutex).or_insert((owner, count));
        assert_eq!(known, (owner, count), "event {number}");
        if let Some(thread) = self.threads.get_mut(&context) {
            thread.object = mutex;
        }
        if owner == 0 || owner == context {
            self.mutexes.insert(mutex, (context, count + 1));
        }
    }

    fn put(&mut self, number: usize, [mutex, owner, count, _]: [u64; 4]) {
        let known = *self.mutexes.entry(mutex).or_insert((owner, count));
        let has_ended = |owner: &u64| matches!(self.threads.get(owner), Some(it) if it.state == 2);
        let is_ended = Some(owner).filter(has_ended).is_some();
        assert_eq!(known.0, owner, "event {number}");
        assert!(known.1 == count || is_ended && count == 1, "event {number}");
        self.released_mutexes += u64::from(is_ended);
        if count > 1 {
            self.mutexes.insert(mutex, (owner, count - 1));
        } else {
            self.mutexes.insert(mutex, (0, 0));
            self.given = mutex;
        }
    }

    fn terminate(&mut self, number: usize, address: u64, state: u64) {
        self.check(number, address, state);
        match state {
            0 => self.expected.push_back((2, address, 2)),
            1 | 2 => return,
            _ => {
                let thread = self.thread(address, state);
                thread.state = 2;
                let object = std::mem::take(&mut thread.object);
                if let Some(senders) = self.senders.get_mut(&object) {
                    senders.retain(|sender| *sender != address);
                }
            }
        }
        let owned = self.mutexes.iter().filter(|(_, it)| it.0 == address);
        // With several mutexes the first one is unknown.
        if let [(mutex, _)] = owned.collect::<Vec<_>>()[..] {
            self.expected.push_back((57, *mutex, address));
        }
    }

    /// A flush resumes all threads that wait for room in a queue, in order.
    fn flush(&mut self, queue: u64) {
        let senders = self.senders.remove(&queue).unwrap_or_default();
        self.flushed_senders += senders.len() as u64;
        let resumed = senders.into_iter().map(|sender| (1, sender, 5));
        self.expected.extend(resumed);
    }
}
