//! Finds the thread that an address means at an event.

use foldhash::HashMap;
use rtoscope_trace::{Address, ContextId, ContextKind, EventIndex, Trace};

/// Finds threads by address, for events in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThreadLookup {
    threads: HashMap<Address, ContextId>,
    /// Number of the trace's contexts that these are from.
    contexts_taken: usize,
    /// Number of the trace's reassigned addresses that are applied.
    reassigned: usize,
}

impl ThreadLookup {
    /// The thread that an address means at an event; [`ContextId::UNKNOWN`] if there is none.
    pub(crate) fn find(&mut self, trace: &Trace, address: u64, event: EventIndex) -> ContextId {
        while let Some((from, address, thread)) = trace.contexts.reassigned().get(self.reassigned)
            && *from <= event
        {
            self.threads.insert(*address, *thread);
            self.reassigned += 1;
        }
        // A trace that grows adds contexts.
        for context in trace.contexts.iter().skip(self.contexts_taken) {
            if context.kind == ContextKind::Thread {
                self.threads.entry(context.address).or_insert(context.id);
            }
        }
        self.contexts_taken = trace.contexts.len();
        let found = self.threads.get(&Address(address)).copied();
        found.unwrap_or(ContextId::UNKNOWN)
    }
}
