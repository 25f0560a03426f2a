//! The processor time of all that a recording is opened for, against its size, for shapes of
//! recordings that invite loops within loops. `cargo xtask fuzz shapes` runs it.

#[path = "shapes/containers.rs"]
mod containers;
#[path = "shapes/context_switch_logs.rs"]
mod context_switch_logs;
#[path = "shapes/trace_buffers.rs"]
mod trace_buffers;

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, Format, UnpackedInput};
use rtoscope_export::table_lines::{LineFormat, TableWriter};
use rtoscope_export::{chrome, html, perfetto, vcd};
use rtoscope_fixtures::ProcessorTimer;
use rtoscope_session::Session;
use rtoscope_tables::Table;
use std::io;
use std::time::Duration;

/// A recording of any size.
struct Shape {
    name: &'static str,
    /// The recording with about this number of its items.
    bytes: fn(usize) -> Vec<u8>,
    options: fn() -> DecodeOptions,
    /// Its format, if nothing in it proves it.
    format: Option<Format>,
}

/// The sizes to compare, in items.
const SMALL: usize = 16_000;
const LARGE: usize = 4 * SMALL;
/// How much longer the larger recording may take. In n log n it is about 4.6 times, and more
/// where it leaves the caches; in n² it is 16 times.
const MAX_RATIO: f64 = 9.0;
/// What takes less is not compared: it is no trouble at this size, and too short to measure.
const MIN_TIME: Duration = Duration::from_millis(100);
/// Of several runs, the fastest was disturbed least.
const RUNS: usize = 3;

#[test]
#[ignore = "measures time"]
fn time_grows_with_the_size() {
    // On one thread, whose time can be measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let slow = pool.expect("a thread").install(slow_shapes);
    assert!(slow.is_empty(), "superlinear:\n{}", slow.join("\n"));
}

fn slow_shapes() -> Vec<String> {
    let shapes = [
        context_switch_logs::SHAPES,
        trace_buffers::SHAPES,
        containers::SHAPES,
    ];
    let mut slow = Vec::new();
    for shape in shapes.into_iter().flatten() {
        let [small, large] = [SMALL, LARGE].map(|items| {
            let bytes = (shape.bytes)(items);
            (0..RUNS).map(|_| times(&bytes, shape)).reduce(fastest)
        });
        let times = small.into_iter().flatten().zip(large.into_iter().flatten());
        for ((step, small), (_, large)) in times {
            let ratio = large.as_secs_f64() / small.as_secs_f64();
            let line = format!(
                "{:32} {step:9} {small:9.1?} {large:9.1?} {ratio:5.1}",
                shape.name
            );
            eprintln!("{line}");
            if large >= MIN_TIME && ratio > MAX_RATIO {
                slow.push(line);
            }
        }
    }
    slow
}

/// The times of the steps, by name.
type Times = Vec<(&'static str, Duration)>;

fn fastest(one: Times, other: Times) -> Times {
    let pairs = one.into_iter().zip(other);
    pairs
        .map(|((step, one), (_, other))| (step, one.min(other)))
        .collect()
}

fn times(bytes: &[u8], shape: &Shape) -> Times {
    let mut times = Times::new();
    let recording = measure("decode", &mut times, || decode(bytes, shape));
    let Some(DecodedRecording { trace, format_info }) = recording else {
        return times;
    };
    let source = measure("analyse", &mut times, || {
        AnalyzedRecording::new("shape", "shape", trace.clone(), &format_info)
    });
    measure("report", &mut times, || {
        let document = ReportDocument::new("shape", &source.view(), &ReportOptions::default());
        serde_json::to_writer(io::sink(), &document)
    })
    .expect("a document");
    measure("perfetto", &mut times, || {
        perfetto::PerfettoWriter::new(io::sink())?.add_recording(&source, &mut |_| ())
    })
    .expect("nothing to fail");
    measure("chrome", &mut times, || {
        chrome::ChromeWriter::new(io::sink())?.add_recording(&source, &mut |_| ())
    })
    .expect("nothing to fail");
    measure("vcd", &mut times, || {
        vcd::write(&[&source], &mut io::sink(), &mut |_| ())
    })
    .expect("nothing to fail");
    measure("html", &mut times, || {
        html::write(&[&source], &mut io::sink(), &mut |_| ())
    })
    .expect("nothing to fail");
    measure("tables", &mut times, || {
        Table::ALL.iter().try_for_each(|table| {
            let mut writer = TableWriter::new(io::sink(), *table, LineFormat::Csv, &[])?;
            writer.add(&source, &mut |_| ())
        })
    })
    .expect("nothing to fail");
    measure("session", &mut times, || {
        Session::from_analyzed(source, format_info)
    });
    times
}

/// What a user sees of an input that is refused is an error, which must come as fast.
fn decode(bytes: &[u8], shape: &Shape) -> Option<DecodedRecording> {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, shape.format);
    input
        .and_then(|input| input.decode(&(shape.options)()))
        .ok()
}

fn measure<T>(step: &'static str, times: &mut Times, work: impl FnOnce() -> T) -> T {
    let timer = ProcessorTimer::start();
    let result = work();
    times.push((step, timer.elapsed()));
    result
}
