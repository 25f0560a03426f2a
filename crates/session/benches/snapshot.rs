//! Cost of a snapshot of a live recording: opening a session on its last events, without
//! an earlier analysis (`new`) or with that of all but the last hundredth (`extended`).

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_analysis::LiveAnalysis;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::{cswitch, rkh, write};
use rtoscope_session::Session;

const EVENTS: [u64; 4] = [50_000, 100_000, 250_000, 500_000];

/// The analysis before the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Extended,
}

fn arguments() -> impl Iterator<Item = (State, u64)> {
    let states = [State::New, State::Extended].into_iter();
    states.flat_map(|state| EVENTS.map(|events| (state, events)))
}

fn main() {
    divan::main();
}

#[divan::bench(args = arguments())]
fn threadx(bencher: Bencher<'_, '_>, (state, events): (State, u64)) {
    let settings = rtoscope_generate::ThreadXOptions {
        events,
        threads: 30,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, state, &bytes);
}

#[divan::bench(args = arguments())]
fn rkh(bencher: Bencher<'_, '_>, (state, events): (State, u64)) {
    let settings = rkh::RkhOptions {
        records: events,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    rkh::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, state, &bytes);
}

#[divan::bench(args = arguments())]
fn cswitch(bencher: Bencher<'_, '_>, (state, events): (State, u64)) {
    let settings = cswitch::CswitchOptions {
        entries: events,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    cswitch::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, state, &bytes);
}

fn snapshot(bencher: Bencher<'_, '_>, state: State, bytes: &[u8]) {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = &recording;
    let events = trace.events.len();
    let mut earlier = trace.clone();
    let kept = events - events / 100;
    earlier.events.edit(|columns| columns.time.truncate(kept));
    earlier.gaps.retain(|gap| gap.next_event.index() < kept);
    bencher
        .counter(ItemsCount::new(events))
        .with_inputs(|| {
            let mut analysis = LiveAnalysis::default();
            if state == State::Extended {
                analysis.analyze("bench", earlier.clone(), format_info);
            }
            (analysis, trace.clone())
        })
        .bench_values(|(mut analysis, trace)| {
            let recording = analysis.analyze("bench", trace, format_info);
            // The analysis is kept for the next snapshot.
            let session = Session::from_analyzed(recording, format_info.clone());
            (analysis, session)
        });
}
