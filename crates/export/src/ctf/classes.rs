//! Event classes: all events of a class have the same fields.

use super::field::{self, CtfField, FieldType};
use super::labels::LabelSet;
use rtoscope_trace::catalogue::ExtrasLayout;
use rtoscope_trace::{CallStack, ContextId, Event, EventKind, EventKindId, Name, Trace};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

/// An event class.
#[derive(Debug)]
pub(super) struct EventClass {
    /// The displayed name.
    pub(super) name: String,
    /// The fields of the event context.
    pub(super) context: Vec<CtfField>,
    /// The fields of the payload.
    pub(super) fields: Vec<CtfField>,
    /// The argument positions of the first fields.
    arguments: Vec<(usize, FieldType)>,
    items: ItemFields,
    has_call_stack: bool,
}

/// The fields after the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemFields {
    /// No fields.
    None,
    /// One field per item of the record.
    Individually,
    /// One text field for all items.
    AsText,
}

/// The priority fields of a record, in addition to its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PriorityFields {
    Absent,
    Interrupted,
    Priority,
    PriorityAndThreshold,
}

/// The event classes of a trace, in the order of first use: one for each event kind
/// and each set of fields that its events have.
#[derive(Debug)]
pub(super) struct EventClasses<'t> {
    trace: &'t Trace,
    all: Vec<EventClass>,
    /// Classes of kinds whose fields never vary, by kind and priority fields.
    fixed_classes: Vec<[Option<u32>; 4]>,
    /// All other classes, by signature.
    varied_classes: HashMap<Vec<u8>, u32>,
    signature: Vec<u8>,
    /// The width of an information field in bits.
    word_bits: u8,
}

/// Kinds above this number are looked up by signature.
const MAX_FIXED_KIND: u32 = 1 << 16;

/// Records of items have one class per item list. Beyond this number of classes,
/// items become one text field.
const MAX_VARIED_CLASSES: usize = 1000;

impl<'t> EventClasses<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            all: Vec::new(),
            fixed_classes: Vec::new(),
            varied_classes: HashMap::new(),
            signature: Vec::new(),
            word_bits: trace.events.word_bits(),
        }
    }

    /// The width of an address in bits.
    pub(super) fn word_bits(&self) -> u8 {
        self.word_bits
    }

    /// All classes, by number.
    pub(super) fn into_classes(self) -> Vec<EventClass> {
        self.all
    }

    /// Adds a class without fields and returns its number.
    pub(super) fn add_without_fields(&mut self, name: &str) -> u32 {
        self.add(EventClass::new(name, []))
    }

    /// The number of an event's class.
    #[inline]
    pub(super) fn class_of(&mut self, event: &Event) -> u32 {
        let standing = PriorityFields::new(event);
        let fixed = self.fixed_classes.get(event.kind.index());
        match fixed.and_then(|by_standing| by_standing[standing as usize]) {
            Some(class) if self.trace.call_stacks.get(event.index).is_none() => class,
            _ => self.find(event, standing),
        }
    }

    /// Appends an event's context fields and payload.
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
                    let more = self.trace.events.extras().words(event.index);
                    more.get(position - 4).copied().unwrap_or_default().into()
                }
            };
            form.append(to, self.trace, word);
        }
        match class.items {
            ItemFields::None => {}
            ItemFields::Individually => {
                for item in self.trace.events.extras().items(event.index) {
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
        if class.has_call_stack {
            let stack = self.trace.call_stacks.get(event.index);
            let stack = stack.map_or_else(String::new, CallStack::to_detailed_text);
            to.extend_from_slice(stack.as_bytes());
            to.push(0);
        }
    }

    /// Looks up the class of an event that is not among the fixed ones, and adds it
    /// if necessary.
    #[cold]
    fn find(&mut self, event: &Event, standing: PriorityFields) -> u32 {
        let trace = self.trace;
        let kind = trace.catalogue.get(event.kind);
        let has_call_stack = trace.call_stacks.get(event.index).is_some();
        let varies = has_call_stack || kind.is_some_and(|kind| kind.extras != ExtrasLayout::NONE);
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

    /// Builds the signature of an event, which determines its class: the kind, the
    /// priority fields, whether it has a call stack, and the arguments beyond the
    /// information fields, or the items.
    fn build_signature(
        &mut self,
        kind: Option<&EventKind>,
        event: &Event,
        standing: PriorityFields,
    ) -> ItemFields {
        let extras = self.trace.events.extras();
        self.signature.clear();
        self.signature
            .extend_from_slice(&event.kind.0.to_le_bytes());
        self.signature.push(standing as u8);
        let has_call_stack = self.trace.call_stacks.get(event.index).is_some();
        self.signature.push(has_call_stack.into());
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
                    // No type.
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
                ExtrasLayout::Arguments(_) => trace.events.extras().words(event.index).len(),
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
                let items = trace.events.extras().items(event.index);
                names.extend(items.map(|item| {
                    (
                        item.item_type.name().into(),
                        FieldType::for_item(item.item_type),
                    )
                }));
            }
            ItemFields::AsText => names.push(("arguments".into(), FieldType::Text)),
        }
        let has_call_stack = trace.call_stacks.get(event.index).is_some();
        if has_call_stack {
            names.push(("call_stack".into(), FieldType::Text));
        }
        let fields = names.iter().map(|(name, form)| (name.as_ref(), *form));
        EventClass {
            context: field::unique_fields(standing.fields().iter().copied()),
            arguments: positions,
            items,
            has_call_stack,
            ..EventClass::new(&self.class_name(event.kind), fields)
        }
    }

    fn class_name(&self, kind: EventKindId) -> String {
        Name::new(self.trace.catalogue.name(kind).as_bytes()).to_string()
    }
}

impl EventClass {
    /// Creates a class with only these fields, which the caller writes.
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
            has_call_stack: false,
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
