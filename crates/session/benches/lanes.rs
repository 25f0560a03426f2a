//! Latency for the viewer: opening a trace, and a lane query at each zoom level.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_decode::DecodeOptions;
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_session::query::{Axis, Window};
use rtoscope_session::{Query, QueryResponse, Session};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Width of the queried window in pixels, including margins.
const WIDTH: u32 = 2100;
/// Lanes that fit on a screen.
const LANES: u32 = 30;

/// Events of the trace; `RTOSCOPE_BENCH_EVENTS` overrides the default.
fn events() -> u64 {
    let events = std::env::var("RTOSCOPE_BENCH_EVENTS");
    events.map_or(1_000_000, |events| events.parse().unwrap())
}

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let settings = ThreadXOptions {
        events: events(),
        threads: 100,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    write(&settings, &mut bytes, &mut |_| ()).unwrap();
    bytes
});

static SESSION: LazyLock<Session> =
    LazyLock::new(|| Session::open("bench", &BYTES, &DecodeOptions::default()).unwrap());

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 3)]
fn open(bencher: Bencher<'_, '_>) {
    LazyLock::force(&BYTES);
    bencher
        .counter(ItemsCount::new(events()))
        .bench(|| Session::open("bench", &BYTES, &DecodeOptions::default()).unwrap());
}

/// Queries a fraction of the trace, at a different position in each iteration.
fn lanes(bencher: Bencher<'_, '_>, axis: Axis, part: f64) {
    let QueryResponse::Json(overview) = SESSION.query(&Query::Overview).unwrap() else {
        return;
    };
    let overview: serde_json::Value = serde_json::from_str(&overview).unwrap();
    let whole = match axis {
        Axis::Time => &overview["span"],
        Axis::Index => &overview["events"],
    };
    let whole = whole.as_f64().unwrap();
    let turn = AtomicU32::new(0);
    bencher
        .with_inputs(|| {
            let turn = turn.fetch_add(1, Ordering::Relaxed);
            let place = (f64::from(turn) * 0.618_034).fract();
            let from = place * (1.0 - part) * whole;
            Query::Lanes {
                window: Window {
                    axis,
                    start: from,
                    end: from + part * whole,
                },
                width: WIDTH,
                lanes: (0..LANES).collect(),
                search: None,
            }
        })
        .bench_values(|query| SESSION.query(&query).unwrap());
}

const PARTS: [f64; 6] = [1.0, 0.3, 0.03, 0.003, 0.0003, 0.00001];

#[divan::bench(args = PARTS)]
fn time_view(bencher: Bencher<'_, '_>, part: f64) {
    lanes(bencher, Axis::Time, part);
}

#[divan::bench(args = PARTS)]
fn sequential_view(bencher: Bencher<'_, '_>, part: f64) {
    lanes(bencher, Axis::Index, part);
}
