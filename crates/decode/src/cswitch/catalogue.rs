//! The entry types as event kinds. They are in the table beside this file,
//! which has the same columns as the ThreadX tables.

use crate::threadx::catalogue::built_in_kinds;
use rtoscope_trace::Catalogue;
use std::sync::LazyLock;

/// The component of all kinds.
pub const COMPONENT: &str = "cswitch";

static KINDS: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::new(built_in_kinds((COMPONENT, include_str!("cswitch.tsv")))));

/// All event kinds of a context-switch log. The id of a kind is the type word
/// of its entries.
pub fn catalogue() -> Catalogue {
    KINDS.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::EventKindId;
    use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};

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
            let symbol = format!("TX_DEBUG_{}", kind.name());
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
