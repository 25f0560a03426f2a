use super::{RuleResult, RuleVerdict, TraceCheck, TraceRule};
use crate::fixture::switch_log::{
    A, B, C, SLEEP, WAKE, back, enter, exit, log, on_one_core, resume, scripted,
};
use crate::fixture::{open_at, testdata_path};
use crate::{AnalysisBuilder, AnalyzedRecording, RecordingInfo};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{ThreadXInterpreter, ThreadXOptions};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{
    ContextId, Diagnostic, DiagnosticKind, EventIndex, Frequency, Gap, Interpret, Name, Object,
    ObjectClass, ObjectId, Objects, SchedEvent, SwitchModel, Trace, WaitReason,
};

type Events = Vec<(u64, SchedEvent)>;

fn ready(thread: ContextId) -> SchedEvent {
    SchedEvent::Resume {
        thread,
        wait_reason: WaitReason::Other,
        next: ContextId::UNKNOWN,
    }
}

fn wait(thread: ContextId) -> SchedEvent {
    SchedEvent::Suspend {
        thread,
        wait_reason: WaitReason::Queue,
        next: ContextId::UNKNOWN,
    }
}

/// What a sound port records, 13 entries in 52 ticks, several times.
fn sound(rounds: u64) -> Events {
    let round = [
        (0, resume(A)),
        (10, wait(A)),
        (11, SLEEP),
        (20, enter(0)),
        (22, ready(A)),
        (23, exit(0)),
        (25, resume(A)),
        (30, ready(B)),
        (31, resume(B)),
        (40, wait(B)),
        (41, resume(A)),
        (50, wait(A)),
        (51, ready(A)),
    ];
    let rounds = (0..rounds).flat_map(|number| round.map(|(at, event)| (number * 52 + at, event)));
    rounds.collect()
}

/// A log of these events with named threads, in which threads become ready and wait.
fn recorded(events: &Events) -> Trace {
    let mut trace = log(&on_one_core(events), false);
    trace.switch_model = SwitchModel::Explicit {
        ends_handlers: false,
        records_returns: false,
        records_states: true,
    };
    name_threads(&mut trace, ["camera", "logger", "sender"]);
    trace
}

fn name_threads(trace: &mut Trace, names: [&str; 3]) {
    let threads: Vec<_> = trace
        .contexts
        .threads()
        .map(|it| (it.id, it.address))
        .collect();
    let objects = threads.iter().zip(names).map(|((_, address), name)| {
        Object::named(ObjectClass::Thread, *address, Name::new(name.as_bytes()))
    });
    trace.objects = Objects::new(objects.collect());
    for (number, (thread, _)) in (0..).zip(threads) {
        trace.contexts.set_object(thread, ObjectId(number));
    }
}

fn check_trace(trace: Trace, interpreters: [&mut (impl Interpret + Send); 2]) -> TraceCheck {
    let [analysis, scan] = interpreters;
    let mut builder = AnalysisBuilder::new(&trace);
    builder.push(&trace, analysis, trace.events.len());
    let analysis = builder.finish(&trace);
    let recording = AnalyzedRecording::from_analysis(RecordingInfo::default(), trace, analysis);
    TraceCheck::new(&recording, scan, &[])
}

/// Checks a log after a change.
fn check(events: &Events, change: impl FnOnce(&mut Trace)) -> TraceCheck {
    let mut trace = recorded(events);
    change(&mut trace);
    let events = on_one_core(events);
    check_trace(trace, [&mut scripted(&events), &mut scripted(&events)])
}

/// Checks a recording of ThreadX after a change.
fn check_threadx(name: &str, change: impl FnOnce(&mut Trace)) -> TraceCheck {
    let mut trace = open_at(&testdata_path(name));
    change(&mut trace);
    let [mut analysis, mut scan] = [(); 2].map(|()| ThreadXInterpreter::new(&trace));
    check_trace(trace, [&mut analysis, &mut scan])
}

