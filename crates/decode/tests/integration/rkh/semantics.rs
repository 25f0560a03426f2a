//! The interpretation of records: scheduler events, active objects, restarts
//! and losses.

use super::streams;
use rtoscope_decode::rkh::{ProblemKind, Provenance, RkhInterpreter, RkhOptions, decode};
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{
    ActiveObjectEvent, ContextId, Contexts, DiagnosticKind, Event, EventIndex, Frequency,
    Interpret, SchedEvent, Ticks, Trace, WaitReason,
};

fn sched_events(trace: &Trace) -> Vec<(Event, SchedEvent, ActiveObjectEvent)> {
    let mut interpreter = RkhInterpreter::new(trace);
    let events = trace.events.iter();
    events
        .map(|event| {
            (
                event,
                interpreter.sched_event(trace, &event),
                interpreter.active_object_event(trace, &event),
            )
        })
        .collect()
}

fn count(trace: &Trace, kind: DiagnosticKind) -> u64 {
    let found = trace.diagnostics.iter().filter(|it| it.kind == kind);
    found.map(|diagnostic| diagnostic.count).sum()
}

#[test]
fn an_object_is_ready_from_the_post_to_the_end_of_its_step() {
    let trace = streams::find("nat_short").unwrap().decode().trace;
    let mut ready = vec![false; trace.contexts.len()];
    let (mut steps, mut ended) = (0, 0);
    // The objects have been created.
    const STARTED: u32 = 120;
    for (event, act, reaction) in sched_events(&trace) {
        if let ActiveObjectEvent::Take { object, .. } = reaction {
            assert!(ready[object.index()], "event {}", event.index);
            steps += 1;
        }
        match act {
            SchedEvent::Resume {
                thread,
                wait_reason: WaitReason::Queue,
                ..
            } => {
                assert!(!std::mem::replace(&mut ready[thread.index()], true));
            }
            SchedEvent::Suspend {
                thread,
                wait_reason: WaitReason::Queue,
                ..
            } => {
                assert_eq!(thread, event.context, "event {}", event.index);
                let was_ready = std::mem::replace(&mut ready[thread.index()], false);
                // The first suspension is after the start.
                assert!(
                    was_ready || event.index.0 < STARTED,
                    "event {}",
                    event.index
                );
            }
            SchedEvent::Suspend {
                thread,
                wait_reason: wait,
                ..
            } => {
                assert_eq!(wait, WaitReason::Terminated);
                assert!(!ready[thread.index()] && event.context == Contexts::IDLE);
                ended += 1;
            }
            _ => {}
        }
        // A waiting object never runs.
        let started = event.index.0 >= STARTED && event.context.is_thread();
        let ends = matches!(act, SchedEvent::Suspend { .. });
        assert!(
            !started || ends || ready[event.context.index()],
            "event {}",
            event.index
        );
    }
    assert_eq!(ended, 3);
    assert!(steps > 40, "{steps}");
}

#[test]
fn records_outside_steps_belong_to_interrupts_or_idle() {
    let trace = streams::find("nat_short").unwrap().decode().trace;
    let kind = |event: &Event| trace.catalogue.name(event.kind).into_owned();
    for event in trace.events.iter() {
        let kind = kind(&event);
        let context = event.context;
        match kind.as_str() {
            "TMR TOUT" => assert_eq!(context, Contexts::INTERRUPT),
            "FWK TCFG" | "FWK AO" | "FWK EN" => assert_eq!(context, Contexts::INITIALIZE),
            "SMA GET" | "QUE GET" | "FWK GCR" | "SM TRN" => assert!(context.is_thread(), "{kind}"),
            _ => {}
        }
        if context == Contexts::INTERRUPT {
            assert_ne!(event.interrupted(), Some(ContextId::UNKNOWN));
        }
    }
}

#[test]
fn every_dispatch_ends() {
    for name in ["nat_short", "ahsm_all", "ut"] {
        let trace = streams::find(name).unwrap().decode().trace;
        let mut open = vec![false; trace.contexts.len()];
        let mut unhandled = 0;
        for (event, _, reaction) in sched_events(&trace) {
            match reaction {
                ActiveObjectEvent::Dispatch { object, .. }
                | ActiveObjectEvent::Initial { object, .. } => {
                    let was_open = std::mem::replace(&mut open[object.index()], true);
                    assert!(!was_open, "{name}: event {}", event.index);
                }
                // Checked during the search for a transition.
                ActiveObjectEvent::Done {
                    outcome: StepOutcome::GuardFalse,
                    ..
                } => {}
                ActiveObjectEvent::Done { object, outcome } => {
                    let was_open = std::mem::replace(&mut open[object.index()], false);
                    assert!(was_open, "{name}: event {}", event.index);
                    unhandled += u32::from(outcome == StepOutcome::Unhandled);
                }
                _ => {}
            }
        }
        assert!(open.iter().all(|open| !open), "{name}");
        assert!(name != "ahsm_all" || unhandled == 10);
    }
}

