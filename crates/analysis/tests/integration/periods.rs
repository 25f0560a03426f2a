//! Activations of the threads of simulated kernels, compared with their true states and
//! slices by a slow independent model.

use proptest::prelude::*;
use rtoscope_analysis::report::periods::{ActivationSource, activation_streams};
use rtoscope_analysis::{AnalysisBuilder, RecordingInfo};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_generate::{
    ThreadStateTruth, ThreadTruth, ThreadXOptions, ThreadXTruth, TrueContext, write_with_truth,
};

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
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    let opened = open(Input::new(&bytes), BufferChoice::First).unwrap();
    let options = threadx::ThreadXOptions::default();
    let trace = opened.decode(&options).unwrap().trace;
    let mut builder = AnalysisBuilder::new(&trace);
    let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
    builder.push(&trace, &mut interpreter, trace.events.len());
    let recording = builder.finish(RecordingInfo::default(), trace);
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
                response: it.response.map(|it| it.ticks.0),
                cpu_time: it.cpu_time.map(|it| it.ticks.0),
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
        for pair in stream.activations.windows(2) {
            let [before, now] = pair else { continue };
            if let Some(period) = now.period {
                assert_eq!(period.0, now.start.0 - before.start.0);
                with_period += 1;
            }
        }
        count += found.len();
    }
    (count, with_period)
}

fn settings() -> impl Strategy<Value = ThreadXOptions> {
    let numbers = (any::<u64>(), 1..16_u16, 200..1500_u64);
    (numbers, any::<[bool; 2]>()).prop_map(|((seed, threads, events), [timeouts, inheritance])| {
        ThreadXOptions {
            seed,
            threads,
            events,
            timeouts,
            inheritance,
            ..ThreadXOptions::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn activations_match_the_truth(settings in settings()) {
        check(&settings);
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
