//! Schedules of simulated kernels, compared with the ground truth.

use crate::common::{decode, options, simulate};
use proptest::prelude::*;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::{Dispatch, RunningContext, SwitchCause};
use rtoscope_decode::threadx;
use rtoscope_generate::{Address, ThreadXOptions, ThreadXTruth, TrueContext};
use rtoscope_trace::{ContextId, Contexts, Trace};

struct GeneratedCase {
    trace: Trace,
    schedule: Schedule,
    truth: ThreadXTruth,
}

fn case(settings: &ThreadXOptions) -> GeneratedCase {
    let (bytes, truth) = simulate(settings);
    recorded(&bytes, truth)
}

fn recorded(bytes: &[u8], truth: ThreadXTruth) -> GeneratedCase {
    let trace = decode(bytes, None).unwrap().trace;
    let schedule = Schedule::from_trace(&trace, &mut threadx::ThreadXInterpreter::new(&trace));
    GeneratedCase {
        trace,
        schedule,
        truth,
    }
}

impl GeneratedCase {
    fn address(&self, id: ContextId) -> u64 {
        self.trace.contexts.get(id).unwrap().address.0
    }

    /// The context of a slice, in the terms of the ground truth; `None` for
    /// unknown.
    fn true_context(&self, running: RunningContext) -> Option<TrueContext> {
        Some(match running {
            RunningContext::Thread(id) => TrueContext::Thread(Address(self.address(id))),
            RunningContext::Isr(id) => {
                let number = self.schedule.activations.get(id.index()).unwrap().number;
                TrueContext::Isr(number.map(u64::from))
            }
            RunningContext::Idle => TrueContext::Idle,
            RunningContext::Initialize => TrueContext::Initialize,
            RunningContext::Kernel => panic!("ThreadX has no explicit switches"),
            RunningContext::Unknown => return None,
        })
    }

    /// Forgets the truth after the last event of the trace.
    fn end_truth_with_trace(&mut self) {
        let span = self.schedule.span.0;
        self.truth.span_ticks = span;
        self.truth.slices.retain(|slice| slice.start_ticks < span);
        for slice in &mut self.truth.slices {
            slice.end_ticks = slice.end_ticks.min(span);
        }
    }

    /// At every tick every core runs the true context, or it is unknown.
    /// Returns the unknown ticks.
    fn check_slices(&self) -> u64 {
        let mut unknown = 0;
        for slices in &self.schedule.cores {
            let of_core = |slice: &&rtoscope_generate::SliceTruth| slice.core == slices.core;
            let mut truth = self.truth.slices.iter().filter(of_core);
            let mut current = truth.next();
            let mut covered = 0;
            for (slice, end) in slices.iter() {
                assert_eq!(slice.start.0, covered);
                assert!(slice.start < end, "empty slice at {covered}");
                covered = end.0;
                let ours = self.true_context(slice.running.running_context());
                if ours.is_none() {
                    unknown += end.0 - slice.start.0;
                }
                let mut at = slice.start.0;
                while at < end.0 {
                    let was = current.unwrap();
                    assert!(was.start_ticks <= at && at < was.end_ticks);
                    if let Some(ours) = ours {
                        let (core, event) = (slices.core, slice.event);
                        assert_eq!(ours, was.context, "core {core} at {at}, event {event}");
                    }
                    at = end.0.min(was.end_ticks);
                    if at == was.end_ticks {
                        current = truth.next();
                    }
                }
            }
            assert_eq!(covered, self.truth.span_ticks);
        }
        unknown
    }

