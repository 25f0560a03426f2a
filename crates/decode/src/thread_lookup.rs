//! Finds the thread that an address means at an event.

use crate::cache::AddressCache;
use rtoscope_trace::{Address, ContextId, ContextKind, EventIndex, Trace};
use std::collections::HashMap;

/// Finds threads by address, for events in order.
#[derive(Debug, Clone)]
pub(crate) struct ThreadLookup {
    recent: AddressCache<ContextId>,
    threads: HashMap<Address, ContextId>,
    /// Number of the trace's contexts that these are from.
    contexts_taken: usize,
    /// Number of the trace's reassigned addresses that are applied.
    reassigned: usize,
}

impl Default for ThreadLookup {
    fn default() -> Self {
        Self {
            recent: AddressCache::new(0, ContextId::UNKNOWN),
            threads: HashMap::new(),
            contexts_taken: 0,
            reassigned: 0,
        }
    }
}

impl ThreadLookup {
    /// The thread that an address means at an event; [`ContextId::UNKNOWN`] if there is none.
    pub(crate) fn find(&mut self, trace: &Trace, address: u64, event: EventIndex) -> ContextId {
        while let Some((from, address, thread)) = trace.contexts.reassigned().get(self.reassigned)
            && *from <= event
        {
            self.threads.insert(*address, *thread);
            self.recent.insert(address.0, *thread);
            self.reassigned += 1;
        }
        match self.recent.get(address) {
            Some(thread) if thread != ContextId::UNKNOWN => thread,
            _ => self.look_up(trace, address),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, trace: &Trace, address: u64) -> ContextId {
        // A trace that grows adds contexts.
        for context in trace.contexts.iter().skip(self.contexts_taken) {
            if context.kind == ContextKind::Thread {
                self.threads.entry(context.address).or_insert(context.id);
            }
        }
        self.contexts_taken = trace.contexts.len();
        let found = self.threads.get(&Address(address)).copied();
        let thread = found.unwrap_or(ContextId::UNKNOWN);
        self.recent.insert(address, thread);
        thread
    }
}