/// Checks a recording of ThreadX with other timestamps.
fn check_restamped(timestamp: impl Fn(u32) -> u32) -> TraceCheck {
    let mut bytes = rtoscope_fixtures::read_testdata("threadx/linux32_wrap.trx");
    rtoscope_fixtures::restamp_threadx(&mut bytes, timestamp);
    let opened = rtoscope_decode::open(Input::new(&bytes), Default::default()).unwrap();
    let trace = opened.decode(&ThreadXOptions::default()).unwrap().trace;
    let [mut analysis, mut scan] = [(); 2].map(|()| ThreadXInterpreter::new(&trace));
    check_trace(trace, [&mut analysis, &mut scan])
}

fn result(check: &TraceCheck, rule: TraceRule) -> &RuleResult {
    check.rules.iter().find(|it| it.rule == rule).unwrap()
}

fn failed(check: &TraceCheck) -> Vec<TraceRule> {
    let failed = check
        .rules
        .iter()
        .filter(|it| it.verdict == RuleVerdict::Failed);
    failed.map(|it| it.rule).collect()
}

/// Events of a sound log, then of a broken port.
fn after_sound(events: &[(u64, SchedEvent)]) -> Events {
    let mut all = sound(1);
    all.extend(events.iter().map(|(at, event)| (52 + at, *event)));
    all
}

fn with_diagnostic(kind: DiagnosticKind, event: u32) -> impl FnOnce(&mut Trace) {
    move |trace| {
        let diagnostic = Diagnostic::new(kind, "wrong").at_event(EventIndex(event));
        trace.diagnostics.push(diagnostic.with_count(3));
    }
}

fn no_change(_: &mut Trace) {}

