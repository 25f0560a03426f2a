//! The events of ThreadX, FileX, NetX and USBX.
//!
//! The tables beside this file contain what the targets' sources actually write
//! (ThreadX 6.4, FileX 6.4, NetX Duo 6.4, USBX 6.4), which sometimes differs
//! from the comments in their headers; `table.rs` describes the columns.

mod names;
mod objects;
mod statistics;
mod table;

pub(crate) use names::meaning_from_name;
pub use objects::object_class;
pub(super) use objects::registry_types;
pub use statistics::statistics;

use rtoscope_trace::{Catalogue, EventKind, EventKindId};
use std::sync::LazyLock;
use table::MalformedLine;

/// The network stack that defines the event numbers which the two generations
/// of NetX use for different calls: 441 to 448, and 469.
///
/// A recording does not identify the network stack of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NetxDialect {
    /// NetX Duo, the current one.
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

/// The current components with their tables.
const EVENT_TABLES: &[(&str, &str)] = &[
    ("threadx", include_str!("threadx.tsv")),
    ("filex", include_str!("filex.tsv")),
    ("netxduo", include_str!("netxduo.tsv")),
    ("usbx", include_str!("usbx.tsv")),
];

/// The events that differ in the discontinued NetX. Their component is NetX
/// Duo's, so that all network events of a trace have one component.
const LEGACY_TABLE: (&str, &str) = ("netxduo", include_str!("netx_legacy.tsv"));

/// The first number above all events of ThreadX and its companions. `tx_api.h`
/// reserves 4096 to 65535 for applications, but the manual gives them all numbers
/// from 1025 on, and the kernel accepts any number from an application.
pub(crate) const FIRST_APPLICATION_NUMBER: u32 = 1025;

static DUO_CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let kinds = EVENT_TABLES.iter().copied().flat_map(built_in_kinds);
    Catalogue::new(kinds).with_user_numbers(FIRST_APPLICATION_NUMBER..)
});

static LEGACY_CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut catalogue = DUO_CATALOGUE.clone();
    catalogue.extend(built_in_kinds(LEGACY_TABLE));
    catalogue
});

/// All event kinds of ThreadX and its companions.
pub fn catalogue(netx: NetxDialect) -> Catalogue {
    shared(netx).clone()
}

/// The kind with that number in either dialect, to detect collisions with an
/// application's own events.
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

/// The event that ends a trace in a black box.
pub(super) fn fault_event() -> impl Iterator<Item = EventKind> {
    built_in_kinds(("rtoscope", include_str!("black_box.tsv")))
}

/// The kinds of a built-in table. A malformed line is a bug in this crate: a
/// test checks for malformed lines, a debug build panics, and a release build
/// treats the event as unknown.
pub(crate) fn built_in_kinds(
    (component, text): (&'static str, &'static str),
) -> impl Iterator<Item = EventKind> {
    let report = |malformed: &MalformedLine| debug_assert!(false, "{malformed}");
    table::kinds(component, text).filter_map(move |kind| kind.inspect_err(report).ok())
}

#[cfg(test)]
mod tests;
