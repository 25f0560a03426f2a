//! Tables in Parquet files equal the tables themselves.

use crate::common::{self, RECORDINGS, arguments, open, rows};
use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;
use rtoscope_command::export::dataset::{self, Tag};
use rtoscope_sql::arrow::TableBatches;
use rtoscope_sql::export;
use rtoscope_sql::parquet::ParquetTableWriter;
use rtoscope_tables::Table;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// All rows of a file, and its metadata.
fn read(file: impl Into<Bytes>) -> (RecordBatch, Arc<ParquetMetaData>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.into()).unwrap();
    let metadata = Arc::clone(reader.metadata());
    let schema = Arc::clone(reader.schema());
    let batches: Vec<_> = reader.build().unwrap().collect::<Result<_, _>>().unwrap();
    (concat_batches(&schema, &batches).unwrap(), metadata)
}

fn value(metadata: &ParquetMetaData, key: &str) -> String {
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    let found = pairs.iter().find(|pair| pair.key == key).unwrap();
    found.value.clone().unwrap()
}

fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.replace('\\', "/"));
            }
        }
    }
    found
}

#[test]
fn every_table_round_trips() {
    for name in RECORDINGS {
        let opened = open(name);
        for &table in Table::ALL {
            let expected = rows(&opened, table);
            let mut writer = ParquetTableWriter::new(Vec::new(), table, &[], &[], None).unwrap();
            let mut written = 0;
            writer
                .add_recording(&opened, &mut |more| written += more)
                .unwrap();
            let (found, _) = read(writer.finish().unwrap());
            assert_eq!(
                found.schema().fields(),
                expected.schema().fields(),
                "{table}"
            );
            assert_eq!(found.columns(), expected.columns(), "{name}: {table}");
            assert_eq!(written, expected.num_rows() as u64);
        }
    }
}

#[test]
fn several_recordings_are_concatenated() {
    let opened = RECORDINGS.map(open);
    let labels: [Tag; 2] =
        ["device=\"4\n2\"", "site=ü"].map(|tag| dataset::parse_tag(tag).unwrap());
    let mut writer =
        ParquetTableWriter::new(Vec::new(), Table::Events, &labels, &labels, None).unwrap();
    for one in &opened {
        writer.add_recording(one, &mut |_| ()).unwrap();
    }
    let (found, metadata) = read(writer.finish().unwrap());
    let count = Table::Events.columns().len();
    let mut first = 0;
    for one in &opened {
        let expected = rows(one, Table::Events);
        let part = found.slice(first, expected.num_rows());
        assert_eq!(&part.columns()[..count], expected.columns());
        first += expected.num_rows();
    }
    assert_eq!(first, found.num_rows());
    assert_eq!(metadata.num_row_groups(), 1);
    for (column, (_, label)) in (count..).zip(&labels) {
        let words = arrow::compute::cast(found.column(column), &arrow::datatypes::DataType::Utf8);
        let words = words.unwrap();
        let mut words = arrow::array::AsArray::as_string::<i32>(&words).iter();
        assert!(words.all(|word| word == Some(label)));
    }
    let tags = value(&metadata, "rtoscope.tags");
    assert_eq!(tags, r#"{"device":"\"4\n2\"","site":"ü"}"#);
}

#[test]
fn metadata_has_provenance_and_sort_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.parquet");
    let trace = common::path(RECORDINGS[0]);
    let export = |traces: &[&Path]| {
        let words = traces.iter().map(|trace| trace.as_os_str().to_owned());
        let options = [
            "--to=parquet",
            "--table=events",
            "--clock=25MHz",
            "--output",
        ];
        let words = words
            .chain(options.map(Into::into))
            .chain([path.clone().into()]);
        export::run(&arguments(words)).unwrap();
        read(fs::read(&path).unwrap()).1
    };
    let alone = export(&[&trace]);
    let time = Table::Events.column_index("time").unwrap();
    let sorting = alone.row_group(0).sorting_columns().unwrap();
    assert_eq!(sorting.len(), 1);
    assert_eq!(
        (sorting[0].column_idx as usize, sorting[0].descending),
        (time, false)
    );
    assert_eq!(value(&alone, "rtoscope.table"), "events");
    let recordings: serde_json::Value =
        serde_json::from_str(&value(&alone, "rtoscope.recordings")).unwrap();
    assert_eq!(recordings[0]["file"], trace.to_str().unwrap());
    assert_eq!(recordings[0]["events"], 3000);
    assert_eq!(recordings[0]["clock"]["frequency_hz"], 25_000_000);
    let bounds = alone.row_group(0).column(time).statistics().unwrap();
    assert_eq!(bounds.min_bytes_opt().unwrap(), 0_u64.to_le_bytes());

    let twice = export(&[&trace, &trace]);
    assert!(twice.row_group(0).sorting_columns().is_none());
    assert_eq!(twice.file_metadata().num_rows(), 6000);
}

