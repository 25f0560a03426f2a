//! A small cache for lookups by address.

/// The most recent value for each address; an address evicts another of the
/// same slot. Precedes a hash map. The number of slots is a power of two.
#[derive(Debug, Clone)]
pub(crate) struct AddressCache<T, const SLOTS: usize = 512> {
    slots: [(u64, T); SLOTS],
}

impl<T: Copy, const SLOTS: usize> AddressCache<T, SLOTS> {
    /// Creates a cache that contains `value` for `address`.
    pub(crate) fn new(address: u64, value: T) -> Self {
        Self {
            slots: [(address, value); SLOTS],
        }
    }

    #[inline(always)]
    fn slot(address: u64) -> usize {
        // Fibonacci hashing, because control blocks are at regular distances.
        (address as u32).wrapping_mul(0x9E37_79B9) as usize >> (32 - SLOTS.ilog2())
    }

    /// The value for the address, if it is still cached.
    #[inline(always)]
    pub(crate) fn get(&self, address: u64) -> Option<T> {
        match self.slots.get(Self::slot(address)) {
            Some((known, value)) if *known == address => Some(*value),
            _ => None,
        }
    }

    /// Caches a value for the address.
    pub(crate) fn insert(&mut self, address: u64, value: T) {
        if let Some(slot) = self.slots.get_mut(Self::slot(address)) {
            *slot = (address, value);
        }
    }
}
