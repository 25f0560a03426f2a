//! The RKH records as event kinds, generated from the tables of the format.

mod names;

use super::stream_info::StreamRun;
use rtoscope_trace::catalogue::{ArgumentDef, Colour, ExtrasLayout, Icon, Meaning};
use rtoscope_trace::{Catalogue, EventKind, EventKindId, ObjectClass};
use rtoscope_wire::rkh::record::record_specs;
use rtoscope_wire::rkh::{
    self, ArgumentKind, ArgumentLayout, Dialect, Group, ObjectClass as WireClass, RecordSpec,
    StreamConfiguration,
};
use std::ops::Range;

/// The records for the application in every version with groups: group USR.
const USER_RECORD_IDS: Range<u32> = 0xC0..0xE0;

/// All record kinds of a version, with the arguments that a configuration
/// includes.
pub fn catalogue(configuration: &StreamConfiguration) -> Catalogue {
    from_configurations(configuration.dialect, &[*configuration])
}

/// The record kinds of a stream's runs: of the first run's version, with the
/// arguments that any of the runs includes.
pub(super) fn from_runs(runs: &[StreamRun]) -> Catalogue {
    let mut configurations: Vec<_> = runs.iter().map(|run| run.configuration).collect();
    let dialect = configurations
        .first()
        .map_or(Dialect::V3, |first| first.dialect);
    configurations.retain(|configuration| configuration.dialect == dialect);
    from_configurations(dialect, &configurations)
}

fn from_configurations(dialect: Dialect, configurations: &[StreamConfiguration]) -> Catalogue {
    let mut different: Vec<StreamConfiguration> = Vec::new();
    for configuration in configurations {
        if !different.contains(configuration) && different.len() < MAX_CONFIGURATIONS {
            different.push(*configuration);
        }
    }
    let kinds = record_specs(dialect)
        .iter()
        .map(|record| kind(record, &different));
    Catalogue::new(kinds).with_user_numbers(if dialect == Dialect::Flat {
        0..0
    } else {
        USER_RECORD_IDS
    })
}

/// Maximum number of different configurations to consider; no real stream has
/// more.
const MAX_CONFIGURATIONS: usize = 64;

/// Sets the name of an application's record kind.
pub(super) fn name_user_event(catalogue: &mut Catalogue, number: u32, name: &str) {
    let id = EventKindId(USER_RECORD_IDS.start.saturating_add(number));
    let named = catalogue.get(id).map(|kind| EventKind {
        name: name.to_owned().into(),
        ..kind.clone()
    });
    catalogue.extend(named);
}

fn kind(record: &RecordSpec, configurations: &[StreamConfiguration]) -> EventKind {
    let group = record.group.name();
    let mut arguments = record.arguments.iter().map(|argument| {
        let carried = |configuration| argument.kind.width(configuration) != Some(0);
        let carried = configurations.iter().any(carried);
        carried.then(|| self::argument(argument))
    });
    let columns = [(); 4].map(|()| arguments.next().flatten());
    let more = match record.layout {
        ArgumentLayout::Items | ArgumentLayout::Expectation => ExtrasLayout::Items,
        ArgumentLayout::Fixed | ArgumentLayout::Configuration => {
            ExtrasLayout::Arguments(arguments.collect::<Vec<_>>().into())
        }
    };
    let is_own = record.group == Group::Usr;
    EventKind {
        id: EventKindId(record.id.into()),
        symbol: if is_own {
            "".into()
        } else {
            // `RKH_TRCE_…` up to 2.2, where the name also contained the group.
            format!("RKH_TE_{group}_{}", record.name).into()
        },
        name: format!("{group} {}", record.name).into(),
        component: group.to_ascii_lowercase().into(),
        internal: record.group == Group::Sm || INTERNAL_RECORDS.contains(&record.name),
        icon: icon(record),
        arguments: columns,
        extras: more,
        marker: None,
    }
}

/// Records that the framework creates itself, apart from those of a state
/// machine.
const INTERNAL_RECORDS: [&str; 3] = ["TOUT", "REM", "TCFG"];

fn argument(argument: &rkh::ArgumentSpec) -> ArgumentDef {
    ArgumentDef {
        name: argument.name.into(),
        meaning: meaning(argument.kind),
    }
}

