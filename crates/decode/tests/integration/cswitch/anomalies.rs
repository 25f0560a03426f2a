//! Contradictory and ambiguous logs.

use super::builders::{
    CODE, Cswl, ISR, LAYOUTS, WORKER, entries, kinds, memory, open, open_unknown,
};
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::cswitch::{self, BufferLocation, CoreLogInfo, LogImage};
use rtoscope_decode::source::Input;
use rtoscope_record::cswitch::{
    BufferMode, CswlWriter as Container, LogEntry as Slot, ReadableMemory, SwitchLog,
};
use rtoscope_record::hooks::{KernelObserver, SwitchObserver};
use rtoscope_record::port::{NullClock, SpinLock};
use rtoscope_symbols::Firmware;
use rtoscope_trace::{DiagnosticKind, EventIndex};
use rtoscope_wire::cswitch::{CoreHeader, LogEntry};
use std::mem::MaybeUninit;
use std::sync::Arc;

const WAKE: u32 = 0;
const SLEEP: u32 = 1;
const RESUME: u32 = 2;
const ASYNC_RESUME: u32 = 3;
const RETURN: u32 = 4;
const ENTER: u32 = 5;
const EXIT: u32 = 6;
const UNFINISHED: u32 = u32::MAX;

fn log(kinds: &[u32]) -> Vec<LogEntry> {
    let entry = |(kind, number): (&u32, u32)| LogEntry {
        kind: *kind,
        counter: 100 * number,
        address: CODE,
        name: if *kind == ENTER { ISR } else { WORKER },
    };
    kinds.iter().zip(0..).map(entry).collect()
}

fn decoded(kinds: &[u32]) -> DecodedRecording {
    let (pointer, order) = LAYOUTS[0];
    let file = Cswl::new(pointer, order, 1).core(CoreHeader::default(), &log(kinds));
    open_unknown(&file.names().end()).unwrap()
}

/// The number of occurrences of a diagnostic, and the first event.
fn found(recording: &DecodedRecording, kind: DiagnosticKind) -> Option<(u64, Option<u32>)> {
    let mut all = recording.trace.diagnostics.iter();
    let found = all.find(|it| it.kind == kind)?;
    Some((found.count, found.event.map(|EventIndex(number)| number)))
}

#[test]
fn sleeps_and_wakes_that_contradict_each_other_are_reported() {
    use DiagnosticKind::{DoubleSleep, WakeWhileAwake};
    let right = decoded(&[SLEEP, ENTER, EXIT, WAKE, RESUME, SLEEP, RESUME, SLEEP, WAKE]);
    assert_eq!(found(&right, DoubleSleep), None);
    assert_eq!(found(&right, WakeWhileAwake), None);

    // Handlers between two sleeps are not a wake.
    let sleeps = decoded(&[RESUME, SLEEP, SLEEP, ENTER, EXIT, SLEEP, WAKE, SLEEP]);
    assert_eq!(found(&sleeps, DoubleSleep), Some((2, Some(2))));
    assert_eq!(found(&sleeps, WakeWhileAwake), None);

    let wakes = decoded(&[WAKE, ENTER, EXIT, WAKE, RESUME, WAKE, SLEEP, WAKE]);
    assert_eq!(found(&wakes, DoubleSleep), None);
    assert_eq!(found(&wakes, WakeWhileAwake), Some((2, Some(3))));

    // A wake at each exception: the thread continues where it was interrupted, unless it had
    // suspended itself.
    let exceptions = [
        RESUME, WAKE, ENTER, EXIT, RETURN, SLEEP, WAKE, ENTER, WAKE, EXIT,
    ];
    assert_eq!(found(&decoded(&exceptions), WakeWhileAwake), None);
    let continued = [RESUME, WAKE, ENTER, EXIT, ASYNC_RESUME, SLEEP];
    assert_eq!(found(&decoded(&continued), WakeWhileAwake), None);
    let suspended = [RESUME, WAKE, ENTER, EXIT, RESUME, SLEEP];
    assert_eq!(
        found(&decoded(&suspended), WakeWhileAwake),
        Some((1, Some(1)))
    );

    // The missing entry may have been the other.
    let gap = decoded(&[SLEEP, UNFINISHED, SLEEP, WAKE, UNFINISHED, WAKE]);
    assert_eq!(found(&gap, DoubleSleep), None);
    assert_eq!(found(&gap, WakeWhileAwake), None);
}

#[test]
fn the_positions_are_those_in_the_order_of_all_cores() {
    let (pointer, order) = LAYOUTS[0];
    let core = |core| CoreHeader {
        core,
        ..CoreHeader::default()
    };
    let file = Cswl::new(pointer, order, 2)
        .core(core(0), &log(&[RESUME, ENTER, EXIT, RESUME]))
        .core(core(1), &log(&[SLEEP, WAKE, WAKE, SLEEP]));
    let recording = open_unknown(&file.names().end()).unwrap();
    let found = found(&recording, DiagnosticKind::WakeWhileAwake);
    let (count, event) = found.unwrap();
    let trace = &recording.trace;
    let event = trace.events.get(EventIndex(event.unwrap())).unwrap();
    assert_eq!((count, event.core, event.timestamp), (1, 1, 200));
}

