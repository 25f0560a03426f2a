//! Recordings of SystemView's target code against what the target itself logged.
//! `testdata/systemview/README.md` describes them.

use proptest::prelude::*;
use rtoscope_decode::source::Input;
use rtoscope_decode::systemview::FORMAT;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::{read_testdata, recordings_and_shared};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{Address, DiagnosticKind, EventIndex, Trace};
use rtoscope_wire::systemview::{PacketWriter, id};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An event of the kernel: the id of its packet, and the shortened id of its task or the number of
/// its interrupt.
type KernelEvent = (u32, u64);

/// What the target itself logged of a recording.
struct Truth {
    facts: Value,
    /// The kernel's events with their times in ticks of the recorder.
    events: Vec<(u64, KernelEvent)>,
}

fn decode(bytes: &[u8]) -> DecodedRecording {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    assert_eq!(input.format(), FORMAT);
    input.decode(&DecodeOptions::default()).unwrap()
}

fn number(value: &Value) -> u64 {
    match value.as_str() {
        Some(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap(),
        None => value.as_u64().unwrap(),
    }
}

impl Truth {
    /// `None` if the recording is only derived from another one.
    fn read(recording: &Path) -> Option<Self> {
        let log = fs::read_to_string(recording.with_extension("truth.csv")).ok()?;
        let facts = fs::read_to_string(recording.with_extension("json")).unwrap();
        let facts: Value = serde_json::from_str(&facts).unwrap();
        let mut truth = Self {
            facts,
            events: Vec::new(),
        };
        let shift = truth.fact("timestamp_shift");
        for line in log.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let [time, event, object, name, _] = fields[..] else {
                panic!("{line}");
            };
            let object = match object.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
                None => object.parse().unwrap_or_default(),
            };
            let event = match event {
                "switch_in" if name.starts_with("IDLE") => (id::IDLE, 0),
                "switch_in" => (id::TASK_START_EXEC, truth.shorten(object)),
                "isr_enter" => (id::ISR_ENTER, object),
                "isr_exit" => (id::ISR_EXIT, 0),
                "isr_exit_sched" => (id::ISR_TO_SCHEDULER, 0),
                "ready" => (id::TASK_START_READY, truth.shorten(object)),
                _ => continue,
            };
            let time = time.parse::<u64>().unwrap() >> shift;
            truth.events.push((time, event));
        }
        Some(truth)
    }

    fn fact(&self, key: &str) -> u64 {
        number(&self.facts[key])
    }

    fn shorten(&self, address: u64) -> u64 {
        let offset = (address as u32).wrapping_sub(self.fact("id_base") as u32);
        u64::from(offset >> self.fact("id_shift"))
    }

    /// The same events of a decoded trace.
    fn recorded(&self, trace: &Trace) -> Vec<(u64, KernelEvent)> {
        let events = trace.events.iter().filter_map(|event| {
            let [object, ..] = event.arguments;
            let kernel_event = match event.kind.0 {
                kind @ (id::TASK_START_EXEC | id::TASK_START_READY) => (kind, self.shorten(object)),
                kind @ id::ISR_ENTER => (kind, object),
                kind @ (id::ISR_EXIT | id::ISR_TO_SCHEDULER | id::IDLE) => (kind, 0),
                _ => return None,
            };
            Some((event.time.0, kernel_event))
        });
        events.collect()
    }

    /// Checks that events are some of the target's, in the same order.
    fn assert_contains(&self, recorded: &[(u64, KernelEvent)], what: &str) {
        let mut all = self.events.iter().map(|(_, event)| event);
        for (number, (_, event)) in recorded.iter().enumerate() {
            assert!(
                all.any(|it| it == event),
                "{what}: event {number} is {event:?}"
            );
        }
    }
}

/// Whether a recording is complete, so that it has each event of the target.
fn is_complete(name: &str, truth: &Truth) -> bool {
    const PARTS: [&str; 4] = ["cm3_cmds", "cm3_late", "cm3_pm_nosync", "cm3_postmortem"];
    truth.fact("packets_lost") == 0 && !PARTS.contains(&name)
}

