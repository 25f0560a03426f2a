//! Whether the ground truth is consistent and matches the buffer.

use super::checker::Checker;
use super::reading::{Buffer, read};
use crate::{
    DispatchCause, DispatchTruth, SliceTruth, ThreadXOptions, ThreadXTruth, TrueContext,
    write_with_truth,
};
use std::collections::BTreeMap;

/// Bare ticks, inheritance and timeouts: each alone, and all together.
const OPTIONS: [(bool, bool, bool); 4] = [
    (true, false, false),
    (false, true, false),
    (false, false, true),
    (true, true, true),
];

/// Options for different workloads.
fn various() -> Vec<ThreadXOptions> {
    let usual = ThreadXOptions {
        events: 10_000,
        ..ThreadXOptions::default()
    };
    let mut various: Vec<_> = (1..8)
        .map(|seed| ThreadXOptions {
            seed,
            threads: 1 + 7 * (seed as u16 - 1),
            ..usual.clone()
        })
        .collect();
    for (cores, threads) in [(2, 13), (4, 30)] {
        various.push(ThreadXOptions {
            cores,
            threads,
            ..usual.clone()
        });
    }
    for (bare_ticks, inheritance, timeouts) in OPTIONS {
        for (cores, threads) in [(1, 1), (1, 5), (1, 12), (1, 50), (3, 29)] {
            various.push(ThreadXOptions {
                cores,
                threads,
                bare_ticks,
                inheritance,
                timeouts,
                ..usual.clone()
            });
        }
    }
    for (cores, threads) in [(2, 12), (3, 25), (4, 30), (1, 10)] {
        for all in [false, true] {
            various.push(ThreadXOptions {
                cores,
                threads,
                bare_ticks: all,
                inheritance: all,
                timeouts: all,
                shared_objects: true,
                ..usual.clone()
            });
        }
    }
    various
}

fn generate(options: &ThreadXOptions) -> (Buffer, ThreadXTruth) {
    let mut bytes = Vec::new();
    let (summary, truth) = write_with_truth(options, &mut bytes, &mut |_| ()).unwrap();
    let buffer = read(&bytes);
    assert_eq!(truth.events, buffer.events().len() as u64);
    assert_eq!(truth.events, summary.events);
    assert_eq!(truth.span_ticks, summary.span_ticks);
    for (thread, expected) in truth.threads.iter().zip(&summary.threads) {
        assert_eq!(thread.name, expected.name);
        assert_eq!(thread.address.0, expected.pointer);
        assert_eq!(thread.dispatches, expected.dispatches, "{}", thread.name);
    }
    assert_eq!(truth.threads.len(), summary.threads.len());
    (buffer, truth)
}

fn of_core(truth: &ThreadXTruth, core: u8) -> Vec<SliceTruth> {
    let slices = truth.slices.iter();
    slices.filter(|it| it.core == core).copied().collect()
}

/// Checks invariants.
fn check_sums(truth: &ThreadXTruth) {
    let mut ticks: BTreeMap<TrueContext, u64> = BTreeMap::new();
    for core in 0..truth.cores {
        let slices = of_core(truth, core);
        assert_eq!(slices.first().map_or(0, |it| it.start_ticks), 0);
        assert_eq!(slices.last().map_or(0, |it| it.end_ticks), truth.span_ticks);
        for pair in slices.windows(2) {
            assert_eq!(pair[0].end_ticks, pair[1].start_ticks);
            assert_ne!(pair[0].context, pair[1].context);
        }
        for slice in slices {
            assert!(slice.start_ticks < slice.end_ticks);
            *ticks.entry(slice.context).or_default() += slice.end_ticks - slice.start_ticks;
        }
    }
    let of = |context| ticks.get(&context).copied().unwrap_or_default();
    let mut interrupted = 0;
    for thread in &truth.threads {
        assert_eq!(
            thread.running_ticks,
            of(TrueContext::Thread(thread.address))
        );
        interrupted += thread.interrupted_ticks;
        let replaced = |cause| {
            let from = TrueContext::Thread(thread.address);
            let dispatches = truth.dispatches.iter();
            dispatches
                .filter(|it| it.previous == from && it.cause == cause)
                .count() as u64
        };
        assert_eq!(
            thread.preemptions_solicited,
            replaced(DispatchCause::PreemptionSolicited)
        );
        assert_eq!(
            thread.preemptions_interrupt,
            replaced(DispatchCause::PreemptionInterrupt)
        );
        assert_eq!(thread.time_slices, replaced(DispatchCause::TimeSlice));
        assert!(thread.relinquishes >= replaced(DispatchCause::Relinquish));
    }
    for isr in &truth.isrs {
        assert_eq!(isr.self_ticks, of(TrueContext::Isr(isr.number)));
    }
    let isr_ticks: u64 = truth.isrs.iter().map(|it| it.self_ticks).sum();
    assert!(interrupted <= isr_ticks);
    let performance = &truth.performance;
    let threads = || truth.threads.iter();
    let isrs = || truth.isrs.iter();
    for (total, sum) in [
        (
            performance.dispatches,
            threads().map(|it| it.dispatches).sum::<u64>(),
        ),
        (
            performance.preemptions.solicited,
            threads().map(|it| it.preemptions_solicited).sum(),
        ),
        (
            performance.preemptions.interrupt,
            threads().map(|it| it.preemptions_interrupt).sum(),
        ),
        (
            performance.time_slices,
            threads().map(|it| it.time_slices).sum(),
        ),
        (
            performance.suspensions,
            threads().map(|it| it.suspensions).sum(),
        ),
        (
            performance.resumptions,
            threads().map(|it| it.resumptions).sum(),
        ),
        (
            performance.interrupts,
            isrs().map(|it| it.activations).sum(),
        ),
        (
            performance.nested_interrupts,
            isrs().map(|it| it.nested).sum(),
        ),
        (performance.inversions.total, truth.inversions.len() as u64),
    ] {
        assert_eq!(total, sum);
    }
    // No slice shows the thread that loses the core at the oldest event.
    let unseen = performance.context_switches - context_switches(truth);
    assert!(unseen <= u64::from(truth.cores));
    let begins = |first: &DispatchTruth| first.cause == DispatchCause::Start;
    assert!(unseen == 0 || !truth.dispatches.first().is_some_and(begins));
}

