//! What was made last, kept for the next who asks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The values that were asked for last, as long as they do not take too much
/// memory.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    most: usize,
    most_bytes: usize,
    /// The last first.
    kept: Mutex<VecDeque<Kept<K, V>>>,
}

#[derive(Debug)]
struct Kept<K, V> {
    key: K,
    value: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> Recent<K, V> {
    /// Keeps at most so many values of at most so many bytes in all.
    pub(crate) const fn new(most: usize, most_bytes: usize) -> Self {
        Self {
            most,
            most_bytes,
            kept: Mutex::new(VecDeque::new()),
        }
    }

    /// The value of a key. `make` makes it where it is not kept, and says how
    /// many bytes it takes.
    pub(crate) fn get<E>(
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
        self.keep(key, Arc::clone(&value), bytes);
        Ok(value)
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|one| one.key == *key)?;
        let found = kept.remove(at)?;
        let value = Arc::clone(&found.value);
        kept.push_front(found);
        Some(value)
    }

    fn keep(&self, key: K, value: Arc<V>, bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have made it, too.
        kept.retain(|one| one.key != key);
        kept.push_front(Kept { key, value, bytes });
        let sum = |kept: &VecDeque<Kept<K, V>>| kept.iter().map(|one| one.bytes).sum::<usize>();
        while kept.len() > self.most || sum(&kept) > self.most_bytes {
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
    fn ask(recent: &Recent<u32, u32>, key: u32, bytes: usize) -> bool {
        let mut made = false;
        let value = recent.get(key, |key| {
            made = true;
            Ok::<_, ()>((key * 2, bytes))
        });
        assert_eq!(value.as_deref(), Ok(&(key * 2)));
        made
    }

    #[test]
    fn the_last_are_kept() {
        let recent = Recent::new(2, 100);
        assert!(ask(&recent, 1, 10) && ask(&recent, 2, 10));
        assert!(!ask(&recent, 1, 10));
        // 2 was not asked for as lately as 1.
        assert!(ask(&recent, 3, 10));
        assert!(!ask(&recent, 1, 10));
        assert!(ask(&recent, 2, 10));
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let recent = Recent::new(3, 100);
        assert!(ask(&recent, 1, 60) && ask(&recent, 2, 60));
        assert!(!ask(&recent, 2, 60) && ask(&recent, 1, 60));
        assert!(ask(&recent, 3, 101) && ask(&recent, 3, 101));
    }

    #[test]
    fn a_failure_is_not_kept() {
        let recent: Recent<u32, u32> = Recent::new(3, 100);
        assert_eq!(recent.get(1, |_| Err("no")), Err("no"));
        assert!(ask(&recent, 1, 1));
    }
}
