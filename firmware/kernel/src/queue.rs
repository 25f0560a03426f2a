use crate::arch;
use crate::event::{Event, Observer};
use crate::kernel::Kernel;
use crate::thread::State;
use core::cell::Cell;
use core::ffi::CStr;

/// A FIFO of one-word messages; threads are served in the order in which they wait.
pub struct Queue<const CAPACITY: usize> {
    name: &'static CStr,
    messages: [Cell<u32>; CAPACITY],
    oldest: Cell<usize>,
    used: Cell<usize>,
}

// SAFETY: only the kernel uses it, with interrupts off.
unsafe impl<const CAPACITY: usize> Sync for Queue<CAPACITY> {}

impl<const CAPACITY: usize> Queue<CAPACITY> {
    /// An empty queue.
    pub const fn new(name: &'static CStr) -> Self {
        assert!(CAPACITY > 0);
        Self {
            name,
            messages: [const { Cell::new(0) }; CAPACITY],
            oldest: Cell::new(0),
            used: Cell::new(0),
        }
    }

    /// Its address, which identifies it.
    pub fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Its name.
    pub fn name(&self) -> &'static CStr {
        self.name
    }

    /// Sends a message. A thread waits until there is room; a handler does not. Returns
    /// whether the message was sent.
    pub fn send<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>, message: u32) -> bool {
        let queue = self.address();
        let capacity = CAPACITY as u32;
        kernel.critical(arch::address_here(), || {
            let used = self.used();
            let waiting = kernel.waiting_count(queue);
            kernel.notify(Event::QueueSend {
                queue,
                message,
                used,
                capacity,
                waiting,
            });
            // A thread that waits while there is room waits for a message.
            let receiver = kernel
                .first_waiting(queue, false)
                .filter(|_| used < capacity);
            match (receiver, kernel.running()) {
                (Some(receiver), _) => {
                    receiver.message.set(message);
                    kernel.resume(receiver);
                    true
                }
                (None, _) if used < capacity => {
                    self.push(message);
                    true
                }
                (None, Some(thread)) if kernel.depth.get() == 0 => {
                    thread.message.set(message);
                    kernel.suspend(thread, State::Queue, queue);
                    true
                }
                (None, _) => false,
            }
        })
    }

    /// Takes the oldest message; waits until there is one.
    pub fn receive<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>) -> u32 {
        let queue = self.address();
        let capacity = CAPACITY as u32;
        let taken = kernel.critical(arch::address_here(), || {
            let used = self.used();
            kernel.notify(Event::QueueReceive {
                queue,
                used,
                capacity,
            });
            let oldest = self.pop();
            match (oldest, kernel.running()) {
                (None, Some(thread)) => kernel.suspend(thread, State::Queue, queue),
                // Until now, there was no room for it.
                (Some(_), _) => {
                    if let Some(sender) = kernel.first_waiting(queue, false) {
                        self.push(sender.message.get());
                        kernel.resume(sender);
                    }
                }
                (None, None) => {}
            }
            oldest
        });
        // A thread that had to wait gets the message directly.
        let received = || kernel.running().map_or(0, |thread| thread.message.get());
        let message = taken.unwrap_or_else(received);
        kernel.critical(arch::address_here(), || {
            let used = self.used();
            kernel.notify(Event::QueueReceived {
                queue,
                message,
                used,
                capacity,
            });
        });
        message
    }

    fn used(&self) -> u32 {
        self.used.get() as u32
    }

    fn push(&self, message: u32) {
        let used = self.used.get();
        let free = self.oldest.get().wrapping_add(used) % CAPACITY;
        if let Some(slot) = self.messages.get(free) {
            slot.set(message);
            self.used.set(used.wrapping_add(1));
        }
    }

    fn pop(&self) -> Option<u32> {
        let remaining = self.used.get().checked_sub(1)?;
        let oldest = self.oldest.get();
        let message = self.messages.get(oldest)?.get();
        self.used.set(remaining);
        self.oldest.set(oldest.wrapping_add(1) % CAPACITY);
        Some(message)
    }
}
