//! The arguments of each kind of event.

use crate::StringTable;
use crate::distinct_texts::DistinctTexts;
use crate::rows::kind_table::KindTable;
use rtoscope_trace::catalogue::{EventKind, ExtrasLayout, Meaning};
use rtoscope_trace::extras::{Extras, ItemType, TypedItem};
use rtoscope_trace::{Event, EventIndex, EventKindId, Trace};
use std::sync::Arc;

/// The arguments of all kinds that occur in a trace.
pub(in crate::rows) struct ArgumentLayouts<'a> {
    pub(in crate::rows) kinds: KindTable<'a>,
    /// By slot of the kind.
    layouts: Vec<KindLayout<'a>>,
    pub(in crate::rows) names: Arc<StringTable>,
    pub(super) type_names: Arc<StringTable>,
    /// By item type: the codes of its name and type.
    item_codes: Vec<(u32, u32)>,
}

/// The arguments of a kind.
#[derive(Default)]
pub(in crate::rows) struct KindLayout<'a> {
    /// Those in words, by position.
    words: Vec<WordArgument<'a>>,
    /// How many of them are in the words that every event has.
    always: usize,
    /// The number of these words.
    fixed: usize,
    has_items: bool,
    /// Whether the catalogue has the kind.
    pub(in crate::rows) is_known: bool,
}

struct WordArgument<'a> {
    /// The number of its word in the event.
    word: usize,
    meaning: &'a Meaning,
    /// The codes of its name and type.
    codes: (u32, u32),
}

/// An argument of an event.
pub(in crate::rows) struct Argument<'a> {
    pub(in crate::rows) position: u8,
    /// The code of its name.
    pub(in crate::rows) name: u32,
    /// The code of its type.
    pub(super) type_name: u32,
    pub(in crate::rows) recorded: Recorded<'a>,
}

#[derive(Clone, Copy)]
pub(in crate::rows) enum Recorded<'a> {
    Word(&'a Meaning, u64),
    Item(TypedItem<'a>),
}

impl<'a> ArgumentLayouts<'a> {
    pub(in crate::rows) fn new(trace: &'a Trace) -> Self {
        let kinds = KindTable::new(&trace.catalogue, &trace.events);
        let (mut names, mut type_names) = (DistinctTexts::default(), DistinctTexts::default());
        let mut layout = |kind: &'a EventKind| KindLayout::new(kind, &mut names, &mut type_names);
        let layouts = kinds.kinds().iter();
        let layouts = layouts.map(|kind| trace.catalogue.get(*kind).map(&mut layout));
        let layouts: Vec<_> = layouts.map(Option::unwrap_or_default).collect();
        let mut item_codes = Vec::new();
        if layouts.iter().any(|layout| layout.has_items) {
            let all = ItemType::ALL.iter().map(|item_type| item_type.name());
            item_codes.extend(all.map(|name| (names.code_of(name), type_names.code_of(name))));
        }
        Self {
            kinds,
            layouts,
            names: Arc::new(names.into_strings()),
            type_names: Arc::new(type_names.into_strings()),
            item_codes,
        }
    }

    /// The arguments of the kind with a slot in `kinds`.
    #[inline]
    pub(in crate::rows) fn of_slot(&self, slot: usize) -> &KindLayout<'a> {
        &self.layouts[slot]
    }

    #[inline]
    pub(super) fn of_kind(&self, kind: EventKindId) -> &KindLayout<'a> {
        self.of_slot(self.kinds.slot(kind))
    }

    /// Calls `visit` with the arguments of an event of a kind with this layout.
    #[inline]
    pub(in crate::rows) fn visit(
        &self,
        layout: &KindLayout<'a>,
        extras: &'a Extras,
        event: &Event,
        mut visit: impl FnMut(Argument<'a>),
    ) {
        let more = extras.words(event.index);
        let words = layout.recorded(more.len());
        for (argument, number) in words.iter().zip(1_usize..) {
            let value = match event.arguments.get(argument.word) {
                Some(value) => *value,
                None => more[argument.word - layout.fixed].into(),
            };
            let (name, type_name) = argument.codes;
            visit(Argument {
                position: u8::try_from(number).unwrap_or(u8::MAX),
                name,
                type_name,
                recorded: Recorded::Word(argument.meaning, value),
            });
        }
        if !layout.has_items {
            return;
        }
        for (item, number) in extras.items(event.index).zip(words.len() + 1..) {
            let (name, type_name) = self.item_codes[item.item_type as usize];
            visit(Argument {
                position: u8::try_from(number).unwrap_or(u8::MAX),
                name,
                type_name,
                recorded: Recorded::Item(item),
            });
        }
    }
}

impl<'a> KindLayout<'a> {
    fn new(kind: &'a EventKind, names: &mut DistinctTexts, type_names: &mut DistinctTexts) -> Self {
        let arguments = kind.all_arguments().enumerate();
        let words = arguments.filter_map(|(word, argument)| {
            let argument = argument?;
            Some(WordArgument {
                word,
                meaning: &argument.meaning,
                codes: (
                    names.code_of(&argument.name),
                    type_names.code_of(argument.meaning.name()),
                ),
            })
        });
        Self {
            words: words.collect(),
            always: kind.arguments.iter().flatten().count(),
            fixed: kind.arguments.len(),
            has_items: kind.extras == ExtrasLayout::Items,
            is_known: true,
        }
    }

    /// Whether all arguments are in the words that every event has.
    #[inline]
    pub(in crate::rows) fn has_words_only(&self) -> bool {
        self.always == self.words.len() && !self.has_items
    }

    /// The arguments that an event has in its words.
    #[inline]
    fn recorded(&self, more: usize) -> &[WordArgument<'a>] {
        if self.always == self.words.len() {
            return &self.words;
        }
        let words = self.fixed + more;
        let count = self.words.partition_point(|argument| argument.word < words);
        &self.words[..count]
    }

    /// The number of arguments of an event.
    #[inline]
    pub(super) fn count(&self, extras: &Extras, event: EventIndex) -> usize {
        if self.has_words_only() {
            return self.always;
        }
        let items = match self.has_items {
            true => extras.items(event).count(),
            false => 0,
        };
        self.recorded(extras.words(event).len()).len() + items
    }
}
