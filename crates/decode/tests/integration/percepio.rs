//! Recordings of TraceRecorder against what the target itself logged.
//! `testdata/percepio/README.md` describes them.

use proptest::prelude::*;
use rtoscope_decode::percepio::FORMAT;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::{read_testdata, recordings_and_shared};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, EventIndex, Frequency, Trace};
use rtoscope_wire::percepio::{EventHeader, Layout};
use std::fs;

fn decode(bytes: &[u8]) -> DecodedRecording {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    assert_eq!(input.format(), FORMAT);
    input.decode(&DecodeOptions::default()).unwrap()
}

/// The codes of the kernel's events in the port for FreeRTOS.
const ACTIVATE: u32 = 0x37;
const READY: u32 = 0x30;
const ISR_BEGIN: u32 = 0x33;

/// Code, and the address of the task or the number of the interrupt.
type KernelEvent = (u32, u64);

/// The kernel's events that the target logged while it recorded, with their times.
fn logged(log: &str) -> Vec<(u64, KernelEvent)> {
    // A log may have the events of the recording only.
    let mut records = !log.contains("rec_start");
    let mut events = Vec::new();
    for line in log.lines().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let [time, event, object, ..] = fields[..] else {
            panic!("{line}");
        };
        let object = match object.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
            None => object.parse().unwrap_or_default(),
        };
        match event {
            "rec_start" => records = true,
            "rec_stop" => records = false,
            _ => {}
        }
        let code = match event {
            "switch_in" => ACTIVATE,
            "ready" => READY,
            // The recorder does not see the tick.
            "isr_enter" if object != 15 => ISR_BEGIN,
            _ => continue,
        };
        if records {
            events.push((time.parse().unwrap(), (code, object)));
        }
    }
    events
}

/// The same events of a decoded trace.
fn recorded(trace: &Trace) -> Vec<(u64, KernelEvent)> {
    let events = trace.events.iter().filter_map(|event| {
        let [object, ..] = event.arguments;
        let object = match event.kind.0 {
            ACTIVATE | READY => object,
            ISR_BEGIN => {
                let handler = trace.objects.find(Address(object), None);
                match handler.map(|it| it.name.as_bytes()) {
                    Some(b"Timer0") => 24,
                    Some(b"Timer1") => 25,
                    other => panic!("{other:?}"),
                }
            }
            _ => return None,
        };
        Some((event.time.0, (event.kind.0, object)))
    });
    events.collect()
}

fn assert_contains(all: &[(u64, KernelEvent)], part: &[(u64, KernelEvent)], what: &str) {
    let mut all = all.iter().map(|(_, event)| event);
    for (number, (_, event)) in part.iter().enumerate() {
        let found = all.any(|it| it == event);
        assert!(found, "{what}: event {number} is {event:x?}");
    }
}

#[test]
fn the_schedule_equals_the_targets_own_log() {
    let mut compared = 0;
    for path in recordings_and_shared("percepio") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(log) = fs::read_to_string(path.with_extension("truth.csv")) else {
            continue;
        };
        if name.starts_with("bare") {
            continue;
        }
        compared += 1;
        let trace = decode(&fs::read(&path).unwrap()).trace;
        let recorded = recorded(&trace);
        let mut truth = logged(&log);
        if !recorded.iter().any(|(_, (code, _))| *code == READY) {
            truth.retain(|(_, (code, _))| *code != READY);
        }
        let is_part = ["lossy", "ring", "stopstart"]
            .iter()
            .any(|it| name.contains(it));
        assert_contains(&truth, &recorded, &name);
        if is_part {
            continue;
        }
        assert_eq!(trace.gaps, [], "{name}");
        // The log may begin before the recording, and end after it.
        let first = recorded.first().unwrap().1;
        let start = truth.iter().position(|(_, event)| *event == first).unwrap();
        let truth = truth.get(start..).unwrap();
        assert!(
            truth.len() <= recorded.len() + 3,
            "{name}: {} of {}",
            recorded.len(),
            truth.len()
        );
        let mut offsets = Vec::new();
        for (number, (logged, event)) in truth.iter().zip(&recorded).enumerate() {
            assert_eq!(logged.1, event.1, "{name}: kernel event {number}");
            offsets.push(event.0 as i64 - logged.0 as i64);
        }
        let spread = offsets.iter().max().unwrap() - offsets.iter().min().unwrap();
        // The log of that one has another clock than the timer of the system's tick.
        assert!(
            spread <= 100 || name.contains("systick"),
            "{name}: the times differ by {spread} ticks"
        );
    }
    assert!(compared > 0);
}

