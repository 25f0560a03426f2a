//! Benchmarks of tables as streams of record batches, which are all kept, as Python's readers
//! keep them.
//!
//! ```text
//! cargo bench -p rtoscope-arrow
//! ```

use arrow_array::RecordBatch;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_arrow::{TableStream, TextArrays};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_generate::ThreadXOptions;
use rtoscope_tables::Table;
use rtoscope_trace::Frequency;
use std::sync::{Arc, LazyLock};

/// Events of the recording; `RTOSCOPE_BENCH_EVENTS` overrides the default.
fn events() -> u64 {
    let events = std::env::var("RTOSCOPE_BENCH_EVENTS");
    let events = events.map(|events| events.parse().expect("a number"));
    events.unwrap_or(2_000_000)
}

fn main() {
    divan::main();
}

static RECORDING: LazyLock<Arc<AnalyzedRecording>> = LazyLock::new(|| {
    let settings = ThreadXOptions {
        events: events(),
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
    let mut options = DecodeOptions::default();
    options.threadx.clock.frequency = Frequency::from_hertz(100_000_000);
    let content =
        UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).expect("a buffer");
    let recording = content.decode(&options).expect("events");
    let info = &recording.format_info;
    Arc::new(AnalyzedRecording::new(
        "bench",
        "bench",
        recording.trace,
        info,
    ))
});

/// Reads some columns of a table.
fn read(bencher: Bencher<'_, '_>, table: Table, columns: &[usize]) {
    let batches = || {
        let stream = TableStream::new(
            Arc::clone(&RECORDING),
            table,
            columns.to_vec(),
            TextArrays::Dictionary,
        );
        let batches = stream.expect("columns of the table");
        batches.collect::<Result<Vec<_>, _>>().expect("batches")
    };
    let rows: usize = batches().iter().map(RecordBatch::num_rows).sum();
    let bencher = bencher.counter(ItemsCount::new(rows));
    bencher.bench(|| black_box(batches()));
}

fn names(table: Table) -> impl Iterator<Item = &'static str> {
    table.columns().iter().map(|column| column.name)
}

#[divan::bench(args = [
    Table::Events, Table::Arguments, Table::Slices, Table::ThreadStates, Table::Isrs, Table::Flows,
    Table::Levels,
])]
fn all_columns(bencher: Bencher<'_, '_>, table: &Table) {
    let columns: Vec<_> = (0..names(*table).count()).collect();
    read(bencher, *table, &columns);
}

#[divan::bench]
fn all_columns_of_events_without_arguments(bencher: Bencher<'_, '_>) {
    let columns = (0..).zip(names(Table::Events));
    let columns = columns.filter(|(_, name)| *name != "arguments");
    let columns: Vec<_> = columns.map(|(place, _)| place).collect();
    read(bencher, Table::Events, &columns);
}

/// One benchmark per column.
#[divan::bench(args = names(Table::Events))]
fn column_of_events(bencher: Bencher<'_, '_>, name: &str) {
    let column = Table::Events.column_index(name).expect("a column");
    read(bencher, Table::Events, &[column]);
}
