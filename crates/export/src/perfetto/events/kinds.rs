//! Event names and arguments.

use crate::naming::{is_quantity, numbered_name, signed};
use crate::perfetto::packets::{InternedKind, PacketSequence, PacketWriter};
use crate::perfetto::track_event::ArgumentValue;
use crate::signals::UniqueNames;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{Event, EventKindId, Trace};
use std::io::Write;

/// The event kinds seen so far.
#[derive(Default)]
pub(super) struct EventKinds {
    all: HashMap<EventKindId, InternedEventKind>,
    /// The meanings of values that are written as text.
    meanings: Vec<Meaning>,
    values: ValueInterner,
}

/// An event kind with its interned strings.
struct InternedEventKind {
    category: u64,
    name: u64,
    /// The arguments in the information fields, by position, then the others.
    arguments: Vec<Option<InternedArgument>>,
    items: bool,
}

#[derive(Clone, Copy)]
struct InternedArgument {
    name: u64,
    form: ArgumentForm,
}

/// The form of an argument.
#[derive(Clone, Copy)]
enum ArgumentForm {
    Number,
    Signed,
    Pointer,
    /// One of a few texts, interned; with the index of the meaning.
    Enumerated(u32),
    /// An individual text, with its meaning.
    Text(Meaning),
}

impl EventKinds {
    /// Returns the interned category and name of an event, and stores its arguments
    /// in `shown`.
    #[inline]
    pub(super) fn event_strings<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        trace: &Trace,
        event: &Event,
        shown: &mut Vec<(u64, ArgumentValue<'static>)>,
    ) -> [u64; 2] {
        if !self.all.contains_key(&event.kind) {
            let kind = self.intern_kind(packets, sequence, trace, event.kind);
            self.all.insert(event.kind, kind);
        }
        let Some(kind) = self.all.get(&event.kind) else {
            return [0; 2];
        };
        let mut show = |argument: InternedArgument, value: u64| {
            let value = match argument.form {
                ArgumentForm::Number => ArgumentValue::Number(value),
                ArgumentForm::Signed => ArgumentValue::Signed(signed(value)),
                ArgumentForm::Pointer => ArgumentValue::Pointer(value),
                ArgumentForm::Text(meaning) => {
                    ArgumentValue::Text(format!("{:#}", trace.value(meaning, value)).into())
                }
                ArgumentForm::Enumerated(meaning) => {
                    let show = || {
                        let meaning = self.meanings.get(meaning as usize);
                        meaning.map_or_else(String::new, |meaning| {
                            format!("{:#}", trace.value(*meaning, value))
                        })
                    };
                    self.values
                        .intern(packets, sequence, (meaning, value), show)
                }
            };
            shown.push((argument.name, value));
        };
        for (argument, value) in kind.arguments.iter().zip(event.arguments) {
            if let Some(argument) = argument {
                show(*argument, value);
            }
        }
        if let Some(more) = kind.arguments.get(event.arguments.len()..) {
            let words = trace.events.extras().words(event.index);
            for (argument, value) in more.iter().zip(words) {
                if let Some(argument) = argument {
                    show(*argument, u64::from(*value));
                }
            }
        }
        let names = [kind.category, kind.name];
        if kind.items {
            item_values(packets, sequence, trace, event, shown);
        }
        names
    }

    #[cold]
    fn intern_kind<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        trace: &Trace,
        id: EventKindId,
    ) -> InternedEventKind {
        let catalogue = &trace.catalogue;
        let category = packets.intern(sequence, InternedKind::Category, catalogue.component(id));
        let name = packets.intern(sequence, InternedKind::Name, &catalogue.name(id));
        let Some(kind) = catalogue.get(id) else {
            let arguments = (1..=4).map(|number| {
                let name = format!("info{number}");
                let name = packets.intern(sequence, InternedKind::Argument, &name);
                let form = ArgumentForm::Pointer;
                Some(InternedArgument { name, form })
            });
            return InternedEventKind {
                category,
                name,
                arguments: arguments.collect(),
                items: false,
            };
        };
        // Of several arguments with one name the engine keeps only the last.
        let mut names = UniqueNames::default();
        let arguments = kind.all_arguments().map(|argument| {
            let argument = argument?;
            let name = names.make_unique(path_safe(&argument.name), numbered_name);
            let name = packets.intern(sequence, InternedKind::Argument, &name);
            let form = argument_form(&mut self.meanings, argument.meaning);
            Some(InternedArgument { name, form })
        });
        InternedEventKind {
            category,
            name,
            arguments: arguments.collect(),
            items: kind.extras == ExtrasLayout::Items,
        }
    }
}

/// Replaces dots and brackets, which the engine parses as a path. It would replace
/// them itself, but then two names could become equal.
fn path_safe(name: &str) -> String {
    name.replace(['.', '[', ']'], "_")
}

fn argument_form(meanings: &mut Vec<Meaning>, meaning: Meaning) -> ArgumentForm {
    match meaning {
        _ if is_quantity(meaning) => ArgumentForm::Number,
        Meaning::Signed => ArgumentForm::Signed,
        Meaning::Address | Meaning::StackPointer | Meaning::Flags | Meaning::Hex => {
            ArgumentForm::Pointer
        }
        Meaning::Text => ArgumentForm::Text(meaning),
        _ => {
            let known = meanings.iter().position(|known| *known == meaning);
            let place = known.unwrap_or_else(|| {
                meanings.push(meaning);
                meanings.len() - 1
            });
            ArgumentForm::Enumerated(place as u32)
        }
    }
}

/// The items of an event that name themselves. Items of the same form get numbers.
fn item_values<W: Write>(
    packets: &mut PacketWriter<W>,
    sequence: &mut PacketSequence,
    trace: &Trace,
    event: &Event,
    shown: &mut Vec<(u64, ArgumentValue<'static>)>,
) {
    if let Some(kind) = trace.catalogue.get(event.kind) {
        let named = trace.raw_arguments(kind, event).count();
        let texts = trace.arguments(kind, event).skip(named);
        let values = trace.events.extras().items(event.index).zip(texts);
        for ((item, (form, text)), number) in values.zip(1_u32..) {
            let name = format!("{number} {form}");
            let name = packets.intern(sequence, InternedKind::Argument, &name);
            let value = match item.value {
                ItemValue::Signed(value) => ArgumentValue::Signed(value.into()),
                ItemValue::Number(value) if form.starts_with('u') => {
                    ArgumentValue::Number(value.into())
                }
                ItemValue::Number(value) if form.starts_with('x') => {
                    ArgumentValue::Pointer(value.into())
                }
                _ => ArgumentValue::Text(format!("{text:#}").into()),
            };
            shown.push((name, value));
        }
    }
}

/// Interned values that are written as text.
struct ValueInterner {
    all: HashMap<(u32, u64), u64>,
}

/// The maximum number of interned texts.
const MAX_VALUES: usize = 1 << 16;

impl Default for ValueInterner {
    fn default() -> Self {
        Self {
            all: HashMap::new(),
        }
    }
}

impl ValueInterner {
    #[inline]
    fn intern<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        key: (u32, u64),
        show: impl FnOnce() -> String,
    ) -> ArgumentValue<'static> {
        let number = match self.all.get(&key) {
            Some(number) => *number,
            None if self.all.len() >= MAX_VALUES => return ArgumentValue::Text(show().into()),
            None => {
                let number = packets.intern(sequence, InternedKind::Value, &show());
                self.all.insert(key, number);
                number
            }
        };
        ArgumentValue::Interned(number)
    }
}
