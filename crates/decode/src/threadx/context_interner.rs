//! Maps the addresses of contexts to ids quickly.

use foldhash::{HashMap, HashSet};
use rtoscope_trace::{Address, ContextId, Contexts, ObjectClass, Objects};
use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED};

/// The contexts known before the first event: the fixed ones and the threads of
/// the registry.
pub(crate) struct ContextTable {
    pub(crate) contexts: Contexts,
    ids: ContextIds,
}

impl ContextTable {
    /// Creates the contexts of a registry. A live thread takes precedence over
    /// a deleted one with the same address.
    pub(crate) fn new(objects: &Objects) -> Self {
        let fixed = [CONTEXT_INTERRUPT, CONTEXT_INITIALIZE, CONTEXT_UNUSED];
        let [interrupt, initialize, idle] = fixed.map(|word| Address(u64::from(word)));
        let contexts = Contexts::new(interrupt, initialize, idle);
        let mut ids = ContextIds::default();
        for context in &contexts {
            ids.insert(context.address.0, context.id);
        }
        let mut known = Self { contexts, ids };
        for object in objects {
            let of_thread = objects.find_class(object.address, ObjectClass::Thread);
            if of_thread.is_some_and(|thread| thread.id == object.id) {
                let id = known.contexts.push_thread(object.address, Some(object.id));
                known.ids.insert(object.address.0, id);
            }
        }
        known
    }

    /// Adds the contexts with these addresses, in order, that are new.
    pub(crate) fn add(&mut self, addresses: Vec<u64>) {
        let contexts = &mut self.contexts;
        for address in addresses {
            if self.ids.find(address).is_none() {
                let id = contexts.push_thread(Address(address), None);
                self.ids.insert(address, id);
            }
        }
    }

    /// The contexts, and their ids by address.
    pub(crate) fn finish(self) -> (Contexts, ContextIds) {
        (self.contexts, self.ids)
    }
}

/// The ids of contexts by address.
#[derive(Debug)]
pub(crate) struct ContextIds {
    all: HashMap<u64, ContextId>,
    /// One context of each [slot](ContextIds::slot): every event needs its context, and the hash
    /// table takes several times as long.
    slots: Box<[Option<(u64, ContextId)>; 1 << SLOT_BITS]>,
}

const SLOT_BITS: u32 = 8;

impl Default for ContextIds {
    fn default() -> Self {
        Self {
            all: HashMap::default(),
            slots: Box::new([None; 1 << SLOT_BITS]),
        }
    }
}

impl ContextIds {
    #[inline]
    fn slot(address: u64) -> usize {
        // The multiplier of Fibonacci hashing: the upper bits depend on all bits of the address.
        (address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// Adds a context, if there is none at its address.
    fn insert(&mut self, address: u64, id: ContextId) {
        let id = *self.all.entry(address).or_insert(id);
        self.slots[Self::slot(address)].get_or_insert((address, id));
    }

    #[inline]
    fn find(&self, address: u64) -> Option<ContextId> {
        match self.slots[Self::slot(address)] {
            Some((known, id)) if known == address => Some(id),
            _ => self.all.get(&address).copied(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, address: u64) -> ContextId {
        self.find(address).unwrap_or(ContextId::UNKNOWN)
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
        if let Some(id) = self.known.ids.find(address) {
            return id;
        }
        if self.found.insert(address) {
            self.unknown.push(address);
        }
        ContextId::UNKNOWN
    }
}
