//! What is made once and kept, with a bound on its memory.

use crate::answer::Diagram;
use crate::curve::{Loads, Pyramid};
use crate::details::Orders;
use crate::posts::Arrows;
use crate::query::MachineFormat;
use crate::recent::Recent;
use crate::report::Asked;
use rtoscope_trace::ContextId;
use std::sync::OnceLock;

const MEGABYTE: usize = 1 << 20;

/// What a session keeps of former answers. What depends on the clock's
/// frequency is kept by it, so that nothing is ever out of date.
#[derive(Debug)]
pub(crate) struct Caches {
    /// The hits of searches, by the filter's text and the clock's frequency.
    pub(crate) hits: Recent<(String, Option<u64>), Vec<u32>>,
    /// The events with an object among their arguments, by the object.
    pub(crate) mentions: Recent<u32, Vec<u32>>,
    /// The levels of objects, by resource.
    pub(crate) levels: Recent<u32, Pyramid>,
    /// Reports in JSON, by what was asked and the clock's frequency.
    pub(crate) reports: Recent<(Asked, Option<u64>), String>,
    /// The machines of active objects as diagrams, and the clock's frequency.
    pub(crate) machines: Recent<(ContextId, MachineFormat, Option<u64>), Diagram>,
    /// Where the arrows of posts end.
    pub(crate) arrows: OnceLock<Arrows>,
    /// The load of each core.
    pub(crate) loads: OnceLock<Loads>,
    /// What of the schedule belongs to an event.
    pub(crate) orders: Orders,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            hits: Recent::new(8, 256 * MEGABYTE),
            mentions: Recent::new(8, 128 * MEGABYTE),
            levels: Recent::new(4, 256 * MEGABYTE),
            reports: Recent::new(8, 64 * MEGABYTE),
            machines: Recent::new(8, 64 * MEGABYTE),
            arrows: OnceLock::new(),
            loads: OnceLock::new(),
            orders: Orders::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Session;

    #[test]
    fn many_can_ask_at_once() {
        fn can_be_shared<T: Send + Sync>() {}
        can_be_shared::<Session>();
    }
}
