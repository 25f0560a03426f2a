//! Active objects: queue, state and timer.

use super::address;
use super::events::RkhEvent;
use super::machine::Machine;
use super::tracer::Tracer;
use rtoscope_record::rkh::{ActiveObject, Address};
use std::collections::VecDeque;

/// An active object. Its number is its priority; 0 is the highest.
#[derive(Debug)]
pub(super) struct RkhObject {
    pub(super) number: u8,
    pub(super) machine: &'static Machine,
    /// The current innermost state of its machine.
    pub(super) state: usize,
    pub(super) queue: ObjectQueue,
}

impl RkhObject {
    pub(super) fn new(number: u8, machine: &'static Machine, size: u8) -> Self {
        Self {
            number,
            machine,
            state: machine.initial,
            queue: ObjectQueue::new(address::queue(number), size),
        }
    }

    /// The object as an argument of records.
    pub(super) fn ao(&self) -> ActiveObject {
        ActiveObject::new(address::object(self.number), self.number)
    }
}

/// An event queue.
#[derive(Debug)]
pub(super) struct ObjectQueue {
    pub(super) address: Address,
    pub(super) size: u8,
    pub(super) min_free: u8,
    events: VecDeque<RkhEvent>,
}

impl ObjectQueue {
    pub(super) fn new(address: Address, size: u8) -> Self {
        Self {
            address,
            size,
            min_free: size,
            events: VecDeque::new(),
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.events.len() as u32
    }

    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= usize::from(self.size)
    }

    /// Puts an event at the end or the front; there must be room.
    pub(super) fn put(&mut self, tracer: &mut Tracer<'_>, event: RkhEvent, front: bool) {
        if front {
            self.events.push_front(event);
        } else {
            self.events.push_back(event);
        }
        self.min_free = self.min_free.min(self.size - self.events.len() as u8);
        let (queue, used, min_free) = (self.address, self.len(), self.min_free.into());
        if front {
            tracer.put("QUE LIFO", |recorder| {
                recorder.que_lifo(queue, used, min_free);
            });
        } else {
            tracer.put("QUE FIFO", |recorder| {
                recorder.que_fifo(queue, used, min_free);
            });
        }
    }

    /// Takes the event at the front.
    pub(super) fn take(&mut self, tracer: &mut Tracer<'_>, deferred: bool) -> Option<RkhEvent> {
        let event = self.events.pop_front()?;
        let (queue, left) = (self.address, self.len());
        // The queue of deferred events has no owner; RKH uses the plain record
        // for it.
        if left == 0 && !deferred {
            tracer.put("QUE GET_LAST", |recorder| recorder.que_get_last(queue));
        } else {
            tracer.put("QUE GET", |recorder| recorder.que_get(queue, left));
        }
        Some(event)
    }

    /// Releases the reference to the first event.
    pub(super) fn discard_first(&mut self) {
        if let Some(event) = self.events.front_mut() {
            event.references = event.references.saturating_sub(1);
        }
    }
}
