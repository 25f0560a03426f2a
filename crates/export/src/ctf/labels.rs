//! Labels of numbers: names of objects, contexts and values.

use rtoscope_trace::catalogue::{Meaning, NamedValues};
use rtoscope_trace::{Address, ContextId, Object, ObjectClass, Trace};
use std::borrow::Cow;

/// The set of labels of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum LabelSet {
    /// Contexts, by number in the trace.
    Contexts,
    /// Objects of a class, by address or number.
    Objects(ObjectClass),
    /// Objects of any class, by address.
    AnyObjects,
    /// Names of contexts, by address.
    ContextNames,
    /// Event pools, by number from 1.
    EventPools,
    /// Values that the recording's format names.
    Names(&'static NamedValues),
    /// Addresses in the code.
    Code,
}

impl LabelSet {
    /// The name of the set.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Contexts => "contexts",
            Self::Objects(class) => class.name(),
            Self::AnyObjects => "objects",
            Self::ContextNames => "context names",
            Self::EventPools => "event pools",
            Self::Names(names) => names.name,
            Self::Code => "code",
        }
    }

    /// Whether the numbers are addresses or bit sets.
    pub(super) fn are_addresses(self) -> bool {
        match self {
            Self::Contexts | Self::EventPools => false,
            Self::Objects(class) => !class.is_numbered(),
            Self::AnyObjects | Self::ContextNames | Self::Code => true,
            Self::Names(names) => names.bits,
        }
    }

    /// The labels of the set in a trace, each number once, for numbers of up to
    /// `bits` bits.
    pub(super) fn labels_in(self, trace: &Trace, bits: u8) -> Vec<(u64, Cow<'_, str>)> {
        let mut all = match self {
            Self::Contexts => context_labels(trace),
            Self::Objects(class) => {
                let mut all = object_labels(trace, |address| trace.objects.find_as(address, class));
                if !class.is_numbered() {
                    all.push((0, "none".into()));
                }
                all
            }
            Self::AnyObjects => {
                let mut all = object_labels(trace, |address| trace.objects.find(address, None));
                all.push((0, "none".into()));
                all
            }
            Self::ContextNames => {
                let names = trace.contexts.names().map(|(address, _)| address);
                let threads = trace.contexts.threads();
                let threads = threads.filter(|thread| thread.object.is_some());
                let threads = threads.map(|thread| thread.address);
                let addresses = threads.chain(names).chain([Address(0)]);
                let label = |Address(address)| {
                    let shown = trace.value(Meaning::ContextName, address);
                    (address, format!("{shown:#}").into())
                };
                addresses.map(label).collect()
            }
            Self::EventPools => {
                let class = ObjectClass::EventPool;
                let pools = object_labels(trace, |number| trace.objects.find_as(number, class));
                let pools = pools.into_iter();
                let pools = pools.filter_map(|(number, name)| Some((number.checked_add(1)?, name)));
                pools.chain([(0, "static".into())]).collect()
            }
            Self::Names(names) => {
                let values = names.values.iter();
                values
                    .map(|(value, name)| (*value, Cow::Borrowed(*name)))
                    .collect()
            }
            Self::Code => {
                let places = trace.code_locations.iter();
                places
                    .map(|place| (place.address.0, place.to_string().into()))
                    .collect()
            }
        };
        // The null pointer is never an object, whatever is registered there.
        if matches!(self, Self::Objects(_) | Self::AnyObjects) && self.are_addresses() {
            all.reverse();
        }
        // The sort is stable: the first of several labels wins.
        all.sort_by_key(|(number, _)| *number);
        all.dedup_by_key(|(number, _)| *number);
        all.retain(|(number, _)| bits >= 64 || number >> bits == 0);
        all
    }
}

fn context_labels(trace: &Trace) -> Vec<(u64, Cow<'_, str>)> {
    let ids = trace.contexts.iter().map(|context| context.id);
    let named = ids.map(|id| (id.0.into(), trace.context_name(id).into()));
    let unknown = (ContextId::UNKNOWN.0.into(), "(unknown)".into());
    named.chain([unknown]).collect()
}

/// The named objects that `find` finds.
fn object_labels<'t>(
    trace: &'t Trace,
    find: impl Fn(Address) -> Option<&'t Object>,
) -> Vec<(u64, Cow<'t, str>)> {
    let found = trace
        .objects
        .iter()
        .filter_map(|object| find(object.address));
    let named = found.filter(|object| !object.name.is_empty());
    named
        .map(|object| (object.address.0, object.name.to_string().into()))
        .collect()
}