#[test]
fn the_schedule_equals_the_targets_own_log() {
    for path in recordings_and_shared("systemview") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // A configuration in which the recorder writes no lengths.
        let Some(truth) = Truth::read(&path).filter(|_| name != "cm3_longdata_broken") else {
            continue;
        };
        let trace = decode(&fs::read(&path).unwrap()).trace;
        let mut recorded = truth.recorded(&trace);
        if name == "cm3_pm_nosync" {
            // It has no start: the addresses are not known.
            continue;
        }
        if !is_complete(&name, &truth) {
            truth.assert_contains(&recorded, &name);
            assert!(recorded.len() >= 50, "{name}");
            continue;
        }
        assert_eq!(
            trace.events.len() as u64 + 1,
            truth.fact("packets_stored"),
            "{name}"
        );
        assert_eq!(trace.gaps, [], "{name}");
        recorded.truncate(truth.events.len());
        let mut offsets = Vec::new();
        for (number, (true_event, event)) in truth.events.iter().zip(&recorded).enumerate() {
            assert_eq!(true_event.1, event.1, "{name}: kernel event {number}");
            offsets.push(event.0 as i64 - true_event.0 as i64);
        }
        assert_eq!(truth.events.len(), recorded.len(), "{name}");
        let spread = offsets.iter().max().unwrap() - offsets.iter().min().unwrap();
        assert!(spread <= 5, "{name}: the times differ by {spread} ticks");
    }
}

#[test]
fn lost_packets_are_counted_exactly() {
    for path in recordings_and_shared("systemview") {
        let Some(truth) = Truth::read(&path).filter(|truth| truth.fact("packets_lost") > 0) else {
            continue;
        };
        let trace = decode(&fs::read(&path).unwrap()).trace;
        let missing = trace.gaps.iter().map(|gap| gap.missing);
        assert_eq!(
            missing.sum::<Option<u64>>(),
            Some(truth.fact("packets_lost")),
            "{}",
            path.display()
        );
        let overflows = trace.events.kinds().filter(|kind| kind.0 == id::OVERFLOW);
        assert_eq!(trace.gaps.len(), overflows.count());
    }
}

fn noret() -> (Vec<u8>, Truth) {
    let truth = Truth::read(&rtoscope_fixtures::testdata("systemview/cm3_noret.bin"));
    (read_testdata("systemview/cm3_noret.bin"), truth.unwrap())
}

#[test]
fn missing_bytes_are_one_gap() {
    let (bytes, truth) = noret();
    for (start, length) in [(21_143, 217), (9_000, 1), (15_000, 5_000)] {
        let cut = [&bytes[..start], &bytes[start + length..]].concat();
        let trace = decode(&cut).trace;
        let what = format!("without {length} bytes");
        truth.assert_contains(&truth.recorded(&trace), &what);
        let gaps = trace.gaps.iter().filter(|gap| gap.missing.is_none());
        assert!(gaps.count() <= 1, "{what}: {:?}", trace.gaps);
        let lost = decode(&bytes).trace.events.len() - trace.events.len();
        assert!(lost < length / 5 + 20, "{what}: {lost} events are missing");
    }
}

#[test]
fn a_stream_without_its_start_is_recognised() {
    let (bytes, _) = noret();
    let whole = decode(&bytes).trace;
    let cut = decode(&bytes[15_267..]).trace;
    let kinds = |trace: &Trace, skipped| trace.events.kinds().skip(skipped).collect::<Vec<_>>();
    let common = cut.events.len();
    assert_eq!(kinds(&whole, whole.events.len() - common), kinds(&cut, 0));
    assert_eq!(cut.clock.frequency(), None);
    let unresolved = |it: &&rtoscope_trace::Diagnostic| it.kind == DiagnosticKind::UnresolvedName;
    assert!(cut.diagnostics.iter().find(unresolved).is_some());
}

#[test]
fn what_precedes_the_sync_does_not_matter() {
    let (bytes, _) = noret();
    let whole = decode(&bytes).trace;
    let hello = [&b"SEGGER SystemView V3.32.00"[..], &[0; 6]].concat();
    let header = b";\n; Version     SEGGER SystemViewer V2.42\n; Author      Espressif Inc\n;\n";
    for before in [b"SV\x06\x07", &hello[..], header] {
        let trace = decode(&[before, &bytes].concat()).trace;
        assert_eq!(trace.events, whole.events);
        assert_eq!(trace.objects, whole.objects);
    }
}

#[test]
fn a_cut_packet_is_reported() {
    let (bytes, _) = noret();
    let whole = decode(&bytes).trace;
    let trace = decode(&bytes[..bytes.len() - 1]).trace;
    assert_eq!(trace.events.len() + 1, whole.events.len());
    let cut = trace
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::CutFrame);
    assert!(cut.is_some(), "{:?}", trace.diagnostics);
}

#[test]
fn a_damaged_end_is_reported() {
    let (bytes, _) = noret();
    let trace = decode(&[&bytes[..20_000], &[0x80; 500]].concat()).trace;
    let damaged = |it: &&rtoscope_trace::Diagnostic| it.kind == DiagnosticKind::BadFrame;
    let damaged = trace.diagnostics.iter().find(damaged).unwrap();
    assert!(
        damaged.message.contains("after the last event"),
        "{}",
        damaged.message
    );
}

