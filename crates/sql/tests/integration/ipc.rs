//! Tables in Arrow files and streams equal the tables themselves.

use crate::common::{RECORDINGS, open, rows};
use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Schema};
use arrow::ipc::reader::{FileReader, StreamReader, read_footer_length};
use rtoscope_command::export::dataset;
use rtoscope_sql::ipc::{ArrowTableWriter, Layout, RecordingCount};
use rtoscope_tables::Table;
use std::io::Cursor;

/// The number of dictionary batches in a file.
fn of_file(file: &[u8]) -> usize {
    let trailer = file.last_chunk::<10>().unwrap();
    let length = read_footer_length(*trailer).unwrap();
    let footer = &file[file.len() - trailer.len() - length..][..length];
    let footer = arrow::ipc::root_as_footer(footer).unwrap();
    footer.dictionaries().map_or(0, |blocks| blocks.len())
}

/// The number of dictionary batches in a stream.
fn of_stream(mut stream: &[u8]) -> usize {
    let mut count = 0;
    while let Some((head, rest)) = stream.split_first_chunk::<8>() {
        // The continuation marker, then the length of the message; 0 ends the stream.
        let length = u32::from_le_bytes(*head[4..].first_chunk().unwrap()) as usize;
        let Ok(message) = arrow::ipc::root_as_message(&rest[..length]) else {
            break;
        };
        count += usize::from(message.header_as_dictionary_batch().is_some());
        stream = &rest[length + message.bodyLength() as usize..];
    }
    count
}

fn dictionary_columns(schema: &Schema) -> usize {
    let kinds = schema.fields().iter().map(|field| field.data_type());
    kinds
        .filter(|kind| matches!(kind, DataType::Dictionary(..)))
        .count()
}

#[test]
fn every_table_of_several_recordings_round_trips() {
    let opened = RECORDINGS.map(open);
    let tag = dataset::parse_tag("device=42").unwrap();
    let tags = std::slice::from_ref(&tag);
    for &table in Table::ALL {
        let expected: Vec<_> = opened.iter().map(|one| rows(one, table)).collect();
        let count: usize = expected.iter().map(RecordBatch::num_rows).sum();
        for layout in [Layout::File, Layout::Stream] {
            let several = RecordingCount::Several;
            let mut writer =
                ArrowTableWriter::new(Vec::new(), layout, several, table, tags, tags).unwrap();
            let mut written = 0;
            for one in &opened {
                writer
                    .add_recording(one, &mut |more| written += more)
                    .unwrap();
            }
            assert_eq!(written, count as u64, "{table}");
            let bytes = writer.finish().unwrap();
            let written_dictionaries = match layout {
                Layout::File => of_file(&bytes),
                Layout::Stream => of_stream(&bytes),
            };
            let bytes = Cursor::new(bytes);
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
            // Each dictionary is written once and is neither extended nor
            // replaced, which not all readers support. A file without batches
            // needs none.
            let expected_dictionaries = match count {
                0 => 0,
                _ => dictionary_columns(&schema),
            };
            assert_eq!(
                written_dictionaries, expected_dictionaries,
                "{table} {layout:?}"
            );
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
