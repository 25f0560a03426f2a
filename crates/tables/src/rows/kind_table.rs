//! Lookup table for the kinds of events in a trace.

use crate::StringTable;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{Catalogue, EventKind, EventKindId, Events, ObjectClass, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The kinds that occur in a trace, whether the catalogue has them or not. Each
/// has a slot.
pub(super) struct KindTable<'a> {
    catalogue: &'a Catalogue,
    slots: HashMap<EventKindId, usize>,
    /// By slot.
    kinds: Vec<EventKindId>,
    names: Arc<StringTable>,
    /// By slot; ascending from 0.
    name_codes: Vec<u32>,
    components: Arc<StringTable>,
    /// By slot.
    component_codes: Vec<u32>,
    component_numbers: HashMap<&'a str, u32>,
    /// By slot: whether the kind has an argument at each position.
    argument_presence: Vec<[bool; 4]>,
    /// By slot: the first argument that is an object.
    object_arguments: Vec<Option<ObjectArgument>>,
}

/// The position of an argument that is an object, and its class.
#[derive(Debug, Clone, Copy)]
struct ObjectArgument {
    position: usize,
    class: Option<ObjectClass>,
}

/// An argument whose value is an object. Its hash is that of few bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ObjectValue {
    value: u64,
    /// The place in [`ObjectClass::ALL`], or [`ANY_CLASS`].
    class: u8,
}

const ANY_CLASS: u8 = u8::MAX;

impl ObjectValue {
    /// Writes its name, or its address if it has none.
    pub(super) fn write(self, trace: &Trace, to: &mut StringTable) {
        let class = ObjectClass::ALL.get(usize::from(self.class));
        let meaning = class.map_or(Meaning::AnyObject, |class| Meaning::Object(*class));
        to.write_display(format_args!("{:#}", trace.value(meaning, self.value)));
    }
}

impl<'a> KindTable<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, events: &Events) -> Self {
        let mut kinds = Self {
            catalogue,
            slots: HashMap::new(),
            kinds: Vec::new(),
            names: Arc::default(),
            name_codes: Vec::new(),
            components: Arc::default(),
            component_codes: Vec::new(),
            component_numbers: HashMap::new(),
            argument_presence: Vec::new(),
            object_arguments: Vec::new(),
        };
        let mut first = BTreeMap::new();
        events.visit_kinds(|kind, _, event| {
            first.entry(kind).or_insert(event);
        });
        let mut first: Vec<_> = first
            .into_iter()
            .map(|(kind, event)| (event, kind))
            .collect();
        first.sort_unstable();
        first.into_iter().for_each(|(_, kind)| kinds.add(kind));
        for strings in [&mut kinds.names, &mut kinds.components] {
            if strings.is_empty() {
                // A dictionary has at least one string, even without events.
                Arc::make_mut(strings).push("");
            }
        }
        kinds
    }

    fn add(&mut self, id: EventKindId) {
        let slot = self.name_codes.len() as u32;
        self.slots.insert(id, slot as usize);
        self.kinds.push(id);
        Arc::make_mut(&mut self.names).push(&self.catalogue.name(id));
        self.name_codes.push(slot);
        let component = self.catalogue.component(id);
        let count = self.component_numbers.len() as u32;
        let number = *self.component_numbers.entry(component).or_insert_with(|| {
            Arc::make_mut(&mut self.components).push(component);
            count
        });
        self.component_codes.push(number);
        let kind = self.catalogue.get(id);
        let presence = kind.map(|kind| kind.arguments.each_ref().map(Option::is_some));
        // Each argument of an unknown kind can have a meaning.
        self.argument_presence.push(presence.unwrap_or([true; 4]));
        self.object_arguments
            .push(kind.and_then(first_object_argument));
    }

    /// The slot of an event's kind.
    #[inline]
    pub(super) fn slot(&self, kind: EventKindId) -> usize {
        self.slots.get(&kind).copied().unwrap_or_default()
    }

    /// The kind of each slot.
    pub(super) fn kinds(&self) -> &[EventKindId] {
        &self.kinds
    }

    /// The names, and the code of each slot's name.
    pub(super) fn name_strings(&self) -> (&Arc<StringTable>, &[u32]) {
        (&self.names, &self.name_codes)
    }

    /// The components, and the code of each slot's component.
    pub(super) fn component_strings(&self) -> (&Arc<StringTable>, &[u32]) {
        (&self.components, &self.component_codes)
    }

    /// Whether the kind has an argument at each of the first positions.
    #[inline]
    pub(super) fn argument_presence(&self, slot: usize) -> [bool; 4] {
        let presence = self.argument_presence.get(slot);
        presence.copied().unwrap_or_default()
    }

    /// The first non-null object among the arguments of an event, given by the slot of its
    /// kind; `argument` returns the argument at a position.
    #[inline]
    pub(super) fn first_object(
        &self,
        slot: usize,
        argument: impl FnOnce(usize) -> Option<u64>,
    ) -> Option<ObjectValue> {
        let object = (*self.object_arguments.get(slot)?)?;
        let value = argument(object.position)?;
        let is_null = value == 0 && !object.class.is_some_and(ObjectClass::is_numbered);
        (!is_null).then_some(ObjectValue {
            value,
            class: object.class.map_or(ANY_CLASS, |class| class as u8),
        })
    }
}

fn first_object_argument(kind: &EventKind) -> Option<ObjectArgument> {
    let arguments = kind.all_arguments().enumerate();
    let mut objects = arguments.filter_map(|(position, argument)| {
        let class = argument?.meaning.object_class()?;
        Some(ObjectArgument { position, class })
    });
    objects.next()
}
