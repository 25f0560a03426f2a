use super::*;
use crate::fixture::switch_log::{
    A, B, C, DISABLE, LogEvent, RESTORE, SLEEP, WAKE, enter, exit, log, on_one_core, resume,
    resume_preempted, with_trace_view, with_view,
};
use crate::report::Scope;
use crate::report::findings::{FindingCategory, findings};
use proptest::prelude::*;
use rtoscope_trace::{EventIndex, Gap, SchedEvent};

const PERIOD: u64 = 16_000;
/// Handler, encoder and display, without the noise.
const HANDLER: u64 = 40;
const ENCODER: u64 = 7000;
const DISPLAY: u64 = 200;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Disturbance {
    /// C preempts A for so long; if that takes too long, B does not run.
    Preempts(u64),
    /// A has interrupts off for so long, and takes longer.
    InterruptsOff(u64),
    /// B is not resumed.
    Skips,
}

/// A handler starts a cycle, A encodes, B displays, then the core is idle. `noise` is what
/// each cycle takes longer.
fn recording(noise: &[u64], disturbed: Option<(usize, Disturbance)>) -> Vec<LogEvent> {
    let mut events: Vec<(u64, SchedEvent)> = Vec::new();
    let mut is_late = false;
    for (noise, cycle) in noise.iter().zip(0..) {
        let start = PERIOD * cycle as u64;
        if cycle > 0 && !is_late {
            events.push((start - 3, WAKE));
        }
        is_late = false;
        events.extend([(start, enter(0)), (start + HANDLER, exit(0))]);
        let mut at = start + HANDLER + 1;
        events.push((at, resume(A)));
        let disturbance = disturbed.filter(|(of, _)| *of == cycle);
        let disturbance = disturbance.map(|(_, disturbance)| disturbance);
        let mut rest = ENCODER + noise;
        match disturbance {
            Some(Disturbance::Preempts(ticks)) => {
                events.extend([(at + 2000, enter(1)), (at + 2010, exit(1))]);
                events.push((at + 2011, resume(C)));
                at += 2011 + ticks;
                events.push((at, resume_preempted(A)));
                rest -= 2000;
            }
            Some(Disturbance::InterruptsOff(ticks)) => {
                events.extend([(at + 2000, DISABLE), (at + 2000 + ticks, RESTORE)]);
                at += 2000 + ticks;
                rest -= 2000;
            }
            _ => {}
        }
        at += rest;
        if at + DISPLAY + 10 > start + PERIOD {
            is_late = true;
            continue;
        }
        if disturbance != Some(Disturbance::Skips) {
            events.push((at, resume(B)));
            at += DISPLAY;
        }
        events.push((at, SLEEP));
    }
    on_one_core(&events)
}

fn found(events: &[LogEvent]) -> Cycles {
    with_view(events, false, &Scope::default(), |view| {
        let rows = outlier_rows(view);
        let of_cycles = |category| category == FindingCategory::UnusualCycle;
        let all = findings(view);
        let found = all.iter().filter(|it| of_cycles(it.category)).count();
        assert_eq!(found, rows.len());
        cycles(view, None)
    })
}

fn noise() -> impl Strategy<Value = Vec<u64>> {
    let noise = (0_u64..3).prop_flat_map(|size| 0..=size * 100);
    proptest::collection::vec(noise, 20..60)
}

