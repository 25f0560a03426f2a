//! Classes of events: those of one class have the same fields.

use super::field::{self, Field};
use super::form::Form;
use super::labels::Labels;
use rtoscope_trace::catalogue::More;
use rtoscope_trace::event::Arguments;
use rtoscope_trace::{ContextId, Event, Kind, KindId, Name, Trace};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A class of events.
#[derive(Debug)]
pub(super) struct Class {
    /// Its name for people.
    pub(super) name: String,
    /// What its events say beside their fields.
    pub(super) context: Vec<Field>,
    /// Their fields.
    pub(super) fields: Vec<Field>,
    /// Where the values of the first fields stand in the trace: the position of
    /// an argument.
    arguments: Vec<(usize, Form)>,
    items: Items,
}

/// What the fields behind the arguments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Items {
    /// There are none.
    None,
    /// An item of the record each.
    Each,
    /// One text for all.
    InWords,
}

/// What a record says about who ran, beside its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Nothing,
    Interrupted,
    Priority,
    PriorityAndThreshold,
}

/// The classes that a trace needs, in the order in which they were first needed:
/// one for each kind of event and each set of fields that its events have.
#[derive(Debug)]
pub(super) struct Classes<'t> {
    trace: &'t Trace,
    all: Vec<Class>,
    /// By kind and standing, of the kinds whose fields are always the same.
    fixed: Vec<[Option<u32>; 4]>,
    /// All others, by what [`Classes::signature`] says.
    varied: HashMap<Vec<u8>, u32>,
    signature: Vec<u8>,
    /// How many bits a word of the columns has.
    bits: u8,
}

/// Kinds of greater numbers are looked up by their signature.
const MOST_FIXED: u32 = 1 << 16;

/// Records that are made of items have as many classes as there are lists of
/// items. Behind so many the items are written in words.
const MOST_VARIED: usize = 1000;