#[test]
fn a_log_without_handlers_is_reported() {
    use DiagnosticKind::NoHandlers;
    assert_eq!(
        found(&decoded(&[RESUME, SLEEP, WAKE, RESUME]), NoHandlers),
        Some((1, None))
    );
    assert_eq!(found(&decoded(&[RESUME, ENTER, EXIT]), NoHandlers), None);
    assert_eq!(found(&decoded(&[SLEEP, WAKE]), NoHandlers), None);
}

fn core_of(recording: &DecodedRecording) -> &CoreLogInfo {
    let log = recording.format_info.get::<cswitch::LogInfo>();
    &log.unwrap().cores[0]
}

/// Memory of a full buffer.
fn full(current: Option<u64>, cyclic: Option<bool>) -> (Vec<u8>, cswitch::CswitchOptions) {
    let (pointer, order) = LAYOUTS[0];
    let kinds = [RESUME, ENTER, EXIT, RESUME, SLEEP, WAKE, ENTER, EXIT];
    let location = BufferLocation {
        base: Some(0x1000),
        start: Some(0x1000),
        end: Some(0x1080),
        current,
        cyclic,
    };
    let options = cswitch::CswitchOptions {
        location,
        ..cswitch::CswitchOptions::default()
    };
    (memory(pointer, order, &log(&kinds)), options)
}

#[test]
fn a_full_buffer_is_reported_and_conversion_keeps_what_is_unknown() {
    let full_kind = DiagnosticKind::BufferFull;
    let cases = [
        (Some(0x1080), Some(false), true),
        (None, Some(false), true),
        (Some(0x1080), None, true),
        (Some(0x1080), Some(true), false),
        (None, None, false),
        (Some(0x1070), Some(false), false),
    ];
    for (current, cyclic, is_full) in cases {
        let (bytes, options) = full(current, cyclic);
        let before = open(&bytes, options.clone()).unwrap();
        let case = format!("{current:x?} {cyclic:?}");
        assert_eq!(kinds(&before.trace).contains(&full_kind), is_full, "{case}");
        assert_eq!(core_of(&before).lost_entries, None);

        let written = convert(&bytes, &options);
        let after = open_unknown(&written).unwrap();
        assert_eq!(core_of(&after), core_of(&before), "{case}");
        assert_eq!(entries(&after.trace), entries(&before.trace));
        assert_eq!(kinds(&after.trace).contains(&full_kind), is_full, "{case}");
    }
}

fn convert(bytes: &[u8], options: &cswitch::CswitchOptions) -> Vec<u8> {
    let dump = LogImage::open(Input::new(bytes)).unwrap();
    let log = dump.log(options).unwrap();
    let mut written = Vec::new();
    cswitch::write(&log, &cswitch::decode(&log, options), &mut written).unwrap();
    written
}

#[test]
fn a_recorder_that_was_full_counts_what_it_lost() {
    let slots = vec![MaybeUninit::<Slot>::uninit(); 2].leak();
    let log = SwitchLog::new(SpinLock::new(), NullClock);
    log.start(slots, BufferMode::OneShot);
    for _ in 0..5 {
        log.isr_enter(0x100);
    }
    let recording = open_unknown(&saved(&log)).unwrap();
    assert_eq!(core_of(&recording).lost_entries, Some(3));
    let kinds = kinds(&recording.trace);
    assert!(kinds.contains(&DiagnosticKind::LostEntries));
    assert!(
        !kinds.contains(&DiagnosticKind::BufferFull),
        "nothing is unknown"
    );
}

fn saved(log: &SwitchLog<SpinLock, NullClock>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let sink = |part: &[u8]| bytes.extend_from_slice(part);
    let mut container = Container::new(sink, 1000, 32, 1);
    container.write_core(0, log, ReadableMemory::EMPTY);
    let _ = container.finish();
    bytes
}

/// The output of `nm`.
fn nm(lines: &str) -> cswitch::CswitchOptions {
    let text = lines.to_owned().into_bytes();
    cswitch::CswitchOptions {
        firmware: vec![Arc::new(Firmware::read(text).unwrap())],
        ..cswitch::CswitchOptions::default()
    }
}

#[test]
fn an_observers_log_is_of_its_firmware() {
    const EXECUTOR: u32 = 0x2000_0010;
    const TASKS: [u32; 3] = [0x2000_0100, 0x2000_0140, 0x2000_0180];
    let slots = vec![MaybeUninit::<Slot>::uninit(); 64].leak();
    let log = SwitchLog::new(SpinLock::new(), NullClock);
    log.start(slots, BufferMode::OneShot);
    let observer = SwitchObserver::<_, _, 4>::new(&log, SpinLock::new());
    for task in TASKS {
        observer.poll_begin(EXECUTOR);
        observer.task_exec_begin(task);
        observer.task_exec_end();
        observer.poll_end(EXECUTOR);
        observer.isr_enter();
        observer.isr_exit();
    }
    let file = saved(&log);
    let functions = "08001000 00000200 T main\n08001400 00000020 T tick\n";
    let own = "20000010 00000008 B EXECUTOR\n20000100 000000c0 B TASKS\n";
    let other = DiagnosticKind::OtherFirmware;
    let recording = open(&file, nm(&format!("{functions}{own}"))).unwrap();
    assert_eq!(found(&recording, other), None);
    // If the tasks are not in this firmware, the log does not come from it.
    let recording = open(&file, nm(functions)).unwrap();
    assert!(found(&recording, other).is_some());
}
