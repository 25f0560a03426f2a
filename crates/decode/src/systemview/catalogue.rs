//! The kinds of events. Those of every target are in the table beside this file, which has the
//! same columns as the ThreadX tables; the calls of the operating system and the events of modules
//! are from [descriptions](super::descriptions).
//!
//! The number of a kind is the id of its packets. Ids of packets that have another meaning with
//! each first argument get a range of numbers each.

use crate::threadx::catalogue::built_in_kinds;
use rtoscope_trace::catalogue::{
    ExtrasLayout, MarkerAction, MarkerRole, Meaning, NamedValues, UnnamedFormat,
};
use rtoscope_trace::{Catalogue, EventKind};
use rtoscope_wire::systemview::{MAX_ID, extended_id, id};
use std::sync::LazyLock;

/// The component of the events of every target.
pub(super) const COMPONENT: &str = "systemview";

/// The ends of calls without a result: plus the id of the call.
pub(super) const CALL_END: u32 = 1 << 16;

/// The ends of calls with a result: plus the id of the call.
pub(super) const CALL_RETURN: u32 = CALL_END + MAX_ID + 1;

/// The events with an extended id: plus that id.
pub(super) const EXTENDED: u32 = 1 << 17;

const PRINT_LEVELS: NamedValues = NamedValues {
    name: "print-level",
    bits: false,
    values: &[
        (0, "log"),
        (1, "warning"),
        (2, "error"),
        (0x40, "log, appended"),
        (0x41, "warning, appended"),
        (0x42, "error, appended"),
    ],
    unnamed: UnnamedFormat::Hex,
};

static KINDS: LazyLock<Catalogue> = LazyLock::new(|| {
    let kinds = built_in_kinds((COMPONENT, include_str!("systemview.tsv")));
    Catalogue::new(kinds.into_iter().map(with_role))
});

/// Adds what the table does not have.
fn with_role(mut kind: EventKind) -> EventKind {
    const MARK: u32 = EXTENDED + extended_id::MARK;
    let action = match kind.id.0 {
        id::MARK_START => MarkerAction::Begin,
        id::MARK_STOP => MarkerAction::End,
        MARK => MarkerAction::Instant,
        id::TASK_INFO | id::MODULEDESC => {
            set_meaning(&mut kind, 2, Meaning::Text);
            return kind;
        }
        id::SYSDESC => {
            set_meaning(&mut kind, 0, Meaning::Text);
            return kind;
        }
        id::NAME_RESOURCE | NAME_MARKER | REGISTER_DATA => {
            set_meaning(&mut kind, 1, Meaning::Text);
            return kind;
        }
        id::PRINT_FORMATTED => {
            set_meaning(&mut kind, 0, Meaning::Named(&PRINT_LEVELS));
            kind.extras = ExtrasLayout::Items;
            return kind;
        }
        id::DATA_SAMPLE => {
            kind.extras = ExtrasLayout::Items;
            return kind;
        }
        _ => return kind,
    };
    kind.marker = Some(MarkerRole { action, name: None });
    kind
}

const NAME_MARKER: u32 = EXTENDED + extended_id::NAME_MARKER;
const REGISTER_DATA: u32 = EXTENDED + extended_id::REGISTER_DATA;

fn set_meaning(kind: &mut EventKind, argument: usize, meaning: Meaning) {
    if let Some(Some(argument)) = kind.arguments.get_mut(argument) {
        argument.meaning = meaning;
    }
}

/// The kinds of every target.
pub(super) fn standard() -> &'static Catalogue {
    &KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::EventKindId;

    #[test]
    fn every_packet_of_a_recorder_is_a_kind() {
        let catalogue = standard();
        for number in 0..id::FIRST_CALL {
            // The end of a call has a kind for each call.
            let is_known = !matches!(number, id::NOP | id::END_CALL | 30 | id::EX);
            let kind = catalogue.get(EventKindId(number));
            assert_eq!(kind.is_some(), is_known, "{number}");
        }
        for number in 0..=extended_id::REGISTER_DATA {
            assert!(catalogue.get(EventKindId(EXTENDED + number)).is_some());
        }
    }

    #[test]
    fn letters_distinguish_kinds() {
        let mut letters: Vec<_> = standard().iter().map(|kind| &kind.icon.letters).collect();
        letters.sort();
        letters.dedup();
        assert_eq!(letters.len(), standard().len());
    }
}
