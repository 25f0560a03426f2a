//! Decoding speed of a generated ThreadX buffer, against a plain copy of
//! the same bytes in the same run.
//!
//! ```text
//! cargo bench -p rtoscope-decode
//! ```

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, live, open, threadx};
use rtoscope_generate::ThreadXOptions;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Mutex, OnceLock};
use std::thread;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const MILLION: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A buffer of `millions` million events, generated once.
fn buffer(millions: u64) -> &'static [u8] {
    static BUFFERS: Mutex<BTreeMap<u64, &[u8]>> = Mutex::new(BTreeMap::new());
    let mut buffers = BUFFERS.lock().expect("no thread panics");
    buffers.entry(millions).or_insert_with(|| {
        let settings = ThreadXOptions {
            events: millions * MILLION,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
        bytes.leak()
    })
}

/// From bytes to columns, contexts, objects and times: everything that `info`
/// needs.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn decode(bencher: Bencher<'_, '_>, millions: u64) {
    let bytes = buffer(millions);
    bencher
        .counter(ItemsCount::new(millions * MILLION))
        .bench(|| {
            let opened = open(Input::new(black_box(bytes)), BufferChoice::First).expect("a buffer");
            opened
                .decode(&threadx::ThreadXOptions::default())
                .expect("events")
        });
}

/// The same bytes copied to fresh memory by one thread.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn copy_one_thread(bencher: Bencher<'_, '_>, millions: u64) {
    let bytes = buffer(millions);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| black_box(bytes).to_vec());
}

/// The same bytes copied to fresh memory by all threads, one part each.
#[divan::bench(args = [1, 3, 10, 30], sample_count = 10, sample_size = 1)]
fn copy_all_threads(bencher: Bencher<'_, '_>, millions: u64) {
    let bytes = buffer(millions);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let part = bytes.len().div_ceil(threads);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let mut copy = vec![0; bytes.len()];
        thread::scope(|scope| {
            for (to, from) in copy.chunks_mut(part).zip(black_box(bytes).chunks(part)) {
                scope.spawn(|| to.copy_from_slice(from));
            }
        });
        copy
    });
}

/// Slots of a ring that is read repeatedly.
const SLOTS: u64 = 100_000;

/// Buffers of a running target; one tenth of the entries of each is new.
fn running() -> &'static [Vec<u8>] {
    static BUFFERS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    BUFFERS.get_or_init(|| {
        let dump = |turn: u64| {
            let settings = ThreadXOptions {
                events: SLOTS + turn * SLOTS / 10,
                capacity: Some(SLOTS),
                ..ThreadXOptions::default()
            };
            let mut bytes = Vec::new();
            rtoscope_generate::write(&settings, &mut bytes, &mut |_| {}).expect("valid settings");
            bytes
        };
        (0..20).map(dump).collect()
    })
}

/// From the buffers of a running target to raw events in order; decodes them as
/// they arrive if `decodes`.
#[divan::bench(args = [false, true], sample_count = 10, sample_size = 1)]
fn stitch(bencher: Bencher<'_, '_>, decodes: bool) {
    let buffers = running();
    let bytes: usize = buffers.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        let mut live = LiveDecoder::new(live::LiveOptions {
            options: DecodeOptions::default(),
            format: Some(rtoscope_decode::threadx::FORMAT),
            max_events: MILLION,
        });
        for buffer in black_box(buffers) {
            // The size of a typical socket read.
            for part in buffer.chunks(1 << 16) {
                live.push(part, HostTime(1));
            }
            if decodes {
                black_box(live.next_update().expect("events"));
            }
        }
        live.stats()
    });
}
