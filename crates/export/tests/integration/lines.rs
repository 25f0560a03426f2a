//! CSV and JSON lines, as other readers parse them.

use crate::common::{AnalyzedRecording, analyze, open};
use proptest::prelude::*;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_export::table_lines::{LineFormat, TableWriter};
use rtoscope_tables::{ColumnData, ColumnType, ColumnValues, Table, TableRows};
use rtoscope_trace::{Name, Objects};
use serde_json::{Map, Value};

/// Exports a table of recordings as text.
fn written(
    sources: &[&AnalyzedRecording],
    table: Table,
    layout: LineFormat,
    tags: &[(&str, &str)],
) -> String {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let tags: Vec<_> = tags.iter().map(owned).collect();
    let mut writer = TableWriter::new(Vec::new(), table, layout, &tags).unwrap();
    for source in sources {
        let mut reported = 0;
        writer
            .add(source, &mut |events| reported += events)
            .unwrap();
        assert_eq!(reported, source.trace.events.len() as u64);
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// A value as JSON; `null` if it is missing.
fn value(values: &ColumnValues, row: usize) -> Value {
    match &values.data {
        _ if !values.is_valid(row) => Value::Null,
        ColumnData::Bool(values) => values[row].into(),
        ColumnData::U8(values) => values[row].into(),
        ColumnData::U16(values) => values[row].into(),
        ColumnData::U32(values) => values[row].into(),
        ColumnData::U64(values) => values[row].into(),
        ColumnData::I64(values) => values[row].into(),
        ColumnData::F64(values) => values[row].into(),
        ColumnData::Strings { strings, codes } => strings.get(codes[row] as usize).unwrap().into(),
    }
}

/// The expected lines.
fn expected(source: &AnalyzedRecording, table: Table) -> Vec<Vec<Value>> {
    let rows = TableRows::new(table, source);
    let all: Vec<_> = (0..table.columns().len()).collect();
    let batch = rows.batch(0..rows.len(), &all);
    let row = |row| batch.iter().map(|values| value(values, row)).collect();
    (0..rows.len()).map(row).collect()
}

fn check_csv(source: &AnalyzedRecording, table: Table) {
    let text = written(
        &[source],
        table,
        LineFormat::Csv,
        &[("board", "a \"b\", c")],
    );
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = table.columns().iter().map(|column| column.name);
    let names: Vec<_> = names.chain(["board"]).collect();
    assert_eq!(reader.headers().unwrap(), names);
    let expected = expected(source, table);
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), expected.len(), "{table}");
    for (record, expected) in records.iter().zip(&expected) {
        assert_eq!(&record[names.len() - 1], "a \"b\", c");
        for ((field, value), column) in record.iter().zip(expected).zip(table.columns()) {
            let shown = match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if column.column_type == ColumnType::F64 && !field.is_empty() {
                assert_eq!(field.parse(), Ok(value.as_f64().unwrap()));
            } else {
                assert_eq!(field, shown, "{table}.{}", column.name);
            }
        }
    }
}

fn check_json(source: &AnalyzedRecording, table: Table) {
    let text = written(
        &[source],
        table,
        LineFormat::Json,
        &[("a\"b", "line\nfeed")],
    );
    let expected = expected(source, table);
    assert_eq!(text.lines().count(), expected.len());
    for (line, expected) in text.lines().zip(&expected) {
        let object: Map<String, Value> = serde_json::from_str(line).unwrap();
        assert_eq!(object.len(), table.columns().len() + 1);
        assert_eq!(object["a\"b"], "line\nfeed");
        for (column, value) in table.columns().iter().zip(expected) {
            let found = &object[column.name];
            if column.column_type == ColumnType::F64 {
                assert_eq!(found.as_f64(), value.as_f64());
            } else {
                assert_eq!(found, value, "{table}.{}", column.name);
            }
        }
    }
}

#[test]
fn lines_match_the_tables() {
    for name in [
        "threadx/be64_s390x_wrap.trx",
        "threadx/linux32_names.trx",
        "threadx/smp32_cores.trx",
        "rkh/nat_short.bin",
        "rkh/dmg_flip.bin",
    ] {
        let opened = open(name);
        for table in Table::ALL {
            check_csv(&opened, *table);
            check_json(&opened, *table);
        }
    }
}

#[test]
fn recordings_follow_each_other() {
    let [one, other] = ["threadx/cm3_short.trx", "rkh/nat_short.bin"].map(open);
    for layout in [LineFormat::Csv, LineFormat::Json] {
        let sources = [&one, &other];
        let both = written(&sources, Table::Contexts, layout, &[]);
        let [first, second] = sources.map(|it| written(&[it], Table::Contexts, layout, &[]));
        let second = match layout {
            LineFormat::Csv => second.split_once('\n').unwrap().1,
            LineFormat::Json => &second,
        };
        assert_eq!(both, first + second);
    }
}

#[test]
fn empty_table_has_only_a_header() {
    let opened = open("threadx/cm3_short.trx");
    let text = written(&[&opened], Table::Timers, LineFormat::Csv, &[]);
    let names: Vec<_> = Table::Timers.columns().iter().map(|it| it.name).collect();
    assert_eq!(text, names.join(",") + "\n");
    let nothing = written(&[], Table::Events, LineFormat::Json, &[]);
    assert_eq!(nothing, "");
}

#[test]
fn missing_and_empty_are_distinct() {
    let opened = open("threadx/linux32_inv_det.trx");
    let text = written(&[&opened], Table::Inversions, LineFormat::Csv, &[]);
    // No chain and no prolonging threads: empty texts.
    assert!(text.contains(",\"\","));
    let text = written(&[&opened], Table::Slices, LineFormat::Csv, &[]);
    // No routine.
    assert!(text.contains(",,") && !text.contains("\"\""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn any_name_stays_on_its_line(
        names in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..16), 8),
        file in ".{0,12}",
        tag in ".{0,12}",
    ) {
        let bytes = rtoscope_fixtures::read_testdata("rkh/nat_short.bin");
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let mut recording = content.decode(&DecodeOptions::default()).unwrap();
        let objects = recording.trace.objects.iter().cloned();
        let renamed = objects.zip(names.iter().cycle()).map(|(mut object, name)| {
            object.name = Name::new(name);
            object
        });
        recording.trace.objects = Objects::new(renamed.collect());
        let opened = analyze(&file, recording);
        for table in [Table::Recordings, Table::Events, Table::Steps, Table::StateIntervals] {
            check_csv(&opened, table);
            check_json(&opened, table);
            let text = written(&[&opened], table, LineFormat::Json, &[("tag", &tag)]);
            for line in text.lines() {
                let object: Map<String, Value> = serde_json::from_str(line).unwrap();
                prop_assert_eq!(object["tag"].as_str(), Some(tag.as_str()));
                prop_assert_eq!(object["file"].as_str(), Some(file.as_str()));
            }
        }
    }
}
