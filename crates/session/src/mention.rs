//! Events with an object among their arguments.

use crate::scan::scan;
use crate::session::{AskError, Session};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{Object, ObjectId, Trace};
use std::sync::Arc;

/// Tells the events with an object among their arguments: its address stands
/// where an object of its class is meant, or an object of any.
pub(crate) struct Mentions<'t> {
    trace: &'t Trace,
    object: &'t Object,
}

impl Mentions<'_> {
    /// Whether an event has the object among its arguments.
    pub(crate) fn has(&self, event: u32) -> bool {
        let at = event as usize;
        let events = &self.trace.events;
        let address = self.object.address.0;
        let Some(arguments) = events.arguments.get(at) else {
            return false;
        };
        if !arguments.contains(&address) {
            return false;
        }
        let kind = events.kind.get(at);
        let Some(kind) = kind.and_then(|kind| self.trace.catalogue.get(*kind)) else {
            return false;
        };
        let mut named = kind.arguments.iter().zip(arguments);
        named.any(|(argument, value)| {
            let meaning = argument.as_ref().map(|argument| argument.meaning);
            let fits = match meaning {
                Some(Meaning::Object(class)) => class == self.object.class,
                Some(Meaning::AnyObject) => true,
                _ => false,
            };
            fits && value == address
        })
    }
}

impl Session {
    /// What tells the events with an object among their arguments.
    pub(crate) fn mentions(&self, object: u32) -> Result<Mentions<'_>, AskError> {
        let trace = &self.trace;
        let found = trace.objects.get(ObjectId(object));
        let object = found.ok_or_else(|| AskError::OutOfRange {
            what: "object",
            value: object.to_string(),
            expected: "the number of one of the overview's objects".to_owned(),
        })?;
        Ok(Mentions { trace, object })
    }

    /// The numbers of these events, rising.
    pub(crate) fn mentioned(&self, object: u32) -> Result<Arc<Vec<u32>>, AskError> {
        self.caches.mentions.get(object, |object| {
            let mentions = self.mentions(*object)?;
            let mut found = scan(self.event_count(), |event| mentions.has(event));
            found.shrink_to_fit();
            let bytes = size_of_val(found.as_slice());
            Ok((found, bytes))
        })
    }
}
