//! Benchmarks of the columns of a table, computed in batches as readers request
//! them.
//!
//! ```text
//! cargo bench -p rtoscope-tables
//! ```

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_generate::ThreadXOptions;
use rtoscope_tables::{ColumnType, Table, TableRows};
use rtoscope_trace::Frequency;
use std::sync::OnceLock;

const EVENTS: u64 = 2_000_000;
const BATCH_ROWS: usize = 8192;

fn main() {
    divan::main();
}

fn source() -> &'static AnalyzedRecording {
    static RECORDING: OnceLock<AnalyzedRecording> = OnceLock::new();
    RECORDING.get_or_init(|| {
        let settings = ThreadXOptions {
            events: EVENTS,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        let mut options = DecodeOptions::default();
        options.threadx.clock.frequency = Frequency::from_hertz(100_000_000);
        let content =
            UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).expect("a buffer");
        let recording = content.decode(&options).expect("events");
        AnalyzedRecording::new("bench", "bench", recording.trace, &recording.format_info)
    })
}

/// Computes all rows of some columns of a table.
fn columns(bencher: Bencher<'_, '_>, table: Table, columns: &[usize]) {
    let source = source();
    let rows = TableRows::new(table, source).len();
    bencher.counter(ItemsCount::new(rows)).bench(|| {
        let all = TableRows::new(table, source);
        for start in (0..rows).step_by(BATCH_ROWS) {
            black_box(all.batch(start..start + BATCH_ROWS, columns));
        }
    });
}

fn column_indexes(table: Table, wanted: impl Fn(ColumnType) -> bool) -> Vec<usize> {
    let columns = table.columns().iter().enumerate();
    let wanted = columns.filter(|(_, column)| wanted(column.column_type));
    wanted.map(|(place, _)| place).collect()
}

#[divan::bench]
fn events_without_details(bencher: Bencher<'_, '_>) {
    columns(
        bencher,
        Table::Events,
        &column_indexes(Table::Events, |kind| kind != ColumnType::Text),
    );
}

#[divan::bench]
fn events(bencher: Bencher<'_, '_>) {
    columns(
        bencher,
        Table::Events,
        &column_indexes(Table::Events, |_| true),
    );
}

/// One benchmark per column.
#[divan::bench(args = Table::Events.columns().iter().map(|column| column.name))]
fn column_of_events(bencher: Bencher<'_, '_>, name: &str) {
    let place = Table::Events.column_index(name).expect("a column");
    columns(bencher, Table::Events, &[place]);
}

#[divan::bench(args = [Table::Slices, Table::ThreadStates, Table::Isrs, Table::Flows, Table::Levels])]
fn all_columns(bencher: Bencher<'_, '_>, table: &Table) {
    columns(bencher, *table, &column_indexes(*table, |_| true));
}
