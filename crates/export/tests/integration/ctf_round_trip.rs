//! Common Trace Format, opened again by this project's reader.

use crate::common::{AnalyzedRecording, analyze, open};
use rtoscope_analysis::report::CpuContext;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput, files};
use rtoscope_export::ctf;
use rtoscope_trace::{ContextId, Severity};
use std::collections::BTreeMap;
use std::path::Path;

fn read(folder: &Path) -> AnalyzedRecording {
    let source = files::source(folder).unwrap();
    let content = UnpackedInput::open(source.input(), BufferChoice::First, None).unwrap();
    assert_eq!(content.format().name(), "ctf");
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    analyze("trace.ctf", recording)
}

/// What ran by name, in ticks, and the number of dispatches of each thread.
fn facts(source: &AnalyzedRecording) -> (BTreeMap<String, u64>, BTreeMap<String, usize>) {
    let (trace, schedule) = (&source.trace, &source.schedule);
    let (mut ran, mut dispatches) = (BTreeMap::new(), BTreeMap::new());
    for context in trace.contexts.threads() {
        let ticks = source.whole.cpu_times.thread(context.id);
        if ticks > 0 {
            *ran.entry(trace.context_name(context.id)).or_default() += ticks;
        }
    }
    for core in source.whole.cpu_times.iter() {
        for (number, ticks) in &core.isrs {
            let name = CpuContext::Isr(*number).name(trace, schedule);
            *ran.entry(name).or_default() += ticks;
        }
        // Exports have it as a handler.
        if core.kernel > 0 {
            *ran.entry("(kernel)".to_owned()).or_default() += core.kernel;
        }
    }
    // A dispatch from an unknown context may be the continuation of a thread.
    for dispatch in schedule.dispatches.iter() {
        if dispatch.previous != ContextId::UNKNOWN {
            *dispatches
                .entry(trace.context_name(dispatch.thread))
                .or_default() += 1;
        }
    }
    (ran, dispatches)
}

fn check_round_trip(name: &str) {
    let source = open(name);
    let folder = tempfile::tempdir().unwrap();
    ctf::write(&source, folder.path(), &mut |_| {}).unwrap();
    let again = read(folder.path());
    let problems = again.diagnostics.iter();
    let problems: Vec<_> = problems
        .filter(|it| it.kind.severity() == Severity::Error)
        .collect();
    assert!(problems.is_empty(), "{name}: {problems:?}");
    // The events of the schedule are in addition to those of the recording.
    let trace = &again.trace;
    let mut recorded = 0;
    trace.events.visit(0..trace.events.len(), |event| {
        let component = trace.catalogue.component(event.kind);
        recorded += usize::from(component == "rtoscope-events");
    });
    assert_eq!(recorded, source.trace.events.len(), "{name}");
    let ((ran, dispatches), (expected, expected_dispatches)) = (facts(&again), facts(&source));
    assert!(expected.len() > 2);
    assert_eq!(ran, expected, "{name}");
    for (thread, expected) in expected_dispatches {
        // A dispatch at the end of the trace is no slice, which the format has.
        let found = dispatches.get(&thread).copied().unwrap_or_default();
        assert!(
            found.abs_diff(expected) <= 1,
            "{name}: {thread}: {found}, not {expected}"
        );
    }
    let schedule = read(&folder.path().join("schedule"));
    let (alone, _) = facts(&schedule);
    assert_eq!(alone, expected, "{name}");
}

#[test]
fn what_ran_is_the_same_again() {
    for name in ["threadx/cm3_short.trx", "systemview/cm3_noret.bin"] {
        check_round_trip(name);
    }
}
