//! The kernel objects that threads share.

use crate::thread::{HeldBlock, ThreadIndex, Waiters};

/// A message queue.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    pub(crate) pointer: u64,
    pub(crate) enqueued: u64,
    pub(crate) receivers: Waiters,
    pub(crate) senders: Waiters,
}

impl Queue {
    /// Capacity in messages.
    pub(crate) const CAPACITY: u64 = 4;
    /// Message size in words.
    pub(crate) const MESSAGE_WORDS: u64 = 4;

    pub(crate) fn new(pointer: u64) -> Self {
        Self {
            pointer,
            enqueued: 0,
            receivers: Waiters::default(),
            senders: Waiters::default(),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.enqueued >= Self::CAPACITY
    }
}

/// A counting semaphore.
#[derive(Debug, Clone)]
pub(crate) struct Semaphore {
    pub(crate) pointer: u64,
    pub(crate) count: u64,
    pub(crate) waiters: Waiters,
}

impl Semaphore {
    /// Puts do not raise a semaphore above this count.
    pub(crate) const CEILING: u64 = 8;

    pub(crate) fn new(pointer: u64) -> Self {
        Self {
            pointer,
            count: 0,
            waiters: Waiters::default(),
        }
    }

    pub(crate) fn is_high(&self) -> bool {
        self.count >= Self::CEILING
    }
}

/// A mutex.
#[derive(Debug, Clone)]
pub(crate) struct Mutex {
    pub(crate) pointer: u64,
    /// Whether the mutex has priority inheritance.
    pub(crate) inherits: bool,
    pub(crate) owner: Option<ThreadIndex>,
    pub(crate) count: u64,
    pub(crate) waiters: Waiters,
}

impl Mutex {
    pub(crate) fn new(pointer: u64, inherits: bool) -> Self {
        Self {
            pointer,
            inherits,
            owner: None,
            count: 0,
            waiters: Waiters::default(),
        }
    }
}

/// A group of event flags.
#[derive(Debug, Clone)]
pub(crate) struct EventFlags {
    pub(crate) pointer: u64,
    pub(crate) current: u32,
    pub(crate) waiters: Waiters,
}

impl EventFlags {
    pub(crate) fn new(pointer: u64) -> Self {
        Self {
            pointer,
            current: 0,
            waiters: Waiters::default(),
        }
    }
}

/// A memory pool with slots of equal size. It also represents byte pools: a
/// trace does not show how a byte pool searches.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    pub(crate) pointer: u64,
    start: u64,
    slot_bytes: u64,
    used: u32,
    used_bytes: u64,
}

impl Pool {
    /// Number of slots: one for each bit of a word.
    pub(crate) const SLOTS: u64 = u32::BITS as u64;

    pub(crate) fn new(pointer: u64, start: u64, slot_bytes: u64) -> Self {
        Self {
            pointer,
            start,
            slot_bytes,
            used: 0,
            used_bytes: 0,
        }
    }

    /// Number of free slots.
    pub(crate) fn free_slots(&self) -> u64 {
        u64::from(self.used.count_zeros())
    }

    /// Free bytes, if all slots had the size requested.
    pub(crate) fn free_bytes(&self) -> u64 {
        Self::SLOTS * self.slot_bytes - self.used_bytes
    }

    /// The address of a block.
    pub(crate) fn address(&self, held: HeldBlock) -> u64 {
        self.start + u64::from(held.slot) * self.slot_bytes
    }

    /// Allocates a block of `bytes` bytes; `None` if the pool is empty.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Option<HeldBlock> {
        let slot = self.used.trailing_ones();
        self.used |= 1_u32.checked_shl(slot)?;
        self.used_bytes += bytes;
        Some(HeldBlock {
            slot: slot as u8,
            bytes,
        })
    }

    /// Releases a block.
    pub(crate) fn release(&mut self, held: HeldBlock) {
        self.used &= !1_u32.wrapping_shl(u32::from(held.slot));
        self.used_bytes -= held.bytes;
    }
}

/// The objects shared by two neighbouring groups of threads.
#[derive(Debug, Clone)]
pub(crate) struct ObjectSet {
    pub(crate) queue: Queue,
    /// Put by a device's interrupt.
    pub(crate) device: Semaphore,
    /// Put by control threads for network threads.
    pub(crate) work: Semaphore,
    pub(crate) mutex: Mutex,
    pub(crate) flags: EventFlags,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_allocates_every_block_once() {
        let mut pool = Pool::new(0x100, 0x1000, 64);
        let held: Vec<HeldBlock> = std::iter::from_fn(|| pool.allocate(10)).collect();
        assert_eq!(held.len() as u64, Pool::SLOTS);
        assert_eq!((pool.free_slots(), pool.free_bytes()), (0, 2048 - 320));
        assert_eq!(pool.address(held[31]), 0x1000 + 31 * 64);
        pool.release(held[5]);
        assert_eq!(pool.free_slots(), 1);
        assert_eq!(pool.allocate(20).map(|held| held.slot), Some(5));
    }
}
