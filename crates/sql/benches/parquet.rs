//! Benchmarks of writing the events of a generated ThreadX trace to Parquet:
//! the whole table, and each column separately.
//!
//! ```text
//! cargo bench --manifest-path crates/sql/Cargo.toml --no-default-features
//! ```

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_generate::ThreadXOptions;
use rtoscope_sql::arrow::TableBatches;
use rtoscope_sql::{ipc, parquet};
use rtoscope_tables::Table;
use std::io;
use std::sync::{Arc, OnceLock};

const EVENTS: u64 = 10_000_000;

fn main() {
    divan::main();
}

/// A recording, generated once.
fn opened() -> &'static Arc<AnalyzedRecording> {
    static OPENED: OnceLock<Arc<AnalyzedRecording>> = OnceLock::new();
    OPENED.get_or_init(|| {
        let settings = ThreadXOptions {
            events: EVENTS,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).expect("valid settings");
        let content =
            UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).expect("a buffer");
        let recording = content.decode(&DecodeOptions::default()).expect("events");
        Arc::new(AnalyzedRecording::new(
            "generated",
            "generated",
            recording.trace,
            &recording.format_info,
        ))
    })
}

/// Writes a complete file without storing it.
#[divan::bench(args = [Table::Events, Table::Slices, Table::ThreadStates], sample_count = 3, sample_size = 1)]
fn parquet(bencher: Bencher<'_, '_>, table: Table) {
    let rows = TableBatches::new(opened(), table).len();
    bencher.counter(ItemsCount::new(rows)).bench(|| {
        let rising = TableBatches::new(opened(), table).ascending_column();
        let mut writer = parquet::ParquetTableWriter::new(io::sink(), table, &[], &[], rising)?;
        writer.add_recording(opened(), &mut |_| ())?;
        writer.finish()
    });
}

/// Writes an Arrow file.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn arrow(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let layout = ipc::Layout::File;
        let count = ipc::RecordingCount::One;
        let mut writer =
            ipc::ArrowTableWriter::new(io::sink(), layout, count, Table::Events, &[], &[])?;
        writer.add_recording(opened(), &mut |_| ())?;
        writer.finish()
    });
}

/// Converts a column into Arrow arrays without encoding.
#[divan::bench(args = Table::Events.columns().iter().map(|column| column.name), sample_count = 3, sample_size = 1)]
fn column(bencher: Bencher<'_, '_>, name: &str) {
    let column = Table::Events.column_index(name).expect("a column");
    let batches = TableBatches::new(opened(), Table::Events);
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        for first in (0..batches.len()).step_by(1 << 15) {
            let values = batches.column(first..first + (1 << 15), column);
            divan::black_box(values).expect("a column");
        }
    });
}
