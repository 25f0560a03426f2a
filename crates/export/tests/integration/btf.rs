//! Best Trace Format, opened again by this project's reader.

use crate::common::{self, AnalyzedRecording, analyze, open};
use crate::hostile;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_export::btf;
use rtoscope_trace::{ContextId, Severity};
use std::collections::BTreeMap;

fn written(source: &AnalyzedRecording) -> String {
    let (mut text, mut reported) = (Vec::new(), 0);
    btf::write(source, &mut text, &mut |events| reported += events).unwrap();
    assert_eq!(reported, source.trace.events.len() as u64);
    String::from_utf8(text).unwrap()
}

fn read(text: &str) -> AnalyzedRecording {
    let content = UnpackedInput::open(Input::new(text.as_bytes()), BufferChoice::First, None);
    let content = content.unwrap();
    assert_eq!(content.format().name(), "btf");
    analyze(
        "trace.btf",
        content.decode(&DecodeOptions::default()).unwrap(),
    )
}

/// What a report says about a thread, in units of the output.
#[derive(Debug, Default, PartialEq, Eq)]
struct ThreadFacts {
    cpu: u64,
    dispatches: usize,
    /// By reason.
    waiting: BTreeMap<String, u64>,
    unknown: u64,
}

/// The facts of all threads by name.
fn facts(source: &AnalyzedRecording, units_per_tick: u64) -> BTreeMap<String, ThreadFacts> {
    let (trace, schedule) = (&source.trace, &source.schedule);
    let threads = trace.contexts.threads().map(|context| {
        let thread: ContextId = context.id;
        let mut facts = ThreadFacts {
            cpu: source.whole.cpu_times.thread(thread) * units_per_tick,
            dispatches: schedule
                .dispatches
                .iter()
                .filter(|dispatch| dispatch.thread == thread)
                .count(),
            ..ThreadFacts::default()
        };
        let intervals: Vec<_> = schedule.threads[thread.index()].iter().collect();
        let ends = intervals.iter().skip(1).map(|interval| interval.start);
        let ends = ends.chain([schedule.span]);
        for (interval, end) in intervals.iter().zip(ends) {
            let time = (end.0 - interval.start.0) * units_per_tick;
            match interval.state {
                ThreadState::Waiting { wait_reason, .. } if time > 0 => {
                    *facts
                        .waiting
                        .entry(wait_reason.name().to_owned())
                        .or_default() += time;
                }
                ThreadState::Unknown => facts.unknown += time,
                _ => {}
            }
        }
        (trace.context_name(thread), facts)
    });
    threads.collect()
}

/// The time that routines ran, by name, in units of the output.
fn isr_times(source: &AnalyzedRecording, units_per_tick: u64) -> BTreeMap<String, u64> {
    let mut times = BTreeMap::new();
    for core in source.whole.cpu_times.iter() {
        for (number, ticks) in &core.isrs {
            let context = CpuContext::Isr(*number);
            let name = context.name(&source.trace, &source.schedule);
            *times.entry(name).or_default() += ticks * units_per_tick;
        }
    }
    times
}

fn check_round_trip(name: &str, units_per_tick: u64) {
    let source = open(name);
    let text = written(&source);
    let again = read(&text);
    let problems: Vec<_> = again
        .diagnostics
        .iter()
        .filter(|it| it.kind.severity() == Severity::Error)
        .collect();
    assert!(problems.is_empty(), "{name}: {problems:?}");
    assert_eq!(
        isr_times(&again, 1),
        isr_times(&source, units_per_tick),
        "{name}"
    );
    let (expected, found) = (facts(&source, units_per_tick), facts(&again, 1));
    assert!(!expected.is_empty());
    for (thread, expected) in expected {
        if expected == ThreadFacts::default() {
            // The format names no thread that does nothing.
            continue;
        }
        let Some(found) = found.get(&thread) else {
            assert_eq!(
                expected.cpu + expected.dispatches as u64,
                0,
                "{name}: {thread}"
            );
            assert!(expected.waiting.is_empty(), "{name}: {thread}");
            continue;
        };
        assert_eq!(found.cpu, expected.cpu, "{name}: {thread}");
        if source.trace.cores.len() > 1 {
            // It is not always known what a core runs, which the format cannot say.
            continue;
        }
        assert_eq!(found.dispatches, expected.dispatches, "{name}: {thread}");
        if expected.unknown > 0 {
            // The format has no unknown state: the one before lasts.
            continue;
        }
        let reasons: Vec<_> = found.waiting.keys().collect();
        assert_eq!(
            reasons,
            expected.waiting.keys().collect::<Vec<_>>(),
            "{name}: {thread}"
        );
        for (reason, expected) in expected.waiting {
            // A task leaves its core with the switch, which may come after the wait began.
            let lag = expected.saturating_sub(found.waiting[&reason]);
            let is_close = found.waiting[&reason] <= expected && lag * 10_000 <= expected;
            assert!(is_close, "{name}: {thread}: {reason}: {lag} of {expected}");
        }
    }
}

#[test]
fn reports_of_the_copy_equal_those_of_the_recording() {
    for (name, units_per_tick) in [
        ("threadx/cm3_system.trx", 1),
        ("threadx/cm3_short.trx", 1),
        ("threadx/linux32_isr.trx", 1),
        ("threadx/linux32_inv_det.trx", 1),
        ("threadx/smp32_cores.trx", 1),
    ] {
        check_round_trip(name, units_per_tick);
    }
}

#[test]
fn mutexes_survive() {
    let source = open("threadx/linux32_inv_det.trx");
    let again = read(&written(&source));
    let holds = |recording: &AnalyzedRecording| {
        let holds = recording.schedule.mutex_holds.iter();
        // The format shows no hold whose start is missing.
        let holds = holds.filter(|hold| hold.is_complete() && hold.start < hold.end);
        let name = |thread| recording.trace.context_name(thread);
        let mut holds: Vec<_> = holds
            .map(|hold| (hold.start, hold.end, name(hold.owner), hold.contended))
            .collect();
        holds.sort();
        holds
    };
    assert!(!holds(&source).is_empty());
    assert_eq!(holds(&again), holds(&source));
}

#[test]
fn a_stream_keeps_its_cpu_time() {
    let source = open("systemview/cm3_noret.bin");
    let text = written(&source);
    assert!(text.contains("#timeScale ns\n"));
    let (expected, found) = (facts(&source, 40), facts(&read(&text), 1));
    for (thread, expected) in expected.iter().filter(|(_, facts)| facts.cpu > 0) {
        assert_eq!(found[thread].cpu, expected.cpu, "{thread}");
    }
}

#[test]
fn any_recording_becomes_lines_of_the_format() {
    let renamed = hostile::renamed("threadx/cm3_short.trx", b"a,b\n#c\xff[1/2]");
    for recording in [
        renamed,
        hostile::renamed("threadx/cm3_short.trx", hostile::NAME),
        hostile::parted(),
        common::recording("rkh/nat_short.bin"),
    ] {
        let text = written(&analyze("hostile, with a comma", recording));
        let mut time = 0_u64;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split(',').collect();
            assert!(matches!(fields.len(), 7 | 8), "{line}");
            let next = fields[0].parse().unwrap();
            assert!(time <= next, "{line}");
            time = next;
        }
    }
}