/// Changes of the running thread according to slices and dispatches.
fn context_switches(truth: &ThreadXTruth) -> u64 {
    (0..truth.cores)
        .map(|core| {
            let dispatches = truth.dispatches.iter().filter(|it| it.core == core);
            let dispatches: Vec<_> = dispatches.collect();
            let first = dispatches.first();
            let mut executors: Vec<TrueContext> = of_core(truth, core)
                .iter()
                .filter(|slice| first.is_none_or(|first| slice.start_ticks < first.ticks))
                .map(|slice| slice.context)
                .chain(first.map(|first| first.previous))
                .chain(dispatches.iter().map(|it| TrueContext::Thread(it.thread)))
                .filter(|context| matches!(context, TrueContext::Thread(_)))
                .collect();
            executors.dedup();
            executors.len().saturating_sub(1) as u64
        })
        .sum()
}

#[test]
fn sums_agree_and_slices_have_no_gaps() {
    for options in various() {
        let (_, truth) = generate(&options);
        check_sums(&truth);
        assert_eq!(truth.dispatches[0].cause, DispatchCause::Start);
    }
}

#[test]
fn the_default_trace_has_everything() {
    let (_, truth) = generate(&ThreadXOptions::default());
    let performance = &truth.performance;
    for count in [
        performance.preemptions.solicited,
        performance.preemptions.interrupt,
        performance.time_slices,
        performance.relinquishes,
        performance.nested_interrupts,
        performance.inversions.unbounded,
        performance.inversions.total - performance.inversions.unbounded,
    ] {
        assert!(count > 20, "{performance:?}");
    }
    for cause in [
        DispatchCause::Relinquish,
        DispatchCause::Suspension,
        DispatchCause::FromIdle,
    ] {
        assert!(truth.dispatches.iter().any(|it| it.cause == cause));
    }
}

#[test]
fn the_checker_agrees() {
    for options in various() {
        let (buffer, truth) = generate(&options);
        let checker = Checker::follow(&buffer, &options);
        for thread in &truth.threads {
            let address = thread.address.0;
            assert!(checker.dispatches(address).contains(&thread.dispatches));
            assert_eq!(thread.suspensions, checker.suspensions(address));
            assert_eq!(thread.resumptions, checker.resumptions(address));
        }
        let performance = &truth.performance;
        let relinquished = |it: &&DispatchTruth| it.cause == DispatchCause::Relinquish;
        let replaced = performance.preemptions.solicited
            + performance.preemptions.interrupt
            + performance.time_slices
            + truth.dispatches.iter().filter(relinquished).count() as u64;
        let max = checker.preemptions + checker.undecided();
        assert!((checker.preemptions..=max).contains(&replaced));
        assert_eq!(checker.inversions, performance.inversions.total);
        let count = |id| checker.events_by_id.get(&id).copied().unwrap_or_default();
        if !options.bare_ticks {
            assert_eq!(performance.interrupts, count(3));
        }
        assert_eq!(performance.time_slices, count(5));
        assert_eq!(performance.relinquishes, count(109));
    }
}
