//! The events of ThreadX, FileX, NetX and USBX.
//!
//! The tables beside this file hold what the targets' sources really write
//! (ThreadX 6.4, FileX 6.4, NetX Duo 6.4, USBX 6.4), which is not everywhere
//! what the comments in their headers say; `table.rs` says what their columns are.

mod names;
mod objects;
mod statistics;
mod table;

pub(crate) use names::meaning_from_name;
pub use objects::object_class;
pub use statistics::statistics;

use rtoscope_trace::{Catalogue, EventKind, EventKindId};
use std::sync::LazyLock;
use table::MalformedLine;

/// Whose meaning the event numbers have that the two generations of NetX use
/// for different calls: 441 to 448, and 469.
///
/// Nothing in a recording says which of the two the target had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NetxDialect {
    /// NetX Duo, which is the current one.
    #[default]
    Duo,
    /// The discontinued NetX.
    Legacy,
}

impl NetxDialect {
    /// Both.
    pub const ALL: &[Self] = &[Self::Duo, Self::Legacy];

    /// The name in options and output: `duo` or `legacy`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duo => "duo",
            Self::Legacy => "legacy",
        }
    }
}

/// The current components, each with its table.
const EVENT_TABLES: &[(&str, &str)] = &[
    ("threadx", include_str!("threadx.tsv")),
    ("filex", include_str!("filex.tsv")),
    ("netxduo", include_str!("netxduo.tsv")),
    ("usbx", include_str!("usbx.tsv")),
];

/// What the discontinued NetX logs differently. The component stays NetX Duo's
/// name, so that all of a trace's network events are of one component.
const LEGACY_TABLE: (&str, &str) = ("netxduo", include_str!("netx_legacy.tsv"));

static DUO_CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::new(EVENT_TABLES.iter().copied().flat_map(built_in_kinds)));

static LEGACY_CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut catalogue = DUO_CATALOGUE.clone();
    catalogue.extend(built_in_kinds(LEGACY_TABLE));
    catalogue
});

/// All kinds of events that ThreadX and its companions log.
pub fn catalogue(netx: NetxDialect) -> Catalogue {
    shared(netx).clone()
}

/// The kind of that number in either dialect, so that an application's own
/// events can be kept apart from it.
pub(crate) fn built_in(id: EventKindId) -> Option<&'static EventKind> {
    let mut dialects = NetxDialect::ALL.iter();
    dialects.find_map(|netx| shared(*netx).get(id))
}

fn shared(netx: NetxDialect) -> &'static Catalogue {
    match netx {
        NetxDialect::Duo => &DUO_CATALOGUE,
        NetxDialect::Legacy => &LEGACY_CATALOGUE,
    }
}

/// The kinds of a table of this crate. A malformed line would be a mistake in
/// the crate itself: a test asserts that there is none and a debug build stops
/// at it, while a release shows that one event by its number like any that no
/// table knows.
pub(crate) fn built_in_kinds(
    (component, text): (&'static str, &'static str),
) -> impl Iterator<Item = EventKind> {
    let report = |malformed: &MalformedLine| debug_assert!(false, "{malformed}");
    table::kinds(component, text).filter_map(move |kind| kind.inspect_err(report).ok())
}

#[cfg(test)]
mod tests;
