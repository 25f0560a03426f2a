//! What is made once and kept, with a bound on its memory.

use crate::details::ScheduleIndex;
use crate::graph::{CoreLoads, LevelPyramid};
use crate::lru::LruCache;
use crate::posts::PostIndex;
use crate::query::MachineFormat;
use crate::report::ReportKey;
use crate::response::Diagram;
use rtoscope_trace::ContextId;
use std::sync::OnceLock;

const MIB: usize = 1 << 20;

/// What a session keeps of former answers. What depends on the clock's
/// frequency is kept by it, so that nothing is ever out of date.
#[derive(Debug)]
pub(crate) struct Caches {
    /// The hits of searches, by the filter's text and the clock's frequency.
    pub(crate) hits: LruCache<(String, Option<u64>), Vec<u32>>,
    /// The events with an object among their arguments, by the object.
    pub(crate) object_references: LruCache<u32, Vec<u32>>,
    /// The levels of objects, by resource.
    pub(crate) levels: LruCache<u32, LevelPyramid>,
    /// Reports in JSON, by what was asked and the clock's frequency.
    pub(crate) reports: LruCache<(ReportKey, Option<u64>), String>,
    /// The machines of active objects as diagrams, and the clock's frequency.
    pub(crate) machines: LruCache<(ContextId, MachineFormat, Option<u64>), Diagram>,
    /// Where the arrows of posts end.
    pub(crate) post_index: OnceLock<PostIndex>,
    /// The load of each core.
    pub(crate) core_loads: OnceLock<CoreLoads>,
    /// What of the schedule belongs to an event.
    pub(crate) schedule_index: ScheduleIndex,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            hits: LruCache::new(8, 256 * MIB),
            object_references: LruCache::new(8, 128 * MIB),
            levels: LruCache::new(4, 256 * MIB),
            reports: LruCache::new(8, 64 * MIB),
            machines: LruCache::new(8, 64 * MIB),
            post_index: OnceLock::new(),
            core_loads: OnceLock::new(),
            schedule_index: ScheduleIndex::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Session;

    #[test]
    fn sessions_can_be_shared() {
        fn can_be_shared<T: Send + Sync>() {}
        can_be_shared::<Session>();
    }
}