/// A trace that breaks a rule, and the first event that does.
fn broken(rule: TraceRule) -> (TraceCheck, Option<u32>) {
    let number = |repeated: &[(u64, SchedEvent)], times: u64| -> Events {
        let round = |round| {
            repeated
                .iter()
                .map(move |(at, event)| (round * 1000 + at, *event))
        };
        (0..times).flat_map(round).collect()
    };
    match rule {
        TraceRule::ClockRuns => (check_restamped(|_| 7), None),
        TraceRule::ClockForward => (
            check_restamped(|event| {
                let back = if event == 60 { 1500 } else { 0 };
                event * 1000 + event % 7 * 30 - back
            }),
            Some(60),
        ),
        TraceRule::ClockSettings => (
            check(&sound(2), with_diagnostic(DiagnosticKind::ClockMask, 4)),
            Some(4),
        ),
        TraceRule::ClockWrap => {
            let period = |trace: &mut Trace| trace.clock.period = Some(19);
            // The ten ticks before the first wait are more than half a period.
            (check(&sound(1), period), Some(1))
        }
        TraceRule::ClockResolution => (check_restamped(|event| 100 + event / 4 * 7), Some(1)),
        TraceRule::ClockFrequency => {
            let slow = |trace: &mut Trace| trace.clock.set_frequency(Frequency::from_hertz(5));
            (check(&sound(1), slow), None)
        }
        TraceRule::IsrRecorded => {
            let is_isr = |event: &SchedEvent| {
                matches!(
                    event,
                    SchedEvent::IsrEnter { .. } | SchedEvent::IsrExit { .. }
                )
            };
            let mut events = sound(1);
            events.retain(|(_, event)| !is_isr(event));
            (check(&events, no_change), None)
        }
        TraceRule::IsrEnter => (
            check(&after_sound(&[(1, exit(0)), (2, resume(A))]), no_change),
            Some(13),
        ),
        TraceRule::IsrExit => (
            check(&after_sound(&[(1, enter(0)), (2, resume(A))]), no_change),
            Some(13),
        ),
        TraceRule::IsrNesting => {
            let entries: Vec<_> = (1..=17).map(|at| (at, enter(0))).collect();
            (check(&after_sound(&entries), no_change), Some(29))
        }
        TraceRule::IsrReturn => {
            let events = after_sound(&[(1, resume(A)), (2, back(B)), (3, wait(B)), (4, SLEEP)]);
            (check(&events, no_change), Some(14))
        }
        TraceRule::YieldFromIsr => {
            let late = number(
                &[
                    (0, resume(A)),
                    (10, wait(A)),
                    (11, SLEEP),
                    (100, enter(0)),
                    (105, ready(A)),
                    (110, exit(0)),
                    (900, enter(1)),
                    (905, exit(1)),
                ],
                6,
            );
            (check(&late, no_change), Some(5))
        }
        TraceRule::SwitchesRecorded => (
            check(&number(&[(0, ready(A)), (9, wait(A))], 3), no_change),
            None,
        ),
        TraceRule::ReadyRecorded => {
            let events = after_sound(&[(1, resume(A)), (2, wait(A)), (3, SLEEP), (9, resume(A))]);
            (check(&events, no_change), Some(16))
        }
        TraceRule::WaitRecorded => {
            let handler = [(8, enter(0)), (9, ready(A)), (10, exit(0))];
            let events = after_sound(&[&[(1, resume(A)), (2, SLEEP)][..], &handler].concat());
            (check(&events, no_change), Some(14))
        }
        TraceRule::IdleRecorded => {
            let busy = number(
                &[
                    (0, resume(A)),
                    (10, wait(A)),
                    (100, enter(0)),
                    (105, ready(A)),
                    (110, exit(0)),
                ],
                4,
            );
            (check(&busy, no_change), Some(1))
        }
        TraceRule::SleepAndWake => {
            let events = after_sound(&[(1, resume(A)), (2, wait(A)), (3, SLEEP), (9, WAKE)]);
            let change = with_diagnostic(DiagnosticKind::WakeWhileAwake, 16);
            (check(&events, change), Some(16))
        }
        TraceRule::PossibleStates => {
            let events = after_sound(&[
                (1, resume(A)),
                (2, ready(C)),
                (3, wait(A)),
                (4, SLEEP),
                (20, enter(0)),
                (21, ready(C)),
                (22, exit(0)),
            ]);
            (check(&events, no_change), Some(16))
        }
        TraceRule::InterruptsRestored => {
            use crate::fixture::switch_log::DISABLE;
            let events = after_sound(&[(1, DISABLE), (2, DISABLE), (3, wait(A))]);
            (check(&events, no_change), Some(13))
        }
        TraceRule::NamesKnown => {
            let unnamed = |trace: &mut Trace| name_threads(trace, ["camera", "", "sender"]);
            // `logger` first appears in the entry of its switch.
            (check(&sound(1), unnamed), Some(8))
        }
        TraceRule::NamesUnique => {
            let twins = |trace: &mut Trace| name_threads(trace, ["camera", "camera", "sender"]);
            (check(&sound(1), twins), Some(8))
        }
        TraceRule::RegistryFull => (check_threadx("linux32_regover.trx", no_change), None),
        TraceRule::PrioritiesKnown => {
            let first = |trace: &Trace| {
                let mut events = trace.events.contexts().zip(0..);
                events.find(|(context, _)| context.is_thread()).unwrap()
            };
            let forget = |trace: &mut Trace| {
                let (thread, _) = first(trace);
                let objects = trace.objects.iter().cloned();
                let objects = objects.map(|object| Object {
                    priority: None,
                    ..object
                });
                trace.objects = Objects::new(objects.collect());
                trace.events.edit(|columns| {
                    let words = columns.priority_word.iter_mut().zip(&columns.context);
                    for (word, context) in words {
                        if *context == thread {
                            *word = PriorityWord::NO_PRIORITY;
                        }
                    }
                });
            };
            let event = first(&open_at(&testdata_path("cm3_short.trx"))).1;
            (check_threadx("cm3_short.trx", forget), Some(event))
        }
        TraceRule::EntriesComplete => {
            let lose = |trace: &mut Trace| {
                trace.gaps.push(Gap {
                    next_event: EventIndex(13),
                    missing: Some(7),
                    core: None,
                    is_restart: false,
                });
            };
            (check(&sound(2), lose), Some(13))
        }
        TraceRule::EntriesValid => (
            check(&sound(2), with_diagnostic(DiagnosticKind::BadFrame, 5)),
            Some(5),
        ),
        TraceRule::RecordingLength => (
            check(&sound(2), with_diagnostic(DiagnosticKind::Overwritten, 0)),
            None,
        ),
    }
}

