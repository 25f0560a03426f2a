//! The expected behaviour of a recorder, as simple as possible: lists instead of
//! pointers.

use super::buffer::{Slot, Words};

/// The words of an entry; `None` for the stack pointer.
pub(crate) type Expected = [Option<u64>; 8];

/// The recorder's state.
#[derive(Debug, Clone, Default)]
pub(crate) struct TraceModel {
    pub(crate) is_on: bool,
    pub(crate) enabled_groups: u32,
    pub(crate) ring: Vec<Expected>,
    pub(crate) current: usize,
    pub(crate) wraps: u64,
    pub(crate) registry: Vec<Slot>,
    pub(crate) search_start: usize,
    pub(crate) interrupts: u32,
    pub(crate) started: bool,
    pub(crate) thread: Option<(u64, u64)>,
    pub(crate) now: u32,
    /// Whether a function is notified of a full ring, and whether it disables the
    /// recorder.
    pub(crate) notify: Option<bool>,
    /// The full rings that the function received.
    pub(crate) full_buffers: Vec<Vec<Expected>>,
    /// Number of the session, to check whether an event still exists.
    pub(crate) session: u64,
}

/// The position of an event: session, laps before it, slot.
pub(crate) type EventPosition = (u64, u64, usize);

impl TraceModel {
    pub(crate) fn enable(&mut self, events: usize, entries: usize) {
        self.is_on = true;
        self.enabled_groups = u32::MAX;
        self.ring = vec![[Some(0); 8]; events];
        self.current = 0;
        self.wraps = 0;
        self.session += 1;
        let empty = Slot {
            available: 1,
            object_type: 0,
            reserved: [0; 2],
            pointer: 0,
            parameters: [0; 2],
            name: vec![0; 32],
        };
        self.registry = vec![empty; entries];
        self.search_start = 0;
        for _ in 0..2 {
            self.write(6, [Some(0); 4]);
        }
    }

    pub(crate) fn records(&self, groups: u32) -> bool {
        self.is_on && self.enabled_groups & groups != 0
    }

    pub(crate) fn insert(
        &mut self,
        groups: u32,
        id: u32,
        info: [Option<u64>; 4],
    ) -> Option<EventPosition> {
        if self.records(groups) {
            self.write(id, info)
        } else {
            None
        }
    }

    fn write(&mut self, id: u32, info: [Option<u64>; 4]) -> Option<EventPosition> {
        if !self.is_on {
            return None;
        }
        let position = (self.session, self.wraps, self.current);
        let (context, priority) = self.context();
        let head = [context, priority, u64::from(id), u64::from(self.now)].map(Some);
        let mut entry = [None; 8];
        entry[..4].copy_from_slice(&head);
        entry[4..].copy_from_slice(&info);
        self.ring[self.current] = entry;
        self.current += 1;
        if self.current == self.ring.len() {
            self.current = 0;
            self.wraps += 1;
            if let Some(stop) = self.notify {
                self.full_buffers.push(self.ring.clone());
                self.is_on = !stop;
            }
        }
        Some(position)
    }

    pub(crate) fn complete(
        &mut self,
        (session, wraps, slot): EventPosition,
        field: usize,
        value: u64,
    ) {
        let is_present = match self.wraps.checked_sub(wraps) {
            Some(0) => true,
            Some(1) => slot >= self.current,
            _ => false,
        };
        if self.is_on && session == self.session && is_present {
            self.ring[slot][4 + field] = Some(value);
        }
    }

    fn context(&self) -> (u64, u64) {
        match (self.started, self.interrupts, self.thread) {
            (false, ..) => (0xF0F0_F0F0, 0),
            (true, 0, Some(words)) => words,
            (true, _, thread) => (0xFFFF_FFFF, thread.map_or(0, |(address, _)| address)),
        }
    }

    pub(crate) fn set_thread(&mut self, thread: Option<(u64, u64)>) {
        self.thread = thread;
        if !self.started {
            self.started = true;
            self.interrupts = 0;
        }
    }

    pub(crate) fn system_state(&self) -> u64 {
        let base: u32 = if self.started { 0 } else { 0xF0F0_F0F0 };
        u64::from(base + self.interrupts)
    }

    /// Follows `tx_trace_object_register.c` step by step. Returns whether there was a
    /// free slot.
    pub(crate) fn register(&mut self, object: Slot) -> bool {
        let entries = self.registry.len();
        if !self.is_on || self.registry.iter().all(|slot| slot.available == 0) {
            return false;
        }
        let mut found = entries;
        let mut i = self.search_start;
        loop {
            let slot = &self.registry[i];
            if slot.pointer == 0 || slot.pointer == object.pointer {
                found = i;
                break;
            }
            let better = found == entries || self.registry[found].object_type != 0;
            if slot.available == 1 && better {
                found = i;
            }
            i = (i + 1) % entries;
            if i == self.search_start {
                break;
            }
        }
        self.search_start = (found + 1) % entries;
        self.registry[found] = object;
        true
    }

    /// Returns whether the object was registered.
    pub(crate) fn unregister(&mut self, pointer: u64) -> bool {
        if !self.is_on {
            return false;
        }
        let mut first = None;
        for (index, slot) in self.registry.iter_mut().enumerate() {
            if slot.pointer == pointer && slot.available == 0 {
                slot.available = 1;
                first = first.or(Some(index));
            }
        }
        self.search_start = first.unwrap_or(self.search_start);
        first.is_some()
    }

    /// Compares the ring with the expected entries.
    pub(crate) fn compare(expected: &[Expected], ring: &[Words]) {
        assert_eq!(expected.len(), ring.len());
        for (slot, (expected, found)) in expected.iter().zip(ring).enumerate() {
            let same = |(expected, found): (&Option<u64>, &u64)| {
                expected.map_or(*found != 0, |expected| expected == *found)
            };
            let all = expected.iter().zip(found).all(same);
            assert!(all, "slot {slot}: {found:x?} instead of {expected:x?}");
        }
    }
}