fn disturbance() -> impl Strategy<Value = Disturbance> {
    prop_oneof![
        (1800_u64..9000).prop_map(Disturbance::Preempts),
        (1800_u64..7000).prop_map(Disturbance::InterruptsOff),
        Just(Disturbance::Skips),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_disturbed_cycle_and_its_disturber_are_named(
        noise in noise(),
        at in any::<prop::sample::Index>(),
        disturbance in disturbance(),
    ) {
        // The first cycle begins with unknown time, and the last two have no end or no
        // display after them.
        let at = 2 + at.index(noise.len() - 4);
        let events = recording(&noise, Some((at, disturbance)));
        let found = found(&events);
        prop_assert_eq!(found.anchor.as_deref(), Some("uart_isr"));
        let [row] = found.outliers.as_slice() else {
            panic!("{disturbance:?} in {at}: {:?}", found.outliers);
        };
        prop_assert_eq!(row.cycle, at as u64);
        let context = row.context.as_deref();
        match disturbance {
            Disturbance::Preempts(ticks) => {
                prop_assert_eq!(context, Some("0x102"));
                prop_assert_eq!(row.excess, Some(ticks));
            }
            Disturbance::InterruptsOff(ticks) => {
                prop_assert_eq!(context, Some("(interrupts off)"));
                prop_assert_eq!(row.excess, Some(ticks));
            }
            Disturbance::Skips => {
                prop_assert_eq!(context, None);
                prop_assert_eq!(&row.did_not_run, &["0x101"]);
            }
        }
    }

    #[test]
    fn undisturbed_cycles_do_not_differ(noise in noise()) {
        prop_assert_eq!(found(&recording(&noise, None)).outliers, []);
    }
}

#[test]
fn the_chain_is_inferred_and_the_first_cycle_is_unknown() {
    let found = found(&recording(&[0; 30], None));
    assert_eq!(found.inferred_chain, ["uart_isr", "0x100", "0x101"]);
    assert_eq!((found.cycles, found.unknown), (29, 1));
    assert_eq!(found.period, Some(PERIOD));
}

#[test]
fn cycles_with_a_gap_are_unknown() {
    let disturbance = Some((12, Disturbance::Preempts(5000)));
    let events = recording(&[0; 30], disturbance);
    let mut trace = log(&events, false);
    let late = trace
        .events
        .index_at_or_after(rtoscope_trace::Ticks(12 * PERIOD + 3000));
    trace.gaps.push(Gap {
        next_event: late,
        missing: None,
        core: None,
        is_restart: false,
    });
    with_trace_view(&trace, &events, &Scope::default(), |view| {
        let found = cycles(view, None);
        assert_eq!(found.outliers, []);
        assert_eq!(found.unknown, 2);
    });
}

#[test]
fn an_anchor_is_found_by_its_name() {
    let disturbance = Some((12, Disturbance::Preempts(9000)));
    let events = recording(&[0; 30], disturbance);
    with_view(&events, false, &Scope::default(), |view| {
        let found = find_anchor(view, "0x100").map(|anchor| cycles(view, Some(anchor)));
        let found = found.unwrap();
        assert_eq!(found.kind, Some("thread"));
        assert_eq!(found.outliers.len(), 1);
        assert_eq!(
            found.outliers[0].event,
            first_event(view, found.outliers[0].start)
        );
        let error = find_anchor(view, "t9").unwrap_err();
        assert!(
            error.starts_with("no handler, thread or marker is named \"t9\""),
            "{error}"
        );
    });
}

fn first_event(view: &View<'_>, time: u64) -> u32 {
    let EventIndex(number) = view
        .trace
        .events
        .index_at_or_after(rtoscope_trace::Ticks(time));
    number
}

/// A handler that is not in step with the cycles runs twice in some, or in none.
#[test]
fn what_is_not_in_step_with_the_cycles_does_not_differ() {
    let mut events = recording(&[0; 60], None);
    for tick in 1..58 {
        let time = tick * (PERIOD + 900) + 9000;
        let place = events.partition_point(|it| it.time <= time);
        let again = on_one_core(&[(time, enter(1)), (time + 1, exit(1))]);
        if events.get(place).is_some_and(|it| it.time > time + 1) {
            events.splice(place..place, again);
        }
    }
    let found = found(&events);
    assert_eq!(found.anchor.as_deref(), Some("uart_isr"));
    assert_eq!(found.outliers, []);
}
