//! Event numbers by context.

use rtoscope_trace::{ContextId, Contexts, Trace};

/// The event numbers of each context, in ascending order; for the three fixed contexts
/// by core.
#[derive(Debug, Clone)]
pub(crate) struct EventsByContext {
    cores: usize,
    /// The end of each list, which is the start of the next.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

const FIXED_CONTEXTS: usize = Contexts::IDLE.index() + 1;

impl EventsByContext {
    pub(crate) fn of(trace: &Trace) -> Self {
        let cores = trace.cores.len().max(1);
        let lists = FIXED_CONTEXTS * cores + trace.contexts.len().saturating_sub(FIXED_CONTEXTS);
        let places = core_indices(&trace.cores);
        let events = &trace.events;
        let list = |core: u8, context: ContextId| {
            let place = places.get(usize::from(core)).copied().unwrap_or_default();
            list_index(cores, context, usize::from(place))
        };
        let mut ends = vec![0_u32; lists];
        events.visit_headers(0..events.len(), |event| {
            if let Some(count) = ends.get_mut(list(event.core, event.context)) {
                *count += 1;
            }
        });
        let mut sum = 0;
        for end in &mut ends {
            // Set to the list's start here; filling the list moves it to the end.
            let count = std::mem::replace(end, sum);
            sum += count;
        }
        let mut numbers = vec![0; sum as usize];
        events.visit_headers(0..events.len(), |event| {
            if let Some(next) = ends.get_mut(list(event.core, event.context))
                && let Some(slot) = numbers.get_mut(*next as usize)
            {
                *slot = event.index.0;
                *next += 1;
            }
        });
        Self {
            cores,
            ends,
            numbers,
        }
    }

    /// The events of a context on the core with this index; for a thread, on all cores.
    pub(crate) fn on_core(&self, context: ContextId, place: usize) -> &[u32] {
        self.list(list_index(self.cores, context, place))
    }

    /// The events of a context: one list per core, or a single list for a thread.
    pub(crate) fn by_core(&self, context: ContextId) -> impl Iterator<Item = &[u32]> {
        let lists = if context.index() < FIXED_CONTEXTS {
            self.cores
        } else {
            1
        };
        (0..lists).map(move |place| self.on_core(context, place))
    }

    /// The number of events of a context.
    pub(crate) fn count(&self, context: ContextId) -> u32 {
        self.by_core(context).map(|list| list.len() as u32).sum()
    }

    fn list(&self, list: usize) -> &[u32] {
        let end = self.ends.get(list).copied().unwrap_or_default() as usize;
        let start = match list.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default() as usize,
            None => 0,
        };
        self.numbers.get(start..end).unwrap_or_default()
    }
}

fn list_index(cores: usize, context: ContextId, place: usize) -> usize {
    match context.index() {
        fixed if fixed < FIXED_CONTEXTS => FIXED_CONTEXTS * place + fixed,
        thread => FIXED_CONTEXTS * cores + thread - FIXED_CONTEXTS,
    }
}

/// Maps core numbers to their indices in the trace.
fn core_indices(cores: &[u8]) -> Vec<u8> {
    let mut places = vec![0; usize::from(u8::MAX) + 1];
    for (place, core) in (0..).zip(cores) {
        if let Some(slot) = places.get_mut(usize::from(*core)) {
            *slot = place;
        }
    }
    places
}