#[test]
fn a_target_that_starts_again_starts_a_run() {
    let Some(known) = streams::find("dmg_restart") else {
        return;
    };
    let recording = known.decode();
    let once = streams::find("nat_short").unwrap().decode();
    let events = once.trace.events.len();
    let second = EventIndex(events as u32);
    let runs: Vec<_> = recording
        .stream_info
        .runs
        .iter()
        .map(|run| (run.first, run.restart))
        .collect();
    assert_eq!(runs, [(EventIndex(0), false), (second, true)]);
    let trace = &recording.trace;
    assert_eq!(count(trace, DiagnosticKind::Restart), 1);
    assert_eq!(trace.gaps.len(), 1);
    assert_eq!(
        (trace.gaps[0].next_event, trace.gaps[0].missing),
        (second, None)
    );
    // The clock restarts, time continues.
    let end = once.trace.events.span();
    let times = once.trace.events.times();
    let expected = times.map(|time| Ticks(time.0 + end.0));
    assert!(trace.events.times().skip(events).eq(expected));
    let last = EventIndex(trace.events.len() as u32 - 1);
    let timestamp = once
        .stream_info
        .timestamp(&once.trace, EventIndex(second.0 - 1));
    assert_eq!(recording.stream_info.timestamp(trace, last), timestamp);
    // The names are the same.
    assert_eq!(trace.objects, once.trace.objects);
    let starts = sched_events(trace)
        .into_iter()
        .filter(|(.., reaction)| *reaction == ActiveObjectEvent::Restart);
    assert_eq!(
        starts.map(|(event, ..)| event.index).collect::<Vec<_>>(),
        [EventIndex(0), second]
    );
}

#[test]
fn a_later_target_configuration_applies_to_earlier_records() {
    let attached = streams::find("dmg_attach").unwrap().bytes();
    let whole = streams::find("nat_short").unwrap().bytes();
    let bytes = [attached, whole].concat();
    let recording = decode(&bytes, &RkhOptions::default()).unwrap();
    assert_eq!(recording.stream_info.provenance, Provenance::TargetLater);
    assert_eq!(recording.stream_info.losses.total(), 1, "the lead only");
    assert_eq!(recording.stream_info.losses.count(ProblemKind::Lead), 1);
    assert_eq!(recording.trace.events.len(), 525 + 926);
    assert_eq!(recording.stream_info.runs.len(), 2);
    assert!(recording.stream_info.runs[1].restart);
}

#[test]
fn a_stream_without_a_configuration_needs_one() {
    let known = streams::find("dmg_attach").unwrap();
    let bytes = known.bytes();
    let error = decode(&bytes, &RkhOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("-O rkh-config"), "{error}");
    let guessed = decode(
        &bytes,
        &RkhOptions {
            guess: true,
            ..RkhOptions::default()
        },
    )
    .unwrap();
    assert_eq!(guessed.stream_info.provenance, Provenance::Guessed);
    assert_eq!(
        count(&guessed.trace, DiagnosticKind::ConfigurationGuessed),
        1
    );
    assert_eq!(guessed.trace.events, known.decode().trace.events);
}

#[test]
fn glued_frames_are_taken_apart_if_wanted() {
    let known = streams::find("dmg_dropflag").unwrap();
    let options = RkhOptions {
        split_glued: true,
        ..known.options()
    };
    let recording = decode(&known.bytes(), &options).unwrap();
    assert_eq!(recording.stream_info.losses.total(), 0);
    assert_eq!(recording.stream_info.losses.split_frames, 1);
    let whole = streams::find("nat_short").unwrap().decode();
    assert_eq!(recording.trace.events, whole.trace.events);
    let offset = |event| recording.stream_info.offset(EventIndex(event)).unwrap();
    let shift = |event| whole.stream_info.offset(EventIndex(event)).unwrap() - offset(event);
    let count = recording.trace.events.len() as u32;
    // The second of the two starts one byte earlier, where its flag was.
    let moved = (0..count).find(|event| shift(*event) != 0).unwrap();
    assert!((moved..count).all(|event| shift(event) == 1));
    let left = known.decode();
    let message = left
        .trace
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::BadFrame);
    assert!(
        message
            .unwrap()
            .message
            .contains("2 records that lost the flag between them")
    );
    assert_eq!(left.trace.gaps[0].missing, Some(2));
}

#[test]
fn a_rate_that_may_be_cut_is_not_trusted() {
    let trace = streams::find("ahsm_all").unwrap().decode().trace;
    assert_eq!(trace.clock.nominal_frequency(), None);
    let rate = trace
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::StampRate);
    assert!(rate.unwrap().message.contains("1000000"));
    let trace = streams::find("nat_short").unwrap().decode().trace;
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 1000);
}

#[test]
fn a_given_rate_does_not_replace_that_of_the_stream() {
    let decoded = |name: &str, hertz: u64, overrides_frequency: bool| {
        let stream = streams::find(name).unwrap();
        let options = RkhOptions {
            clock_frequency: Frequency::from_hertz(hertz),
            overrides_frequency,
            ..stream.options()
        };
        let trace = decode(&stream.bytes(), &options).unwrap().trace;
        let mismatch = trace.diagnostics.iter();
        let mismatch = mismatch.filter(|it| it.kind == DiagnosticKind::ClockMismatch);
        let messages: Vec<_> = mismatch.map(|it| it.message.clone()).collect();
        (
            trace.clock.frequency().unwrap().hertz(),
            messages.join("\n"),
        )
    };
    let (used, message) = decoded("nat_short", 25_000_000, false);
    assert_eq!(used, 1000);
    assert!(
        message.contains("--clock sets 25 MHz") && message.contains("1 kHz is used"),
        "{message}"
    );
    let (used, message) = decoded("nat_short", 25_000_000, true);
    assert_eq!(used, 25_000_000);
    assert!(message.contains("25 MHz is used"), "{message}");
    // The same low 16 bits.
    for hertz in [1000, 66_536] {
        assert_eq!(decoded("nat_short", hertz, false), (hertz, String::new()));
    }
    // The target's frequency is not known from 16 bits.
    assert_eq!(
        decoded("ahsm_all", 1_000_000, false),
        (1_000_000, String::new())
    );
    let (used, message) = decoded("ahsm_all", 25_000_000, false);
    assert_eq!(used, 25_000_000);
    assert!(message.contains("16960 clock ticks"), "{message}");
}
