use super::*;
use crate::rkh::Dialect;
use crate::rkh::record::{record_spec, record_specs};

type Tables = RuntimeFilter<[u8; 2], [u8; 64]>;

fn all_pass() -> Tables {
    let mut filter = Tables::new([0; 2], [0; 64]);
    for selection in [
        FilterSelection::AllEvents,
        FilterSelection::AllObjects,
        FilterSelection::AllSignals,
    ] {
        filter.pass(selection).unwrap();
    }
    filter
}

/// Whether record `id` about priority 3 and signal 9 passes.
fn passes(filter: &Tables, id: u8) -> bool {
    let record = record_spec(Dialect::V3, id).unwrap();
    filter.passes(record, 3, 9, FieldWidth::Two).unwrap()
}

#[test]
fn after_reset_only_unfiltered_records_pass() {
    let filter = Tables::new([0; 2], [0; 64]);
    for record in record_specs(Dialect::V3) {
        let passes = passes(&filter, record.id);
        assert_eq!(
            passes,
            record.filter == FilterLevel::Never,
            "{}",
            record.name
        );
        assert!(passes || self::passes(&all_pass(), record.id));
    }
}

#[test]
fn groups_have_adjacent_bytes() {
    let mut next = 0;
    for (first, count) in GROUP_TABLE_RANGES {
        assert_eq!(first, next);
        next += count;
    }
    assert_eq!(next, EVENT_TABLE_BYTES);
}

#[test]
fn passing_an_event_passes_its_group_and_suppressing_it_does_not() {
    let mut filter = all_pass();
    filter.suppress(FilterSelection::AllEvents).unwrap();
    assert_eq!((filter.groups, filter.events), (0, [0; EVENT_TABLE_BYTES]));
    filter.pass(FilterSelection::Event(0x71)).unwrap();
    assert_eq!(filter.groups, 1 << 3);
    assert_eq!(filter.events[6], 1 << 1);
    assert!(passes(&filter, 0x71) && !passes(&filter, 0x70));
    filter.suppress(FilterSelection::Event(0x71)).unwrap();
    assert_eq!(filter.groups, 1 << 3);
    assert!(!passes(&filter, 0x71));
}

#[test]
fn groups_are_set_with_or_without_their_events() {
    let mut filter = Tables::new([0xFF; 2], [0xFF; 64]);
    filter.pass(FilterSelection::Group(1)).unwrap();
    assert!(!passes(&filter, 0x22));
    filter.pass(FilterSelection::GroupEvents(1)).unwrap();
    assert!(passes(&filter, 0x22));
    assert_eq!(filter.events[..3], [0, 0xFF, 0]);
    filter.suppress(FilterSelection::AllGroups).unwrap();
    assert!(!passes(&filter, 0x22));
    filter.pass(FilterSelection::AllGroups).unwrap();
    assert!(passes(&filter, 0x22));
    filter.suppress(FilterSelection::GroupEvents(1)).unwrap();
    assert_eq!((filter.groups, filter.events[1]), (0xFD, 0));
}

/// The records that a target suppresses, determined by experiment.
#[test]
fn objects_and_signals_suppress_their_own_records() {
    let mut filter = all_pass();
    filter.suppress(FilterSelection::Signal(9)).unwrap();
    let suppressed = [0x42, 0x43, 0x44, 0x6A, 0x71, 0x83];
    for id in record_specs(Dialect::V3).iter().map(|record| record.id) {
        assert_eq!(passes(&filter, id), !suppressed.contains(&id), "{id:#04x}");
    }
    filter = all_pass();
    filter.suppress(FilterSelection::Object(3)).unwrap();
    for id in [0x40, 0x43, 0x60, 0x70, 0x83] {
        assert!(!passes(&filter, id), "{id:#04x}");
    }
    for id in [0x22, 0x47, 0x48, 0x81, 0xA3, 0xC0] {
        assert!(passes(&filter, id), "{id:#04x}");
    }
}

#[test]
fn completion_always_passes_and_high_signals_alias_low_ones() {
    let mut filter = all_pass();
    filter.suppress(FilterSelection::AllSignals).unwrap();
    let record = record_spec(Dialect::V3, 0x71).unwrap();
    let passes = |filter: &Tables, signal, width| filter.passes(record, 3, signal, width);
    assert_eq!(passes(&filter, 0xFFFE, FieldWidth::Two), Ok(true));
    assert_eq!(passes(&filter, 0xFE, FieldWidth::One), Ok(true));
    assert_eq!(passes(&filter, 0xFE, FieldWidth::Two), Ok(false));
    filter.pass(FilterSelection::Signal(300)).unwrap();
    assert_eq!(passes(&filter, 300, FieldWidth::Two), Ok(false));
    filter.pass(FilterSelection::Signal(300 - 256)).unwrap();
    assert_eq!(passes(&filter, 300, FieldWidth::Two), Ok(true));
}

#[test]
fn an_empty_table_filters_nothing() {
    let mut filter = RuntimeFilter::new([], []);
    filter.pass(FilterSelection::AllEvents).unwrap();
    let record = record_spec(Dialect::V3, 0x71).unwrap();
    assert_eq!(
        filter.passes(record, 200, 70_000, FieldWidth::Four),
        Ok(true)
    );
}

#[test]
fn selections_without_a_bit_are_errors() {
    let mut filter = all_pass();
    let before = filter.clone();
    for (selection, error) in [
        // Without the check, the bit of another group would change.
        (
            FilterSelection::Event(0x1F),
            FilterError::Event { id: 0x1F },
        ),
        (
            FilterSelection::Event(0xF0),
            FilterError::Event { id: 0xF0 },
        ),
        (FilterSelection::Group(8), FilterError::Group { group: 8 }),
        (
            FilterSelection::GroupEvents(9),
            FilterError::Group { group: 9 },
        ),
        (
            FilterSelection::Object(16),
            FilterError::Object {
                priority: 16,
                entries: 16,
            },
        ),
        (
            FilterSelection::Signal(512),
            FilterError::Signal {
                signal: 512,
                entries: 512,
            },
        ),
    ] {
        assert_eq!(filter.suppress(selection), Err(error));
        assert_eq!(filter.pass(selection), Err(error));
    }
    assert_eq!(filter, before);
    let record = record_spec(Dialect::V3, 0x71).unwrap();
    assert!(filter.passes(record, 16, 0, FieldWidth::Two).is_err());
    assert!(filter.passes(record, 0, 512, FieldWidth::Two).is_err());
}