    fn check_dispatches(&self) {
        // The effects of the last event are no longer visible.
        let last = self.truth.events - 1;
        let ours = self.schedule.dispatches.iter();
        let ours = ours.map(|it| (u64::from(it.event.0), it.core, self.address(it.thread)));
        let truth = self.truth.dispatches.iter();
        let truth = truth.map(|it| (it.event, it.core, it.thread.0));
        let seen = |all: &mut dyn Iterator<Item = (u64, u8, u64)>| {
            let mut all: Vec<_> = all.filter(|it| it.0 < last).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(seen(&mut ours.into_iter()), seen(&mut truth.into_iter()));
    }

    fn check_counts(&self, settings: &ThreadXOptions) {
        let truth = &self.truth.performance;
        let preempted = |cause| {
            let all = self.schedule.preemptions.iter();
            all.filter(|it| it.cause == cause).count() as u64
        };
        assert_eq!(preempted(SwitchCause::TimeSlice), truth.time_slices);
        assert_eq!(preempted(SwitchCause::Yield), truth.relinquishes);
        // The kernel also counts a thread that gives way before it runs.
        assert!(preempted(SwitchCause::Interrupt) >= truth.preemptions.interrupt);
        let activations = self.schedule.activations.iter();
        let interrupts = activations.clone().count() as u64;
        if settings.bare_ticks && settings.thread_control {
            // Consecutive ticks that resume no thread, but suspend it
            // belatedly, look like one.
            assert!(interrupts <= truth.interrupts);
        } else {
            assert_eq!(interrupts, truth.interrupts);
        }
        let nested = activations.filter(|it| it.depth > 1).count() as u64;
        assert_eq!(nested, truth.nested_interrupts);
        let switches = self.schedule.dispatches.iter().filter(Dispatch::is_switch);
        assert!(switches.count().abs_diff(truth.context_switches as usize) <= 1);
    }

    fn check_inversions(&self) {
        let ours = self.schedule.inversions.iter().map(|it| {
            let event = |event: Option<rtoscope_trace::EventIndex>| event.map(|it| it.0.into());
            (
                event(it.get),
                event(it.first),
                event(it.last),
                it.start.0,
                it.unbounded(),
            )
        });
        let truth = self.truth.inversions.iter().map(|it| {
            let unbounded = Some(it.unbounded_on_any_core);
            (
                it.get_event,
                it.start_event,
                it.end_event,
                it.start_ticks,
                unbounded,
            )
        });
        assert_eq!(
            ours.collect::<Vec<_>>(),
            truth.collect::<Vec<(Option<u64>, _, _, _, _)>>()
        );
    }

    /// Timelines never step back.
    fn check_order(&self) {
        for intervals in &self.schedule.threads {
            assert!(intervals.iter().is_sorted_by_key(|it| it.start));
            assert!(intervals.iter().is_sorted_by_key(|it| it.event));
        }
        assert!(self.schedule.threads[Contexts::IDLE.index()].is_empty());
    }
}

fn settings() -> impl Strategy<Value = ThreadXOptions> {
    let clock = (8..33_u8, any::<[bool; 2]>());
    (options(1..40, 200..3000), clock).prop_map(|(options, (clock_bits, flags))| {
        let [count_down, bare_ticks] = flags;
        ThreadXOptions {
            clock_bits,
            count_down,
            bare_ticks,
            ..options
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn one_core_matches_the_truth(settings in settings()) {
        let case = case(&settings);
        let unknown = case.check_slices();
        // Between two records of a tick without entry and exit.
        prop_assert!(unknown == 0 || settings.bare_ticks);
        case.check_order();
        case.check_dispatches();
        case.check_counts(&settings);
        case.check_inversions();
    }

    #[test]
    fn an_overwritten_start_matches_the_truth(settings in settings(), kept in 20..200_u64) {
        let case = case(&ThreadXOptions { capacity: Some(kept), ..settings });
        let first = case.trace.events.contexts().next().unwrap();
        let unknown = case.check_slices();
        prop_assert!(unknown == 0 || first == Contexts::INTERRUPT || settings.bare_ticks);
        case.check_order();
    }

    #[test]
    fn several_cores_match_the_truth_or_are_unknown(
        settings in settings(),
        cores in 2..5_u8,
        shared_objects: bool,
    ) {
        let threads = settings.threads.max(u16::from(cores));
        let settings = ThreadXOptions { cores, threads, shared_objects, ..settings };
        let case = case(&ThreadXOptions { thread_control: false, ..settings });
        case.check_slices();
        case.check_order();
    }
}

/// The recording without the exits of an ISR.
fn without_exits(bytes: &[u8], isr: u32) -> Vec<u8> {
    const ENTRY_LEN: usize = 32;
    const ISR_EXIT: u32 = 4;
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let [base, start, end] = [8, 24, 28].map(|at| word(bytes, at));
    let entries = &bytes[(start - base) as usize..(end - base) as usize];
    let mut kept = bytes[..(start - base) as usize].to_vec();
    for entry in entries.chunks(ENTRY_LEN) {
        if (word(entry, 8), word(entry, 20)) != (ISR_EXIT, isr) {
            kept.extend(entry);
        }
    }
    let end = base + kept.len() as u32;
    kept[28..32].copy_from_slice(&end.to_le_bytes());
    kept
}

#[test]
fn isrs_without_a_recorded_exit_end_at_an_unknown_time() {
    for seed in 1..=12 {
        let settings = ThreadXOptions {
            events: 3000,
            threads: 5,
            seed,
            ..ThreadXOptions::default()
        };
        let (bytes, truth) = simulate(&settings);
        for isr in [16, 0, 64] {
            let mut case = recorded(&without_exits(&bytes, isr), truth.clone());
            // The last event may be such an exit.
            case.end_truth_with_trace();
            let unknown = case.check_slices();
            let of_isr = |number| {
                let all = case.schedule.activations.iter();
                all.filter(move |it| it.number == Some(number))
            };
            if of_isr(isr).count() < 3 {
                continue;
            }
            assert!(unknown > 0, "seed {seed}, ISR {isr}");
            assert!(of_isr(isr).all(|it| !it.exited));
            if isr == 16 {
                assert!(
                    of_isr(0).all(|it| it.depth == 1 && it.exited),
                    "seed {seed}"
                );
            }
        }
    }
}
