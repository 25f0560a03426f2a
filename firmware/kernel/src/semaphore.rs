use crate::arch;
use crate::event::{Event, Observer};
use crate::kernel::Kernel;
use crate::thread::State;
use core::cell::Cell;
use core::ffi::CStr;

/// A counting semaphore; threads are served in the order in which they wait.
pub struct Semaphore {
    name: &'static CStr,
    count: Cell<u32>,
}

// SAFETY: only the kernel uses it, with interrupts off.
unsafe impl Sync for Semaphore {}

impl Semaphore {
    /// Creates a semaphore with count 0.
    pub const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            count: Cell::new(0),
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

    /// Takes a count; waits until there is one.
    pub fn get<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>) {
        let semaphore = self.address();
        kernel.critical(arch::address_here(), || {
            let count = self.count.get();
            kernel.notify(Event::SemaphoreGet { semaphore, count });
            match (count.checked_sub(1), kernel.running()) {
                (Some(remaining), _) => self.count.set(remaining),
                (None, Some(thread)) => kernel.suspend(thread, State::Semaphore, semaphore),
                (None, None) => {}
            }
        });
    }

    /// Puts a count, also from a handler.
    pub fn put<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>) {
        let semaphore = self.address();
        kernel.critical(arch::address_here(), || {
            let count = self.count.get();
            let waiting = kernel.waiting_count(semaphore);
            kernel.notify(Event::SemaphorePut {
                semaphore,
                count,
                waiting,
            });
            match kernel.first_waiting(semaphore, false) {
                Some(thread) => kernel.resume(thread),
                None => self.count.set(count.saturating_add(1)),
            }
        });
    }
}
