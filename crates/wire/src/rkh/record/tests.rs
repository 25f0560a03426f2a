use super::*;
use std::vec::Vec;

#[test]
fn tables_are_sorted_and_searchable() {
    for dialect in Dialect::ALL {
        let records = record_specs(dialect);
        assert!(
            records.is_sorted_by(|one, next| one.id < next.id),
            "{dialect:?}"
        );
        for id in 0..=u8::MAX {
            let linear = records.iter().find(|record| record.id == id);
            assert_eq!(record_spec(dialect, id), linear, "{dialect:?} {id:#04x}");
        }
    }
}

/// The counts of `enum rkh_trc_events` in each version, with 32 user events.
#[test]
fn tables_are_complete() {
    let counts = Dialect::ALL.map(|dialect| record_specs(dialect).len());
    assert_eq!(counts, [47, 86, 92, 92, 104, 105]);
}

#[test]
fn ids_contain_their_group_except_in_the_flat_dialect() {
    for dialect in Dialect::ALL.into_iter().skip(1) {
        for record in record_specs(dialect) {
            assert_eq!(Group::from_id(record.id), record.group);
        }
    }
    assert_eq!(record_spec(Dialect::Flat, 44).unwrap().group, Group::Fwk);
}

#[test]
fn expected_records_omit_their_state_machine() {
    let names = |id| -> Option<Vec<&str>> {
        let record = record_spec(Dialect::V3, id)?;
        Some(
            record
                .expectation_arguments()?
                .map(|argument| argument.name)
                .collect(),
        )
    };
    assert_eq!(names(0x70), Some(["type", "st", "fn"].to_vec()));
    assert_eq!(names(0x71), Some(["sig", "st"].to_vec()));
    assert_eq!(names(0x69), Some(Vec::new()));
    assert_eq!(names(0x40), None);
}

/// Widths that depend on more than one setting.
#[test]
fn widths_follow_the_configuration() {
    use crate::rkh::{FieldWidth, StreamConfiguration};
    let mut configuration = StreamConfiguration {
        pointer: FieldWidth::One,
        element_count: FieldWidth::Two,
        block_count: FieldWidth::Four,
        ..StreamConfiguration::default()
    };
    let width = |kind: ArgumentKind, configuration: &StreamConfiguration| kind.width(configuration);
    let object = ArgumentKind::Object(ObjectClass::Any);
    let sender = ArgumentKind::Sender(ObjectClass::Any);
    assert_eq!(width(object, &configuration), Some(4));
    assert_eq!(width(sender, &configuration), Some(0));
    assert_eq!(width(ArgumentKind::BlocksMinimum, &configuration), Some(0));
    assert_eq!(
        width(ArgumentKind::ElementsMinimum, &configuration),
        Some(0)
    );
    assert_eq!(width(ArgumentKind::Elements, &configuration), Some(2));
    assert_eq!(width(ArgumentKind::Text, &configuration), None);
    configuration.sender = true;
    configuration.pool_low_water = true;
    configuration.queue_low_water = true;
    configuration.pointer = FieldWidth::Two;
    assert_eq!(width(sender, &configuration), Some(2));
    assert_eq!(width(ArgumentKind::FunctionSymbol, &configuration), Some(2));
    assert_eq!(width(ArgumentKind::Function, &configuration), Some(4));
    assert_eq!(width(ArgumentKind::BlocksMinimum, &configuration), Some(4));
    assert_eq!(
        width(ArgumentKind::ElementsMinimum, &configuration),
        Some(2)
    );
    configuration.dialect = Dialect::V2_3;
    assert_eq!(width(ArgumentKind::Elements, &configuration), Some(1));
}
