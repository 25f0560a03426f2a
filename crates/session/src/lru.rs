//! What was made last, kept for the next who asks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The values that were asked for last, as long as they do not take too much
/// memory.
#[derive(Debug)]
pub(crate) struct LruCache<K, V> {
    max_entries: usize,
    max_bytes: usize,
    /// The last first.
    entries: Mutex<VecDeque<CacheEntry<K, V>>>,
}

#[derive(Debug)]
struct CacheEntry<K, V> {
    key: K,
    value: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> LruCache<K, V> {
    /// Keeps at most so many values of at most so many bytes in all.
    pub(crate) const fn new(most: usize, most_bytes: usize) -> Self {
        Self {
            max_entries: most,
            max_bytes: most_bytes,
            entries: Mutex::new(VecDeque::new()),
        }
    }

    /// The value of a key. `make` makes it where it is not kept, and says how
    /// many bytes it takes.
    pub(crate) fn get_or_insert<E>(
        &self,
        key: K,
        make: impl FnOnce(&K) -> Result<(V, usize), E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.find(&key) {
            return Ok(value);
        }
        // Others may ask meanwhile.
        let (value, bytes) = make(&key)?;
        let value = Arc::new(value);
        self.insert(key, Arc::clone(&value), bytes);
        Ok(value)
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|one| one.key == *key)?;
        let found = kept.remove(at)?;
        let value = Arc::clone(&found.value);
        kept.push_front(found);
        Some(value)
    }

    fn insert(&self, key: K, value: Arc<V>, bytes: usize) {
        let mut kept = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have made it, too.
        kept.retain(|one| one.key != key);
        kept.push_front(CacheEntry { key, value, bytes });
        let sum =
            |kept: &VecDeque<CacheEntry<K, V>>| kept.iter().map(|one| one.bytes).sum::<usize>();
        while kept.len() > self.max_entries || sum(&kept) > self.max_bytes {
            if kept.pop_back().is_none() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for a value; whether it had to be made.
    fn was_computed(recent: &LruCache<u32, u32>, key: u32, bytes: usize) -> bool {
        let mut made = false;
        let value = recent.get_or_insert(key, |key| {
            made = true;
            Ok::<_, ()>((key * 2, bytes))
        });
        assert_eq!(value.as_deref(), Ok(&(key * 2)));
        made
    }

    #[test]
    fn most_recently_used_values_are_kept() {
        let recent = LruCache::new(2, 100);
        assert!(was_computed(&recent, 1, 10) && was_computed(&recent, 2, 10));
        assert!(!was_computed(&recent, 1, 10));
        // 2 was not asked for as lately as 1.
        assert!(was_computed(&recent, 3, 10));
        assert!(!was_computed(&recent, 1, 10));
        assert!(was_computed(&recent, 2, 10));
    }

    #[test]
    fn too_large_values_are_not_kept() {
        let recent = LruCache::new(3, 100);
        assert!(was_computed(&recent, 1, 60) && was_computed(&recent, 2, 60));
        assert!(!was_computed(&recent, 2, 60) && was_computed(&recent, 1, 60));
        assert!(was_computed(&recent, 3, 101) && was_computed(&recent, 3, 101));
    }

    #[test]
    fn errors_are_not_cached() {
        let recent: LruCache<u32, u32> = LruCache::new(3, 100);
        assert_eq!(recent.get_or_insert(1, |_| Err("no")), Err("no"));
        assert!(was_computed(&recent, 1, 1));
    }
}
