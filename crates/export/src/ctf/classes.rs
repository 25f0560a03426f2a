//! Classes of events: those of one class have the same fields.

use super::field::{self, CtfField};
use super::field_type::FieldType;
use super::labels::LabelSet;
use rtoscope_trace::catalogue::ExtrasLayout;
use rtoscope_trace::event::ArgumentColumn;
use rtoscope_trace::{ContextId, Event, EventKind, EventKindId, Name, Trace};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A class of events.
#[derive(Debug)]
pub(super) struct EventClass {
    /// Its name for people.
    pub(super) name: String,
    /// What its events say beside their fields.
    pub(super) context: Vec<CtfField>,
    /// Their fields.
    pub(super) fields: Vec<CtfField>,
    /// Where the values of the first fields stand in the trace: the position of
    /// an argument.
    arguments: Vec<(usize, FieldType)>,
    items: ItemFields,
}

/// What the fields behind the arguments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemFields {
    /// There are none.
    None,
    /// An item of the record each.
    Individually,
    /// One text for all.
    AsText,
}

/// What a record says about who ran, beside its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PriorityFields {
    Absent,
    Interrupted,
    Priority,
    PriorityAndThreshold,
}

/// The classes that a trace needs, in the order in which they were first needed:
/// one for each kind of event and each set of fields that its events have.
#[derive(Debug)]
pub(super) struct EventClasses<'t> {
    trace: &'t Trace,
    all: Vec<EventClass>,
    /// By kind and standing, of the kinds whose fields are always the same.
    fixed_classes: Vec<[Option<u32>; 4]>,
    /// All others, by what [`EventClasses::signature`] says.
    varied_classes: HashMap<Vec<u8>, u32>,
    signature: Vec<u8>,
    /// How many bits a word of the columns has.
    word_bits: u8,
}

/// Kinds of greater numbers are looked up by their signature.
const MAX_FIXED_KIND: u32 = 1 << 16;

/// Records that are made of items have as many classes as there are lists of
/// items. Behind so many the items are written in words.
const MAX_VARIED_CLASSES: usize = 1000;

