//! Tests of row groups.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::ParquetTableWriter;
use crate::AnalyzedRecording;
use crate::arrow::TableBatches;
use arrow::array::{AsArray as _, RecordBatch};
use arrow::datatypes::Int64Type;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_tables::Table;
use std::sync::Arc;

#[test]
fn row_groups_are_full_across_recordings() {
    let bytes = include_bytes!("../../../../testdata/threadx/cm3_system.trx");
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    let opened = Arc::new(AnalyzedRecording::new(
        "cm3_system",
        "cm3_system",
        recording.trace,
        &recording.format_info,
    ));
    let table = Table::Slices;
    let start = table.column_index("start").unwrap();

    let mut writer = ParquetTableWriter::new(Vec::new(), table, &[], &[], None).unwrap();
    writer.capacity = 1000;
    for _ in 0..3 {
        writer.add_recording(&opened, &mut |_| ()).unwrap();
    }
    let file = Bytes::from(writer.finish().unwrap());

    let batches = TableBatches::new(&opened, table);
    let count = 3 * batches.len();
    assert!(!count.is_multiple_of(1000) && count > 3000);
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let groups = reader.metadata().row_groups().iter();
    let groups: Vec<usize> = groups.map(|group| group.num_rows() as usize).collect();
    let (last, full) = groups.split_last().unwrap();
    assert_eq!((full.len(), *last), (count / 1000, count % 1000));
    assert!(full.iter().all(|rows| *rows == 1000));

    let found: Vec<RecordBatch> = reader.build().unwrap().collect::<Result<_, _>>().unwrap();
    let found = found.iter().flat_map(|batch| {
        let starts = batch.column(start).as_primitive::<Int64Type>();
        starts.values().to_vec()
    });
    let expected = batches.column(0..batches.len(), start).unwrap();
    let expected = expected.as_primitive::<Int64Type>().values();
    assert!(found.eq(expected.repeat(3)));
}
