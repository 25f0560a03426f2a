//! Random logs, evaluated tick by tick by a naive model without slices.

use super::super::{UnknownDurations, context_switches};
use crate::fixture::switch_log::{A, B, C, LogEvent, WAKE, back, enter, exit, resume, with_view};
use crate::report::profile::{self, profile};
use crate::report::{Distribution, Scope};
use proptest::prelude::*;
use rtoscope_trace::{ContextId, Contexts, SchedEvent, Ticks};
use std::collections::{BTreeMap, BTreeSet};

/// The running context of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NaiveContext {
    Thread(ContextId),
    Handler(u32),
    Kernel,
    Idle,
    Unknown,
}

/// The state of a core after its events so far.
#[derive(Debug, Clone)]
struct NaiveCore {
    base: NaiveContext,
    kernel: bool,
    handlers: Vec<u32>,
    /// Whether a thread or idle has run, and an exit had the number of an active handler.
    settled: [bool; 2],
    entered: BTreeSet<u32>,
}

impl NaiveCore {
    fn after<'t>(log_events: impl Iterator<Item = &'t LogEvent>, returns: bool) -> Self {
        let mut core = Self {
            base: NaiveContext::Unknown,
            kernel: false,
            handlers: Vec::new(),
            settled: [false; 2],
            entered: BTreeSet::new(),
        };
        for log_events in log_events {
            core.apply(log_events.sched_event, returns);
        }
        core
    }

    fn apply(&mut self, sched_event: SchedEvent, returns: bool) {
        let leaves = |core: &mut Self, kernel| {
            core.handlers.clear();
            core.kernel = kernel;
        };
        match sched_event {
            WAKE => {
                leaves(self, true);
                if self.base == NaiveContext::Unknown {
                    self.base = NaiveContext::Idle;
                }
            }
            SchedEvent::Switch { to, .. } => {
                leaves(self, false);
                self.settled[0] = true;
                self.base = context_of(to);
            }
            SchedEvent::Return { to } => {
                leaves(self, false);
                self.settled[0] = true;
                if to != ContextId::UNKNOWN {
                    self.base = context_of(to);
                }
            }
            SchedEvent::IsrEnter { number } => {
                self.handlers.push(number);
                self.entered.insert(number);
            }
            SchedEvent::IsrExit { number } if self.is_stray(number) => {}
            SchedEvent::IsrExit { number } => {
                let found = self.handlers.iter().rposition(|it| *it == number);
                let left = found.unwrap_or(self.handlers.len().saturating_sub(1));
                self.settled[1] |= found.is_some();
                self.handlers.truncate(left);
                self.kernel |= returns && self.handlers.is_empty();
            }
            _ => {}
        }
    }

    /// Whether an exit ends nothing.
    fn is_stray(&self, number: u32) -> bool {
        let is_nested = self.settled[1] && !self.handlers.is_empty();
        self.settled[0]
            && !self.handlers.contains(&number)
            && (is_nested || self.entered.contains(&number))
    }

    /// Whether an exit is all that is known of a handler.
    fn is_orphan(&self, number: u32) -> bool {
        self.handlers.is_empty() && !self.is_stray(number)
    }

    fn context(&self) -> NaiveContext {
        match self.handlers.last() {
            Some(number) => NaiveContext::Handler(*number),
            None if self.kernel => NaiveContext::Kernel,
            None => self.base,
        }
    }

    /// Whether the running context was unknown until that event.
    fn contradicts(&self, sched_event: SchedEvent) -> bool {
        match sched_event {
            SchedEvent::Switch { .. } | SchedEvent::Return { .. } => !self.handlers.is_empty(),
            SchedEvent::IsrExit { number } => self.is_orphan(number),
            _ => false,
        }
    }
}

fn context_of(context: ContextId) -> NaiveContext {
    match context {
        Contexts::IDLE => NaiveContext::Idle,
        thread => NaiveContext::Thread(thread),
    }
}

