use super::*;
use crate::fixture::switch_log::{
    self, A, B, C, SLEEP, WAKE, back, enter, exit, on_one_core, resume, resume_preempted,
};
use crate::fixture::{FIRST_THREAD, Fixture, active_story, waiting, window};
use crate::report::Scope;
use crate::schedule::{Running, ThreadState};
use proptest::prelude::*;
use rtoscope_trace::{ContextId, EventIndex, Gap, SchedEvent, WaitReason};

/// Start, period, response and CPU time of the activations of a source.
type Summary = (u64, Option<u64>, Option<u64>, Option<u64>);

fn summary(view: &View<'_>, source: ActivationSource) -> Vec<Summary> {
    let streams = activation_streams(view, &[]);
    let stream = streams.iter().find(|stream| stream.source == source);
    let activations = stream.into_iter().flat_map(|it| &it.activations);
    let ticks = |it: Option<crate::report::latency::MeasuredDuration>| it.map(|it| it.duration.0);
    activations
        .map(|it| {
            let period = it.period.map(|it| it.0);
            (it.start.0, period, ticks(it.response), ticks(it.cpu_time))
        })
        .collect()
}

fn row_of<'r>(rows: &'r [PeriodRow], kind: &str) -> &'r PeriodRow {
    rows.iter().find(|row| row.kind == kind).unwrap()
}

/// A thread that is resumed at 10, 30 and 55, and loses its core from 14 to 16.
fn fixture() -> Fixture {
    let sleep = waiting(WaitReason::Sleep, None);
    let (ready, running) = (ThreadState::Ready, ThreadState::Running);
    let [thread, other] = [0, 1].map(|it| Running::context(ContextId(FIRST_THREAD.0 + it)));
    let slices = [
        (0, other),
        (12, thread),
        (14, other),
        (16, thread),
        (20, other),
        (31, thread),
        (34, other),
        (60, thread),
        (65, other),
    ];
    Fixture::empty(100, 2).with_core(0, &slices).with_thread(
        FIRST_THREAD,
        &[
            (0, sleep, false),
            (10, ready, true),
            (12, running, true),
            (14, ready, true),
            (16, running, true),
            (20, sleep, true),
            (30, ready, true),
            (31, running, true),
            (34, sleep, true),
            (55, ready, true),
            (60, running, true),
            (65, sleep, true),
        ],
    )
}

#[test]
fn an_activation_lasts_from_ready_to_suspended() {
    let fixture = fixture();
    let scope = Scope::default();
    let view = fixture.view(&scope);
    let source = ActivationSource::Thread(FIRST_THREAD);
    let expected = [
        (10, None, Some(10), Some(6)),
        (30, Some(20), Some(4), Some(3)),
        (55, Some(25), Some(10), Some(5)),
    ];
    assert_eq!(summary(&view, source), expected);
    let rows = periods(&view, &[]);
    let row = row_of(&rows, "thread");
    assert_eq!((row.activations, row.unjudged_periods), (3, 1));
    assert_eq!(row.unjudged_responses, 0);
    let jitter = row.jitter.unwrap();
    assert_eq!((jitter.peak_to_peak, jitter.standard_deviation), (5, 2.5));
    // 2, 4, 3 and 5 ticks.
    let run = row.run.as_ref().unwrap();
    assert_eq!((run.count, run.min, run.max, run.event), (4, 2, 5, 65));
}

#[test]
fn a_window_has_the_activations_that_start_in_it() {
    let fixture = fixture();
    let scope = window(25, 60);
    let view = fixture.view(&scope);
    let found = summary(&view, ActivationSource::Thread(FIRST_THREAD));
    let expected = [(30, Some(20), Some(4), Some(3)), (55, Some(25), None, None)];
    assert_eq!(found, expected);
}

#[test]
fn a_log_has_periods_and_run_lengths_but_no_response_times() {
    let log = on_one_core(&[
        (0, resume(A)),
        (5, enter(0)),
        (8, exit(0)),
        (10, resume(B)),
        (20, resume(A)),
        (24, SLEEP),
        (50, WAKE),
        (52, resume(A)),
        (60, SLEEP),
    ]);
    switch_log::with_view(&log, false, &Scope::default(), |view| {
        let found = summary(view, ActivationSource::Thread(A));
        let expected = [
            (0, None, None, Some(7)),
            (20, Some(20), None, Some(4)),
            (52, Some(32), None, None),
        ];
        assert_eq!(found, expected);
        let rows = periods(view, &[]);
        let row = row_of(&rows, "thread");
        assert_eq!((row.unjudged_responses, row.response.as_ref()), (3, None));
        // The first run starts with the log, and the last one ends with idle.
        let run = row.run.as_ref().unwrap();
        assert_eq!((run.count, run.min, run.max), (2, 2, 4));
        let isr = row_of(&rows, "interrupt");
        assert_eq!(isr.response.as_ref().unwrap().max, 3);
    });
}

#[test]
fn a_thread_that_was_preempted_continues_its_activation() {
    let log = on_one_core(&[
        (0, resume(A)),
        (10, resume(B)),
        (14, resume_preempted(A)),
        (20, SLEEP),
        (100, resume(A)),
        (110, SLEEP),
    ]);
    switch_log::with_view(&log, false, &Scope::default(), |view| {
        let found = summary(view, ActivationSource::Thread(A));
        assert_eq!(
            found,
            [(0, None, None, Some(16)), (100, Some(100), None, None)]
        );
    });
}