fn missing(trace: &Trace) -> u64 {
    trace.gaps.iter().filter_map(|gap| gap.missing).sum()
}

#[test]
fn lost_events_are_counted_exactly() {
    for (name, gaps, lost) in [("cm3_lossy1k", 22, 2551), ("cm3_lossy4k", 8, 1942)] {
        let file = format!("percepio/{name}.psf");
        let bytes = match name {
            "cm3_lossy1k" => read_testdata(&file),
            _ => match fs::read(rtoscope_fixtures::shared_traces(&file)) {
                Ok(bytes) => bytes,
                Err(_) => continue,
            },
        };
        let trace = decode(&bytes).trace;
        assert_eq!((trace.gaps.len(), missing(&trace)), (gaps, lost), "{name}");
    }
}

/// Bytes of the header and the table of `cm3_nested.psf`.
const HEADER: usize = 32 + 28 + 12 + 48 * 12;

fn nested() -> Vec<u8> {
    read_testdata("percepio/cm3_nested.psf")
}

#[test]
fn missing_bytes_are_one_gap() {
    let bytes = nested();
    let whole = decode(&bytes).trace;
    for (start, length) in [(16_248, 401), (9000, 1), (15_001, 5000), (7002, 3)] {
        let cut = [&bytes[..start], &bytes[start + length..]].concat();
        let trace = decode(&cut).trace;
        assert_eq!(trace.gaps.len(), 1, "{start}: {:?}", trace.gaps);
        let events = trace.events.len() as u64 + missing(&trace);
        assert_eq!(events, whole.events.len() as u64, "{start}");
        assert_contains(&recorded(&whole), &recorded(&trace), "cut");
    }
}

#[test]
fn a_cut_event_is_reported() {
    let bytes = nested();
    let whole = decode(&bytes).trace;
    let trace = decode(&bytes[..bytes.len() - 2]).trace;
    assert_eq!(trace.events.len() + 1, whole.events.len());
    let has = |kind| trace.diagnostics.iter().any(|it| it.kind == kind);
    assert!(has(DiagnosticKind::CutFrame), "{:?}", trace.diagnostics);
}

#[test]
fn bytes_between_events_lose_nothing() {
    let bytes = nested();
    let whole = decode(&bytes).trace;
    let garbage = [&bytes[..HEADER], b"garbage!", &bytes[HEADER..]].concat();
    let trace = decode(&garbage).trace;
    assert_eq!(trace.events, whole.events);
    assert_eq!(trace.gaps, []);
}

#[test]
fn events_with_unknown_codes_are_kept() {
    const UNKNOWN: u16 = 0xFA0;
    let mut bytes = nested();
    let events = decode(&bytes).trace.events.len();
    let (mut at, mut changed, mut follows_text) = (HEADER, 0, false);
    while let Some(event) = EventHeader::read(&bytes[at..], Layout::default()) {
        if follows_text {
            let first = UNKNOWN | u16::from(event.parameters) << 12;
            bytes[at..at + 2].copy_from_slice(&first.to_le_bytes());
            changed += 1;
        }
        follows_text = (0x91..0x98).contains(&event.code);
        at += event.event_bytes(Layout::default());
    }
    let trace = decode(&bytes).trace;
    assert_eq!((trace.events.len(), trace.gaps.len()), (events, 0));
    let unknown = trace
        .events
        .iter()
        .filter(|it| it.kind.0 == u32::from(UNKNOWN));
    assert_eq!(unknown.count(), changed);
    assert!(changed > 10);
}

