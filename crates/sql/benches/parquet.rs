//! How fast the events of a generated ThreadX trace become a Parquet file, the
//! whole table and each column by itself.
//!
//! ```text
//! cargo bench -p rtoscope-sql --no-default-features
//! ```

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_command::Opened;
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, Content, Options};
use rtoscope_generate::Settings;
use rtoscope_sql::arrow::Batches;
use rtoscope_sql::{ipc, parquet};
use rtoscope_tables::Table;
use std::io;
use std::sync::{Arc, OnceLock};

const EVENTS: u64 = 10_000_000;

fn main() {
    divan::main();
}

/// A generated recording, made once.
fn opened() -> &'static Arc<Opened> {
    static OPENED: OnceLock<Arc<Opened>> = OnceLock::new();
    OPENED.get_or_init(|| {
        let settings = Settings {
            events: EVENTS,
            ..Settings::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).expect("valid settings");
        let content = Content::open(Input::new(&bytes), Choice::First, None).expect("a buffer");
        let recording = content.decode(&Options::default()).expect("events");
        Arc::new(Opened::new("generated".to_owned(), recording))
    })
}

/// The whole file, not stored.
#[divan::bench(args = [Table::Events, Table::Slices, Table::ThreadStates], sample_count = 3, sample_size = 1)]
fn parquet(bencher: Bencher<'_, '_>, table: Table) {
    let rows = Batches::of(opened(), table).len();
    bencher.counter(ItemsCount::new(rows)).bench(|| {
        let rising = Batches::of(opened(), table).rising();
        let mut writer = parquet::Writer::new(io::sink(), table, &[], &[], rising)?;
        writer.add(opened(), &mut |_| ())?;
        writer.finish()
    });
}

/// The same as an Arrow file.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn arrow(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let layout = ipc::Layout::File;
        let count = ipc::Recordings::One;
        let mut writer = ipc::Writer::new(io::sink(), layout, count, Table::Events, &[], &[])?;
        writer.add(opened(), &mut |_| ())?;
        writer.finish()
    });
}

/// A column as Arrow's arrays, not encoded.
#[divan::bench(args = Table::Events.columns().iter().map(|column| column.name), sample_count = 3, sample_size = 1)]
fn column(bencher: Bencher<'_, '_>, name: &str) {
    let column = Table::Events.column(name).expect("a column");
    let batches = Batches::of(opened(), Table::Events);
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        for first in (0..batches.len()).step_by(1 << 15) {
            let values = batches.column(first..first + (1 << 15), column);
            divan::black_box(values).expect("a column");
        }
    });
}
