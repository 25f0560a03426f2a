//! Cost of a snapshot: opening a session on the last events of a live recording.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::{cswitch, rkh, write};
use rtoscope_session::Session;

const EVENTS: [u64; 4] = [50_000, 100_000, 250_000, 500_000];

fn main() {
    divan::main();
}

#[divan::bench(args = EVENTS)]
fn threadx(bencher: Bencher<'_, '_>, events: u64) {
    let settings = rtoscope_generate::ThreadXOptions {
        events,
        threads: 30,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, &bytes);
}

#[divan::bench(args = EVENTS)]
fn rkh(bencher: Bencher<'_, '_>, events: u64) {
    let settings = rkh::RkhOptions {
        records: events,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    rkh::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, &bytes);
}

#[divan::bench(args = EVENTS)]
fn cswitch(bencher: Bencher<'_, '_>, events: u64) {
    let settings = cswitch::CswitchOptions {
        entries: events,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    cswitch::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    snapshot(bencher, &bytes);
}

fn snapshot(bencher: Bencher<'_, '_>, bytes: &[u8]) {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    bencher
        .counter(ItemsCount::new(recording.trace.events.len()))
        .with_inputs(|| DecodedRecording::clone(&recording))
        .bench_values(|recording| Session::new("bench", recording));
}
