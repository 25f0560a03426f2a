//! Maps the addresses of contexts to ids quickly.

use foldhash::{HashMap, HashSet};
use rtoscope_trace::{Address, ContextId, Contexts, ObjectClass, Objects};
use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED};

/// The contexts known before the first event: the fixed ones and the threads of
/// the registry.
pub(crate) struct ContextTable {
    pub(crate) contexts: Contexts,
    ids: HashMap<u64, ContextId>,
}

impl ContextTable {
    /// Creates the contexts of a registry. A live thread takes precedence over
    /// a deleted one with the same address.
    pub(crate) fn new(objects: &Objects) -> Self {
        let fixed = [CONTEXT_INTERRUPT, CONTEXT_INITIALIZE, CONTEXT_UNUSED];
        let [interrupt, initialize, idle] = fixed.map(|word| Address(u64::from(word)));
        let contexts = Contexts::new(interrupt, initialize, idle);
        let ids = contexts.iter().map(|each| (each.address.0, each.id));
        let mut known = Self {
            ids: ids.collect(),
            contexts,
        };
        for object in objects {
            let of_thread = objects.find_class(object.address, ObjectClass::Thread);
            if of_thread.is_some_and(|thread| thread.id == object.id) {
                let id = known.contexts.push_thread(object.address, Some(object.id));
                known.ids.entry(object.address.0).or_insert(id);
            }
        }
        known
    }

    /// Adds the contexts with these addresses, in order, that are new.
    pub(crate) fn add(&mut self, addresses: Vec<u64>) {
        let contexts = &mut self.contexts;
        for address in addresses {
            let push = || contexts.push_thread(Address(address), None);
            self.ids.entry(address).or_insert_with(push);
        }
    }

    /// The contexts, and their ids by address.
    pub(crate) fn finish(self) -> (Contexts, ContextIds) {
        (self.contexts, ContextIds(self.ids))
    }
}

/// The ids of all contexts by address.
#[derive(Debug)]
pub(crate) struct ContextIds(HashMap<u64, ContextId>);

impl ContextIds {
    #[inline]
    pub(crate) fn get(&self, address: u64) -> ContextId {
        let id = self.0.get(&address).copied();
        id.unwrap_or(ContextId::UNKNOWN)
    }
}

/// Maps addresses to the contexts of one part of a trace. Threads that are not
/// registered have no id yet.
pub(crate) struct ContextInterner<'a> {
    known: &'a ContextTable,
    found: HashSet<u64>,
    pub(crate) unknown: Vec<u64>,
}

impl<'a> ContextInterner<'a> {
    pub(crate) fn new(known: &'a ContextTable) -> Self {
        Self {
            known,
            found: HashSet::default(),
            unknown: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn id(&mut self, address: u64) -> ContextId {
        if let Some(id) = self.known.ids.get(&address) {
            return *id;
        }
        if self.found.insert(address) {
            self.unknown.push(address);
        }
        ContextId::UNKNOWN
    }
}