fn meaning(kind: ArgumentKind) -> Meaning {
    match kind {
        ArgumentKind::Object(class) | ArgumentKind::Sender(class) => object(class),
        ArgumentKind::Function | ArgumentKind::FunctionSymbol => {
            Meaning::Object(ObjectClass::Function)
        }
        ArgumentKind::Signal => Meaning::Object(ObjectClass::Signal),
        ArgumentKind::EventPool0 => Meaning::Object(ObjectClass::EventPool),
        ArgumentKind::UserEvent => Meaning::Object(ObjectClass::UserEvent),
        ArgumentKind::EventPool1 => Meaning::EventPool,
        ArgumentKind::Role => Meaning::Named(&names::ACTION),
        ArgumentKind::GroupId => Meaning::Named(&names::GROUP),
        ArgumentKind::EventId | ArgumentKind::FullEventId => Meaning::Named(&names::EXPECTED),
        ArgumentKind::Blocks
        | ArgumentKind::BlocksMinimum
        | ArgumentKind::Elements
        | ArgumentKind::ElementsMinimum
        | ArgumentKind::References
        | ArgumentKind::QueueSize
        | ArgumentKind::Count
        | ArgumentKind::OptionalCount => Meaning::Count,
        ArgumentKind::BlockSize | ArgumentKind::EventSize | ArgumentKind::StorageSize => {
            Meaning::Bytes
        }
        ArgumentKind::Ticks => Meaning::Ticks,
        ArgumentKind::Priority => Meaning::Priority,
        ArgumentKind::ArgumentIndex
        | ArgumentKind::ReturnCode
        | ArgumentKind::Line16
        | ArgumentKind::Line32 => Meaning::Number,
        ArgumentKind::U8 | ArgumentKind::U16 | ArgumentKind::U32 => Meaning::Hex,
        ArgumentKind::Text => Meaning::Text,
    }
}

fn object(class: WireClass) -> Meaning {
    match class {
        WireClass::Pool => Meaning::Object(ObjectClass::BlockPool),
        WireClass::Queue => Meaning::Object(ObjectClass::Queue),
        WireClass::ActiveObject => Meaning::Object(ObjectClass::ActiveObject),
        WireClass::State => Meaning::Object(ObjectClass::State),
        WireClass::Pseudostate => Meaning::Object(ObjectClass::Pseudostate),
        WireClass::Timer => Meaning::Object(ObjectClass::Timer),
        WireClass::Any | WireClass::Vertex | WireClass::Actor | WireClass::Storage => {
            Meaning::AnyObject
        }
    }
}

/// The letter and colour of the group, and two letters of the record.
fn icon(record: &RecordSpec) -> Icon {
    let (letter, colour, second) = match record.group {
        Group::Mp => ('M', [0x8C, 0x6D, 0x31], [0xE7, 0xBA, 0x52]),
        Group::Que => ('Q', [0x1F, 0x77, 0xB4], [0xAE, 0xC7, 0xE8]),
        Group::Sma => ('A', [0x2C, 0xA0, 0x2C], [0x98, 0xDF, 0x8A]),
        Group::Sm => ('S', [0x7B, 0x41, 0x9B], [0xC9, 0xA8, 0xDC]),
        Group::Tmr => ('T', [0xFF, 0x7F, 0x0E], [0xFF, 0xBB, 0x78]),
        Group::Fwk => ('F', [0x5A, 0x5F, 0x6B], [0xC7, 0xC7, 0xC7]),
        Group::Usr => ('U', [0xD6, 0x27, 0x28], [0xFF, 0x98, 0x96]),
        Group::Ut => ('X', [0x17, 0x8A, 0x99], [0x9E, 0xDA, 0xE5]),
    };
    Icon {
        letters: format!("{letter}{}", names::abbreviation(record)).into(),
        colour: Colour(colour),
        second_colour: Colour(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::rkh::FieldWidth;

    #[test]
    fn letters_distinguish_records() {
        for dialect in Dialect::ALL {
            let configuration = StreamConfiguration {
                dialect,
                ..StreamConfiguration::default()
            };
            let catalogue = catalogue(&configuration);
            let mut letters: Vec<_> = catalogue.iter().map(|kind| &kind.icon.letters).collect();
            assert!(
                letters
                    .iter()
                    .all(|it| (2..=3).contains(&it.chars().count()))
            );
            letters.sort();
            let all = letters.len();
            letters.dedup();
            assert_eq!(letters.len(), all, "{dialect:?}");
        }
    }

    #[test]
    fn arguments_are_those_of_the_configuration() {
        let plain = catalogue(&StreamConfiguration::default());
        let post = plain.get(EventKindId(0x43)).unwrap();
        assert_eq!((&*post.name, &*post.component), ("SMA FIFO", "sma"));
        assert_eq!(post.symbol, "RKH_TE_SMA_FIFO");
        assert_eq!(post.arguments[2], None);
        let full = StreamConfiguration {
            sender: true,
            signal: FieldWidth::Two,
            ..StreamConfiguration::default()
        };
        let full = catalogue(&full);
        let post = full.get(EventKindId(0x43)).unwrap();
        assert_eq!(post.arguments[2].as_ref().unwrap().name, "snr");
        let ExtrasLayout::Arguments(more) = &post.extras else {
            panic!("no items")
        };
        assert_eq!(
            more.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, true, false]
        );
    }

    #[test]
    fn user_records_get_the_applications_names() {
        let mut catalogue = catalogue(&StreamConfiguration::default());
        assert_eq!(catalogue.name(EventKindId(0xC1)), "USR 1");
        name_user_event(&mut catalogue, 1, "UT_JOB");
        name_user_event(&mut catalogue, u32::MAX, "nothing");
        assert_eq!(catalogue.name(EventKindId(0xC1)), "UT_JOB");
        assert_eq!(catalogue.component(EventKindId(0xC1)), "usr");
    }
}
