//! Caches of a session, with bounded memory.

use crate::cpu_load::RankedCpuTimes;
use crate::index::core_loads::CoreLoads;
use crate::index::level_pyramid::LevelPyramid;
use crate::index::post_index::PostIndex;
use crate::index::schedule_index::ScheduleIndex;
use crate::intervals::IndexedIntervals;
use crate::lanes::per_axis::PerAxis;
use crate::messages::IndexedMessages;
use crate::plot::PlotPoint;
use crate::query::{GraphFormat, IntervalFilters, PlotSource};
use crate::report::ReportKey;
use crate::response::Diagram;
use rtoscope_analysis::compare::CollectedFigures;
use rtoscope_trace::ContextId;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::{Arc, Mutex, PoisonError};

/// Least recently used cache with a limit on entries and memory.
#[derive(Debug)]
pub(crate) struct LruCache<K, V> {
    max_entries: usize,
    max_bytes: usize,
    /// Most recently used first.
    entries: Mutex<VecDeque<CacheEntry<K, V>>>,
}

#[derive(Debug)]
struct CacheEntry<K, V> {
    key: K,
    value: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> LruCache<K, V> {
    /// Keeps at most `max_entries` values of at most `max_bytes` bytes in total.
    pub(crate) const fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self {
            max_entries,
            max_bytes,
            entries: Mutex::new(VecDeque::new()),
        }
    }

    /// The value of a key. If it is not cached, `compute` returns it with its size in
    /// bytes.
    pub(crate) fn get_or_insert<E>(
        &self,
        key: K,
        compute: impl FnOnce(&K) -> Result<(V, usize), E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.find(&key) {
            return Ok(value);
        }
        // The lock is not held meanwhile: other queries continue.
        let (value, bytes) = compute(&key)?;
        let value = Arc::new(value);
        self.insert(key, Arc::clone(&value), bytes);
        Ok(value)
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|one| one.key == *key)?;
        let found = entries.remove(at)?;
        let value = Arc::clone(&found.value);
        entries.push_front(found);
        Some(value)
    }

    fn insert(&self, key: K, value: Arc<V>, bytes: usize) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have computed it meanwhile.
        entries.retain(|one| one.key != key);
        entries.push_front(CacheEntry { key, value, bytes });
        let sum = |entries: &VecDeque<CacheEntry<K, V>>| {
            entries.iter().map(|one| one.bytes).sum::<usize>()
        };
        while entries.len() > self.max_entries || sum(&entries) > self.max_bytes {
            if entries.pop_back().is_none() {
                break;
            }
        }
    }
}

const MIB: usize = 1 << 20;

/// Cached results. Results that depend on the clock's frequency include it in their
/// key, so a cached entry never goes stale.
#[derive(Debug)]
pub(crate) struct Caches {
    /// Search hits, by filter text and clock frequency.
    pub(crate) hits: LruCache<(String, Option<u64>), Vec<u32>>,
    /// Intervals, by filters and clock frequency.
    pub(crate) intervals: LruCache<(IntervalFilters, Option<u64>), IndexedIntervals>,
    /// Points of plots, by source and clock frequency.
    pub(crate) plots: LruCache<(PlotSource, Option<u64>), Vec<PlotPoint>>,
    /// Events that refer to an object, by object.
    pub(crate) object_references: LruCache<u32, Vec<u32>>,
    /// Levels of objects, by resource.
    pub(crate) levels: LruCache<u32, LevelPyramid>,
    /// Messages of objects, by resource.
    pub(crate) messages: LruCache<u32, IndexedMessages>,
    /// Figures that are compared, by clock frequency.
    pub(crate) figures: LruCache<Option<u64>, CollectedFigures>,
    /// Reports in JSON.
    pub(crate) reports: LruCache<ReportKey, String>,
    /// State machine diagrams, by active object, format and clock frequency.
    pub(crate) machines: LruCache<(ContextId, GraphFormat, Option<u64>), Diagram>,
    /// End events of posts, for overlap queries.
    pub(crate) post_index: OnceLock<PostIndex>,
    /// The load of each core.
    pub(crate) core_loads: OnceLock<CoreLoads>,
    /// CPU time, and events, of each context.
    pub(crate) cpu_times: PerAxis<RankedCpuTimes>,
    /// Schedule and active object data, by event.
    pub(crate) schedule_index: ScheduleIndex,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            hits: LruCache::new(8, 256 * MIB),
            intervals: LruCache::new(8, 512 * MIB),
            plots: LruCache::new(16, 512 * MIB),
            object_references: LruCache::new(8, 128 * MIB),
            levels: LruCache::new(4, 256 * MIB),
            messages: LruCache::new(4, 256 * MIB),
            figures: LruCache::new(2, 64 * MIB),
            reports: LruCache::new(8, 64 * MIB),
            machines: LruCache::new(8, 64 * MIB),
            post_index: OnceLock::new(),
            core_loads: OnceLock::new(),
            cpu_times: PerAxis::new(),
            schedule_index: ScheduleIndex::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gets a value; returns whether it was computed.
    fn was_computed(cache: &LruCache<u32, u32>, key: u32, bytes: usize) -> bool {
        let mut made = false;
        let value = cache.get_or_insert(key, |key| {
            made = true;
            Ok::<_, ()>((key * 2, bytes))
        });
        assert_eq!(value.as_deref(), Ok(&(key * 2)));
        made
    }

    #[test]
    fn most_recently_used_values_are_kept() {
        let cache = LruCache::new(2, 100);
        assert!(was_computed(&cache, 1, 10) && was_computed(&cache, 2, 10));
        assert!(!was_computed(&cache, 1, 10));
        // 2 was used less recently than 1.
        assert!(was_computed(&cache, 3, 10));
        assert!(!was_computed(&cache, 1, 10));
        assert!(was_computed(&cache, 2, 10));
    }

    #[test]
    fn too_large_values_are_not_kept() {
        let cache = LruCache::new(3, 100);
        assert!(was_computed(&cache, 1, 60) && was_computed(&cache, 2, 60));
        assert!(!was_computed(&cache, 2, 60) && was_computed(&cache, 1, 60));
        assert!(was_computed(&cache, 3, 101) && was_computed(&cache, 3, 101));
    }

    #[test]
    fn errors_are_not_cached() {
        let cache: LruCache<u32, u32> = LruCache::new(3, 100);
        assert_eq!(cache.get_or_insert(1, |_| Err("no")), Err("no"));
        assert!(was_computed(&cache, 1, 1));
    }
}
