//! The entry types as event kinds. They are in the table beside this file,
//! which has the same columns as the ThreadX tables.

use crate::threadx::catalogue::built_in_kinds;
use rtoscope_trace::catalogue::{ExtrasLayout, MarkerAction, MarkerRole};
use rtoscope_trace::{Catalogue, EventKind};
use rtoscope_wire::cswitch::EntryKind;
use std::sync::LazyLock;

/// The component of all kinds.
pub const COMPONENT: &str = "cswitch";

static KINDS: LazyLock<Catalogue> = LazyLock::new(|| {
    let kinds = built_in_kinds((COMPONENT, include_str!("cswitch.tsv")));
    Catalogue::new(kinds.into_iter().map(with_role))
});

/// Adds what the table does not have.
fn with_role(kind: EventKind) -> EventKind {
    let action = match EntryKind::from_number(kind.id.0) {
        Some(EntryKind::MarkerBegin) => MarkerAction::Begin,
        Some(EntryKind::MarkerEnd) => MarkerAction::End,
        Some(EntryKind::MarkerInstant) => MarkerAction::Instant,
        Some(EntryKind::Formatted) => {
            return EventKind {
                extras: ExtrasLayout::Items,
                ..kind
            };
        }
        _ => return kind,
    };
    EventKind {
        marker: Some(MarkerRole { action, name: None }),
        ..kind
    }
}

/// All event kinds of a context-switch log. The id of a kind is the type word
/// of its entries.
pub fn catalogue() -> Catalogue {
    KINDS.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::EventKindId;
    use rtoscope_wire::cswitch::PREVIOUSLY_DISABLED;

    #[test]
    fn every_type_is_a_kind_and_no_other() {
        let catalogue = catalogue();
        for number in 0..1000 {
            let known = crate::cswitch::is_known(number);
            assert_eq!(
                catalogue.get(EventKindId(number)).is_some(),
                known,
                "{number}"
            );
        }
        for kind in EntryKind::ALL {
            let prefix = if kind.is_extension() {
                "RTO_"
            } else {
                "TX_DEBUG_"
            };
            let symbol = format!("{prefix}{}", kind.name());
            let number = kind as u32;
            assert_eq!(catalogue.get(EventKindId(number)).unwrap().symbol, symbol);
            if kind.allows_previously_disabled() {
                let flagged = catalogue
                    .get(EventKindId(number | PREVIOUSLY_DISABLED))
                    .unwrap();
                assert!(flagged.symbol.starts_with(&symbol));
            }
        }
    }

    #[test]
    fn letters_distinguish_kinds() {
        let catalogue = catalogue();
        let mut letters: Vec<_> = catalogue.iter().map(|kind| &kind.icon.letters).collect();
        letters.sort();
        letters.dedup();
        assert_eq!(letters.len(), catalogue.len());
    }
}
