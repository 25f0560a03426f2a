//! Whether the buffer conforms to the format.

use super::reading::{generate, read};
use crate::{GenerateError, ThreadXOptions, write};
use rtoscope_wire::threadx::{BufferLayout, ObjectType, SLOT_AVAILABLE};

fn few(capacity: Option<u64>) -> ThreadXOptions {
    ThreadXOptions {
        events: 3000,
        capacity,
        ..ThreadXOptions::default()
    }
}

#[test]
fn equal_options_give_equal_bytes() {
    let options = few(None);
    let other = ThreadXOptions {
        seed: 2,
        ..few(None)
    };
    assert_eq!(generate(&options), generate(&options));
    assert_ne!(generate(&options).0, generate(&other).0);
}

#[test]
fn every_layout_has_the_same_events() {
    let times = |layout: BufferLayout| {
        let options = ThreadXOptions {
            layout,
            name_size: 30,
            ..few(None)
        };
        let (bytes, summary) = generate(&options);
        let buffer = read(&bytes);
        assert_eq!(BufferLayout::detect(&bytes), Some(layout));
        assert_eq!(buffer.slots.len(), 3000);
        let events: Vec<_> = buffer
            .events()
            .iter()
            .map(|event| (event.id, event.timestamp))
            .collect();
        (events, summary.span_ticks, summary.events)
    };
    let first = times(BufferLayout::ALL[0]);
    for layout in BufferLayout::ALL {
        assert_eq!(times(layout), first, "{layout:?}");
    }
}

#[test]
fn a_wrapped_ring_holds_the_tail() {
    let (whole, _) = generate(&few(None));
    let whole = read(&whole);
    assert_eq!(whole.header.current, whole.header.buffer_start);
    for capacity in [1, 2, 7, 999, 1000, 1500, 2999, 3000] {
        let options = few(Some(capacity));
        let (bytes, summary) = generate(&options);
        let buffer = read(&bytes);
        assert_eq!(buffer.slots.len() as u64, capacity);
        let events = whole.events();
        let tail = &events[events.len() - capacity as usize..];
        assert_eq!(buffer.events(), tail, "capacity {capacity}");
        assert_eq!(summary.events, capacity);
        let span: u64 = buffer.gaps(false).iter().sum();
        assert_eq!(span, summary.span_ticks, "capacity {capacity}");
        let layout = options.layout;
        let current = layout.distance(buffer.header.buffer_start, buffer.header.current);
        let slot = current / layout.entry_bytes() as u64;
        assert_eq!(slot, 3000 % capacity);
    }
}

#[test]
fn unused_slots_keep_uninitialised_memory() {
    for layout in BufferLayout::ALL {
        let options = ThreadXOptions {
            layout,
            ..few(Some(3100))
        };
        let (bytes, summary) = generate(&options);
        let buffer = read(&bytes);
        assert_eq!((buffer.slots.len(), summary.events), (3100, 3000));
        assert_eq!(buffer.events().len(), 3000);
        let unused = buffer.slots[3099];
        assert_eq!(unused.context, 0);
        assert_eq!(unused.timestamp & 0xFFFF_FFFF, 0xA5A5_A5A5);
        assert_eq!(unused.timestamp, unused.info[3]);
        let written = layout.distance(buffer.header.buffer_start, buffer.header.current);
        assert_eq!(written, 3000 * layout.entry_bytes() as u64);
    }
}

#[test]
fn an_empty_ring_is_possible() {
    let options = ThreadXOptions {
        events: 0,
        ..few(Some(5))
    };
    let (bytes, summary) = generate(&options);
    assert_eq!((summary.events, summary.span_ticks), (0, 0));
    assert!(read(&bytes).events().is_empty());
}

#[test]
fn the_registry_names_everything() {
    let (bytes, summary) = generate(&few(None));
    let buffer = read(&bytes);
    let (used, spare): (Vec<_>, Vec<_>) = buffer
        .objects
        .iter()
        .partition(|object| object.object_type != 0);
    assert_eq!(used[0].name, "System Timer Thread");
    assert!(used.iter().all(|object| object.available == 0));
    assert!(
        spare
            .iter()
            .all(|object| object.available == SLOT_AVAILABLE)
    );
    let of = |wanted: ObjectType| {
        let objects = used.iter();
        objects
            .filter(|object| object.object_type == wanted.0)
            .map(|object| (object.name.as_str(), object.parameters, object.pointer))
            .collect::<Vec<_>>()
    };
    let threads = of(ObjectType::THREAD);
    assert_eq!(threads.len(), 13);
    for (thread, expected) in threads.iter().skip(1).zip(&summary.threads) {
        assert_eq!(
            (thread.0, thread.2),
            (expected.name.as_str(), expected.pointer)
        );
    }
    assert_eq!(threads[1].0, "sensor");
    assert_eq!(of(ObjectType::QUEUE)[0].0, "message queue 1");
    assert_eq!(of(ObjectType::QUEUE)[0].1, [64, 4]);
    assert_eq!(of(ObjectType::BLOCK_POOL)[0].1, [2048, 64]);
    assert_eq!(of(ObjectType::SEMAPHORE).len(), 2);
}

#[test]
fn names_are_truncated_before_their_nul() {
    let options = ThreadXOptions {
        name_size: 6,
        threads: 13,
        ..few(None)
    };
    let (bytes, summary) = generate(&options);
    let objects = read(&bytes).objects;
    assert_eq!(objects[0].name, "Syste");
    assert_eq!(summary.threads[12].name, "thread 13");
}

#[test]
fn a_buffer_beyond_the_pointer_range_is_rejected() {
    let options = ThreadXOptions {
        events: 1 << 27,
        ..ThreadXOptions::default()
    };
    let error = write(&options, &mut std::io::sink(), &mut |_| ()).unwrap_err();
    assert!(matches!(
        error,
        GenerateError::TooLarge {
            limit: 0xFFFF_FFFF,
            bytes: 0x1_0000_0000..,
        }
    ));
}

#[test]
fn a_failing_output_is_reported_with_its_position() {
    let mut room = [0; 1000];
    let error = write(&few(None), &mut room.as_mut_slice(), &mut |_| ()).unwrap_err();
    assert!(matches!(error, GenerateError::Output { at: 0, .. }));
}

#[test]
fn progress_grows_to_the_number_of_events() {
    for capacity in [None, Some(150_001), Some(10)] {
        let options = ThreadXOptions {
            events: 200_000,
            capacity,
            ..ThreadXOptions::default()
        };
        let mut reports = Vec::new();
        let mut report = |events| reports.push(events);
        write(&options, &mut std::io::sink(), &mut report).unwrap();
        assert!(reports.is_sorted());
        assert!(reports.len() > 3);
        assert_eq!(reports.last(), Some(&200_000));
    }
}

/// FNV-1a, which stays the same with every version of the compiler.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[test]
fn default_output_is_stable() {
    let digest = |cores, threads, clock_bits, capacity| {
        let options = ThreadXOptions {
            cores,
            threads,
            clock_bits,
            capacity,
            ..few(None)
        };
        digest(&generate(&options).0)
    };
    assert_eq!(digest(1, 12, 32, None), 0x6041_38E5_5B67_CA3D);
    assert_eq!(digest(1, 40, 8, Some(999)), 0xD3DA_ACC6_D6EF_71DD);
    assert_eq!(digest(4, 30, 16, None), 0x56AA_3F84_FEAE_3D35);
}
