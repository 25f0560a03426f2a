//! A written log reads back unchanged.

use super::builders::{
    Cswl, LAYOUTS, NAMES, complete, entries, example_log, kinds, memory, open, open_unknown,
};
use proptest::prelude::*;
use rtoscope_decode::cswitch::{self, BufferLocation, LogImage};
use rtoscope_decode::source::Input;
use rtoscope_trace::{Address, DiagnosticKind, EventIndex, Frequency};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{CoreHeader, LogEntry, PointerSize};

fn layout() -> impl Strategy<Value = (PointerSize, ByteOrder)> {
    proptest::sample::select(&LAYOUTS[..])
}

fn any_entries(most: usize) -> impl Strategy<Value = Vec<LogEntry>> {
    let kind = proptest::sample::select(&[0_u32, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 39, 40][..]);
    let entry = (kind, 1..100_000_u32, 1..500_u64, 1..9_u64);
    proptest::collection::vec(entry, 0..most).prop_map(|all| {
        let mut now = 0_u32;
        all.into_iter()
            .map(|(kind, step, address, name)| {
                now = now.wrapping_add(step << 8);
                LogEntry {
                    kind,
                    counter: now,
                    address: address * 4,
                    name: name * 16,
                }
            })
            .collect()
    })
}

fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let dump = LogImage::open(Input::new(bytes)).unwrap();
    let options = cswitch::CswitchOptions::default();
    let log = dump.log(&options).unwrap();
    let mut written = Vec::new();
    cswitch::write(&log, &cswitch::decode(&log, &options), &mut written).unwrap();
    written
}

proptest! {
    #[test]
    fn containers(
        (pointer, order) in layout(), mut log in any_entries(200), split in 0_usize..200,
        lost in any::<u64>(), idle in any::<u64>(),
    ) {
        let expected = log.clone();
        let oldest = if log.is_empty() { 0 } else { split % log.len() };
        log.rotate_right(oldest);
        let core = CoreHeader {
            cyclic: true, wrapped: oldest > 0, oldest_index: oldest as u32, lost, idle_ticks: idle, ..CoreHeader::default()
        };
        let file = Cswl::new(pointer, order, 1).core(core, &log).names().end();
        let recording = open_unknown(&file)?;
        let trace = &recording.trace;
        prop_assert_eq!(&entries(trace), &expected);
        let ticks: u64 = expected.windows(2).map(|two| u64::from(two[1].counter.wrapping_sub(two[0].counter))).sum();
        prop_assert_eq!(trace.events.span().0, ticks);
        let origin = recording.format_info.get::<rtoscope_decode::cswitch::LogInfo>().unwrap();
        prop_assert_eq!(origin.cores[0].lost_entries, Some(lost));
        prop_assert_eq!(origin.cores[0].idle_ticks, Some(idle));
        prop_assert_eq!(trace.clock.nominal_frequency().map(Frequency::hertz), Some(240_000_000));
        // Written by the host it has the same contents, and stays the same from
        // then on.
        let written = rewritten(&file);
        let again = open_unknown(&written)?;
        prop_assert_eq!(&again.trace.events, &trace.events);
        prop_assert_eq!(&again.trace.objects, &trace.objects);
        prop_assert_eq!(rewritten(&written), written);
    }

    #[test]
    fn memory_as_it_lies((pointer, order) in layout(), log in any_entries(100), cyclic in any::<Option<bool>>()) {
        let bytes = memory(pointer, order, &log);
        let options = cswitch::CswitchOptions {
            pointer_size: Some(pointer),
            byte_order: Some(order),
            location: BufferLocation { cyclic, start: Some(0x2000_0000), ..BufferLocation::default() },
            ..cswitch::CswitchOptions::default()
        };
        match open(&bytes, options) {
            Ok(recording) => prop_assert_eq!(entries(&recording.trace), log),
            Err(_) => prop_assert!(log.is_empty()),
        }
    }
}

