//! The active objects of a stream and their contexts.

use super::survey::SurveyedObject;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{Address, ContextId, Contexts, ObjectId};

/// The active objects by address, in the order of their contexts, with their
/// properties.
pub(super) struct ActiveObjectContexts {
    pub(super) ids: HashMap<u32, ContextId>,
    /// Index: context.
    addresses: Vec<Option<u32>>,
    /// Index: context. 255, the lowest priority, if unknown.
    pub(super) priorities: Vec<u16>,
}

/// The priority of an object without a recorded one: RKH has at most 64.
const UNKNOWN_PRIORITY: u16 = 255;

impl ActiveObjectContexts {
    /// Creates a context for each active object: ordered by priority, then
    /// those without one in the order in which they appear. `named` returns
    /// their objects.
    pub(super) fn new(
        active: &[SurveyedObject],
        named: impl Fn(Address) -> Option<ObjectId>,
    ) -> (Contexts, Self) {
        let mut contexts = Contexts::new(Address(0), Address(0), Address(0));
        let mut known = Self {
            ids: HashMap::new(),
            addresses: vec![None; contexts.len()],
            priorities: vec![0; contexts.len()],
        };
        let mut active = active.to_vec();
        active.sort_by_key(|object| object.priority.unwrap_or(u16::MAX));
        for object in active {
            let address = Address(object.address.into());
            let id = contexts.push_thread(address, named(address));
            known.ids.entry(object.address).or_insert(id);
            known.addresses.push(Some(object.address));
            let priority = object.priority.unwrap_or(UNKNOWN_PRIORITY);
            known.priorities.push(priority);
        }
        (contexts, known)
    }

    /// The address of a context's active object.
    pub(super) fn address(&self, id: ContextId) -> Option<u32> {
        self.addresses.get(id.index()).copied().flatten()
    }
}
