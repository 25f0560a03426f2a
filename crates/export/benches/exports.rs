//! How fast an analysed trace becomes each format, and how much memory that
//! takes beside the trace.
//!
//! ```text
//! cargo bench -p rtoscope-export
//! ```

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher};
use rtoscope_command::Opened;
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, Content, Options};
use rtoscope_export::lines::{self, Layout};
use rtoscope_export::{chrome, ctf, html, perfetto, sigrok, vcd};
use rtoscope_generate::Settings;
use rtoscope_tables::{Source, Table};
use rtoscope_trace::Frequency;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const MILLION: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A trace of so many millions of events, made once.
fn source(millions: u64) -> Source<'static> {
    static OPENED: Mutex<BTreeMap<u64, &Opened>> = Mutex::new(BTreeMap::new());
    let mut all = OPENED.lock().expect("no thread panics");
    let opened = all.entry(millions).or_insert_with(|| {
        let settings = Settings {
            events: millions * MILLION,
            ..Settings::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        let mut options = Options::default();
        options.threadx.clock.frequency = NonZeroU64::new(100 * MILLION).map(Frequency);
        let content = Content::open(Input::new(&bytes), Choice::First, None).expect("a buffer");
        let recording = content.decode(&options).expect("events");
        Box::leak(Box::new(Opened::new("bench", recording)))
    });
    opened.source()
}

/// Counts what is written.
#[derive(Default)]
struct Counting(u64);

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn measure(
    bencher: Bencher<'_, '_>,
    millions: u64,
    write: impl Fn(&Source<'_>, &mut Counting) -> io::Result<()> + Sync,
) {
    let source = source(millions);
    let mut output = Counting::default();
    write(&source, &mut output).expect("nothing fails");
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .counter(BytesCount::new(output.0))
        .bench(|| write(&source, &mut Counting::default()).expect("nothing fails"));
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn perfetto(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        let mut writer = perfetto::Writer::new(output)?;
        writer.add(source, &mut |_| {})?;
        writer.finish().map(drop)
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn chrome(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        let mut writer = chrome::Writer::new(output)?;
        writer.add(source, &mut |_| {})?;
        writer.finish().map(drop)
    });
}

/// To a folder on disk, which counts.
#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn common_trace_format(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, _| {
        let folder = tempfile::tempdir()?;
        ctf::write(source, folder.path(), &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn value_change_dump(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        vcd::write(&[*source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn sigrok(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        sigrok::write(&[*source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn html(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        html::write(&[*source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn csv_of_events(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        events(source, Layout::Csv, output)
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn json_lines_of_events(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        events(source, Layout::Json, output)
    });
}

fn events(source: &Source<'_>, layout: Layout, output: &mut Counting) -> io::Result<()> {
    let mut writer = lines::Writer::new(output, Table::Events, layout, &[])?;
    writer.add(source, &mut |_| {})?;
    writer.finish().map(drop)
}
