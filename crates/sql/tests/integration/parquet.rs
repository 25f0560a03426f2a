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

/// The files that readers of datasets see.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().as_encoded_bytes();
            if name.starts_with(b".") {
                continue;
            }
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
    let opened = open(RECORDINGS[0]);
    // A table without rows has one file.
    let expected = |places: &[&str]| -> BTreeSet<String> {
        let tables = Table::ALL.iter().flat_map(|&table| {
            let count = match TableBatches::new(&opened, table).is_empty() {
                true => 1,
                false => places.len(),
            };
            let places = places.iter().take(count);
            places.map(move |place| format!("{table}/{place}.parquet"))
        });
        tables.collect()
    };
    export(&[RECORDINGS[0]], &["device=a/b", "build=1"]).unwrap();
    assert_eq!(
        files(&dataset),
        expected(&["device=a%2Fb/build=1/cm3_system"])
    );
    let file = dataset.join("events/device=a%2Fb/build=1/cm3_system.parquet");
    let (events, _) = read(fs::read(&file).unwrap());
    // The tags are in the path; the columns are those of the table.
    let names = Table::Events.columns().iter().map(|column| column.name);
    let schema = events.schema();
    assert!(
        schema
            .fields()
            .iter()
            .map(|it| it.name().as_str())
            .eq(names)
    );
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
fn tags_of_many_recordings_come_from_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let (fleet, dataset) = (folder.path().join("fleet"), folder.path().join("dataset"));
    let mut words = Vec::new();
    for device in ["1", "2 b", "c=d"] {
        let trace = fleet.join(device).join("trace.trx");
        fs::create_dir_all(trace.parent().unwrap()).unwrap();
        fs::copy(common::path(RECORDINGS[0]), &trace).unwrap();
        words.push(trace.into_os_string());
    }
    words.extend(["--tag=device={folder}", "--tag=site=a {name}"].map(Into::into));
    let export = |option: &str, output: &Path| {
        let options = ["--to=parquet".into(), option.into(), "--output".into()];
        let words = words.iter().cloned().chain(options);
        export::run(&arguments(words.chain([output.into()])))
    };
    export("--clock=25MHz", &dataset).unwrap();
    let found = files(&dataset.join("events"));
    let expected = ["1", "2 b", "c%3Dd"];
    let expected = expected.map(|device| format!("device={device}/site=a trace/trace.parquet"));
    assert_eq!(found, expected.into());
    assert_eq!(
        files(&dataset).len(),
        files(&dataset.join("events")).len() * not_empty() + empty()
    );
    let (events, _) = read(fs::read(dataset.join("events").join(found.first().unwrap())).unwrap());
    let id = arrow::compute::cast(events.column(1), &arrow::datatypes::DataType::Utf8).unwrap();
    let id = arrow::array::AsArray::as_string::<i32>(&id)
        .value(0)
        .to_owned();
    assert_eq!(id, "device=1/site=a trace/trace");
    let error = export("--table=events", &folder.path().join("events.parquet"));
    assert!(error.unwrap_err().to_string().contains("device={folder}"));
}

/// The number of tables of the first recording with rows.
fn not_empty() -> usize {
    let opened = open(RECORDINGS[0]);
    let mut tables = Vec::from(Table::ALL);
    tables.retain(|&table| !TableBatches::new(&opened, table).is_empty());
    tables.len()
}

fn empty() -> usize {
    Table::ALL.len() - not_empty()
}

#[test]
fn a_table_that_becomes_empty_loses_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    let trace = folder.path().join("trace");
    let other = folder.path().join("other.trx");
    let export = |from: &str, to: &Path| {
        fs::copy(common::path(from), to).unwrap();
        let options = ["--to=parquet", "--replace", "--output"].map(Into::into);
        let words = [to.as_os_str().to_owned()].into_iter().chain(options);
        export::run(&arguments(words.chain([dataset.clone().into()]))).unwrap();
    };
    let steps = dataset.join("steps");
    export(RECORDINGS[5], &trace);
    assert_eq!(files(&steps), ["trace.parquet".to_owned()].into());
    export(RECORDINGS[5], &other);
    export(RECORDINGS[0], &trace);
    assert_eq!(files(&steps), ["other.parquet".to_owned()].into());
    assert!(files(&dataset.join("slices")).contains("trace.parquet"));
}

#[test]
fn small_recordings_become_small_datasets() {
    let folder = tempfile::tempdir().unwrap();
    let trace = common::path(RECORDINGS[0]);
    let options = [
        "--to=parquet".into(),
        "--output".into(),
        folder.path().into(),
    ];
    let words = [trace.clone().into_os_string()].into_iter().chain(options);
    export::run(&arguments(words)).unwrap();
    let sizes = files(folder.path()).into_iter().map(|name| {
        let path = folder.path().join(name);
        let bytes = path.metadata().unwrap().len();
        let (rows, metadata) = read(fs::read(path).unwrap());
        let groups = metadata.row_groups().iter();
        let data: i64 = groups
            .map(parquet::file::metadata::RowGroupMetaData::compressed_size)
            .sum();
        assert!(bytes - (data as u64) < 400 + 220 * rows.num_columns() as u64);
        bytes
    });
    // It was 0.4 MB when every file had Arrow's schema and empty tables had files.
    let sum: u64 = sizes.sum();
    let bytes = trace.metadata().unwrap().len();
    assert!(sum < 3 * bytes, "{sum} bytes of tables from {bytes}");
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
