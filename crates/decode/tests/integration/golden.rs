//! Real traces of the ThreadX kernel against the target's own log.
//! `testdata/README.md` describes their origin.

use rtoscope_decode::source::{Input, Source};
use rtoscope_decode::threadx::{CoreBits, DecodedBuffer, ThreadXOptions};
use rtoscope_decode::{BufferChoice, container::Container, open};
use rtoscope_symbols::Firmware;
use rtoscope_trace::clock::{ClockDirection, ClockQuality};
use rtoscope_trace::filter::Filter;
use rtoscope_trace::{
    Address, ContextKind, Diagnostic, DiagnosticKind, Event, EventIndex, EventKindId, ObjectClass,
    Trace,
};
use rtoscope_wire::ByteOrder;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

fn folder() -> PathBuf {
    rtoscope_fixtures::testdata("threadx")
}

/// The names of the files with that ending, without it.
fn names(ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let stems = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned));
    let mut stems: Vec<String> = stems.collect();
    stems.sort();
    assert!(!stems.is_empty(), "no {ending} in {}", folder().display());
    stems
}

fn decode_with(name: &str, options: &ThreadXOptions) -> DecodedBuffer {
    let source = Source::open(folder().join(name)).unwrap();
    let opened = open(source.input(), BufferChoice::First).unwrap();
    opened.decode(options).unwrap()
}

fn decode(name: &str) -> DecodedBuffer {
    decode_with(name, &ThreadXOptions::default())
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder().join(name)).unwrap()).unwrap()
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

fn kinds(trace: &Trace) -> Vec<DiagnosticKind> {
    trace.diagnostics.iter().map(|it| it.kind).collect()
}

