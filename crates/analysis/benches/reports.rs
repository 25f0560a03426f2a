//! How fast a decoded trace becomes a schedule and all reports.
//!
//! ```text
//! cargo bench -p rtoscope-analysis
//! ```

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_analysis::{AnalysisBuilder, RecordingInfo, Schedule};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{self, ThreadXInterpreter, catalogue};
use rtoscope_decode::{BufferChoice, open};
use rtoscope_generate::ThreadXOptions;
use rtoscope_trace::Trace;
use std::collections::BTreeMap;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const MILLION: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A generated trace of N million events, built once.
fn trace(millions: u64) -> &'static Trace {
    static TRACES: Mutex<BTreeMap<u64, &Trace>> = Mutex::new(BTreeMap::new());
    let mut traces = TRACES.lock().expect("no thread panics");
    traces.entry(millions).or_insert_with(|| {
        let settings = ThreadXOptions {
            events: millions * MILLION,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        let opened = open(Input::new(&bytes), BufferChoice::First).expect("a buffer");
        let recording = opened.decode(&threadx::ThreadXOptions::default());
        Box::leak(Box::new(recording.expect("events").trace))
    })
}

/// From the event columns to every report.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn all_reports(bencher: Bencher<'_, '_>, millions: u64) {
    let trace = trace(millions);
    let statistics = catalogue::statistics(threadx::NetxDialect::Duo);
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .with_inputs(|| trace.clone())
        .bench_values(|trace| {
            let mut builder = AnalysisBuilder::new(&trace);
            let mut interpreter = ThreadXInterpreter::new(&trace);
            builder.push(&trace, &mut interpreter, trace.events.len());
            let info = RecordingInfo {
                statistics,
                ..RecordingInfo::default()
            };
            let recording = builder.finish(info, trace);
            ReportDocument::new("bench", &recording.view(), &ReportOptions::default())
        });
}

/// The schedule alone, on one thread.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn schedule(bencher: Bencher<'_, '_>, millions: u64) {
    let trace = trace(millions);
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .bench(|| Schedule::from_trace(black_box(trace), &mut ThreadXInterpreter::new(trace)));
}

/// The schedule's changes in order of time.
#[divan::bench(args = [1, 10], sample_count = 10, sample_size = 1)]
fn schedule_changes(bencher: Bencher<'_, '_>, millions: u64) {
    let trace = trace(millions);
    let schedule = Schedule::from_trace(trace, &mut ThreadXInterpreter::new(trace));
    let count = schedule.changes().count();
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| black_box(&schedule).changes().map(black_box).count());
}