/// The running context of a core in the tick that begins at `time`.
fn context_at(log_events: &[LogEvent], core: u8, time: u64, returns: bool) -> NaiveContext {
    let of_core = || {
        log_events
            .iter()
            .filter(|log_events| log_events.core == core)
    };
    let past = NaiveCore::after(
        of_core().take_while(|log_events| log_events.time <= time),
        returns,
    );
    let next = of_core().find(|log_events| log_events.time > time);
    if next.is_some_and(|next| past.contradicts(next.sched_event)) {
        return NaiveContext::Unknown;
    }
    past.context()
}

/// An interrupts-off section, and its ending.
#[derive(Debug)]
struct NaiveSection {
    start: u64,
    end: u64,
    nested: u64,
    start_known: bool,
    ending: &'static str,
}

/// The interrupts-off sections of a core.
fn sections(log_events: &[LogEvent], core: u8) -> Vec<NaiveSection> {
    let of_core: Vec<_> = log_events
        .iter()
        .filter(|log_events| log_events.core == core)
        .collect();
    let end_of_all = log_events.last().unwrap().time;
    let is_off = |sched_event| match sched_event {
        SchedEvent::InterruptsDisabled { .. } => Some(true),
        SchedEvent::InterruptsRestored => Some(false),
        SchedEvent::Switch { .. } | SchedEvent::Return { .. } => Some(false),
        _ => None,
    };
    let mut all = Vec::new();
    for (at, first) in of_core.iter().enumerate() {
        let speaks = of_core[..at]
            .iter()
            .rev()
            .find_map(|log_events| is_off(log_events.sched_event));
        let start_known = first.sched_event
            == SchedEvent::InterruptsDisabled {
                already_disabled: false,
            };
        if is_off(first.sched_event) != Some(true) || !start_known && speaks == Some(true) {
            continue;
        }
        let mut off = NaiveSection {
            start: first.time,
            end: first.time,
            nested: 0,
            start_known,
            ending: "open",
        };
        for later in &of_core[at + 1..] {
            off.ending = match later.sched_event {
                SchedEvent::InterruptsRestored => "restored",
                SchedEvent::InterruptsDisabled {
                    already_disabled: false,
                } => "unrecorded",
                SchedEvent::Switch { .. } | SchedEvent::Return { .. } => "switched",
                sched_event => {
                    off.nested += u64::from(
                        sched_event
                            == SchedEvent::InterruptsDisabled {
                                already_disabled: true,
                            },
                    );
                    if is_off(sched_event) == Some(true) {
                        off.end = later.time;
                    }
                    continue;
                }
            };
            if off.ending != "unrecorded" {
                off.end = later.time;
            }
            break;
        }
        if off.ending == "open" {
            off.end = end_of_all;
        }
        all.push(off);
    }
    all
}

/// An event without its time.
fn sched_events(core: u8) -> impl Strategy<Value = SchedEvent> {
    // A thread belongs to one core.
    let threads = if core == 0 { vec![A, B] } else { vec![C] };
    let one = proptest::sample::select(threads);
    prop_oneof![
        3 => one.clone().prop_map(resume),
        2 => Just(resume(Contexts::IDLE)),
        2 => Just(WAKE),
        2 => one.prop_map(back),
        1 => Just(back(ContextId::UNKNOWN)),
        4 => (0_u32..2).prop_map(enter),
        4 => (0_u32..2).prop_map(exit),
        3 => any::<bool>().prop_map(|already| SchedEvent::InterruptsDisabled { already_disabled: already }),
        3 => Just(SchedEvent::InterruptsRestored),
        1 => Just(SchedEvent::None),
    ]
}