#[test]
fn a_sound_log_passes() {
    let check = check(&sound(30), no_change);
    assert_eq!(failed(&check), [], "{check:#?}");
    assert_eq!(check.passed + check.not_checked, TraceRule::ALL.len());
    for rule in [
        TraceRule::ClockRuns,
        TraceRule::ClockResolution,
        TraceRule::IsrRecorded,
        TraceRule::IsrEnter,
        TraceRule::IsrExit,
        TraceRule::YieldFromIsr,
        TraceRule::ReadyRecorded,
        TraceRule::WaitRecorded,
        TraceRule::IdleRecorded,
        TraceRule::PossibleStates,
        TraceRule::NamesKnown,
        TraceRule::NamesUnique,
        TraceRule::EntriesComplete,
    ] {
        assert_eq!(
            result(&check, rule).verdict,
            RuleVerdict::Passed,
            "{}",
            rule.name()
        );
    }
}

#[test]
fn each_rule_has_a_trace_that_breaks_it() {
    for rule in TraceRule::ALL {
        let (check, event) = broken(*rule);
        let result = result(&check, *rule);
        let name = rule.name();
        assert_eq!(
            result.verdict,
            RuleVerdict::Failed,
            "{name}: {}",
            result.message
        );
        assert_eq!(result.event, event, "{name}: {}", result.message);
        assert!(result.count > 0 && result.advice.is_some(), "{name}");
    }
}

#[test]
fn a_broken_rule_has_no_further_effect() {
    // The others are a fault of two rules: a wait without a switch, say.
    for rule in [
        TraceRule::ClockSettings,
        TraceRule::ClockWrap,
        TraceRule::ClockFrequency,
        TraceRule::IsrRecorded,
        TraceRule::IsrEnter,
        TraceRule::IsrExit,
        TraceRule::IsrReturn,
        TraceRule::YieldFromIsr,
        TraceRule::ReadyRecorded,
        TraceRule::WaitRecorded,
        TraceRule::IdleRecorded,
        TraceRule::SleepAndWake,
        TraceRule::PossibleStates,
        TraceRule::NamesKnown,
        TraceRule::NamesUnique,
        TraceRule::RegistryFull,
        TraceRule::PrioritiesKnown,
        TraceRule::EntriesComplete,
        TraceRule::EntriesValid,
        TraceRule::RecordingLength,
    ] {
        assert_eq!(failed(&broken(rule).0), [rule]);
    }
}

#[test]
fn handlers_at_the_ends_and_at_gaps_break_nothing() {
    let events = [
        // It was entered before the recording.
        (0, exit(0)),
        (5, resume(A)),
        (9, enter(0)),
        (20, exit(1)),
        (25, resume(A)),
        // It is active at the end.
        (30, enter(0)),
    ];
    let check = check(&events.to_vec(), |trace| {
        trace.gaps.push(Gap {
            next_event: EventIndex(3),
            missing: None,
            core: None,
            is_restart: false,
        });
    });
    assert_eq!(failed(&check), [TraceRule::EntriesComplete]);
}

#[test]
fn threads_of_the_priority_of_idle_break_nothing() {
    let round = [
        (0, resume(A)),
        (10, enter(0)),
        (12, exit(0)),
        (13, SLEEP),
        (20, enter(0)),
        (22, exit(0)),
    ];
    let rounds = (0..20).flat_map(|number| round.map(|(at, event)| (number * 100 + at, event)));
    let mut events: Events = vec![(0, wait(B)), (1, ready(B))];
    events.extend(rounds.map(|(at, event)| (at + 2, event)));
    let check = check(&events, no_change);
    assert_eq!(failed(&check), []);
}

#[test]
fn an_interrupt_before_the_entry_of_a_switch_breaks_nothing() {
    let round = [
        (1, resume(A)),
        (2, enter(0)),
        (3, exit(0)),
        // The scheduler has chosen this thread.
        (4, back(B)),
        (5, resume(B)),
    ];
    let check = check(&after_sound(&round), no_change);
    assert_eq!(failed(&check), []);
}

