//! Names and arguments of events.

use crate::naming::numbered;
use crate::perfetto::packets::{Interned, Packets, Sequence};
use crate::signals::Unique;
use rtoscope_trace::catalogue::{Meaning, More};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{Event, KindId, Trace};
use std::collections::HashMap;
use std::io::Write;

/// The kinds of events that were met.
#[derive(Default)]
pub(super) struct Kinds {
    all: Vec<Kind>,
    /// Where kinds of small numbers are in `all`, from 1; 0 if not met.
    small: Vec<u32>,
    large: HashMap<KindId, u32>,
    /// The meanings of values that are shown as texts.
    meanings: Vec<Meaning>,
    values: Values,
}

/// A kind, with the numbers of its texts.
struct Kind {
    category: u64,
    name: u64,
    /// Those of the columns, by position, then those behind them.
    arguments: Vec<Option<Argument>>,
    items: bool,
}

#[derive(Clone, Copy)]
struct Argument {
    name: u64,
    form: Form,
}

/// How an argument is shown.
#[derive(Clone, Copy)]
enum Form {
    Number,
    Signed,
    Pointer,
    /// As a text of few, of that meaning.
    Word(u32),
    /// A text of its own, of that meaning.
    Text(Meaning),
}

/// An argument's value.
pub(super) enum Shown {
    Number(u64),
    Signed(i64),
    Pointer(u64),
    Interned(u64),
    Text(String),
}

/// Kinds with smaller numbers are found without a search.
const SMALL: u32 = 1 << 16;

impl Kinds {
    /// The numbers of an event's category and name. `shown` gets its arguments.
    #[inline]
    pub(super) fn show<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        trace: &Trace,
        event: &Event,
        shown: &mut Vec<(u64, Shown)>,
    ) -> [u64; 2] {
        let place = match self.small.get(event.kind.0 as usize) {
            Some(place) if *place != 0 => *place,
            _ => self.find(packets, sequence, trace, event.kind),
        };
        let Some(kind) = self.all.get(place as usize - 1) else {
            return [0; 2];
        };
        let mut show = |argument: Argument, value: u64| {
            let value = match argument.form {
                Form::Number => Shown::Number(value),
                Form::Signed => Shown::Signed(match u32::try_from(value) {
                    Ok(value) => value.cast_signed().into(),
                    Err(_) => value.cast_signed(),
                }),
                Form::Pointer => Shown::Pointer(value),
                Form::Text(meaning) => Shown::Text(format!("{:#}", trace.value(meaning, value))),
                Form::Word(meaning) => {
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
            let words = trace.events.extras.words(event.index);
            for (argument, value) in more.iter().zip(words) {
                if let Some(argument) = argument {
                    show(*argument, u64::from(*value));
                }
            }
        }
        let names = [kind.category, kind.name];
        if kind.items {
            items(packets, sequence, trace, event, shown);
        }
        names
    }

    #[cold]
    fn find<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        trace: &Trace,
        kind: KindId,
    ) -> u32 {
        if let Some(place) = self.large.get(&kind) {
            return *place;
        }
        let made = self.make(packets, sequence, trace, kind);
        self.all.push(made);
        let place = self.all.len() as u32;
        if kind.0 < SMALL {
            let number = kind.0 as usize;
            if self.small.len() <= number {
                self.small.resize(number + 1, 0);
            }
            if let Some(slot) = self.small.get_mut(number) {
                *slot = place;
            }
        } else {
            self.large.insert(kind, place);
        }
        place
    }

    fn make<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        trace: &Trace,
        id: KindId,
    ) -> Kind {
        let catalogue = &trace.catalogue;
        let category = packets.intern(sequence, Interned::Category, catalogue.component(id));
        let name = packets.intern(sequence, Interned::Name, &catalogue.name(id));
        let Some(kind) = catalogue.get(id) else {
            let arguments = (1..=4).map(|number| {
                let name = format!("info{number}");
                let name = packets.intern(sequence, Interned::Argument, &name);
                let form = Form::Pointer;
                Some(Argument { name, form })
            });
            return Kind {
                category,
                name,
                arguments: arguments.collect(),
                items: false,
            };
        };
        // Of several arguments of one name the engine keeps the last.
        let mut names = Unique::default();
        let arguments = kind.all_arguments().map(|argument| {
            let argument = argument?;
            let name = names.of(plain(&argument.name), numbered);
            let name = packets.intern(sequence, Interned::Argument, &name);
            let form = form(&mut self.meanings, argument.meaning);
            Some(Argument { name, form })
        });
        Kind {
            category,
            name,
            arguments: arguments.collect(),
            items: kind.more == More::Items,
        }
    }
}

