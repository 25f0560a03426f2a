//! Events that refer to an object.

use crate::error::QueryError;
use crate::scan::scan;
use crate::session::Session;
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::{ItemType, ItemValue};
use rtoscope_trace::{Event, EventIndex, EventKind, Object, ObjectClass, ObjectId, Trace};
use std::sync::Arc;

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
            let fits = match meaning.object_class() {
                Some(Some(class)) => class.may_be(self.object.class),
                Some(None) => !self.object.class.is_numbered(),
                None => false,
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
        let own = self.ids.objects.own(object);
        let own = ObjectId(own.ok_or(QueryError::NotInPart)?);
        let found = trace.objects.get(own);
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