#[test]
fn a_dataset_adds_and_replaces_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let export = |names: &[&str], tags: &[&str]| {
        let words = names.iter().map(|name| common::path(name).into_os_string());
        let tags = tags.iter().map(|tag| format!("--tag={tag}").into());
        let options = [
            "--to=parquet".into(),
            "--output".into(),
            dataset.clone().into(),
        ];
        export::run(&arguments(words.chain(tags).chain(options)))
    };
    let expected = |places: &[&str]| -> BTreeSet<String> {
        let places = places.iter().flat_map(|place| {
            Table::ALL
                .iter()
                .map(move |table| format!("{table}/{place}.parquet"))
        });
        places.collect()
    };
    export(&[RECORDINGS[0]], &["device=a/b", "build=1"]).unwrap();
    assert_eq!(
        files(&dataset),
        expected(&["device=a%2Fb/build=1/cm3_system"])
    );
    let file = dataset.join("events/device=a%2Fb/build=1/cm3_system.parquet");
    let (events, _) = read(fs::read(&file).unwrap());
    // The tags are in the path.
    assert_eq!(events.num_columns(), Table::Events.columns().len());
    assert_eq!(events.num_rows(), 3000);

    export(&[RECORDINGS[0], RECORDINGS[0]], &["device=a/b", "build=1"]).unwrap();
    let both = [
        "device=a%2Fb/build=1/cm3_system",
        "device=a%2Fb/build=1/cm3_system-2",
    ];
    assert_eq!(files(&dataset), expected(&both));
    assert_eq!(read(fs::read(&file).unwrap()).0, events);
    // A file that cannot be opened changes nothing.
    assert!(export(&["README.md"], &[]).is_err());
    assert_eq!(files(&dataset), expected(&both));
}

#[test]
fn a_failed_export_leaves_existing_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.parquet");
    fs::write(&path, "before").unwrap();
    for to in ["parquet", "arrow"] {
        let words = [
            common::path(RECORDINGS[0]).into_os_string(),
            common::path("README.md").into(),
            format!("--to={to}").into(),
            "--table=events".into(),
            "--output".into(),
            path.clone().into(),
        ];
        assert!(export::run(&arguments(words)).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_batch_shares_the_memory_of_its_recording() {
    let opened = open(RECORDINGS[0]);
    let chunk = opened.trace.events.chunks(100..200).next();
    let times = chunk.unwrap().times;
    let time = Table::Events.column_index("time").unwrap();
    let column = {
        let batches = TableBatches::new(&opened, Table::Events);
        batches.column(100..200, time).unwrap()
    };
    let buffer = column.to_data().buffers()[0].clone();
    assert_eq!(buffer.as_ptr().addr(), times.as_ptr().addr());
    // The batch keeps the recording alive.
    let expected = times.to_vec();
    drop(opened);
    assert_eq!(buffer.typed_data::<u64>(), expected);
}