/// An argument's name as the engine would write it, which takes dots and brackets
/// for a path: made plain only there, two names could become one.
fn plain(name: &str) -> String {
    name.replace(['.', '[', ']'], "_")
}

fn form(meanings: &mut Vec<Meaning>, meaning: Meaning) -> Form {
    match meaning {
        Meaning::Count
        | Meaning::Bytes
        | Meaning::Ticks
        | Meaning::Priority
        | Meaning::IsrNumber
        | Meaning::SystemState
        | Meaning::Port
        | Meaning::Number => Form::Number,
        Meaning::Signed => Form::Signed,
        Meaning::Address | Meaning::StackPointer | Meaning::Flags | Meaning::Hex => Form::Pointer,
        Meaning::Text => Form::Text(meaning),
        Meaning::Object(_)
        | Meaning::AnyObject
        | Meaning::PoolOfEvent
        | Meaning::Named(_)
        | Meaning::Code
        | Meaning::Ipv4 => {
            let known = meanings.iter().position(|known| *known == meaning);
            let place = known.unwrap_or_else(|| {
                meanings.push(meaning);
                meanings.len() - 1
            });
            Form::Word(place as u32)
        }
    }
}

/// The items of an event that name themselves. Those of the same form are told
/// apart by numbers.
fn items<W: Write>(
    packets: &mut Packets<W>,
    sequence: &mut Sequence,
    trace: &Trace,
    event: &Event,
    shown: &mut Vec<(u64, Shown)>,
) {
    if let Some(kind) = trace.catalogue.get(event.kind) {
        let named = trace.words(kind, event).count();
        let texts = trace.arguments(kind, event).skip(named);
        let values = trace.events.extras.items(event.index).zip(texts);
        for ((item, (form, text)), number) in values.zip(1_u32..) {
            let name = format!("{number} {form}");
            let name = packets.intern(sequence, Interned::Argument, &name);
            let value = match item.value {
                ItemValue::Signed(value) => Shown::Signed(value.into()),
                ItemValue::Number(value) if form.starts_with('u') => Shown::Number(value.into()),
                ItemValue::Number(value) if form.starts_with('x') => Shown::Pointer(value.into()),
                _ => Shown::Text(format!("{text:#}")),
            };
            shown.push((name, value));
        }
    }
}

/// Values that are shown as texts, and the numbers of those.
struct Values {
    /// What was used last, at a place that follows from it: most values come
    /// again soon.
    recent: Vec<((u32, u64), u64)>,
    all: HashMap<(u32, u64), u64>,
}

/// A power of two.
const RECENT: usize = 1 << 10;
/// Texts that are kept for use again.
const MOST: usize = 1 << 16;

impl Default for Values {
    fn default() -> Self {
        Self {
            recent: vec![((u32::MAX, 0), 0); RECENT],
            all: HashMap::new(),
        }
    }
}

impl Values {
    #[inline]
    fn intern<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        key: (u32, u64),
        show: impl FnOnce() -> String,
    ) -> Shown {
        // The golden ratio spreads addresses, which have few different low bits.
        let mixed = (key.1 ^ u64::from(key.0) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> 48) as usize % RECENT;
        if let Some((known, number)) = self.recent.get(place)
            && *known == key
        {
            return Shown::Interned(*number);
        }
        let number = match self.all.get(&key) {
            Some(number) => *number,
            None if self.all.len() >= MOST => return Shown::Text(show()),
            None => {
                let number = packets.intern(sequence, Interned::Value, &show());
                self.all.insert(key, number);
                number
            }
        };
        if let Some(recent) = self.recent.get_mut(place) {
            *recent = (key, number);
        }
        Shown::Interned(number)
    }
}
