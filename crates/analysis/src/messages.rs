//! The messages of an object, one by one.

use crate::View;
use crate::levels::{CallDirection, CallOutcome};
use crate::schedule::UntakenReason;
use rtoscope_trace::{ContextId, EventIndex, ResourceId};
use std::collections::BTreeSet;

/// A message, or another item, from its put to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectMessage {
    /// The call that puts.
    pub put: EventIndex,
    /// The context that puts.
    pub putter: ContextId,
    /// The event from which on it is no longer in the object.
    pub end: EventIndex,
    /// How it ends.
    pub ending: MessageEnding,
}

/// How a message ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageEnding {
    /// This context takes it.
    Taken(ContextId),
    /// It is not taken, as far as known.
    Untaken(UntakenReason),
}

/// The messages that are put into an object, in the order of their puts. Refused messages,
/// and those that were put before the trace or without a record, are not among them.
pub fn messages(view: &View<'_>, resource: ResourceId) -> Vec<ObjectMessage> {
    let transfers = view.schedule.transfers.iter();
    let taken = transfers.filter(|it| it.resource == resource);
    let taken = taken.map(|it| ObjectMessage {
        put: it.put,
        putter: it.putter,
        end: it.take,
        ending: MessageEnding::Taken(it.taker),
    });
    let refused: BTreeSet<_> = refused_puts(view, resource).collect();
    let untaken = view.schedule.untaken_puts.iter();
    let untaken = untaken.filter(|it| it.resource == resource && !refused.contains(&it.put));
    let untaken = untaken.map(|it| ObjectMessage {
        put: it.put,
        putter: view
            .trace
            .events
            .context(it.put)
            .unwrap_or(ContextId::UNKNOWN),
        end: it.end,
        ending: MessageEnding::Untaken(it.reason),
    });
    let mut messages: Vec<_> = taken.chain(untaken).collect();
    messages.sort_unstable_by_key(|it| it.put);
    messages
}

fn refused_puts(view: &View<'_>, resource: ResourceId) -> impl Iterator<Item = EventIndex> {
    let history = view.level_histories.get(resource);
    let calls = history.map(|history| history.calls(0..view.trace.events.len()));
    let refused = calls.into_iter().flatten().filter(|call| {
        call.direction == CallDirection::Put && call.outcome == CallOutcome::Refused
    });
    refused.map(|call| call.event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, with_view};
    use rtoscope_trace::ObjectClass;

    /// The puts into an object that were not refused.
    fn puts(view: &View<'_>, resource: ResourceId) -> Vec<EventIndex> {
        let history = view.level_histories.get(resource).unwrap();
        let calls = history.calls(0..view.trace.events.len());
        let puts = calls.filter(|call| {
            call.direction == CallDirection::Put && call.outcome != CallOutcome::Refused
        });
        puts.map(|call| call.event).collect()
    }

    #[test]
    fn each_put_is_one_message() {
        let mut taken = 0;
        for name in [
            "linux32_services_all",
            "cm3_system",
            "rv64_system",
            "smp32_cores",
        ] {
            let trace = open(&format!("{name}.trx"));
            with_view(&trace, &Scope::default(), |view| {
                let stores = [ObjectClass::Queue, ObjectClass::Semaphore];
                for (resource, _) in view.level_histories.iter() {
                    let class = view.schedule.resources[resource.index()].class;
                    if !stores.contains(&class) {
                        continue;
                    }
                    let messages = messages(view, resource);
                    let all: Vec<_> = messages.iter().map(|it| it.put).collect();
                    let object = view.resource_name(resource);
                    assert_eq!(all, puts(view, resource), "{name}: {object}");
                    for message in &messages {
                        assert!(message.put <= message.end, "{message:?}");
                        taken += usize::from(matches!(message.ending, MessageEnding::Taken(_)));
                    }
                }
            });
        }
        assert!(taken > 300, "{taken}");
    }
}
