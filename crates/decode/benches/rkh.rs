//! Decoding speed of an RKH stream, valid and damaged, against a search
//! for its flags alone in the same run.
//!
//! ```text
//! cargo bench -p rtoscope-decode --bench rkh
//! ```

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::rkh::{RkhOptions, decode};
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::{ArgumentValue, StreamConfiguration};
use std::sync::LazyLock;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Size of the stream in bytes; the actual stream is slightly longer.
const BYTES: usize = 64 << 20;

/// All options enabled, common sizes.
fn configuration() -> StreamConfiguration {
    StreamConfiguration {
        sender: true,
        queue_low_water: true,
        pool_low_water: true,
        ..StreamConfiguration::default()
    }
}

/// The records of one run-to-completion step, each with its id and its
/// arguments except the first: an event is posted, dequeued, and causes a state
/// transition.
const STEP: &[(u8, &[u32])] = &[
    (0x83, &[0x0805_1234, 6, 0x0805_2140]),
    (0x22, &[0x0805_2148, 1, 11]),
    (0x43, &[0x0805_2140, 6, 0x0805_3001, 0, 0, 1, 11]),
    (0x26, &[0x0805_2148]),
    (0x42, &[0x0805_2140, 6, 0, 0, 0, 11]),
    (0x71, &[0x0805_2140, 6, 0x0804_E550]),
    (0x62, &[0x0805_2140, 0x0804_E550, 0x0804_E590]),
    (0x68, &[0x0805_2140, 0x0804_E590]),
    (0x65, &[0x0805_2140, 0x0804_E550]),
    (0x70, &[0, 0x0805_2140, 0x0804_E550, 0x0804_9210]),
    (0x64, &[0x0805_2140, 0x0804_E590]),
    (0x66, &[0x0805_2140, 1, 1]),
    (0x63, &[0x0805_2140, 0x0804_E590]),
    (0x69, &[0x0805_2140]),
];

/// A stream whose timestamps increase by 7 ticks per record.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = vec![FLAG];
    let configuration = configuration();
    let mut number = 0_u32;
    while bytes.len() < BYTES {
        for (id, arguments) in STEP {
            let values: Vec<_> = arguments
                .iter()
                .copied()
                .map(ArgumentValue::Number)
                .collect();
            let sink = |byte| bytes.push(byte);
            let stamp = number.wrapping_mul(7);
            encode(sink, &configuration, *id, number as u8, stamp, &values).expect("a record");
            number += 1;
        }
    }
    bytes
});

/// The same stream with every 97th byte corrupted.
static DAMAGED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = SOUND.clone();
    for byte in bytes.iter_mut().step_by(97) {
        *byte = byte.wrapping_add(1);
    }
    bytes
});

/// From bytes to columns, contexts, objects and times.
#[divan::bench(args = ["sound", "damaged"], sample_count = 10, sample_size = 1)]
fn decode_stream(bencher: Bencher<'_, '_>, which: &str) {
    let bytes = stream(which);
    let options = RkhOptions {
        configuration: Some(configuration()),
        ..RkhOptions::default()
    };
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| decode(black_box(bytes), &options).expect("records"));
}

/// From bytes to live updates every 64 KiB, with a million events retained.
#[divan::bench(args = ["sound", "damaged"], sample_count = 5, sample_size = 1)]
fn follow_stream(bencher: Bencher<'_, '_>, which: &str) {
    follow(bencher, stream(which), 1 << 16);
}

/// The same every KiB; each update includes everything known about the target.
#[divan::bench(args = ["sound"], sample_count = 5, sample_size = 1)]
fn follow_small_pieces(bencher: Bencher<'_, '_>, which: &str) {
    let bytes = stream(which);
    follow(bencher, bytes.get(..4 << 20).unwrap_or(bytes), 1 << 10);
}

fn follow(bencher: Bencher<'_, '_>, bytes: &[u8], at_once: usize) {
    let settings = LiveOptions {
        options: rtoscope_decode::DecodeOptions {
            rkh: RkhOptions {
                configuration: Some(configuration()),
                ..RkhOptions::default()
            },
            ..rtoscope_decode::DecodeOptions::default()
        },
        format: Some(rtoscope_decode::rkh::FORMAT),
        max_events: 1_000_000,
    };
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let mut live = LiveDecoder::new(settings.clone());
        let mut events = 0;
        for piece in black_box(bytes).chunks(at_once) {
            live.push(piece, HostTime::default());
            let news = live.next_update().expect("records");
            events += news.map_or(0, |news| news.recording.trace.events.len());
        }
        events
    });
}

/// Copies the last million events of a stream for another thread to decode.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn cut_stream(bencher: Bencher<'_, '_>) {
    let bytes = stream("sound");
    let options = rtoscope_decode::DecodeOptions {
        rkh: RkhOptions {
            configuration: Some(configuration()),
            ..RkhOptions::default()
        },
        ..rtoscope_decode::DecodeOptions::default()
    };
    let mut live = LiveDecoder::new(LiveOptions {
        options,
        format: Some(rtoscope_decode::rkh::FORMAT),
        max_events: 1_000_000,
    });
    for piece in bytes.chunks(1 << 20) {
        live.push(piece, HostTime::default());
        live.next_update().expect("records");
    }
    bencher.bench_local(|| live.window(1_000_000).is_some());
}

/// Counts the flags in the same bytes.
#[divan::bench(args = ["sound", "damaged"], sample_count = 10, sample_size = 1)]
fn search_flags(bencher: Bencher<'_, '_>, which: &str) {
    let bytes = stream(which);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| memchr::memchr_iter(FLAG, black_box(bytes)).fold(0_u64, |count, _| count + 1));
}

fn stream(which: &str) -> &'static [u8] {
    match which {
        "damaged" => &DAMAGED,
        _ => &SOUND,
    }
}