impl<'t> Classes<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            all: Vec::new(),
            fixed: Vec::new(),
            varied: HashMap::new(),
            signature: Vec::new(),
            bits: match trace.events.arguments {
                Arguments::Narrow(_) => 32,
                Arguments::Wide(_) => 64,
            },
        }
    }

    /// How many bits an address has.
    pub(super) fn bits(&self) -> u8 {
        self.bits
    }

    /// All classes, by their number.
    pub(super) fn into_all(self) -> Vec<Class> {
        self.all
    }

    /// The number of a class without fields.
    pub(super) fn add_bare(&mut self, name: &str) -> u32 {
        self.add(Class::new(name, []))
    }

    /// The number of an event's class.
    #[inline]
    pub(super) fn of(&mut self, event: &Event) -> u32 {
        let standing = Standing::of(event);
        let fixed = self.fixed.get(event.kind.index());
        match fixed.and_then(|by_standing| by_standing[standing as usize]) {
            Some(class) => class,
            None => self.find(event, standing),
        }
    }

    /// Appends what the class says of an event: its context, then its fields.
    #[inline]
    pub(super) fn append(&self, class: u32, event: &Event, to: &mut Vec<u8>) {
        if let Some(interrupted) = event.interrupted() {
            if Standing::of(event) == Standing::Interrupted {
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
            Items::None => {}
            Items::Each => {
                for item in self.trace.events.extras.items(event.index) {
                    Form::of_item(item.form).append_item(to, self.trace, item.value);
                }
            }
            Items::InWords => {
                let mut words = String::new();
                // Writing to a `String` cannot fail.
                let _ = write!(words, "{}", self.trace.arguments_line(event));
                to.extend_from_slice(words.as_bytes());
                to.push(0);
            }
        }
    }

    /// The class of an event that `fixed` does not tell; a new one if need be.
    #[cold]
    fn find(&mut self, event: &Event, standing: Standing) -> u32 {
        let trace = self.trace;
        let kind = trace.catalogue.get(event.kind);
        let varies = kind.is_some_and(|kind| kind.more != More::NOTHING);
        let is_small = event.kind.0 < MOST_FIXED;
        let items = self.sign(kind, event, standing);
        if let Some(class) = self.varied.get(&self.signature) {
            return *class;
        }
        let class = self.make(kind, event, standing, items);
        let class = self.add(class);
        if is_small && !varies {
            let place = event.kind.index();
            if self.fixed.len() <= place {
                self.fixed.resize(place + 1, [None; 4]);
            }
            self.fixed[place][standing as usize] = Some(class);
        } else {
            self.varied.insert(self.signature.clone(), class);
        }
        class
    }

    fn add(&mut self, class: Class) -> u32 {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(class);
        number
    }

    /// Writes down what decides on an event's class: its kind and standing, and
    /// which of the arguments behind those of the columns, or items, it has.
    fn sign(&mut self, kind: Option<&Kind>, event: &Event, standing: Standing) -> Items {
        let extras = &self.trace.events.extras;
        self.signature.clear();
        self.signature
            .extend_from_slice(&event.kind.0.to_le_bytes());
        self.signature.push(standing as u8);
        let more = kind.map_or(&More::NOTHING, |kind| &kind.more);
        match more {
            More::Arguments(more) => {
                let present = extras.words(event.index).len().min(more.len());
                self.signature.extend_from_slice(&present.to_le_bytes());
                Items::None
            }
            More::Items => {
                let head = self.signature.len();
                let forms = extras.items(event.index).map(|item| item.form as u8);
                self.signature.extend(forms);
                let is_new = !self.varied.contains_key(&self.signature);
                if is_new && self.varied.len() >= MOST_VARIED {
                    self.signature.truncate(head);
                    // No form.
                    self.signature.push(u8::MAX);
                    return Items::InWords;
                }
                Items::Each
            }
        }
    }

    fn make(
        &self,
        kind: Option<&'t Kind>,
        event: &Event,
        standing: Standing,
        items: Items,
    ) -> Class {
        let trace = self.trace;
        let mut names: Vec<(Cow<'_, str>, Form)> = Vec::new();
        let mut positions = Vec::new();
        if let Some(kind) = kind.filter(|_| items != Items::InWords) {
            let present = match kind.more {
                More::Arguments(_) => trace.events.extras.words(event.index).len(),
                More::Items => 0,
            };
            let arguments = kind.all_arguments().take(4 + present);
            for (argument, position) in arguments.zip(0..) {
                let Some(argument) = argument else { continue };
                let bits = if position < 4 { self.bits } else { 32 };
                let form = Form::of(argument.meaning, bits);
                positions.push((position, form));
                names.push((argument.name.as_ref().into(), form));
            }
        }
        if kind.is_none() {
            for position in 0..4 {
                let form = Form::Hexadecimal(self.bits);
                positions.push((position, form));
                names.push((format!("info{}", position + 1).into(), form));
            }
        }
        match items {
            Items::None => {}
            Items::Each => {
                let items = trace.events.extras.items(event.index);
                names.extend(items.map(|item| (item.form.name().into(), Form::of_item(item.form))));
            }
            Items::InWords => names.push(("arguments".into(), Form::Text)),
        }
        let fields = names.iter().map(|(name, form)| (name.as_ref(), *form));
        Class {
            context: field::named(standing.fields().iter().copied()),
            arguments: positions,
            items,
            ..Class::new(&self.name(event.kind), fields)
        }
    }

    fn name(&self, kind: KindId) -> String {
        Name::new(self.trace.catalogue.name(kind).as_bytes()).to_string()
    }
}

impl Class {
    /// A class whose events say nothing beside these fields, which its user writes.
    pub(super) fn new<'n>(name: &str, fields: impl IntoIterator<Item = (&'n str, Form)>) -> Self {
        Self {
            name: name.to_owned(),
            context: Vec::new(),
            fields: field::named(fields),
            arguments: Vec::new(),
            items: Items::None,
        }
    }
}

impl Standing {
    fn of(event: &Event) -> Self {
        match (event.interrupted(), event.priority(), event.threshold()) {
            (Some(ContextId::UNKNOWN), ..) | (None, None, None) => Self::Nothing,
            (Some(_), ..) => Self::Interrupted,
            (None, _, Some(_)) => Self::PriorityAndThreshold,
            (None, Some(_), None) => Self::Priority,
        }
    }

    fn fields(self) -> &'static [(&'static str, Form)] {
        match self {
            Self::Nothing => &[],
            Self::Interrupted => &[("interrupted", Form::Labelled(Labels::Contexts, 32))],
            Self::Priority => &[("priority", Form::Unsigned(16))],
            Self::PriorityAndThreshold => &[
                ("priority", Form::Unsigned(16)),
                ("threshold", Form::Unsigned(16)),
            ],
        }
    }
}
