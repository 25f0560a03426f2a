//! Guarantees for readers of tables, for every recording.

use crate::common::{TestRecording, cells, each, open};
use rtoscope_tables::{Column, ColumnData, ColumnType, Table, TableRows};
use std::collections::BTreeSet;
use std::sync::Arc;

fn all_indexes(columns: &[Column]) -> Vec<usize> {
    (0..columns.len()).collect()
}

#[test]
fn names_are_plain_and_unique() {
    let is_plain = |name: &str| {
        let letters = name
            .bytes()
            .all(|it| it.is_ascii_lowercase() || b"_0123456789".contains(&it));
        letters && name.as_bytes()[0].is_ascii_lowercase()
    };
    let tables: BTreeSet<_> = Table::ALL.iter().map(|table| table.name()).collect();
    assert_eq!(tables.len(), Table::ALL.len());
    for table in Table::ALL {
        assert!(is_plain(table.name()) && !table.about().is_empty());
        assert_eq!(Table::from_name(table.name()), Some(*table));
        let columns = table.columns();
        let names: BTreeSet<_> = columns.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), columns.len(), "{table}");
        let common = [columns[0].name, columns[1].name];
        assert_eq!(common, ["file", "recording_id"]);
        for (index, column) in columns.iter().enumerate() {
            assert!(is_plain(column.name) && !column.about.is_empty());
            assert_eq!(table.column_index(column.name), Some(index));
            let is_time = column.name.ends_with("_ns");
            assert_eq!(
                is_time,
                column.unit == Some("ns"),
                "{table}.{}",
                column.name
            );
            if is_time {
                assert_eq!(
                    (column.column_type, column.nullable),
                    (ColumnType::I64, true)
                );
                let ticks = table
                    .column_index(column.name.trim_end_matches("_ns"))
                    .unwrap();
                let ticks = columns[ticks];
                assert_eq!(
                    (ticks.column_type, ticks.unit),
                    (ColumnType::I64, Some("ticks"))
                );
            }
        }
    }
    assert_eq!(Table::from_name("event"), None);
}

#[test]
fn tables_keep_their_contract() {
    each(|opened| {
        details_match_each_event(opened);
        values_match_their_column_types(opened);
    });
}

fn details_match_each_event(opened: &TestRecording) {
    let trace = &opened.trace;
    let column = Table::Events.column_index("arguments").unwrap();
    let rows = TableRows::new(Table::Events, opened);
    let ColumnData::Strings { strings, codes } = &rows.batch(0..rows.len(), &[column])[0].data
    else {
        panic!("arguments are texts");
    };
    assert_eq!(codes.len(), trace.events.len());
    let mut texts = codes
        .iter()
        .map(|code| strings.get(*code as usize).unwrap());
    trace.events.visit(0..trace.events.len(), |event| {
        let line = trace.arguments_line(&event).to_string();
        assert_eq!(texts.next(), Some(line.as_str()));
    });
}

fn values_match_their_column_types(opened: &TestRecording) {
    for table in Table::ALL {
        let rows = TableRows::new(*table, opened);
        let columns = table.columns();
        let batch = rows.batch(0..rows.len(), &all_indexes(columns));
        assert_eq!(batch.len(), columns.len());
        for (column, values) in columns.iter().zip(&batch) {
            let column_name = format!("{table}.{} of {}", column.name, &opened.info.name);
            assert_eq!(values.len(), rows.len(), "{column_name}");
            let column_type = match &values.data {
                ColumnData::Bool(_) => ColumnType::Bool,
                ColumnData::U8(_) => ColumnType::U8,
                ColumnData::U16(_) => ColumnType::U16,
                ColumnData::U32(_) => ColumnType::U32,
                ColumnData::U64(_) => ColumnType::U64,
                ColumnData::I64(_) => ColumnType::I64,
                ColumnData::F64(_) => ColumnType::F64,
                ColumnData::Strings { strings, codes } => {
                    let is_there = |code: &u32| (*code as usize) < strings.len();
                    assert!(
                        !strings.is_empty() && codes.iter().all(is_there),
                        "{column_name}"
                    );
                    if column.column_type == ColumnType::Text {
                        let distinct: BTreeSet<_> = strings.iter().collect();
                        assert_eq!(distinct.len(), strings.len(), "{column_name}");
                        ColumnType::Text
                    } else {
                        ColumnType::Dictionary
                    }
                }
            };
            assert_eq!(column_type, column.column_type, "{column_name}");
            let validity = values.validity.as_ref();
            assert!(column.nullable || validity.is_none(), "{column_name}");
            assert!(
                validity.is_none_or(|validity| validity.len() == rows.len()),
                "{column_name}"
            );
        }
    }
}

#[test]
fn batches_concatenate_to_the_table() {
    for (name, lengths) in [
        ("threadx/smp32_cores.trx", &[7, 64][..]),
        ("rkh/dmg_flip.bin", &[1]),
    ] {
        let opened = open(name);
        for table in Table::ALL {
            let rows = TableRows::new(*table, &opened);
            let columns = all_indexes(table.columns());
            let table_values = rows.batch(0..usize::MAX, &columns);
            for length in lengths.iter().copied() {
                let starts = (0..rows.len()).step_by(length);
                let batches: Vec<_> = starts
                    .map(|start| rows.batch(start..start + length, &columns))
                    .collect();
                for (index, table_values) in table_values.iter().enumerate() {
                    let batches = batches.iter().map(|batch| &batch[index]);
                    let joined: Vec<_> = batches.clone().flat_map(cells).collect();
                    assert!(
                        joined == cells(table_values),
                        "{table}, column {index}, by {length}"
                    );
                    if table.columns()[index].column_type != ColumnType::Dictionary {
                        continue;
                    }
                    for batch in batches {
                        if let (
                            ColumnData::Strings { strings: one, .. },
                            ColumnData::Strings { strings: other, .. },
                        ) = (&batch.data, &table_values.data)
                        {
                            assert!(Arc::ptr_eq(one, other));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn missing_rows_and_columns_have_no_values() {
    fn can_be_shared<T: Send + Sync>(_: &T) {}
    let opened = open("threadx/cm3_short.trx");
    for table in Table::ALL {
        let rows = TableRows::new(*table, &opened);
        can_be_shared(&rows);
        let columns = all_indexes(table.columns());
        let none = rows.batch(rows.len() + 5..rows.len() + 9, &columns);
        assert!(none.iter().all(rtoscope_tables::ColumnValues::is_empty));
        #[allow(clippy::reversed_empty_ranges, reason = "a caller may be wrong")]
        let none = rows.batch(3..1, &columns);
        assert!(none.iter().all(rtoscope_tables::ColumnValues::is_empty));
        let beyond = rows.batch(0..1, &[columns.len(), usize::MAX]);
        assert!(beyond.len() == 2 && beyond.iter().all(rtoscope_tables::ColumnValues::is_empty));
        assert_eq!(rows.batch(0..1, &[]).len(), 0);
    }
}
