//! How fast a stream of RKH becomes columns, sound and damaged, against a search
//! for its flags alone in the same run.
//!
//! ```text
//! cargo bench -p rtoscope-decode --bench rkh
//! ```

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_decode::rkh::{Options, decode};
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::{Configuration, Value};
use std::sync::LazyLock;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Bytes of the stream, or a little more.
const BYTES: usize = 64 << 20;

/// Everything on, of the usual sizes.
fn configuration() -> Configuration {
    Configuration {
        sender: true,
        queue_marks: true,
        pool_marks: true,
        ..Configuration::default()
    }
}

/// The records of a step, each its id and its arguments but for the first: an
/// event is posted, taken, and leads to another state.
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

/// A stream whose stamps rise by 7 ticks a record.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = vec![FLAG];
    let configuration = configuration();
    let mut number = 0_u32;
    while bytes.len() < BYTES {
        for (id, arguments) in STEP {
            let values: Vec<_> = arguments.iter().copied().map(Value::Number).collect();
            let sink = |byte| bytes.push(byte);
            let stamp = number.wrapping_mul(7);
            encode(sink, &configuration, *id, number as u8, stamp, &values).expect("a record");
            number += 1;
        }
    }
    bytes
});

/// The same with a byte in 97 wrong.
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
    let options = Options {
        configuration: Some(configuration()),
        ..Options::default()
    };
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| decode(black_box(bytes), &options).expect("records"));
}

/// The flags of the same bytes counted.
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