#[test]
fn texts_are_formatted_on_the_host() {
    let (bytes, _) = noret();
    let trace = decode(&bytes).trace;
    let prints = trace
        .events
        .iter()
        .filter(|it| it.kind.0 == id::PRINT_FORMATTED);
    let texts = prints.filter_map(
        |it| match trace.events.extras().items(it.index).next()?.value {
            ItemValue::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        },
    );
    let texts: Vec<_> = texts.collect();
    assert!(
        texts
            .iter()
            .any(|it| it.contains("Maximum number of tasks")),
        "{texts:?}"
    );
    assert!(texts.iter().all(|it| !it.contains('%')), "{texts:?}");
    let kind = trace
        .catalogue
        .iter()
        .find(|kind| kind.name == "xQueueReceive")
        .unwrap();
    assert_eq!(kind.component, "FreeRTOS");
    let calls = trace.events.iter().filter(|it| it.kind == kind.id);
    let mut queues = calls.filter_map(|it| trace.objects.find(Address(it.arguments[0]), None));
    assert!(queues.any(|queue| queue.name.as_bytes() == b"q1"));
}

#[test]
fn two_cores_share_a_stream() {
    let path = rtoscope_fixtures::shared_traces("systemview/derived_esp_mcore.bin");
    let Ok(bytes) = fs::read(path) else {
        return;
    };
    let trace = decode(&bytes).trace;
    assert_eq!(trace.cores, [0, 1]);
    let on_second = (0..trace.events.len() as u32).map(EventIndex);
    let on_second = on_second.filter(|event| trace.events.core(*event) == Some(1));
    assert_eq!(on_second.count(), 4006);
}

/// The packets of a core: its tasks run at these ticks since the last packet.
fn core_packets(runs: &[(u32, u32)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = PacketWriter::new(|byte| bytes.push(byte));
    writer.sync();
    writer.short(id::TRACE_START, &[], None, 100);
    writer.long(id::INIT, &[1_000_000, 1_000_000, 0x2000_0000, 0], &[], 0);
    writer.short(id::STACK_INFO, &[7, 0x2000_0000, u32::MAX - 9, 0], None, 0);
    for (task, delta) in runs {
        writer.short(id::TASK_START_EXEC, &[*task], None, *delta);
    }
    writer.short(id::OVERFLOW, &[3], None, 5);
    bytes
}

#[test]
fn cores_with_packets_of_their_own_are_merged_by_time() {
    let first = core_packets(&[(7, 10), (8, 20)]);
    let second = core_packets(&[(9, 15), (10, 40)]);
    let header = format!("; Offset Core0 0\n; Offset Core1 {}\n;\n", first.len());
    let recording = decode(&[header.as_bytes(), &first, &second].concat());
    let trace = &recording.trace;
    assert_eq!(trace.cores, [0, 1]);
    let runs = trace
        .events
        .iter()
        .filter(|event| event.kind.0 == id::TASK_START_EXEC);
    let runs: Vec<_> = runs
        .map(|event| (event.time.0, event.core, event.arguments[0]))
        .collect();
    let address = |task: u64| 0x2000_0000 + task;
    assert_eq!(
        runs,
        [
            (10, 0, address(7)),
            (15, 1, address(9)),
            (30, 0, address(8)),
            (55, 1, address(10)),
        ]
    );
    let gaps: Vec<_> = trace
        .gaps
        .iter()
        .map(|gap| (gap.core, gap.missing))
        .collect();
    assert_eq!(gaps, [(Some(0), Some(4)), (Some(1), Some(4))]);
    let facts = recording.format_info.facts(trace);
    let tasks = &facts.members["tasks"];
    assert_eq!(tasks[0]["stack_size"], Value::Null, "below its base");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rtoscope_fixtures::cases(4)))]

    /// Damage never stops the decoder, and what it reads elsewhere is right.
    #[test]
    fn damage_stays_local(place in 3000_usize..29_000, damage in proptest::collection::vec(any::<u8>(), 1..40)) {
        let (mut bytes, truth) = noret();
        let end = (place + damage.len()).min(bytes.len());
        bytes.splice(place..end, damage);
        let trace = decode(&bytes).trace;
        let recorded = truth.recorded(&trace);
        let before = recorded.iter().zip(&truth.events);
        let before = before.take_while(|(event, truth)| event.1 == truth.1).count();
        let after = recorded.iter().rev().zip(truth.events.iter().rev());
        let after = after.take_while(|(event, truth)| event.1 == truth.1).count();
        prop_assert!(before + after + 40 >= truth.events.len(), "{before} and {after}");
    }
}
