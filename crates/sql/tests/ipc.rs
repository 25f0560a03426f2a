//! Tables in Arrow's files and streams are the tables.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::ipc::reader::{FileReader, StreamReader};
use common::{RECORDINGS, open, rows};
use rtoscope_command::export::dataset;
use rtoscope_sql::ipc::{Layout, Writer};
use rtoscope_tables::Table;
use std::io::Cursor;

#[test]
fn every_table_of_several_recordings_is_read_back_as_it_is() {
    let opened = RECORDINGS.map(open);
    let tag = dataset::tag("device=42").unwrap();
    let tags = std::slice::from_ref(&tag);
    for &table in Table::ALL {
        let expected: Vec<_> = opened.iter().map(|one| rows(one, table)).collect();
        let count: usize = expected.iter().map(RecordBatch::num_rows).sum();
        for layout in [Layout::File, Layout::Stream] {
            let mut writer = Writer::new(Vec::new(), layout, table, tags, tags).unwrap();
            let mut written = 0;
            for one in &opened {
                writer.add(one, &mut |more| written += more).unwrap();
            }
            assert_eq!(written, count as u64, "{table}");
            let bytes = Cursor::new(writer.finish().unwrap());
            let (schema, found) = match layout {
                Layout::File => {
                    let reader = FileReader::try_new(bytes, None).unwrap();
                    let recordings = &reader.custom_metadata()["rtoscope.recordings"];
                    assert_eq!(recordings.matches("\"file\"").count(), opened.len());
                    (reader.schema(), reader.collect::<Result<Vec<_>, _>>())
                }
                Layout::Stream => {
                    let reader = StreamReader::try_new(bytes, None).unwrap();
                    (reader.schema(), reader.collect::<Result<Vec<_>, _>>())
                }
            };
            assert_eq!(schema.metadata()["rtoscope.table"], table.name());
            let found = concat_batches(&schema, &found.unwrap()).unwrap();
            assert_eq!(found.num_rows(), count, "{table}");
            let mut first = 0;
            for expected in &expected {
                let part = found.slice(first, expected.num_rows());
                let labelled = part.num_columns() - 1;
                assert_eq!(&part.columns()[..labelled], expected.columns(), "{table}");
                first += expected.num_rows();
            }
        }
    }
}
