//! Event numbers by context, by object, and by any other condition.

use crate::session::{QueryError, Session};
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::{ItemType, ItemValue};
use rtoscope_trace::{
    ContextId, Contexts, Event, EventIndex, EventKind, Object, ObjectClass, ObjectId, Trace,
};
use std::sync::Arc;

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
        for chunk in events.chunks(0..events.len()) {
            for (context, core) in chunk.contexts.iter().zip(chunk.event_cores()) {
                if let Some(count) = ends.get_mut(list(core, *context)) {
                    *count += 1;
                }
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            // Set to the list's start here; filling the list moves it to the end.
            let count = std::mem::replace(end, sum);
            sum += count;
        }
        let mut numbers = vec![0; sum as usize];
        for chunk in events.chunks(0..events.len()) {
            let contexts = chunk.contexts.iter().zip(chunk.event_cores());
            for ((context, core), index) in contexts.zip(chunk.indices()) {
                if let Some(next) = ends.get_mut(list(core, *context))
                    && let Some(slot) = numbers.get_mut(*next as usize)
                {
                    *slot = index.0;
                    *next += 1;
                }
            }
        }
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

/// Matches events that refer to an object: an argument with its address, whose meaning
/// is an object of its class or of any class.
pub(crate) struct ObjectReferences<'t> {
    trace: &'t Trace,
    object: &'t Object,
}

impl ObjectReferences<'_> {
    /// Whether an event refers to the object.
    pub(crate) fn contains(&self, event: u32) -> bool {
        let index = EventIndex(event);
        let events = &self.trace.events;
        let address = self.object.address.0;
        let Some(arguments) = events.arguments(index) else {
            return false;
        };
        let extras = events.extras().words(index);
        if !arguments.contains(&address) && extras.is_empty() {
            return false;
        }
        let kind = events.kind(index);
        let Some(kind) = kind.and_then(|kind| self.trace.catalogue.get(kind)) else {
            return false;
        };
        let Some(event) = events.get(index) else {
            return false;
        };
        let mut pointers = argument_values(self.trace, kind, &event);
        pointers.any(|(meaning, value)| {
            let fits = match meaning {
                Meaning::Object(class) => class.may_be(self.object.class),
                Meaning::AnyObject => !self.object.class.is_numbered(),
                _ => false,
            };
            fits && value == address
        })
    }
}

/// The meanings and recorded values of an event's arguments.
fn argument_values<'t>(
    trace: &'t Trace,
    kind: &'t EventKind,
    event: &Event,
) -> impl Iterator<Item = (Meaning, u64)> {
    let words = trace.raw_arguments(kind, event);
    let words = words.map(|(argument, value)| (argument.meaning, value));
    words.chain(item_values(trace, kind, event).flatten())
}

/// The same for self-describing items; `None` for items that are not numbers.
pub(crate) fn item_values(
    trace: &Trace,
    kind: &EventKind,
    event: &Event,
) -> impl Iterator<Item = Option<(Meaning, u64)>> {
    let has_items = kind.extras == ExtrasLayout::Items;
    let items = has_items.then(|| trace.events.extras().items(event.index));
    items.into_iter().flatten().map(|item| match item.value {
        ItemValue::Number(number) => {
            let meaning = match item.item_type {
                ItemType::Object => Meaning::AnyObject,
                ItemType::Function => Meaning::Object(ObjectClass::Function),
                ItemType::Signal => Meaning::Object(ObjectClass::Signal),
                _ => Meaning::Number,
            };
            Some((meaning, number.into()))
        }
        ItemValue::Signed(number) => Some((Meaning::Signed, number.cast_unsigned().into())),
        ItemValue::Text(_) | ItemValue::Memory(_) => None,
    })
}

impl Session {
    /// A matcher for events that refer to an object.
    pub(crate) fn object_references(
        &self,
        object: u32,
    ) -> Result<ObjectReferences<'_>, QueryError> {
        let trace = &self.recording.trace;
        let found = trace.objects.get(ObjectId(object));
        let object = found.ok_or_else(|| QueryError::OutOfRange {
            parameter: "object",
            value: object.to_string(),
            expected: "the number of one of the overview's objects".to_owned(),
        })?;
        Ok(ObjectReferences { trace, object })
    }

    /// The numbers of the events that refer to an object, in ascending order.
    pub(crate) fn events_referencing(&self, object: u32) -> Result<Arc<Vec<u32>>, QueryError> {
        self.caches
            .object_references
            .get_or_insert(object, |object| {
                let references = self.object_references(*object)?;
                let mut found = scan(self.event_count(), |event| references.contains(event));
                found.shrink_to_fit();
                let bytes = size_of_val(found.as_slice());
                Ok((found, bytes))
            })
    }
}

/// Number of events that a thread scans at a time.
const SCAN_CHUNK: u32 = 1 << 19;

/// The numbers below `count` that match, in ascending order.
pub(crate) fn scan(count: u32, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    scan_in_chunks(count, SCAN_CHUNK, matches)
}

fn scan_in_chunks(count: u32, chunk: u32, matches: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let starts = (0..count).step_by(chunk as usize).collect();
    let scan_chunk = |from: u32| -> Vec<u32> {
        let to = from.saturating_add(chunk).min(count);
        (from..to).filter(|number| matches(*number)).collect()
    };
    rtoscope_parallel::map(starts, scan_chunk).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_chunks_are_scanned() {
        for count in [0, 1, 2, 7, 100, 101] {
            let expected: Vec<_> = (0..count).filter(|number| number % 3 != 1).collect();
            for chunk in [1, 2, 3, 8, 200] {
                let found = scan_in_chunks(count, chunk, |number| number % 3 != 1);
                assert_eq!(found, expected, "{count} by {chunk}");
            }
        }
    }
}