fn logs(cores: u8) -> impl Strategy<Value = Vec<LogEvent>> {
    let event = (0..cores).prop_flat_map(|core| (Just(core), 0_u64..5, sched_events(core)));
    proptest::collection::vec(event, 1..60).prop_map(|events| {
        let mut time = 0;
        let mut log_events = Vec::new();
        for (at, (core, later, sched_event)) in events.into_iter().enumerate() {
            // The first event is the start of time.
            time += if at == 0 { 0 } else { later };
            let context = match sched_event {
                SchedEvent::Switch { to, .. } | SchedEvent::Return { to } => to,
                _ if core == 0 => A,
                _ => C,
            };
            log_events.push(LogEvent {
                time,
                core,
                context,
                sched_event,
            });
        }
        log_events
    })
}

/// Number and sum of durations.
fn sums(found: Option<&Distribution>) -> (u64, u64) {
    found.map_or((0, 0), |found| {
        (
            found.count,
            (found.mean * found.count as f64).round() as u64,
        )
    })
}

fn sum(durations: &[u64]) -> (u64, u64) {
    (durations.len() as u64, durations.iter().sum())
}

fn check(log_events: &[LogEvent], returns: bool, scope: &Scope) {
    let cores: Vec<u8> = (0..2)
        .filter(|core| log_events.iter().any(|it| it.core == *core))
        .collect();
    let span = log_events.last().unwrap().time;
    let window = scope.window(Ticks(span));
    let holds = |time: u64| window.start <= time && time <= window.end;
    let mut ticks: BTreeMap<NaiveContext, u64> = BTreeMap::new();
    let (mut periods, mut idle, mut to_thread, mut spurious) = (0, vec![], vec![], vec![]);
    for core in &cores {
        let owners: Vec<_> = (0..span)
            .map(|time| context_at(log_events, *core, time, returns))
            .collect();
        for time in window.clone() {
            *ticks.entry(owners[time as usize]).or_default() += 1;
        }
        // The intervals of a core by kind of context, not by context.
        let mut intervals: Vec<(u64, u64, NaiveContext)> = Vec::new();
        for (time, owner) in (0..).zip(owners) {
            let owner = match owner {
                NaiveContext::Handler(_) => NaiveContext::Kernel,
                NaiveContext::Thread(_) => NaiveContext::Thread(A),
                other => other,
            };
            match intervals.last_mut() {
                Some((_, end, last)) if *last == owner => *end += 1,
                _ => intervals.push((time, time + 1, owner)),
            }
        }
        periods += intervals
            .iter()
            .filter(|it| it.2 == NaiveContext::Idle && holds(it.0))
            .count();
        for pair in intervals.windows(2) {
            let ended = pair[0].2 == NaiveContext::Idle && pair[1].2 != NaiveContext::Unknown;
            if ended && holds(pair[1].0) {
                idle.push(pair[0].1 - pair[0].0);
            }
        }
        for three in intervals.windows(3) {
            let woken = (three[0].2, three[1].2) == (NaiveContext::Idle, NaiveContext::Kernel);
            let took = three[1].1 - three[1].0;
            match three[2].2 {
                NaiveContext::Thread(_) if woken && holds(three[2].0) => to_thread.push(took),
                NaiveContext::Idle if woken && holds(three[2].0) => spurious.push(took),
                _ => {}
            }
        }
    }
    let offs: Vec<_> = cores
        .iter()
        .flat_map(|core| sections(log_events, *core))
        .collect();
    with_view(log_events, returns, scope, |view| {
        for row in profile(view) {
            let owner = match row.kind {
                profile::ProfileKind::Thread => {
                    let number = row.address.unwrap().0.0 - 0x100;
                    NaiveContext::Thread(ContextId(A.0 + number as u32))
                }
                profile::ProfileKind::Isr => NaiveContext::Handler(row.number.unwrap()),
                profile::ProfileKind::Kernel => NaiveContext::Kernel,
                profile::ProfileKind::Idle => NaiveContext::Idle,
                profile::ProfileKind::Initialize | profile::ProfileKind::Unknown => {
                    NaiveContext::Unknown
                }
            };
            if row.kind != profile::ProfileKind::Initialize {
                assert_eq!(
                    row.duration,
                    ticks.remove(&owner).unwrap_or_default(),
                    "{owner:?}"
                );
            }
        }
        assert_eq!(ticks, BTreeMap::new());
        let found = context_switches(view);
        assert_eq!(found.idle.periods, periods as u64);
        assert_eq!(sums(found.idle.duration.as_ref()), sum(&idle));
        assert_eq!(sums(found.wake_ups.to_thread.as_ref()), sum(&to_thread));
        assert_eq!(sums(found.wake_ups.spurious.as_ref()), sum(&spurious));

        let in_window = || {
            log_events
                .iter()
                .enumerate()
                .filter(|(_, it)| holds(it.time))
        };
        let entries =
            in_window().filter(|(_, it)| matches!(it.sched_event, SchedEvent::IsrEnter { .. }));
        let orphans = in_window().filter(|(at, it)| {
            let before = log_events[..*at]
                .iter()
                .filter(|other| other.core == it.core);
            let core = NaiveCore::after(before, returns);
            matches!(it.sched_event, SchedEvent::IsrExit { number } if core.is_orphan(number))
        });
        let activations: u64 = found.handlers.iter().map(|it| it.activations).sum();
        assert_eq!(activations as usize, entries.count() + orphans.count());
        let to_threads = in_window().filter(
            |(_, it)| matches!(it.sched_event, SchedEvent::Switch { to, .. } if to.is_thread()),
        );
        let dispatches = to_threads.clone().filter(|(at, it)| {
            let before = log_events[..*at]
                .iter()
                .filter(|other| other.core == it.core);
            NaiveCore::after(before, returns).base != NaiveContext::Thread(it.context)
        });
        assert_eq!(found.dispatches as usize, dispatches.count());
        let resumes: u64 = found.resumes.values().sum();
        assert_eq!(resumes as usize, to_threads.count());

        let Some(off) = found.interrupts_off else {
            assert!(offs.is_empty());
            return;
        };
        let began = || offs.iter().filter(|it| holds(it.start));
        assert_eq!(off.count as usize, began().count());
        assert_eq!(off.nested, began().map(|it| it.nested).sum::<u64>());
        let clip = |it: &NaiveSection| {
            it.end
                .min(window.end)
                .saturating_sub(it.start.max(window.start))
        };
        assert_eq!(off.share.total, offs.iter().map(clip).sum::<u64>());
        let complete = offs
            .iter()
            .filter(|it| it.start_known && it.ending == "restored");
        let complete: Vec<_> = complete
            .filter(|it| holds(it.end))
            .map(|it| it.end - it.start)
            .collect();
        assert_eq!(sums(off.duration.as_ref()), sum(&complete));
        let ended = |ending| {
            began()
                .filter(|it| it.start_known && it.ending == ending)
                .count() as u64
        };
        let expected = UnknownDurations {
            start_unknown: began().filter(|it| !it.start_known).count() as u64,
            switched: ended("switched"),
            unrecorded: ended("unrecorded"),
            lost: 0,
            open: ended("open"),
        };
        assert_eq!(off.unknown, expected);
        let touching = offs
            .iter()
            .filter(|it| it.start <= window.end && window.start <= it.end);
        let longest = touching.map(|it| it.end - it.start).max();
        assert_eq!(off.longest.first().map(|it| it.duration), longest);
    });
}

proptest! {
    #[test]
    fn reports_match_a_naive_model(
        log_events in (1_u8..3).prop_flat_map(logs),
        returns in any::<bool>(),
        part in proptest::option::of((0_u64..140, 0_u64..60)),
    ) {
        let scope = part.map_or_else(Scope::default, |(from, length)| Scope {
            start: Some(Ticks(from)),
            end: Some(Ticks(from + length)),
            ..Scope::default()
        });
        check(&log_events, returns, &scope);
    }
}
