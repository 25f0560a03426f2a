//! Recordings of Tonbandgeraet against what the target itself logged.
//! `testdata/tonbandgeraet/README.md` describes them.

use proptest::prelude::*;
use rtoscope_decode::source::Input;
use rtoscope_decode::tonbandgeraet::FORMAT;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::read_testdata;
use rtoscope_trace::{DiagnosticKind, Trace};

fn decode(bytes: &[u8]) -> DecodedRecording {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    assert_eq!(input.format(), FORMAT);
    input.decode(&DecodeOptions::default()).unwrap()
}

/// The name and the time of the kernel's events, and the number of their task or interrupt.
fn recorded(trace: &Trace) -> Vec<(u64, &'static str, u64)> {
    let events = trace.events.iter().filter_map(|event| {
        let [object, ..] = event.arguments;
        let name = match &*trace.catalogue.name(event.kind) {
            "task_switched_in" => "switch_in",
            "task_to_rdy_state" => "ready",
            "isr_enter" => "isr_enter",
            "isr_exit" => "isr_exit",
            _ => return None,
        };
        Some((event.time.0, name, object))
    });
    events.collect()
}

/// The same of the target's log. The recorder numbers tasks as they are created, and does not see
/// the tick.
fn logged(log: &str) -> Vec<(u64, &'static str, u64)> {
    let (mut interrupts, mut tasks) = (Vec::new(), Vec::new());
    let events = log.lines().skip(1).filter_map(|line| {
        let fields: Vec<_> = line.split(',').collect();
        let [time, event, object, name, _] = fields[..] else {
            panic!("{line}");
        };
        if event == "create" {
            tasks.push(name);
        }
        let task = |all: &[&str]| all.iter().position(|it| *it == name).unwrap() as u64 + 1;
        let (event, object) = match event {
            "switch_in" => ("switch_in", task(&tasks)),
            "ready" => ("ready", task(&tasks)),
            "isr_enter" => {
                let number: u64 = object.parse().unwrap();
                interrupts.push(number);
                (number != 15).then_some(("isr_enter", number))?
            }
            "isr_exit" | "isr_exit_sched" => {
                let number = interrupts.pop().unwrap();
                (number != 15).then_some(("isr_exit", number))?
            }
            _ => return None,
        };
        Some((time.parse().unwrap(), event, object))
    });
    events.collect()
}

#[test]
fn the_schedule_equals_the_targets_own_log() {
    let trace = decode(&read_testdata("tonbandgeraet/cm3_full.bin")).trace;
    let truth = read_testdata("tonbandgeraet/cm3_full.truth.csv");
    let truth = logged(std::str::from_utf8(&truth).unwrap());
    let recorded = recorded(&trace);
    assert_eq!(recorded.len(), truth.len());
    assert!(trace.gaps.is_empty());
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 25_000_000);
    let offset = |(recorded, truth): (&(u64, _, _), &(u64, _, _))| recorded.0.abs_diff(truth.0);
    let start = offset((&recorded[0], &truth[0]));
    for pair in recorded.iter().zip(&truth) {
        assert_eq!((pair.0.1, pair.0.2), (pair.1.1, pair.1.2));
        assert!(offset(pair).abs_diff(start) < 100, "{pair:?}");
    }
    let names = trace.contexts.threads().map(|it| trace.context_name(it.id));
    let names: Vec<_> = names.take(3).collect();
    assert_eq!(names, ["ctl", "prodA", "consB"]);
}

#[test]
fn dropped_events_are_counted_exactly_and_names_may_come_first() {
    let stream = read_testdata("tonbandgeraet/cm3_lossy.bin");
    let mut named = read_testdata("tonbandgeraet/cm3_lossy.meta.bin");
    named.extend_from_slice(&stream);
    for bytes in [stream, named] {
        let trace = decode(&bytes).trace;
        let missing = trace.gaps.iter().map(|gap| gap.missing.unwrap());
        assert_eq!(missing.sum::<u64>(), 1474);
    }
}

#[test]
fn a_cut_stream_is_a_part_of_the_run() {
    let bytes = read_testdata("tonbandgeraet/cm3_snapshot.bin");
    let whole = recorded(&decode(&bytes).trace);
    let trace = decode(&bytes[..bytes.len() - 3]).trace;
    let part = recorded(&trace);
    assert_eq!(part, whole[..part.len()]);
    let mut kinds = trace.diagnostics.iter().map(|it| it.kind);
    assert!(kinds.any(|kind| kind == DiagnosticKind::CutFrame));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rtoscope_fixtures::cases(16)))]

    /// A damaged frame costs only itself, and is one gap.
    #[test]
    fn damage_stays_local(place in 2000_usize..15_000) {
        let mut bytes = read_testdata("tonbandgeraet/cm3_full.bin");
        let whole = decode(&bytes).trace;
        bytes[place] ^= 0xFF;
        let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, Some(FORMAT));
        let trace = input.unwrap().decode(&DecodeOptions::default()).unwrap().trace;
        prop_assert!(trace.events.len() + 2 >= whole.events.len());
        prop_assert!(trace.gaps.len() <= 1);
    }
}