fn find(trace: &Trace, kind: DiagnosticKind) -> &Diagnostic {
    let found = trace.diagnostics.iter().find(|it| it.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {:?}", trace.diagnostics))
}

#[test]
fn events_equal_the_targets_own_log() {
    for name in names(".events.csv") {
        let DecodedBuffer { trace, .. } = decode(&format!("{name}.trx"));
        let log = fs::read_to_string(folder().join(format!("{name}.events.csv"))).unwrap();
        let rows: Vec<&str> = log.lines().skip(1).collect();
        assert_eq!(trace.events.len(), rows.len(), "{name}");
        for (row, event) in rows.iter().zip(trace.events.iter()) {
            let fields: Vec<u64> = row.split(',').map(number).collect();
            let [_, _, _, context, priority, id, stamp, i1, i2, i3, i4] = fields[..] else {
                panic!("{name}: {row}");
            };
            let at = format!("{name}, event {}", event.index);
            let found = trace.contexts.get(event.context).unwrap();
            assert_eq!(found.address, Address(context), "{at}");
            assert_eq!(
                u64::from(event.core) << 24 | u64::from(event.kind.0),
                id,
                "{at}"
            );
            assert_eq!(event.timestamp, stamp, "{at}");
            assert_eq!(event.arguments, [i1, i2, i3, i4], "{at}");
            match found.kind {
                ContextKind::Thread => {
                    let shown = event.priority().map(u64::from);
                    assert_eq!(shown, Some(priority & 0xFFFF), "{at}");
                    let shown = event.threshold().map(u64::from);
                    assert_eq!(shown, Some(priority >> 16 & 0x7FFF), "{at}");
                }
                ContextKind::Interrupt => {
                    let interrupted = trace.contexts.get(event.interrupted().unwrap());
                    assert_eq!(interrupted.unwrap().address, Address(priority), "{at}");
                }
                ContextKind::Initialize | ContextKind::Idle => {
                    assert_eq!(
                        (event.priority(), event.interrupted()),
                        (None, None),
                        "{at}"
                    );
                }
            }
        }
    }
}

#[test]
fn times_equal_what_unwrapping_must_give() {
    for name in names(".time.json") {
        let truth = json(&format!("{name}.time.json"));
        let DecodedBuffer { trace, .. } = decode(&format!("{name}.trx"));
        let clock = &trace.clock;
        assert_eq!(
            truth["span_ticks_unwrapped"],
            trace.events.span().0,
            "{name}"
        );
        assert_eq!(truth["wraps_visible_in_buffer"], clock.wraps, "{name}");
        assert_eq!(truth["mask"], Address(clock.mask).to_string(), "{name}");
        let down = clock.direction == ClockDirection::Down;
        assert_eq!(truth["down_counter"], down, "{name}");
        assert_eq!(clock.backward_steps, 0, "{name}");
    }
}

#[test]
fn objects_equal_the_targets_registry() {
    for name in names(".gt.json") {
        let truth = json(&format!("{name}.gt.json"));
        let DecodedBuffer { trace, .. } = decode(&format!("{name}.trx"));
        let Some(slots) = truth["registry"].as_array() else {
            continue;
        };
        let used: Vec<&Value> = slots.iter().filter(|slot| slot["type"] != 0).collect();
        assert_eq!(trace.objects.len(), used.len(), "{name}");
        for (slot, object) in used.iter().zip(&trace.objects) {
            let at = format!("{name}, slot {:?}", object.slot);
            assert_eq!(slot["slot"], object.slot.unwrap(), "{at}");
            assert_eq!(slot["type"], object.type_number, "{at}");
            assert_ne!(object.class, ObjectClass::Unknown, "{at}");
            assert_eq!(
                number(slot["ptr"].as_str().unwrap()),
                object.address.0,
                "{at}"
            );
            assert_eq!(slot["available"] == 1, object.deleted, "{at}");
            let [first, second] = object.parameters.unwrap();
            assert_eq!(slot["p1"], first, "{at}");
            assert_eq!(slot["p2"], second, "{at}");
            // The log has one character per byte.
            let bytes: Vec<u8> = slot["name"]
                .as_str()
                .unwrap()
                .chars()
                .map(|it| it as u8)
                .collect();
            assert_eq!(object.name.as_bytes(), bytes, "{at}");
            if object.class == ObjectClass::Thread {
                assert_eq!(slot["res2"], object.priority.unwrap() & 0xFF, "{at}");
            }
        }
    }
}

#[test]
fn every_real_trace_is_read_without_errors() {
    for name in names(".trx") {
        let DecodedBuffer { trace, .. } = decode(&format!("{name}.trx"));
        assert!(!trace.events.is_empty(), "{name}");
        let worst = trace.diagnostics.iter().map(Diagnostic::severity).max();
        assert!(
            worst < Some(rtoscope_trace::Severity::Error),
            "{name}: {:?}",
            trace.diagnostics
        );
        assert!(trace.events.times().is_sorted(), "{name}");
    }
}

#[test]
fn a_half_written_entry_is_no_event() {
    let DecodedBuffer {
        trace,
        is_wrapped: wrapped,
        ..
    } = decode("cm3_midinsert.trx");
    assert_eq!(trace.events.len(), 700);
    assert!(!wrapped);
    let half = find(&trace, DiagnosticKind::HalfWrittenEntry);
    assert_eq!(half.offset, Some(48 + 24 * 48 + 700 * 32));
}

#[test]
fn a_full_ring_is_not_an_empty_one() {
    let DecodedBuffer {
        trace,
        is_wrapped: wrapped,
        ..
    } = decode("linux32_exact.trx");
    assert!(wrapped);
    assert_eq!(trace.events.len(), 100);
    // It starts with the events of enabling, so nothing was overwritten.
    assert_eq!(kinds(&trace), []);
    let counts = trace.events.iter().skip(2).map(|event| event.arguments[0]);
    assert!(counts.eq(0..98));
}

#[test]
fn a_standing_clock_is_said() {
    let DecodedBuffer { trace, .. } = decode("cm3_dwt_zero.trx");
    assert_eq!(trace.clock.quality, ClockQuality::Static);
    assert!(kinds(&trace).contains(&DiagnosticKind::StaticClock));
    assert_eq!(trace.events.len(), 959);
}

#[test]
fn cores_come_from_the_high_bits_of_an_id() {
    let DecodedBuffer { trace, .. } = decode("smp32_cores.trx");
    assert_eq!(trace.cores, [0, 1, 2, 3]);
    let per_core = |core| trace.events.iter().filter(|it| it.core == core).count();
    assert_eq!([0, 1, 2, 3].map(per_core), [399, 316, 343, 304]);
    for event in trace.events.iter() {
        // Threads that are pinned to a core log its number.
        if (4096..4100).contains(&event.kind.0) {
            assert_eq!(u32::from(event.core), event.kind.0 - 4096);
        }
    }
}

#[test]
fn odd_user_events_are_no_cores() {
    // One number with high bits is plausible as a core's, one is not.
    let DecodedBuffer { trace, .. } = decode("linux32_userevents.trx");
    assert_eq!(trace.cores, [0]);
    assert_eq!(trace.events.kind(EventIndex(14)).unwrap().0, 0x0100_0045);
    assert_eq!(trace.events.kind(EventIndex(15)).unwrap().0, 0xFFFF_FFFE);
    // All of these are the application's: 1025, 2000, 4095, 65536, 70000 …
    let component = |kind: EventKindId| trace.catalogue.component(kind).to_owned();
    let user = trace
        .events
        .kinds()
        .filter(|kind| component(*kind) == "user");
    let user: Vec<u32> = user.map(|kind| kind.0).collect();
    assert_eq!(
        trace.events.kinds().filter(|kind| kind.0 > 1024).count(),
        user.len()
    );
    for odd in [1025, 2000, 4095, 65_536, 70_000, 0x0100_0045, 0xFFFF_FFFE] {
        assert!(user.contains(&odd), "{odd}");
    }
    let filter = Filter::parse("component == user").unwrap();
    let filter = filter.bind(&trace).unwrap();
    assert_eq!(
        trace
            .events
            .iter()
            .filter(|event| filter.matches(event.index))
            .count(),
        user.len()
    );
    // 0 and 7 are numbers of the kernel that it does not use.
    assert_eq!(find(&trace, DiagnosticKind::UnknownEvent).count, 2);
    let smp = ThreadXOptions {
        cores: CoreBits::Smp,
        ..ThreadXOptions::default()
    };
    let DecodedBuffer { trace, .. } = decode_with("linux32_userevents.trx", &smp);
    assert_eq!(trace.cores, [0, 1, 255]);
    assert_eq!(
        (
            trace.events.core(EventIndex(14)).unwrap(),
            trace.events.kind(EventIndex(14)).unwrap().0
        ),
        (1, 0x45)
    );
}

#[test]
fn a_full_registry_leaves_objects_unnamed() {
    let DecodedBuffer { trace, .. } = decode("linux32_regover.trx");
    let full = find(&trace, DiagnosticKind::RegistryFull);
    // 22 objects and the kernel's timer thread for 10 slots, two of them
    // reused from deleted semaphores: 20 semaphores and 3 mutexes logged
    // events, 6 semaphores and 2 mutexes still have names.
    assert_eq!(full.count, 15);
}

#[test]
fn symbols_name_objects_beyond_a_full_registry() {
    // The arrays of 20 semaphores and 3 mutexes, as the target's nm lists them.
    let nm = b"56636a00 000000e4 B spare_mutexes\n\
               56636b40 000003c0 B spare_semaphores\n\
               56647680 00000100 D main_thread\n";
    let DecodedBuffer { trace, .. } = decode_with("linux32_regover.trx", &with_nm(nm));
    let full = find(&trace, DiagnosticKind::RegistryFull);
    assert!(
        full.message
            .ends_with(": 15 objects named by the firmware's symbols"),
        "{}",
        full.message
    );
    let named: Vec<_> = trace
        .objects
        .iter()
        .filter(|it| it.slot.is_none())
        .collect();
    assert_eq!((named.len(), trace.objects.len()), (15, 25));
    // The registry's own names take precedence.
    let at = |address, class| trace.objects.find_class(Address(address), class).unwrap();
    let first = at(0x5663_6b40, ObjectClass::Semaphore);
    assert_eq!(
        (first.name.to_string(), first.slot),
        ("rs00".to_owned(), Some(2))
    );
    let third = at(0x5663_6ba0, ObjectClass::Semaphore);
    assert_eq!(third.name.to_string(), "spare_semaphores+0x60");
    assert_eq!(
        (third.parameters, third.priority, third.deleted),
        (None, None, false)
    );
    let shown = |event: &Event| trace.arguments_line(event).to_string();
    let mut uses = trace.events.iter().map(|event| shown(&event));
    assert!(uses.any(|line| line.contains("semaphore=\"spare_semaphores+0x60\"")));
}

#[test]
fn symbols_name_threads_that_are_not_registered() {
    let mut bytes = fs::read(folder().join("linux32_regover.trx")).unwrap();
    // The slot of the only application thread becomes one that was never used.
    let (header, slot_size) = (48, 48);
    bytes[header + slot_size + 1] = 0;
    let source = Source::from_bytes(bytes);
    let opened = open(source.input(), BufferChoice::First).unwrap();
    let thread_name = |options: &ThreadXOptions| {
        let DecodedBuffer { trace, .. } = opened.decode(options).unwrap();
        let last = trace.contexts.threads().last().unwrap();
        let missing = trace.diagnostics.iter();
        let missing = missing.filter(|it| it.kind == DiagnosticKind::UnregisteredThread);
        (trace.context_name(last.id), missing.count())
    };
    assert_eq!(
        thread_name(&ThreadXOptions::default()),
        ("0x56647680".to_owned(), 1)
    );
    assert_eq!(
        thread_name(&with_nm(b"56647680 000000b0 D main_thread\n")),
        ("main_thread".to_owned(), 0)
    );
    // Without a size only its first byte is a variable's.
    assert_eq!(thread_name(&with_nm(b"56647680 B main_thread\n")).1, 0);
    assert_eq!(thread_name(&with_nm(b"56647600 B before_it\n")).1, 1);
    assert_eq!(thread_name(&with_nm(b"56647680 T function\n")).1, 1);
}

/// Options with the symbols that `nm` lists.
fn with_nm(text: &[u8]) -> ThreadXOptions {
    let firmware = Firmware::read(text.to_vec()).unwrap();
    ThreadXOptions {
        firmware: vec![Arc::new(firmware)],
        ..ThreadXOptions::default()
    }
}

#[test]
fn an_address_used_again_names_the_living_object() {
    let DecodedBuffer { trace, .. } = decode("linux32_filex.trx");
    let media = trace
        .objects
        .iter()
        .find(|it| it.class == ObjectClass::Media);
    let address = media.unwrap().address;
    let living = trace
        .objects
        .find_class(address, ObjectClass::Media)
        .unwrap();
    assert_eq!(living.name.as_bytes(), b"second open");
    assert!(kinds(&trace).contains(&DiagnosticKind::ReusedAddress));
}

#[test]
fn the_other_byte_order_gives_the_same_events_and_bytes() {
    let little = decode("cm3_system.trx");
    let big = decode("derived_be_cm3_system.trx");
    assert_eq!(little.trace, big.trace);
    assert_ne!(little.buffer.layout, big.buffer.layout);

    let bytes = fs::read(folder().join("cm3_system.trx")).unwrap();
    let opened = open(Input::new(bytes), BufferChoice::First).unwrap();
    assert_eq!(opened.container, Container::Raw);
    let mut swapped = Vec::new();
    let written = opened.write(Some(ByteOrder::Big), &mut swapped).unwrap();
    assert_eq!(written.missing_bytes, 0);
    assert_eq!(
        swapped,
        fs::read(folder().join("derived_be_cm3_system.trx")).unwrap()
    );
}

#[test]
fn a_truncated_ring_says_what_is_missing() {
    // 10 slots are missing after the current one, so the gap is between the
    // oldest and the newest events.
    let whole = fs::read(folder().join("cm3_system.trx")).unwrap();
    let cut = &whole[..whole.len() - 10 * 32];
    let opened = open(Input::new(cut), BufferChoice::First).unwrap();
    let DecodedBuffer { trace, .. } = opened.decode(&ThreadXOptions::default()).unwrap();
    assert_eq!(trace.events.len(), 2990);
    let before = EventIndex(3000 - 1760 - 10);
    assert_eq!(trace.gaps.len(), 1);
    assert_eq!(trace.gaps[0].next_event, before);
    assert_eq!(trace.gaps[0].missing, Some(10));
    assert_eq!(find(&trace, DiagnosticKind::Gap).event, Some(before));
    assert_eq!(find(&trace, DiagnosticKind::Truncated).count, 320);
}

#[test]
fn a_partly_filled_ring_that_is_truncated_is_not_blamed_for_unused_slots() {
    let whole = fs::read(folder().join("linux32_dirty.trx")).unwrap();
    // The last event is in slot 1070; later slots were never used.
    let end = 48 + 20 * 48 + 1500 * 32;
    let opened = open(Input::new(&whole[..end]), BufferChoice::First).unwrap();
    let DecodedBuffer { trace, .. } = opened.decode(&ThreadXOptions::default()).unwrap();
    assert_eq!(trace.events.len(), 1071);
    assert_eq!(kinds(&trace), [DiagnosticKind::Truncated]);
}