#[test]
fn a_stream_without_its_header_is_recognised() {
    let bytes = nested();
    let whole = decode(&bytes).trace;
    let cut = decode(&bytes[10_001..]).trace;
    let kinds = |trace: &Trace, skipped| trace.events.kinds().skip(skipped).collect::<Vec<_>>();
    let common = cut.events.len();
    assert!(common > 1000);
    assert_eq!(kinds(&whole, whole.events.len() - common), kinds(&cut, 0));
    assert_eq!(cut.clock.frequency(), None);
    let has = |kind| cut.diagnostics.iter().any(|it| it.kind == kind);
    assert!(has(DiagnosticKind::UnresolvedName));
}

#[test]
fn a_second_header_is_a_pause_or_a_restart() {
    let (first, late) = (nested(), read_testdata("percepio/cm3_late.psf"));
    let events = decode(&first).trace.events.len() as u32;
    for (second, restarts) in [(&late, false), (&first, true)] {
        let trace = decode(&[&first[..], second].concat()).trace;
        let [gap] = trace.gaps[..] else {
            panic!("{:?}", trace.gaps);
        };
        assert_eq!((gap.next_event, gap.missing), (EventIndex(events), None));
        assert_eq!(gap.is_restart, restarts);
    }
}

#[test]
fn names_are_in_the_table_and_in_events() {
    for name in ["cm3_late", "cm3_nested"] {
        let trace = decode(&read_testdata(&format!("percepio/{name}.psf"))).trace;
        for wanted in [
            "prodA", "IDLE", "q1", "mx", "Timer0", "machine", "S1", "produce", "q2val",
        ] {
            let mut objects = trace.objects.iter();
            assert!(
                objects.any(|it| it.name.as_bytes() == wanted.as_bytes()),
                "{wanted}"
            );
        }
        assert_eq!(trace.clock.frequency(), Frequency::from_hertz(25_000_000));
    }
}

#[test]
fn texts_are_formatted_on_the_host() {
    let trace = decode(&nested()).trace;
    let prints = trace
        .events
        .iter()
        .filter(|it| (0x91..0x98).contains(&it.kind.0));
    let texts = prints.filter_map(
        |it| match trace.events.extras().items(it.index).next()?.value {
            ItemValue::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        },
    );
    let texts: Vec<_> = texts.collect();
    assert!(texts.iter().any(|it| it == "phase 1"), "{texts:?}");
    assert!(texts.iter().all(|it| !it.contains('%')), "{texts:?}");
}

#[test]
fn words_of_64_bits_are_read() {
    let trace = decode(&read_testdata("percepio/bare64.psf")).trace;
    assert_eq!((trace.events.len(), trace.gaps.len()), (774, 0));
    assert_eq!(trace.clock.wraps, 1);
    let uart = trace
        .objects
        .iter()
        .find(|it| it.name.as_bytes() == b"uart");
    let uart = uart.unwrap().address.0;
    assert!(uart > u64::from(u32::MAX));
    let begins = trace.events.iter().filter(|it| it.kind.0 == 0x21);
    assert!(begins.clone().any(|it| it.arguments[0] == uart));
    assert_eq!(begins.count(), 267);
}

#[test]
fn a_ring_buffer_is_found_in_memory() {
    let image = read_testdata("percepio/cm3_ring.mem");
    let memory = [&[0xA5; 70_000], &image[..], &[0; 500]].concat();
    for bytes in [&image, &memory] {
        let trace = decode(bytes).trace;
        assert_eq!((trace.events.len(), trace.gaps.len()), (655, 0));
        // Each life of a task has its own name.
        let deletions = trace.events.iter().filter(|it| it.kind.0 == 0x20);
        assert!(deletions.count() >= 4);
        let mut names = trace
            .objects
            .iter()
            .filter(|it| it.address.0 == 0x2000_B080);
        let names: Vec<_> = names.by_ref().map(|it| it.name.to_string()).collect();
        assert_eq!(names, ["tmp2", "victim", "tmp3", "tmp4", "tmp5"]);
    }
}

