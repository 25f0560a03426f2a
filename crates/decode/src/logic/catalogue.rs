//! The kinds of events: edges of digital signals, and values of others. They are the table beside
//! this file, which has the same columns as the ThreadX tables.
//!
//! A signal is a marker, and each time that it is high a span of it, with the number of the pulse.

use crate::threadx::catalogue::built_in_kinds;
use rtoscope_trace::catalogue::{MarkerAction, MarkerRole, Meaning, NamedValues, UnnamedFormat};
use rtoscope_trace::{Catalogue, EventKind};
use std::sync::LazyLock;

/// The numbers of the kinds.
pub(super) mod id {
    pub(crate) const RISING: u32 = 1;
    pub(crate) const FALLING: u32 = 2;
    pub(crate) const HIGH: u32 = 3;
    pub(crate) const LOW: u32 = 4;
    pub(crate) const UNKNOWN: u32 = 5;
    pub(crate) const VALUE: u32 = 6;
    pub(crate) const FIRST_VALUE: u32 = 7;
    pub(crate) const UNKNOWN_VALUE: u32 = 8;
    pub(crate) const TEXT_VALUE: u32 = 9;
    pub(crate) const EVENT: u32 = 10;
    pub(crate) const END: u32 = 11;
}

const UNKNOWN_LEVELS: NamedValues = NamedValues {
    name: "logic-level",
    bits: false,
    values: &[(0, "x"), (1, "z")],
    unnamed: UnnamedFormat::Number,
};

static KINDS: LazyLock<Catalogue> = LazyLock::new(|| {
    let kinds = built_in_kinds(("logic", include_str!("logic.tsv")));
    Catalogue::new(kinds.map(with_role))
});

/// The kinds.
pub(super) fn standard() -> &'static Catalogue {
    &KINDS
}

/// Adds what the table cannot say.
fn with_role(mut kind: EventKind) -> EventKind {
    let third = match kind.id.0 {
        id::UNKNOWN => Some(Meaning::Named(&UNKNOWN_LEVELS)),
        id::UNKNOWN_VALUE | id::TEXT_VALUE => Some(Meaning::Text),
        _ => None,
    };
    if let (Some(meaning), [_, _, Some(argument), _]) = (third, &mut kind.arguments) {
        argument.meaning = meaning;
    }
    let action = match kind.id.0 {
        id::RISING => MarkerAction::Begin,
        id::FALLING => MarkerAction::End,
        id::HIGH | id::FIRST_VALUE => MarkerAction::Open,
        id::UNKNOWN | id::UNKNOWN_VALUE => MarkerAction::Lose,
        id::VALUE => MarkerAction::Change,
        id::TEXT_VALUE | id::EVENT => MarkerAction::Instant,
        _ => return kind,
    };
    kind.marker = Some(MarkerRole { action, name: None });
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_distinguish_kinds() {
        let mut letters: Vec<_> = standard().iter().map(|kind| &kind.icon.letters).collect();
        letters.sort();
        letters.dedup();
        assert_eq!(letters.len(), standard().len());
        assert_eq!(letters.len(), id::END as usize);
    }
}
