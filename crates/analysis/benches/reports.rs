//! How fast a decoded trace becomes a schedule and all reports.
//!
//! ```text
//! cargo bench -p rtoscope-analysis
//! ```

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_analysis::{AnalyzedRecording, Schedule};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::ThreadXInterpreter;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::ThreadXOptions;
use std::collections::BTreeMap;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const MILLION: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A generated recording of N million events, built once.
fn recording(millions: u64) -> &'static DecodedRecording {
    static RECORDINGS: Mutex<BTreeMap<u64, &DecodedRecording>> = Mutex::new(BTreeMap::new());
    let mut recordings = RECORDINGS.lock().expect("no thread panics");
    recordings.entry(millions).or_insert_with(|| {
        let settings = ThreadXOptions {
            events: millions * MILLION,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None);
        let content = content.expect("a buffer");
        let recording = content.decode(&DecodeOptions::default());
        Box::leak(Box::new(recording.expect("events")))
    })
}

/// From the event columns to every report.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn all_reports(bencher: Bencher<'_, '_>, millions: u64) {
    let DecodedRecording { trace, format_info } = recording(millions);
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .with_inputs(|| trace.clone())
        .bench_values(|trace| {
            let recording = AnalyzedRecording::new("bench", "", trace, format_info);
            ReportDocument::new("bench", &recording.view(), &ReportOptions::default())
        });
}

/// The schedule alone, on one thread.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn schedule(bencher: Bencher<'_, '_>, millions: u64) {
    let trace = &recording(millions).trace;
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .bench(|| Schedule::from_trace(black_box(trace), &mut ThreadXInterpreter::new(trace)));
}

/// The schedule's changes in order of time.
#[divan::bench(args = [1, 10], sample_count = 10, sample_size = 1)]
fn schedule_changes(bencher: Bencher<'_, '_>, millions: u64) {
    let trace = &recording(millions).trace;
    let schedule = Schedule::from_trace(trace, &mut ThreadXInterpreter::new(trace));
    let count = schedule.changes().count();
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| black_box(&schedule).changes().map(black_box).count());
}
