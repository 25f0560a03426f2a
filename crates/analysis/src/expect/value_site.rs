//! The positions of arguments in events.

use super::pattern::ValueSite;
use rtoscope_trace::EventKind;
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::ItemType;
use rtoscope_trace::filter::argument_name;

/// The type of an argument's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Words with this meaning.
    Word(Meaning),
    /// Items of this type.
    Item(ItemType),
    /// Context numbers.
    Context,
}

impl ValueType {
    /// Whether values are objects of any class.
    pub(super) fn is_object(self) -> bool {
        match self {
            Self::Word(meaning) => meaning.object_class().is_some(),
            Self::Item(form) => matches!(
                form,
                ItemType::Object | ItemType::Function | ItemType::Signal
            ),
            Self::Context => false,
        }
    }
}

/// The name of an event's context, if it has no argument with that name.
pub(super) const CONTEXT: &str = "context";

/// All types of items.
const ITEM_TYPES: [ItemType; 12] = [
    ItemType::I8,
    ItemType::U8,
    ItemType::I16,
    ItemType::U16,
    ItemType::I32,
    ItemType::U32,
    ItemType::X32,
    ItemType::Text,
    ItemType::Memory,
    ItemType::Object,
    ItemType::Function,
    ItemType::Signal,
];

/// The `ordinal`-th argument with that name in events of a kind. `kind` is
/// `None` for kinds outside the catalogue.
pub(super) fn find(
    kind: Option<&EventKind>,
    name: &str,
    ordinal: usize,
) -> Option<(ValueSite, ValueType)> {
    let mut of_name = named_arguments(kind).filter(|(known, ..)| argument_name(known) == name);
    if let Some((_, site, meaning)) = of_name.nth(ordinal) {
        return Some((site, ValueType::Word(meaning)));
    }
    if name == CONTEXT {
        return (ordinal == 0).then_some((ValueSite::Context, ValueType::Context));
    }
    let has_items = kind.is_some_and(|kind| kind.extras == ExtrasLayout::Items);
    let mut item_types = ITEM_TYPES.into_iter().filter(|_| has_items);
    let item_type = item_types.find(|item_type| item_type.name() == name)?;
    Some((
        ValueSite::Item(item_type, ordinal),
        ValueType::Item(item_type),
    ))
}

/// The names of the arguments of a kind, as in specs.
pub(super) fn names(kind: Option<&EventKind>) -> Vec<String> {
    let mut names: Vec<_> = named_arguments(kind)
        .map(|(name, ..)| argument_name(name))
        .collect();
    if kind.is_some_and(|kind| kind.extras == ExtrasLayout::Items) {
        names.extend(
            ITEM_TYPES
                .iter()
                .map(|item_type| item_type.name().to_owned()),
        );
    }
    if !names.iter().any(|name| name == CONTEXT) {
        names.push(CONTEXT.to_owned());
    }
    names
}

/// The names of the columns of an unknown kind.
const COLUMNS: [&str; 4] = ["info1", "info2", "info3", "info4"];

fn named_arguments(
    kind: Option<&EventKind>,
) -> Box<dyn Iterator<Item = (&str, ValueSite, Meaning)> + '_> {
    let Some(kind) = kind else {
        let columns = (0..).zip(COLUMNS);
        return Box::new(columns.map(|(at, name)| (name, ValueSite::Column(at), Meaning::Hex)));
    };
    let columns = (0..).map(ValueSite::Column).take(kind.arguments.len());
    let sites = columns.chain((0..).map(ValueSite::Word));
    let all = sites.zip(kind.all_arguments());
    Box::new(all.filter_map(|(site, argument)| {
        let argument = argument?;
        Some((argument.name.as_ref(), site, argument.meaning))
    }))
}