#[test]
fn each_of_several_ring_buffers_can_be_chosen() {
    let image = read_testdata("percepio/cm3_ring.mem");
    let part = &image[..8841];
    let both = [&image[..], part].concat();
    let open = |choice| UnpackedInput::open(Input::new(&both), choice, None).unwrap();
    let events = |choice| {
        let decoded = open(choice).decode(&DecodeOptions::default()).unwrap();
        let several = find_diagnostic(&decoded.trace, DiagnosticKind::SeveralBuffers);
        let message = several.map(|it| it.message.clone());
        (decoded.trace.events.len(), message)
    };
    let message = "the input contains 2 images of ring buffers, at 0x4, 0x3470; the first is shown";
    let expected = (655, Some(message.to_owned()));
    assert_eq!(events(BufferChoice::First), expected);
    assert_eq!(events(BufferChoice::Number(0)), (655, None));
    assert_eq!(events(BufferChoice::Number(1)), (366, None));
    assert_eq!(events(BufferChoice::At(Address(0x3470))), (366, None));
    let none = BufferChoice::Number(2);
    assert!(UnpackedInput::open(Input::new(&both), none, None).is_err());
}

#[test]
fn cores_share_a_stream() {
    let path = rtoscope_fixtures::shared_traces("percepio/derived_mcore.psf");
    let Ok(bytes) = fs::read(path) else {
        return;
    };
    let trace = decode(&bytes).trace;
    assert_eq!((trace.cores.as_slice(), trace.gaps.len()), (&[0, 1][..], 0));
    let events = (0..trace.events.len() as u32).map(EventIndex);
    let on_second = events.filter(|event| trace.events.core(*event) == Some(1));
    assert_eq!((on_second.count(), trace.events.len()), (2022, 3477 + 2022));
    // Events of one core are missing.
    let cut = [&bytes[..20_000], &bytes[23_000..]].concat();
    let cut = decode(&cut).trace;
    assert_eq!(cut.events.len() as u64 + missing(&cut), 3477 + 2022);
}

#[test]
fn single_bit_errors_lose_single_events() {
    let path = rtoscope_fixtures::shared_traces("percepio/derived_flips.psf");
    let Ok(bytes) = fs::read(path) else {
        return;
    };
    let trace = decode(&bytes).trace;
    assert_eq!(trace.events.len() as u64 + missing(&trace), 3477);
    assert!(missing(&trace) <= 15, "{:?}", trace.gaps);
    assert_eq!(trace.clock.wraps, 0);
}

/// The offsets of consecutive events from the first one's on.
fn event_offsets(bytes: &[u8], first: usize) -> Vec<usize> {
    let mut offsets = vec![first];
    while let Some(&at) = offsets.last()
        && let Some(event) = bytes
            .get(at..)
            .and_then(|rest| EventHeader::read(rest, Layout::default()))
    {
        offsets.push(at + event.event_bytes(Layout::default()));
    }
    offsets
}

/// The offset of the events in the image of `cm3_ring.mem`.
const RING: usize = 3208;

fn find_diagnostic(trace: &Trace, kind: DiagnosticKind) -> Option<&Diagnostic> {
    trace.diagnostics.iter().find(|it| it.kind == kind)
}

/// Checks each bit from 16 to 31 of the timestamps of some events. A timestamp that is still
/// between those of its neighbours proves no damage.
fn assert_damaged_timestamps_are_found(bytes: &[u8], offsets: &[usize], numbers: &[usize]) {
    let whole = decode(bytes).trace;
    let times = |trace: &Trace| -> Vec<_> {
        let events = trace.events.iter();
        events.map(|it| (it.time, it.kind)).collect()
    };
    let sound = times(&whole);
    let timestamp = |number: usize| {
        let event = EventHeader::read(&bytes[offsets[number]..], Layout::default());
        event.unwrap().timestamp
    };
    for &number in numbers {
        let offset = offsets[number];
        for bit in 16..32 {
            let neighbours = timestamp(number - 1)..=timestamp(number + 1);
            if neighbours.contains(&(timestamp(number) ^ 1 << bit)) {
                continue;
            }
            let mut bytes = bytes.to_vec();
            bytes[offset + 4 + bit / 8] ^= 1 << (bit % 8);
            let trace = decode(&bytes).trace;
            let mut all = sound.iter();
            let are_same = times(&trace).iter().all(|event| all.any(|it| it == event));
            assert!(are_same, "bit {bit} at {offset:#x}");
            assert_eq!(trace.events.len() + 1, sound.len(), "{bit} at {offset:#x}");
            let damage = find_diagnostic(&trace, DiagnosticKind::BadFrame).unwrap();
            assert!(damage.offset.is_some() && damage.event.is_some());
            assert_eq!(missing(&trace), 1);
        }
    }
}

