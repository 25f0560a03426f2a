//! Maps the addresses of contexts to ids quickly.

use crate::cache::AddressCache;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{Address, ContextId, Contexts, ObjectClass, Objects};
use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED};
use std::collections::HashMap;

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

    /// Assigns final ids to the unknown addresses that interners found, in
    /// order.
    pub(crate) fn assign_ids(&mut self, unknown: Vec<u64>) -> Vec<ContextId> {
        let contexts = &mut self.contexts;
        let ids = &mut self.ids;
        let settle = |address| {
            let push = || contexts.push_thread(Address(address), None);
            *ids.entry(address).or_insert_with(push)
        };
        unknown.into_iter().map(settle).collect()
    }
}

/// Maps addresses to the contexts of one part of a trace. Unknown addresses get
/// provisional ids after the known ones, in the order of their first event.
pub(crate) struct ContextInterner<'a> {
    known: &'a ContextTable,
    cache: AddressCache<ContextId>,
    provisional: HashMap<u64, ContextId>,
    pub(crate) unknown: Vec<u64>,
}

impl<'a> ContextInterner<'a> {
    pub(crate) fn new(known: &'a ContextTable) -> Self {
        Self {
            known,
            cache: AddressCache::new(u64::from(CONTEXT_UNUSED), Contexts::IDLE),
            provisional: HashMap::new(),
            unknown: Vec::new(),
        }
    }

    #[inline(always)]
    pub(crate) fn id(&mut self, address: u64) -> ContextId {
        if let Some(id) = self.cache.get(address) {
            return id;
        }
        let id = self.look_up_slow(address);
        self.cache.insert(address, id);
        id
    }

    /// The priority word of a record, depending on the record's context.
    #[inline(always)]
    pub(crate) fn priority_word(&mut self, context: ContextId, priority: u64) -> PriorityWord {
        if context == Contexts::INTERRUPT {
            PriorityWord::interrupted(self.id(priority))
        } else {
            // The word has the format of `PriorityWord`: threshold << 16 |
            // priority, bit 31 if the threshold is known.
            PriorityWord(priority as u32)
        }
    }

    #[inline(never)]
    fn look_up_slow(&mut self, address: u64) -> ContextId {
        if let Some(id) = self.known.ids.get(&address) {
            return *id;
        }
        let next = self.known.contexts.len() + self.unknown.len();
        *self.provisional.entry(address).or_insert_with(|| {
            self.unknown.push(address);
            ContextId(u32::try_from(next).unwrap_or(u32::MAX))
        })
    }
}