impl<'t> EventClasses<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            all: Vec::new(),
            fixed_classes: Vec::new(),
            varied_classes: HashMap::new(),
            signature: Vec::new(),
            word_bits: match trace.events.arguments {
                ArgumentColumn::Narrow(_) => 32,
                ArgumentColumn::Wide(_) => 64,
            },
        }
    }

    /// How many bits an address has.
    pub(super) fn word_bits(&self) -> u8 {
        self.word_bits
    }

    /// All classes, by their number.
    pub(super) fn into_classes(self) -> Vec<EventClass> {
        self.all
    }

    /// The number of a class without fields.
    pub(super) fn add_without_fields(&mut self, name: &str) -> u32 {
        self.add(EventClass::new(name, []))
    }

    /// The number of an event's class.
    #[inline]
    pub(super) fn class_of(&mut self, event: &Event) -> u32 {
        let standing = PriorityFields::new(event);
        let fixed = self.fixed_classes.get(event.kind.index());
        match fixed.and_then(|by_standing| by_standing[standing as usize]) {
            Some(class) => class,
            None => self.find(event, standing),
        }
    }

    /// Appends what the class says of an event: its context, then its fields.
    #[inline]
    pub(super) fn append(&self, class: u32, event: &Event, to: &mut Vec<u8>) {
        if let Some(interrupted) = event.interrupted() {
            if PriorityFields::new(event) == PriorityFields::Interrupted {
                to.extend_from_slice(&interrupted.0.to_le_bytes());
            }
        } else {
            for number in [event.priority(), event.threshold()].into_iter().flatten() {
                to.extend_from_slice(&number.to_le_bytes());
            }
        }
        let Some(class) = self.all.get(class as usize) else {
            return;
        };
        for (position, form) in &class.arguments {
            let word = match event.arguments.get(*position) {
                Some(word) => *word,
                None => {
                    let more = self.trace.events.extras.words(event.index);
                    more.get(position - 4).copied().unwrap_or_default().into()
                }
            };
            form.append(to, self.trace, word);
        }
        match class.items {
            ItemFields::None => {}
            ItemFields::Individually => {
                for item in self.trace.events.extras.items(event.index) {
                    FieldType::for_item(item.item_type).append_item(to, self.trace, item.value);
                }
            }
            ItemFields::AsText => {
                let mut words = String::new();
                // Writing to a `String` cannot fail.
                let _ = write!(words, "{}", self.trace.arguments_line(event));
                to.extend_from_slice(words.as_bytes());
                to.push(0);
            }
        }
    }

    /// The class of an event that `fixed_classes` does not tell; a new one if need be.
    #[cold]
    fn find(&mut self, event: &Event, standing: PriorityFields) -> u32 {
        let trace = self.trace;
        let kind = trace.catalogue.get(event.kind);
        let varies = kind.is_some_and(|kind| kind.extras != ExtrasLayout::NONE);
        let is_small = event.kind.0 < MAX_FIXED_KIND;
        let items = self.build_signature(kind, event, standing);
        if let Some(class) = self.varied_classes.get(&self.signature) {
            return *class;
        }
        let class = self.build_class(kind, event, standing, items);
        let class = self.add(class);
        if is_small && !varies {
            let place = event.kind.index();
            if self.fixed_classes.len() <= place {
                self.fixed_classes.resize(place + 1, [None; 4]);
            }
            self.fixed_classes[place][standing as usize] = Some(class);
        } else {
            self.varied_classes.insert(self.signature.clone(), class);
        }
        class
    }

    fn add(&mut self, class: EventClass) -> u32 {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(class);
        number
    }

    /// Writes down what decides on an event's class: its kind and standing, and
    /// which of the arguments behind those of the columns, or items, it has.
    fn build_signature(
        &mut self,
        kind: Option<&EventKind>,
        event: &Event,
        standing: PriorityFields,
    ) -> ItemFields {
        let extras = &self.trace.events.extras;
        self.signature.clear();
        self.signature
            .extend_from_slice(&event.kind.0.to_le_bytes());
        self.signature.push(standing as u8);
        let more = kind.map_or(&ExtrasLayout::NONE, |kind| &kind.extras);
        match more {
            ExtrasLayout::Arguments(more) => {
                let present = extras.words(event.index).len().min(more.len());
                self.signature.extend_from_slice(&present.to_le_bytes());
                ItemFields::None
            }
            ExtrasLayout::Items => {
                let head = self.signature.len();
                let forms = extras.items(event.index).map(|item| item.item_type as u8);
                self.signature.extend(forms);
                let is_new = !self.varied_classes.contains_key(&self.signature);
                if is_new && self.varied_classes.len() >= MAX_VARIED_CLASSES {
                    self.signature.truncate(head);
                    // No form.
                    self.signature.push(u8::MAX);
                    return ItemFields::AsText;
                }
                ItemFields::Individually
            }
        }
    }

    fn build_class(
        &self,
        kind: Option<&'t EventKind>,
        event: &Event,
        standing: PriorityFields,
        items: ItemFields,
    ) -> EventClass {
        let trace = self.trace;
        let mut names: Vec<(Cow<'_, str>, FieldType)> = Vec::new();
        let mut positions = Vec::new();
        if let Some(kind) = kind.filter(|_| items != ItemFields::AsText) {
            let present = match kind.extras {
                ExtrasLayout::Arguments(_) => trace.events.extras.words(event.index).len(),
                ExtrasLayout::Items => 0,
            };
            let arguments = kind.all_arguments().take(4 + present);
            for (argument, position) in arguments.zip(0..) {
                let Some(argument) = argument else { continue };
                let bits = if position < 4 { self.word_bits } else { 32 };
                let form = FieldType::for_meaning(argument.meaning, bits);
                positions.push((position, form));
                names.push((argument.name.as_ref().into(), form));
            }
        }
        if kind.is_none() {
            for position in 0..4 {
                let form = FieldType::Hexadecimal(self.word_bits);
                positions.push((position, form));
                names.push((format!("info{}", position + 1).into(), form));
            }
        }
        match items {
            ItemFields::None => {}
            ItemFields::Individually => {
                let items = trace.events.extras.items(event.index);
                names.extend(items.map(|item| {
                    (
                        item.item_type.name().into(),
                        FieldType::for_item(item.item_type),
                    )
                }));
            }
            ItemFields::AsText => names.push(("arguments".into(), FieldType::Text)),
        }
        let fields = names.iter().map(|(name, form)| (name.as_ref(), *form));
        EventClass {
            context: field::unique_fields(standing.fields().iter().copied()),
            arguments: positions,
            items,
            ..EventClass::new(&self.class_name(event.kind), fields)
        }
    }

    fn class_name(&self, kind: EventKindId) -> String {
        Name::new(self.trace.catalogue.name(kind).as_bytes()).to_string()
    }
}

impl EventClass {
    /// A class whose events say nothing beside these fields, which its user writes.
    pub(super) fn new<'n>(
        name: &str,
        fields: impl IntoIterator<Item = (&'n str, FieldType)>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            context: Vec::new(),
            fields: field::unique_fields(fields),
            arguments: Vec::new(),
            items: ItemFields::None,
        }
    }
}

impl PriorityFields {
    fn new(event: &Event) -> Self {
        match (event.interrupted(), event.priority(), event.threshold()) {
            (Some(ContextId::UNKNOWN), ..) | (None, None, None) => Self::Absent,
            (Some(_), ..) => Self::Interrupted,
            (None, _, Some(_)) => Self::PriorityAndThreshold,
            (None, Some(_), None) => Self::Priority,
        }
    }

    fn fields(self) -> &'static [(&'static str, FieldType)] {
        match self {
            Self::Absent => &[],
            Self::Interrupted => &[("interrupted", FieldType::Labelled(LabelSet::Contexts, 32))],
            Self::Priority => &[("priority", FieldType::Unsigned(16))],
            Self::PriorityAndThreshold => &[
                ("priority", FieldType::Unsigned(16)),
                ("threshold", FieldType::Unsigned(16)),
            ],
        }
    }
}
