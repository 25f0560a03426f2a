//! Activations of the threads of simulated kernels, compared with their true states and
//! slices by a slow independent model.

use crate::common::{analyze, options, simulate};
use proptest::prelude::*;
use rtoscope_analysis::report::periods::{ActivationSource, activation_streams};
use rtoscope_generate::{ThreadStateTruth, ThreadTruth, ThreadXOptions, ThreadXTruth, TrueContext};

/// An activation: its start, response time and CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TrueActivation {
    start: u64,
    response: Option<u64>,
    cpu_time: Option<u64>,
}

fn true_activations(truth: &ThreadXTruth, thread: &ThreadTruth) -> Vec<TrueActivation> {
    let can_run = |state| matches!(state, ThreadStateTruth::Ready | ThreadStateTruth::Running);
    let mut all: Vec<TrueActivation> = Vec::new();
    let states = &thread.states;
    for at in 1..states.len() {
        let (before, now) = (&states[at - 1], &states[at]);
        if can_run(before.state) || !can_run(now.state) {
            continue;
        }
        let end = states[at..].iter().find(|it| !can_run(it.state));
        let end = end.map(|it| it.ticks);
        let cpu_time = end.map(|end| {
            let own = truth
                .slices
                .iter()
                .filter(|it| it.context == TrueContext::Thread(thread.address));
            own.map(|it| {
                let (from, to) = (it.start_ticks.max(now.ticks), it.end_ticks.min(end));
                to.saturating_sub(from)
            })
            .sum()
        });
        all.push(TrueActivation {
            start: now.ticks,
            response: end.map(|end| end - now.ticks),
            cpu_time,
        });
    }
    all
}

/// Compares all activations. Returns their number, and how many have a period.
fn check(settings: &ThreadXOptions) -> (usize, usize) {
    let (bytes, truth) = simulate(settings);
    let recording = analyze(&bytes);
    let view = recording.view();
    let (mut count, mut with_period) = (0, 0);
    for stream in activation_streams(&view, &[]) {
        let ActivationSource::Thread(id) = stream.source else {
            continue;
        };
        let address = recording.trace.contexts.get(id).unwrap().address.0;
        let mut threads = truth.threads.iter();
        let Some(thread) = threads.find(|it| it.address.0 == address) else {
            continue;
        };
        let expected = true_activations(&truth, thread);
        let found: Vec<_> = stream
            .activations
            .iter()
            .map(|it| TrueActivation {
                start: it.start.0,
                response: it.response.map(|it| it.duration.0),
                cpu_time: it.cpu_time.map(|it| it.duration.0),
            })
            .collect();
        // The effects of the last event are no longer visible.
        let settled = |all: &[TrueActivation]| -> Vec<_> {
            let ended = all.iter().filter(|it| it.response.is_some());
            ended
                .filter(|it| it.start + it.response.unwrap() < truth.span_ticks)
                .copied()
                .collect()
        };
        assert_eq!(settled(&found), settled(&expected), "{}", thread.name);
        for (before, now) in stream.activations.with_next(0) {
            if let Some((now, period)) = now.and_then(|now| Some((now, now.period?))) {
                assert_eq!(period.0, now.start.0 - before.start.0);
                with_period += 1;
            }
        }
        count += found.len();
    }
    (count, with_period)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn activations_match_the_truth(options in options(1..16, 200..1500)) {
        check(&ThreadXOptions { thread_control: false, ..options });
    }
}

#[test]
fn most_periods_are_known() {
    let settings = ThreadXOptions {
        seed: 7,
        events: 4_000,
        ..ThreadXOptions::default()
    };
    let (activations, with_period) = check(&settings);
    assert!(activations > 100, "{activations}");
    assert!(
        10 * with_period > 9 * activations,
        "{with_period} of {activations}"
    );
}
