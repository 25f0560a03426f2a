use super::{LogEntry, UNFINISHED};
use crate::Name;
#[cfg(not(all(test, loom)))]
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};
#[cfg(all(test, loom))]
use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};

/// A [`LogEntry`] with atomic words, in the same layout. Its [`SlotState`] shows whether
/// the words belong together.
#[repr(C)]
pub(super) struct AtomicSlot {
    kind: AtomicU32,
    counter: AtomicU32,
    address: AtomicUsize,
    name: AtomicPtr<u8>,
}

impl AtomicSlot {
    #[cfg(not(all(test, loom)))]
    #[allow(clippy::declare_interior_mutable_const)]
    pub(super) const UNFINISHED: Self = Self {
        kind: AtomicU32::new(UNFINISHED),
        counter: AtomicU32::new(0),
        address: AtomicUsize::new(0),
        name: AtomicPtr::new(core::ptr::null_mut()),
    };

    #[cfg(all(test, loom))]
    pub(super) fn unfinished() -> Self {
        Self {
            kind: AtomicU32::new(UNFINISHED),
            counter: AtomicU32::new(0),
            address: AtomicUsize::new(0),
            name: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    /// Writes an entry, its kind last: a memory dump then shows whether it was finished.
    /// The caller must have acquired the slot.
    #[inline(always)]
    pub(super) fn write(&self, entry: LogEntry) {
        // A reader that sees one of these words also sees that the slot was acquired.
        fence(Ordering::Release);
        self.kind.store(UNFINISHED, Ordering::Relaxed);
        fence(Ordering::Release);
        self.counter.store(entry.counter, Ordering::Relaxed);
        self.address.store(entry.address, Ordering::Relaxed);
        self.name
            .store(entry.name.as_ptr() as *mut u8, Ordering::Relaxed);
        self.kind.store(entry.kind, Ordering::Release);
    }

    fn read(&self) -> LogEntry {
        LogEntry {
            kind: self.kind.load(Ordering::Relaxed),
            counter: self.counter.load(Ordering::Relaxed),
            address: self.address.load(Ordering::Relaxed),
            name: Name::from_ptr(self.name.load(Ordering::Relaxed)),
        }
    }
}

/// The state of a slot: the number of the lap's first entry, whose low bit is always
/// free, with [`WRITING`] while the words change.
pub(super) struct SlotState(AtomicU32);

const WRITING: u32 = 1;

/// The result of reading an entry from its slot.
pub(super) enum SlotRead {
    Finished(LogEntry),
    /// Its writer has not finished, or could not acquire the slot.
    Unfinished,
    /// The slot contains an entry of a later lap.
    Overwritten,
}

impl SlotState {
    /// The state before the first lap.
    #[cfg(not(all(test, loom)))]
    #[allow(clippy::declare_interior_mutable_const)]
    pub(super) const FIRST: Self = Self(AtomicU32::new(0));

    #[cfg(all(test, loom))]
    pub(super) fn first() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Acquires the slot for a lap. Returns `false` if a writer occupies it or a later
    /// lap has used it.
    #[inline(always)]
    pub(super) fn try_acquire(&self, lap: u32) -> bool {
        let mut current = self.0.load(Ordering::Acquire);
        while current & WRITING == 0 && !is_later_lap(current, lap) {
            match self.0.compare_exchange_weak(
                current,
                lap | WRITING,
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) => return true,
                Err(now) => current = now,
            }
        }
        false
    }

    /// Marks the words as those of the entry.
    #[inline(always)]
    pub(super) fn release(&self, lap: u32) {
        self.0.store(lap, Ordering::Release);
    }

    pub(super) fn read(&self, lap: u32, slot: &AtomicSlot) -> SlotRead {
        let before = self.0.load(Ordering::Acquire);
        if is_later_lap(before & !WRITING, lap) {
            return SlotRead::Overwritten;
        }
        if before != lap {
            return SlotRead::Unfinished;
        }
        let entry = slot.read();
        fence(Ordering::Acquire);
        if self.0.load(Ordering::Relaxed) == lap {
            SlotRead::Finished(entry)
        } else {
            SlotRead::Overwritten
        }
    }
}

/// Whether one lap is later than another, in modular arithmetic.
#[inline(always)]
fn is_later_lap(lap: u32, other: u32) -> bool {
    lap.wrapping_sub(other) as i32 > 0
}