#[test]
fn gaps_are_not_judged() {
    let log = on_one_core(&[
        (0, resume(A)),
        (10, resume(B)),
        (20, resume(A)),
        (30, resume(B)),
    ]);
    let mut trace = switch_log::log(&log, false);
    trace.gaps.push(Gap {
        next_event: EventIndex(2),
        missing: None,
        core: None,
        is_restart: false,
    });
    switch_log::with_trace_view(&trace, &log, &Scope::default(), |view| {
        let found = summary(view, ActivationSource::Thread(A));
        let expected = [(0, None, None, None), (20, None, None, None)];
        assert_eq!(found, expected);
    });
}

#[test]
fn active_objects_have_steps_and_states() {
    active_story::with_view(&Scope::default(), |view| {
        let rows = periods(view, &[]);
        let steps = row_of(&rows, "dispatch");
        let signals = crate::report::signals::signals(view);
        let taken: u64 = signals.iter().map(|row| row.taken).sum();
        // The initial transition has no post.
        assert_eq!(steps.activations, taken + 1);
        let responses = signals.iter().filter_map(|row| row.response.as_ref());
        let responses: Vec<_> = responses.map(|it| (it.count, it.max)).collect();
        let response = steps.response.as_ref().unwrap();
        let count: u64 = responses.iter().map(|it| it.0).sum();
        assert_eq!(response.count, count);
        assert_eq!(Some(response.max), responses.iter().map(|it| it.1).max());
        let states: Vec<_> = rows.iter().filter(|row| row.kind == "state").collect();
        let visits = |name| {
            let row = states.iter().find(|row| row.name.ends_with(name));
            row.map(|row| row.activations)
        };
        assert_eq!((visits("busy"), visits("idle")), (Some(1), Some(2)));
    });
}

#[test]
fn events_recur_on_request() {
    let log = on_one_core(&[(0, resume(A)), (7, resume(B)), (20, resume(A))]);
    switch_log::with_view(&log, false, &Scope::default(), |view| {
        let kinds = event_kinds_named(view.trace, "resume");
        let rows = periods(view, &kinds);
        let row = row_of(&rows, "event");
        assert_eq!((row.activations, row.unjudged_periods), (3, 1));
        let period = row.period.as_ref().unwrap();
        assert_eq!((period.min, period.max), (7, 13));
        assert_eq!(event_kinds_named(view.trace, "none"), []);
    });
}

/// What a core does in each tick of a log: the thread that runs, unless an interrupt
/// service routine does.
fn naive_ticks(log: &[(u64, SchedEvent)]) -> Vec<Option<ContextId>> {
    let mut ticks = Vec::new();
    let mut base = None;
    let mut depth = 0;
    let mut events = log.iter().peekable();
    for tick in 0..log.last().map_or(0, |last| last.0) {
        while let Some((_, event)) = events.next_if(|(time, _)| *time == tick) {
            match event {
                SchedEvent::Switch { to, .. } | SchedEvent::Return { to } => {
                    base = to.is_thread().then_some(*to);
                }
                SchedEvent::IsrEnter { .. } => depth += 1,
                SchedEvent::IsrExit { .. } => depth -= 1,
                _ => {}
            }
        }
        ticks.push(base.filter(|_| depth == 0));
    }
    ticks
}

fn random_log() -> impl Strategy<Value = Vec<(u64, SchedEvent)>> {
    let step = (1..9_u64, 0..6_u8, 1..9_u64);
    prop::collection::vec(step, 1..60).prop_map(|steps| {
        let mut time = 0;
        let mut log = vec![(0, resume(A))];
        let mut running = A;
        for (pause, choice, duration) in steps {
            time += pause;
            match choice {
                0..=2 => {
                    running = [A, B, C][usize::from(choice)];
                    log.push((time, resume(running)));
                }
                3 => {
                    log.push((time, SLEEP));
                    time += duration;
                    running = B;
                    log.push((time, resume(running)));
                }
                _ => {
                    log.push((time, enter(u32::from(choice - 4))));
                    time += duration;
                    log.push((time, exit(u32::from(choice - 4))));
                    log.push((time, back(running)));
                }
            }
        }
        log
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn activations_of_logs_match_a_naive_model(log in random_log()) {
        let ticks = naive_ticks(&log);
        let events = on_one_core(&log);
        switch_log::with_view(&events, true, &Scope::default(), |view| {
            for thread in [A, B, C] {
                let resumed = log.iter().filter(|(_, event)| *event == resume(thread));
                let starts: Vec<u64> = resumed.map(|(time, _)| *time).collect();
                let expected: Vec<Summary> = (0..starts.len())
                    .map(|at| {
                        let start = starts[at];
                        let period = (at > 0).then(|| start - starts[at - 1]);
                        let cpu_time = starts.get(at + 1).map(|next| {
                            let ran = &ticks[start as usize..*next as usize];
                            ran.iter().filter(|it| **it == Some(thread)).count() as u64
                        });
                        (start, period, None, cpu_time)
                    })
                    .collect();
                assert_eq!(summary(view, ActivationSource::Thread(thread)), expected);
                // Runs with known ends on both sides.
                let mut runs = Vec::new();
                for run in ticks.chunk_by(|one, other| one == other) {
                    let start = run.as_ptr() as usize - ticks.as_ptr() as usize;
                    let start = start / size_of::<Option<ContextId>>();
                    let end = start + run.len();
                    if run[0] == Some(thread) && start > 0 && end < ticks.len() {
                        runs.push(run.len() as u64);
                    }
                }
                let lengths = run_lengths(view);
                let found = lengths.get(&ActivationSource::Thread(thread));
                let (count, sum) = found.map_or((0, 0.0), |it| (it.count, it.mean * it.count as f64));
                assert_eq!(count, runs.len() as u64);
                assert!((sum - runs.iter().sum::<u64>() as f64).abs() < 0.1);
            }
        });
    }
}