#[test]
fn an_interrupt_between_a_wait_and_the_scheduler_breaks_nothing() {
    let interrupt = |at| [(at, enter(0)), (at + 2, ready(A)), (at + 3, exit(0))];
    let round = |at| {
        let waits = [(at + 14, resume(A)), (at + 20, wait(A))];
        let again = [(at + 25, resume(A)), (at + 30, wait(A))];
        [
            &[(at, resume(B))][..],
            &interrupt(at + 10),
            &waits,
            &interrupt(at + 21),
            &again,
        ]
        .concat()
    };
    let check = check(&(0..9).flat_map(|n| round(n * 1000)).collect(), no_change);
    assert_eq!(failed(&check), []);
}

#[test]
fn another_handler_before_the_switch_is_no_missing_yield() {
    // The second handler was pending: no time passes between the two.
    let round = [
        (0, resume(A)),
        (10, wait(A)),
        (11, SLEEP),
        (100, enter(0)),
        (105, ready(A)),
        (110, exit(0)),
        (112, enter(1)),
        (120, exit(1)),
    ];
    let rounds = (0..20).flat_map(|number| round.map(|(at, event)| (number * 1000 + at, event)));
    let check = check(&rounds.collect(), no_change);
    assert_eq!(failed(&check), []);
}

#[test]
fn late_starts_over_threads_need_proof_of_their_importance() {
    let late_over = |thread, at| {
        [
            (at, resume(thread)),
            (at + 10, enter(0)),
            (at + 12, ready(A)),
            (at + 13, exit(0)),
            (at + 300, enter(1)),
            (at + 303, exit(1)),
            (at + 304, resume(A)),
            (at + 310, wait(A)),
        ]
    };
    let rounds = |round: &dyn Fn(u64) -> Events| (0..6).flat_map(|n| round(n * 1000)).collect();
    // The two threads may share the core by time slices.
    let alone: Events = rounds(&|at| late_over(C, at).to_vec());
    assert_eq!(failed(&check(&alone, no_change)), []);
    // B takes the core from C at once, and A takes it from both.
    let three: Events = rounds(&|at| {
        let switch = [(at + 400, resume(C)), (at + 401, ready(B))];
        let end = [(at + 900, resume(B)), (at + 901, wait(B))];
        [
            &late_over(C, at)[..],
            &switch,
            &late_over(B, at + 402),
            &end,
        ]
        .concat()
    });
    let check = check(&three, no_change);
    assert_eq!(failed(&check), [TraceRule::YieldFromIsr]);
}

#[test]
fn what_a_trace_cannot_show_is_not_checked() {
    let only_switches: Events = (0..60)
        .flat_map(|number| [(number * 30, resume(A)), (number * 30 + 9, SLEEP)])
        .collect();
    let check = check(&only_switches, |trace| {
        trace.clock.quality = ClockQuality::Unknown;
        trace.switch_model = SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: false,
            records_states: false,
        };
    });
    assert_eq!(failed(&check), [TraceRule::IsrRecorded]);
    for rule in [
        TraceRule::ClockRuns,
        TraceRule::ClockFrequency,
        TraceRule::IsrExit,
        TraceRule::ReadyRecorded,
        TraceRule::WaitRecorded,
        TraceRule::PossibleStates,
        TraceRule::PrioritiesKnown,
    ] {
        let result = result(&check, rule);
        assert_eq!(result.verdict, RuleVerdict::NotChecked, "{}", rule.name());
        assert!(!result.message.is_empty() && result.advice.is_none());
    }
}

#[test]
fn each_rule_has_a_section_in_the_book() {
    let page = rtoscope_fixtures::repository_path("docs/src/commands/doctor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let sections = page.lines().filter_map(|line| line.strip_prefix("### "));
    let names = TraceRule::ALL.iter().map(|rule| rule.name());
    assert!(
        sections.eq(names),
        "one section for each rule, in their order"
    );
}
