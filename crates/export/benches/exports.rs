//! The speed of each export of an analysed trace, and its memory use in addition to
//! the trace.
//!
//! ```text
//! cargo bench -p rtoscope-export
//! ```

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_export::table_lines::{self, LineFormat};
use rtoscope_export::{chrome, ctf, html, perfetto, sigrok, vcd};
use rtoscope_generate::ThreadXOptions;
use rtoscope_tables::Table;
use rtoscope_trace::Frequency;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const MILLION: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A trace of this many million events, generated once.
fn source(millions: u64) -> &'static AnalyzedRecording {
    static OPENED: Mutex<BTreeMap<u64, &AnalyzedRecording>> = Mutex::new(BTreeMap::new());
    let mut all = OPENED.lock().expect("no thread panics");
    all.entry(millions).or_insert_with(|| {
        let settings = ThreadXOptions {
            events: millions * MILLION,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        let mut options = DecodeOptions::default();
        options.threadx.clock.frequency = Frequency::from_hertz(100 * MILLION);
        let content =
            UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).expect("a buffer");
        let recording = content.decode(&options).expect("events");
        Box::leak(Box::new(AnalyzedRecording::new(
            "bench",
            "bench",
            recording.trace,
            &recording.format_info,
        )))
    })
}

/// Counts the bytes written.
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
    write: impl Fn(&AnalyzedRecording, &mut Counting) -> io::Result<()> + Sync,
) {
    let source = source(millions);
    let mut output = Counting::default();
    write(source, &mut output).expect("nothing fails");
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .counter(BytesCount::new(output.0))
        .bench(|| write(source, &mut Counting::default()).expect("nothing fails"));
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn perfetto(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        let mut writer = perfetto::PerfettoWriter::new(output)?;
        writer.add_recording(source, &mut |_| {})?;
        writer.finish().map(drop)
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn chrome(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        let mut writer = chrome::ChromeWriter::new(output)?;
        writer.add_recording(source, &mut |_| {})?;
        writer.finish().map(drop)
    });
}

/// To a folder on disk, which takes part in the measurement.
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
        vcd::write(&[source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn sigrok(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        sigrok::write(&[source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn html(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        html::write(&[source], output, &mut |_| {})
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn csv_of_events(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        events(source, LineFormat::Csv, output)
    });
}

#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn json_lines_of_events(bencher: Bencher<'_, '_>, millions: u64) {
    measure(bencher, millions, |source, output| {
        events(source, LineFormat::Json, output)
    });
}

fn events(source: &AnalyzedRecording, layout: LineFormat, output: &mut Counting) -> io::Result<()> {
    let mut writer = table_lines::TableWriter::new(output, Table::Events, layout, &[])?;
    writer.add(source, &mut |_| {})?;
    writer.finish().map(drop)
}
