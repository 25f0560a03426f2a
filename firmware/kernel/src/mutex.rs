use crate::arch;
use crate::event::{Event, Observer};
use crate::kernel::Kernel;
use crate::thread::{State, Thread};
use core::cell::Cell;
use core::ffi::CStr;

/// A mutex whose owner inherits the highest priority of the waiting threads. A thread
/// owns at most one mutex at a time, and owns it once.
pub struct Mutex {
    name: &'static CStr,
    /// Index of the owner.
    owner: Cell<Option<usize>>,
}

// SAFETY: only the kernel uses it, with interrupts off.
unsafe impl Sync for Mutex {}

impl Mutex {
    /// Creates a mutex without an owner.
    pub const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            owner: Cell::new(None),
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

    /// Calls `work` while the calling thread owns the mutex.
    pub fn with<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>, work: impl FnOnce()) {
        self.get(kernel);
        work();
        self.put(kernel);
    }

    fn get<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>) {
        let mutex = self.address();
        kernel.critical(arch::address_here(), || {
            let owner = self.owner(kernel);
            kernel.notify(Event::MutexGet { mutex, owner });
            match (owner, kernel.running()) {
                (None, _) => self.owner.set(kernel.running.get()),
                (Some(owner), Some(thread)) => {
                    if thread.priority() < owner.priority() {
                        kernel.change_priority(owner, thread.priority());
                    }
                    kernel.suspend(thread, State::Mutex, mutex);
                }
                (Some(_), None) => {}
            }
        });
    }

    fn put<O: Observer, const N: usize>(&self, kernel: &Kernel<O, N>) {
        let mutex = self.address();
        kernel.critical(arch::address_here(), || {
            let Some(owner) = self.owner(kernel) else {
                return;
            };
            kernel.notify(Event::MutexPut { mutex, owner });
            let heir = kernel.first_waiting(mutex, true);
            self.owner.set(heir.and_then(|heir| kernel.index(heir)));
            kernel.change_priority(owner, owner.own_priority());
            if let Some(heir) = heir {
                kernel.resume(heir);
            }
        });
    }

    fn owner<'k, O: Observer, const N: usize>(
        &self,
        kernel: &'k Kernel<O, N>,
    ) -> Option<&'k Thread> {
        self.owner.get().and_then(|index| kernel.threads.get(index))
    }
}
