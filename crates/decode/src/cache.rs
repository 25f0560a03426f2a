//! Addresses looked up fast.

/// A direct-mapped cache of this many addresses stands before a hash map.
const CACHE_SLOTS: usize = 512;

/// What was last found for each address; an address pushes out those of the
/// same slot.
#[derive(Debug, Clone)]
pub(crate) struct AddressCache<T> {
    slots: [(u64, T); CACHE_SLOTS],
}

impl<T: Copy> AddressCache<T> {
    /// Knows `value` for `address` from the start.
    pub(crate) fn new(address: u64, value: T) -> Self {
        Self {
            slots: [(address, value); CACHE_SLOTS],
        }
    }

    #[inline(always)]
    fn slot(address: u64) -> usize {
        // Fibonacci hashing: control blocks lie at regular distances.
        (address as u32).wrapping_mul(0x9E37_79B9) as usize >> 23
    }

    /// What is known for the address, if it is still here.
    #[inline(always)]
    pub(crate) fn get(&self, address: u64) -> Option<T> {
        match self.slots.get(Self::slot(address)) {
            Some((known, value)) if *known == address => Some(*value),
            _ => None,
        }
    }

    /// Keeps a value for the address.
    pub(crate) fn insert(&mut self, address: u64, value: T) {
        if let Some(slot) = self.slots.get_mut(Self::slot(address)) {
            *slot = (address, value);
        }
    }
}