#[test]
fn a_damaged_timestamp_costs_one_event() {
    let bytes = nested();
    let offsets = event_offsets(&bytes, HEADER);
    assert_damaged_timestamps_are_found(&bytes, &offsets, &[10, 100, 380, 385, 1000, 2000]);
    let image = read_testdata("percepio/cm3_ring.mem");
    let offsets = event_offsets(&image[..RING + 7528], RING);
    assert_damaged_timestamps_are_found(&image, &offsets, &[5, 70, 200, 300]);
}

#[test]
fn a_ring_buffer_that_is_cut_off_is_a_ring() {
    let image = read_testdata("percepio/cm3_ring.mem");
    for (bytes, events) in [(13_400, 655), (13_350, 651), (8841, 366)] {
        let trace = decode(&image[..bytes]).trace;
        assert_eq!((trace.events.len(), missing(&trace) < 5), (events, true));
        let truncated = find_diagnostic(&trace, DiagnosticKind::Truncated);
        assert!(truncated.is_some(), "{bytes}");
    }
}

#[test]
fn wrong_positions_of_a_ring_buffer_are_reported() {
    const HEAD: usize = RING - 44;
    const TAIL: usize = HEAD + 4;
    let image = read_testdata("percepio/cm3_ring.mem");
    let sound = decode(&image).trace;
    assert_eq!(
        find_diagnostic(&sound, DiagnosticKind::CurrentPointer),
        None
    );
    for (place, position, skipped) in [(HEAD, 7128, 420), (HEAD, 0, 7548), (TAIL, 0, 2660)] {
        let mut bytes = image.clone();
        bytes[place..place + 4].copy_from_slice(&u32::to_le_bytes(position));
        let trace = decode(&bytes).trace;
        let wrong = find_diagnostic(&trace, DiagnosticKind::CurrentPointer).unwrap();
        assert_eq!(wrong.count, skipped);
    }
}

/// The bytes after a transfer in text mode.
fn expand_line_feeds(bytes: &[u8]) -> Vec<u8> {
    let expanded = bytes.iter().flat_map(|byte| match byte {
        b'\n' => b"\r\n".as_slice(),
        byte => std::slice::from_ref(byte),
    });
    expanded.copied().collect()
}

#[test]
fn a_transfer_in_text_mode_is_undone() {
    for name in ["cm3_nested.psf", "cm3_ring.mem"] {
        let bytes = read_testdata(&format!("percepio/{name}"));
        let (whole, expanded) = (
            decode(&bytes).trace,
            decode(&expand_line_feeds(&bytes)).trace,
        );
        assert_eq!(expanded.events, whole.events);
        assert!(find_diagnostic(&expanded, DiagnosticKind::ExpandedLineFeeds).is_some());
    }
}

#[test]
fn inserted_bytes_invent_no_losses() {
    let bytes = nested();
    let whole = decode(&bytes).trace;
    // A line feed without a carriage return: nothing proves the transfer in text mode.
    let trace = decode(&[&expand_line_feeds(&bytes), b"\n".as_slice()].concat()).trace;
    let lost = whole.events.len() - trace.events.len();
    assert_eq!(missing(&trace), lost as u64, "{:?}", trace.gaps);
    let span = |trace: &Trace| trace.events.iter().map(|it| it.time).max();
    assert_eq!(span(&trace), span(&whole));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rtoscope_fixtures::cases(4)))]

    /// Damage never stops the decoder; each event that it takes is missing once.
    #[test]
    fn damage_stays_local(place in 3000_usize..31_000, damage in proptest::collection::vec(any::<u8>(), 1..40)) {
        let mut bytes = nested();
        let whole = decode(&bytes).trace;
        let end = place + damage.len();
        bytes.splice(place..end, damage);
        let trace = decode(&bytes).trace;
        let events = trace.events.len() as u64 + missing(&trace);
        prop_assert_eq!(events, whole.events.len() as u64);
        prop_assert!(missing(&trace) <= 8, "{:?}", trace.gaps);
    }
}