#[test]
fn a_raw_dump_is_guessed() {
    for (pointer, order) in LAYOUTS {
        let log = example_log(4, 0xFFFF_FF00);
        let recording = open_unknown(&memory(pointer, order, &log)).unwrap();
        assert_eq!(entries(&recording.trace), log);
        assert_eq!(recording.trace.clock.wraps, 1);
        assert_eq!(
            kinds(&recording.trace),
            [
                DiagnosticKind::PerhapsOverwritten,
                DiagnosticKind::UnresolvedName
            ]
        );
    }
}

#[test]
fn names_and_places_come_with_a_container() {
    for (pointer, order) in LAYOUTS {
        let recording = open_unknown(&complete(pointer, order)).unwrap();
        let trace = &recording.trace;
        assert_eq!(
            kinds(trace),
            [
                DiagnosticKind::UnknownSection,
                DiagnosticKind::PerhapsOverwritten
            ]
        );
        let threads: Vec<_> = trace.contexts.threads().collect();
        let names: Vec<_> = threads.iter().map(|it| trace.context_name(it.id)).collect();
        assert_eq!(names, ["worker", "logger"]);
        let shown = |address| trace.code_locations.display(Address(address)).to_string();
        assert_eq!(shown(super::builders::CODE + 0x10), "scheduler");
        assert_eq!(shown(super::builders::CODE + 0x400), "tick_isr");
        assert_eq!(shown(super::builders::CODE + 0x500), "0x8001500");
        let origin = recording
            .format_info
            .get::<rtoscope_decode::cswitch::LogInfo>()
            .unwrap();
        assert_eq!((origin.threads, origin.named_threads), (2, 2));
        assert_eq!(origin.names.len(), NAMES.len());
        assert_eq!((origin.addresses, origin.resolved_addresses), (10, 9));
    }
}

#[test]
fn threads_of_one_name_are_kept_apart() {
    let (pointer, order) = LAYOUTS[0];
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &example_log(1, 0))
        .names()
        .end();
    let changed = String::from_utf8_lossy(&file).contains("logger");
    assert!(changed);
    let at = file.windows(6).position(|six| six == b"logger").unwrap();
    let mut file = file;
    file[at..at + 6].copy_from_slice(b"worker");
    let trace = open_unknown(&file).unwrap().trace;
    let names = trace.contexts.threads().map(|it| trace.context_name(it.id));
    let names: Vec<_> = names.collect();
    assert_eq!(names, ["worker (0x8000100)", "worker (0x8000108)"]);
    assert_eq!(kinds(&trace), [DiagnosticKind::BadChecksum]);
}

#[test]
fn cores_share_a_time() {
    let (pointer, order) = LAYOUTS[0];
    let core = |core| CoreHeader {
        core,
        ..CoreHeader::default()
    };
    let file = Cswl::new(pointer, order, 2)
        .core(core(0), &example_log(2, 0xFFFF_FFF0))
        .core(core(1), &example_log(2, 5))
        .names()
        .end();
    let trace = open_unknown(&file).unwrap().trace;
    assert_eq!(trace.cores, [0, 1]);
    assert_eq!(trace.events.len(), 48);
    assert!(trace.events.times().is_sorted());
    let first_of = |core| {
        trace
            .events
            .iter()
            .find(|event| event.core == core)
            .unwrap()
    };
    assert_eq!(first_of(0).index, EventIndex(0));
    assert_eq!(first_of(1).time.0, 21);
    assert_eq!(kinds(&trace), []);
    let apart = Cswl::new(pointer, order, 2)
        .core(core(0), &example_log(2, 0))
        .core(core(1), &example_log(2, 1_000_000))
        .names()
        .end();
    let trace = open_unknown(&apart).unwrap().trace;
    assert_eq!(kinds(&trace), [DiagnosticKind::ContradictingCores]);
}
