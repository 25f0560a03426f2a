//! ThreadX trace buffers.

use super::Shape;
use rtoscope_decode::DecodeOptions;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{
    BufferLayout, ControlHeader, EventEntry, MARKERS, PRIORITY_VALID, RegistryEntry, TXTB_ID,
    UlongSize,
};

pub(super) const SHAPES: &[Shape] = &[
    shape("objects", |n| buffer(n, |at| (3, address(at)), 4, running)),
    shape("registered threads", |n| {
        buffer(n, |at| (1, address(at)), 4, running)
    }),
    shape("objects of one address", |n| {
        buffer(n, |_| (3, address(0)), 4, running)
    }),
    shape("threads of one address", |n| {
        buffer(n, |_| (1, address(0)), 4, running)
    }),
    shape("threads without a name", |n| {
        buffer(0, |_| (1, 0), n, |at| event(at, address(at), 6, 0))
    }),
    shape("threads that wait for a queue", |n| {
        // Each calls tx_queue_receive and is suspended.
        buffer(
            0,
            |_| (1, 0),
            n,
            |at| match at % 2 {
                0 => event(at, address(at), 68, address(0)),
                _ => event(at, address(at - 1), 2, address(at - 1)),
            },
        )
    }),
    shape("threads that wait for a mutex", |n| {
        buffer(
            0,
            |_| (1, 0),
            n,
            |at| match at % 2 {
                0 => event(at, address(at), 51, address(0)),
                _ => event(at, address(at - 1), 2, address(at - 1)),
            },
        )
    }),
    shape("queues", |n| {
        buffer(
            n / 2,
            |at| (3, address(at)),
            n / 2,
            |at| event(at, address(0), 69, address(at)),
        )
    }),
    shape("puts without a taker", |n| {
        buffer(0, |_| (1, 0), n, |at| event(at, address(0), 69, address(1)))
    }),
    shape("unknown events", |n| {
        buffer(
            0,
            |_| (1, 0),
            n,
            |at| event(at, address(0), 1000 + at as u32, 0),
        )
    }),
];

const fn shape(name: &'static str, bytes: fn(usize) -> Vec<u8>) -> Shape {
    Shape {
        name,
        bytes,
        options: DecodeOptions::default,
        format: None,
    }
}

const ORDER: ByteOrder = ByteOrder::Little;
const LAYOUT: BufferLayout = BufferLayout {
    order: ORDER,
    ulong: UlongSize::Four,
};
const NAME_BYTES: u16 = 32;
const BASE: u64 = 0x2000_0000;

fn address(number: usize) -> u64 {
    0x2010_0000 + 64 * number as u64
}

fn running(at: usize) -> EventEntry<u32> {
    event(at, address(0), 6, 0)
}

fn event(at: usize, context: u64, number: u32, first: u64) -> EventEntry<u32> {
    EventEntry {
        context: context as u32,
        priority: PRIORITY_VALID | 10,
        id: number,
        timestamp: 10 * at as u32,
        info: [first as u32, 0, 0, 0],
    }
}

/// A buffer with objects, by type and address, and events.
fn buffer(
    objects: usize,
    object: fn(usize) -> (u8, u64),
    events: usize,
    event: fn(usize) -> EventEntry<u32>,
) -> Vec<u8> {
    let mut registry = Vec::new();
    for number in 0..objects {
        let (object_type, pointer) = object(number);
        let mut name = format!("object {number}").into_bytes();
        name.resize(NAME_BYTES.into(), 0);
        let entry = RegistryEntry {
            available: 0,
            object_type,
            reserved: [0; 2],
            pointer,
            parameters: [1, 2],
            name: &name,
        };
        let mut bytes = [0; 48];
        entry
            .write(LAYOUT, NAME_BYTES, &mut bytes)
            .expect("an entry of 48 bytes");
        registry.extend(bytes);
    }
    let mut ring = Vec::new();
    for number in 0..events {
        let mut bytes = [0; 32];
        event(number)
            .write(ORDER, &mut bytes)
            .expect("an entry of 32 bytes");
        ring.extend(bytes);
    }
    let mut bytes = vec![0; LAYOUT.header_bytes()];
    let registry_start = BASE + bytes.len() as u64;
    let buffer_start = registry_start + registry.len() as u64;
    let current = buffer_start + ring.len() as u64;
    let header = ControlHeader {
        id: TXTB_ID,
        timer_mask: 0xFFFF_FFFF,
        base_address: BASE,
        registry_start,
        reserved1: 0,
        name_size: NAME_BYTES,
        registry_end: buffer_start,
        buffer_start,
        buffer_end: current + 32,
        current,
        markers: MARKERS,
    };
    header.write(LAYOUT, &mut bytes).expect("a header");
    bytes.extend(registry);
    bytes.extend(ring);
    bytes.extend([0; 32]);
    bytes
}
