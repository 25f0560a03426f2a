//! The kinds of events. Those with a meaning are in the table beside this file, which has the same
//! columns as the ThreadX tables; its symbols are the type of the target and the event. Others get
//! numbers as they occur.

use super::entities::EntityType;
use crate::threadx::catalogue::built_in_kinds;
use rtoscope_trace::catalogue::{MarkerAction, MarkerRole, Meaning};
use rtoscope_trace::{Catalogue, EventKind, EventKindId, ObjectClass};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The numbers of kinds with a meaning for the scheduler.
pub(super) mod id {
    pub(crate) const ACTIVATE: u32 = 1;
    pub(crate) const START: u32 = 2;
    pub(crate) const PREEMPT: u32 = 3;
    pub(crate) const RESUME: u32 = 4;
    pub(crate) const TERMINATE: u32 = 5;
    pub(crate) const WAIT: u32 = 6;
    pub(crate) const RELEASE: u32 = 7;
    pub(crate) const PARK: u32 = 10;
    pub(crate) const POLL_PARKING: u32 = 11;
    pub(crate) const RELEASE_PARKING: u32 = 12;
    pub(crate) const ISR_ACTIVATE: u32 = 32;
    pub(crate) const ISR_START: u32 = 33;
    pub(crate) const ISR_RESUME: u32 = 35;
    pub(crate) const ISR_TERMINATE: u32 = 36;
    pub(crate) const RUNNABLE_START: u32 = 64;
    pub(crate) const RUNNABLE_TERMINATE: u32 = 65;
    pub(crate) const TRIGGER: u32 = 96;
    pub(crate) const IDLE: u32 = 128;
    pub(crate) const EXECUTE: u32 = 129;
    pub(crate) const ASSIGNED: u32 = 161;
    pub(crate) const WAITING: u32 = 162;
    pub(crate) const RELEASED: u32 = 163;
    /// Any other, if there are too many.
    pub(crate) const OTHER: u32 = 256;
    /// The first of those that the table does not have.
    pub(crate) const FIRST_UNNAMED: u32 = 257;
}

static KINDS: LazyLock<Catalogue> = LazyLock::new(|| {
    let kinds = built_in_kinds(("btf", include_str!("btf.tsv")));
    Catalogue::new(kinds.map(with_role))
});

type KindNumbers = HashMap<(EntityType, &'static [u8]), u32>;

static NUMBERS: LazyLock<KindNumbers> = LazyLock::new(|| {
    let numbers = KINDS.iter().filter_map(|kind| {
        let EventKind { id, symbol, .. } = kind;
        let (target_type, event) = match symbol {
            std::borrow::Cow::Borrowed(symbol) => symbol.split_once(':')?,
            std::borrow::Cow::Owned(_) => return None,
        };
        let target_type = EntityType::from_name(target_type.as_bytes());
        Some(((target_type, event.as_bytes()), id.0))
    });
    numbers.collect()
});

/// The kinds of the table.
pub(super) fn standard() -> &'static Catalogue {
    &KINDS
}

/// The number of a kind of the table.
pub(super) fn number(target_type: EntityType, event: &[u8]) -> Option<u32> {
    let numbers: &HashMap<(EntityType, &[u8]), u32> = &NUMBERS;
    numbers.get(&(target_type, event)).copied()
}

/// Whether the specification, up to version 2.3, has an event that is not in the table. Those of
/// cores, schedulers and types of tools are not restricted: each tool has others.
pub(super) fn is_specified(target_type: EntityType, event: &[u8]) -> bool {
    let names: &[&str] = match target_type {
        EntityType::Core | EntityType::Other => return true,
        EntityType::Isr if number(EntityType::Task, event).is_some() => return true,
        EntityType::Task | EntityType::Isr => &[
            "boundedmigration",
            "phasemigration",
            "fullmigration",
            "enforcedmigration",
            "interrupt_suspended",
            // Spellings of libBtf.
            "full_migration",
            "enforced_migration",
        ],
        EntityType::Semaphore => &[
            "ready",
            "lock",
            "unlock",
            "finalize",
            "exclusivesemaphore",
            "releasesemaphore",
            "trigger",
            "free",
            "used",
            "full",
            "overfull",
            "unlock_full",
            "lock_used",
        ],
        EntityType::Runnable | EntityType::Stimulus | EntityType::Signal | EntityType::OsEvent => {
            &[]
        }
    };
    names.iter().any(|name| name.as_bytes() == event)
}

