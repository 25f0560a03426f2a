//! Schedules of simulated kernels, which know the truth.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use rtoscope_analysis::schedule::{Cause, Executing};
use rtoscope_analysis::{Builder, Schedule};
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, open, threadx};
use rtoscope_generate::{Address, Executor, Settings, Truth, write_with_truth};
use rtoscope_trace::{ContextId, Contexts, Interpret, Trace};

struct Case {
    trace: Trace,
    schedule: Schedule,
    truth: Truth,
}

fn case(settings: &Settings) -> Case {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    let opened = open(Input::new(&bytes), Choice::First).unwrap();
    let trace = opened.decode(&threadx::Options::default()).unwrap().trace;
    let schedule = Schedule::of(&trace, &mut threadx::Interpreter::new(&trace));
    Case {
        trace,
        schedule,
        truth,
    }
}

impl Case {
    fn address(&self, id: ContextId) -> u64 {
        self.trace.contexts.get(id).unwrap().address.0
    }

    /// What a slice says, in the words of the truth; `None` for unknown.
    fn executor(&self, executing: Executing) -> Option<Executor> {
        Some(match executing {
            Executing::Thread(id) => Executor::Thread(Address(self.address(id))),
            Executing::Isr(id) => {
                let number = self.schedule.activations[id.index()].number;
                Executor::Isr(number.map(u64::from))
            }
            Executing::Idle => Executor::Idle,
            Executing::Initialize => Executor::Initialize,
            Executing::Kernel => panic!("no event of ThreadX tells a switch"),
            Executing::Unknown => return None,
        })
    }

    /// Every moment of every core is as it was, or unknown. Returns the ticks
    /// that are unknown.
    fn check_slices(&self) -> u64 {
        let mut unknown = 0;
        for slices in &self.schedule.cores {
            let of_core = |slice: &&rtoscope_generate::Slice| slice.core == slices.core;
            let mut truth = self.truth.slices.iter().filter(of_core);
            let mut current = truth.next();
            let mut covered = 0;
            for (slice, end) in slices.iter() {
                assert_eq!(slice.start.0, covered);
                assert!(slice.start < end, "empty slice at {covered}");
                covered = end.0;
                let ours = self.executor(slice.who.executing());
                if ours.is_none() {
                    unknown += end.0 - slice.start.0;
                }
                let mut at = slice.start.0;
                while at < end.0 {
                    let was = current.unwrap();
                    assert!(was.start_ticks <= at && at < was.end_ticks);
                    if let Some(ours) = ours {
                        let (core, event) = (slices.core, slice.event);
                        assert_eq!(ours, was.who, "core {core} at {at}, event {event}");
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
        // What the last event causes is not seen any more.
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

    fn check_counts(&self, settings: &Settings) {
        let truth = &self.truth.performance;
        let displaced = |cause| {
            let all = self.schedule.displacements.iter();
            all.filter(|it| it.cause == cause).count() as u64
        };
        assert_eq!(displaced(Cause::TimeSlice), truth.time_slices);
        assert_eq!(displaced(Cause::Yield), truth.relinquishes);
        // The kernel counts a thread that gives way before it executes, too.
        assert!(displaced(Cause::Interrupt) >= truth.preemptions.interrupt);
        let activations = self.schedule.activations.iter();
        let interrupts = activations.clone().count() as u64;
        if settings.bare_ticks && settings.thread_control {
            // Ticks one after the other that resume no thread, but suspend it
            // belatedly, look like one.
            assert!(interrupts <= truth.interrupts);
        } else {
            assert_eq!(interrupts, truth.interrupts);
        }
        let nested = activations.filter(|it| it.depth > 1).count() as u64;
        assert_eq!(nested, truth.nested_interrupts);
        let switches = self.schedule.dispatches.iter().filter(|it| it.is_switch());
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
        for stretches in &self.schedule.threads {
            for pair in stretches.windows(2) {
                assert!(pair[0].start <= pair[1].start && pair[0].event <= pair[1].event);
            }
        }
        assert!(self.schedule.threads[Contexts::IDLE.index()].is_empty());
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    let numbers = (any::<u64>(), 1..40_u16, 200..3000_u64, 8..33_u8);
    let flags = any::<[bool; 5]>();
    (numbers, flags).prop_map(|((seed, threads, events, clock_bits), flags)| {
        let [
            count_down,
            bare_ticks,
            inheritance,
            timeouts,
            thread_control,
        ] = flags;
        Settings {
            seed,
            threads,
            events,
            clock_bits,
            count_down,
            bare_ticks,
            inheritance,
            timeouts,
            thread_control,
            ..Settings::default()
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
    fn one_core_is_as_it_was(settings in settings()) {
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
    fn an_overwritten_start_is_as_it_was(settings in settings(), kept in 20..200_u64) {
        let case = case(&Settings { capacity: Some(kept), ..settings });
        let first = case.trace.events.context[0];
        let unknown = case.check_slices();
        prop_assert!(unknown == 0 || first == Contexts::INTERRUPT || settings.bare_ticks);
        case.check_order();
    }

    #[test]
    fn several_cores_are_as_they_were_or_unknown(
        settings in settings(),
        cores in 2..5_u8,
        shared_objects: bool,
    ) {
        let threads = settings.threads.max(u16::from(cores));
        let settings = Settings { cores, threads, shared_objects, ..settings };
        let case = case(&Settings { thread_control: false, ..settings });
        case.check_slices();
        case.check_order();
    }

    #[test]
    fn pieces_give_the_same_as_the_whole(
        settings in settings(),
        cores in 1..3_u8,
        cuts in prop::collection::vec(1..500_usize, 0..20),
    ) {
        let threads = settings.threads.max(u16::from(cores));
        let thread_control = settings.thread_control && cores == 1;
        let settings = Settings { cores, threads, thread_control, ..settings };
        let Case { trace, schedule, .. } = case(&settings);
        let mut interpreter = threadx::Interpreter::new(&trace);
        let mut builder = Builder::new(&trace);
        let mut fed = 0;
        for cut in cuts {
            fed += cut;
            builder.feed(&trace, &mut interpreter, fed);
        }
        builder.feed(&trace, &mut interpreter, usize::MAX);
        prop_assert_eq!(builder.finish(interpreter.resources(), interpreter.routines()), schedule);
    }
}

#[test]
fn wakes_and_transfers_lead_from_cause_to_effect() {
    let case = case(&Settings::default());
    let wakes: Vec<_> = case.schedule.wakes().collect();
    assert!(wakes.len() > 1000);
    for wake in wakes {
        assert!(wake.cause <= wake.effect && wake.resumed <= wake.executes);
        let event = case.trace.events.get(wake.cause).unwrap();
        let resumed = case.trace.contexts.get(wake.thread).unwrap().address.0;
        assert_eq!((event.kind.0, event.arguments[0]), (1, resumed));
    }
    assert!(case.schedule.transfers.len() > 1000);
    for transfer in &case.schedule.transfers {
        assert!(transfer.put < transfer.take);
        let put = case.trace.events.get(transfer.put).unwrap();
        let address = case.schedule.resources[transfer.resource.index()].address.0;
        assert_eq!(put.arguments[0], address);
        assert!([63, 69, 80, 88].contains(&put.kind.0));
    }
}