/// A kind that the table does not have.
pub(super) fn unnamed_kind(id: u32, name: String) -> Option<EventKind> {
    let other = KINDS.get(EventKindId(id::OTHER))?;
    Some(EventKind {
        id: EventKindId(id),
        symbol: name.clone().into(),
        name: name.into(),
        ..other.clone()
    })
}

/// Adds what the table cannot say.
fn with_role(mut kind: EventKind) -> EventKind {
    if let Some(Some(note)) = kind.arguments.last_mut() {
        note.meaning = Meaning::Text;
    }
    let action = match kind.id.0 {
        id::RUNNABLE_START => MarkerAction::Begin,
        id::RUNNABLE_TERMINATE => MarkerAction::End,
        id::TRIGGER => MarkerAction::Instant,
        _ => return kind,
    };
    kind.marker = Some(MarkerRole { action, name: None });
    kind
}

/// The class of the objects of a type.
pub(super) const fn class(target_type: EntityType) -> ObjectClass {
    match target_type {
        EntityType::Task => ObjectClass::Thread,
        EntityType::Isr => ObjectClass::Function,
        EntityType::Runnable | EntityType::Stimulus => ObjectClass::Marker,
        EntityType::Semaphore => ObjectClass::Semaphore,
        EntityType::OsEvent => ObjectClass::EventFlags,
        EntityType::Core | EntityType::Signal | EntityType::Other => ObjectClass::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_table() {
        let cases = [
            (EntityType::Task, "activate", id::ACTIVATE),
            (EntityType::Task, "start", id::START),
            (EntityType::Task, "preempt", id::PREEMPT),
            (EntityType::Task, "resume", id::RESUME),
            (EntityType::Task, "terminate", id::TERMINATE),
            (EntityType::Task, "wait", id::WAIT),
            (EntityType::Task, "release", id::RELEASE),
            (EntityType::Task, "park", id::PARK),
            (EntityType::Task, "poll_parking", id::POLL_PARKING),
            (EntityType::Task, "release_parking", id::RELEASE_PARKING),
            (EntityType::Isr, "start", id::ISR_START),
            (EntityType::Isr, "resume", id::ISR_RESUME),
            (EntityType::Isr, "terminate", id::ISR_TERMINATE),
            (EntityType::Runnable, "start", id::RUNNABLE_START),
            (EntityType::Runnable, "terminate", id::RUNNABLE_TERMINATE),
            (EntityType::Stimulus, "trigger", id::TRIGGER),
            (EntityType::Core, "idle", id::IDLE),
            (EntityType::Core, "execute", id::EXECUTE),
            (EntityType::Semaphore, "assigned", id::ASSIGNED),
            (EntityType::Semaphore, "waiting", id::WAITING),
            (EntityType::Semaphore, "released", id::RELEASED),
        ];
        for (target_type, event, expected) in cases {
            let found = number(target_type, event.as_bytes());
            assert_eq!(found, Some(expected), "{event}");
        }
        assert_eq!(number(EntityType::Core, b"start"), None);
        assert!(standard().get(EventKindId(id::OTHER)).is_some());
    }

    #[test]
    fn types_have_the_events_of_the_specification() {
        let cases = [
            (EntityType::Task, "fullmigration", true),
            (EntityType::Task, "atcivate", false),
            // ISRs have the events of tasks.
            (EntityType::Isr, "poll_parking", true),
            (EntityType::Isr, "terminXte", false),
            (EntityType::Semaphore, "unlock_full", true),
            (EntityType::Semaphore, "resume", false),
            (EntityType::Signal, "rite", false),
            (EntityType::Core, "set_frequency", true),
            (EntityType::Other, "processactivate", true),
        ];
        for (target_type, event, expected) in cases {
            let found = is_specified(target_type, event.as_bytes());
            assert_eq!(found, expected, "{event}");
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
