//! How threads start that interrupt handlers make ready.
//!
//! A thread that is more important than the interrupted one starts when the handler ends. If
//! the handler does not request that switch, the interrupted context continues, up to the
//! end of another handler that requests one for another reason, such as the tick's.

use super::Occurrences;
use rtoscope_trace::{ContextId, Contexts, Event, EventIndex, Ticks};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of late starts of threads after a handler.
const MIN_LATE_STARTS: u64 = 5;
/// Minimum number of preemptions from which it follows that a thread is more important.
const MIN_PREEMPTIONS: u64 = 3;

/// How threads start that interrupt handlers make ready, on a single core.
#[derive(Debug, Default)]
pub(super) struct HandlerStarts {
    by_handler: BTreeMap<u32, Starts>,
    /// How often a thread started at once over the other one, when that or a handler made
    /// it ready.
    preemptions: BTreeMap<(ContextId, ContextId, Option<u32>), u64>,
    /// The handlers that end sleeps, and so perhaps time slices.
    ticks: BTreeSet<u32>,
    current: Option<Readied>,
}

/// The starts after one handler.
#[derive(Debug, Default)]
struct Starts {
    /// The switch follows the exit.
    direct: u64,
    /// The interrupted context runs on, and gives way by itself.
    given_way: u64,
    /// Another handler follows the exit: only then the thread starts. By the thread and the
    /// context that continued.
    late: BTreeMap<(ContextId, ContextId), LateStarts>,
}

/// Late starts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LateStarts {
    /// The exits.
    pub(super) exits: Occurrences,
    /// Ticks from these exits to the switch in which the interrupted context ran.
    pub(super) delay: u64,
    /// Ticks of the handler itself, in these cases.
    handler: u64,
    /// The last handler before the switch, if it is always the same.
    pub(super) next_handler: Option<u32>,
    several: bool,
}

/// A thread that became ready while another context runs.
#[derive(Debug, Clone, Copy)]
struct Readied {
    thread: ContextId,
    /// The context that runs.
    over: ContextId,
    /// The innermost active handler that made it ready; `None` if the context itself did.
    handler: Option<u32>,
    /// The exit of that handler, its duration, and the time since when the context runs.
    exit: Option<(EventIndex, u64)>,
    continues: Ticks,
    /// How long the context has run up to the last later handler, and that handler.
    delay: u64,
    next_handler: Option<u32>,
}

impl HandlerStarts {
    /// Nothing is known of what comes.
    pub(super) fn forget(&mut self) {
        self.current = None;
    }

    /// A thread becomes ready; `slept` is whether it waited for a time.
    pub(super) fn ready(
        &mut self,
        thread: ContextId,
        over: Option<ContextId>,
        handler: Option<u32>,
        slept: bool,
    ) {
        self.ticks.extend(handler.filter(|_| slept));
        let Some(over) = over.filter(|over| *over != thread) else {
            return;
        };
        // The first thread of several that a handler makes ready, and of several handlers.
        let comes_first = |it: Readied| match it.exit {
            None => it.handler.is_some(),
            Some(_) => it.over == over && handler.is_some(),
        };
        if self.current.is_some_and(comes_first) {
            return;
        }
        self.current = Some(Readied {
            thread,
            over,
            handler,
            exit: None,
            continues: Ticks(0),
            delay: 0,
            next_handler: None,
        });
    }

    /// An outermost handler is entered.
    pub(super) fn enter(&mut self, now: Ticks) {
        self.current = self.current.filter(|it| it.exit.is_some());
        if let Some(current) = &mut self.current {
            current.delay += now.0.saturating_sub(current.continues.0);
        }
    }

    /// An outermost handler exits.
    pub(super) fn exit(&mut self, number: u32, event: &Event, took: u64) {
        let Some(current) = &mut self.current else {
            return;
        };
        current.continues = event.time;
        if current.exit.is_some() {
            current.next_handler = Some(number);
        } else if current.handler.is_some() {
            current.exit = Some((event.index, took));
        }
    }

    /// The core switches. `waited` is whether the running thread waits.
    pub(super) fn switch(&mut self, now: Ticks, to: ContextId, waited: bool) {
        let Some(current) = self.current.take() else {
            return;
        };
        if waited || to != current.thread {
            return;
        }
        let ran_on = now.0.saturating_sub(current.continues.0);
        let is_at_once = match current.exit {
            Some((_, took)) => current.next_handler.is_none() && ran_on <= 4 * took,
            None => current.handler.is_none(),
        };
        if is_at_once {
            let pair = (to, current.over, current.handler);
            *self.preemptions.entry(pair).or_default() += 1;
        }
        let (Some(handler), Some((exit, took))) = (current.handler, current.exit) else {
            return;
        };
        let starts = self.by_handler.entry(handler).or_default();
        // If the context runs on after the last handler, it gives way by itself.
        let next = current.next_handler.filter(|_| ran_on < current.delay / 4);
        let Some(next) = next else {
            match is_at_once {
                true => starts.direct += 1,
                false => starts.given_way += 1,
            }
            return;
        };
        let late = starts.late.entry((to, current.over)).or_default();
        late.exits.push(exit);
        late.delay += current.delay;
        late.handler += took;
        late.several |= late.next_handler.is_some_and(|other| other != next);
        late.next_handler.get_or_insert(next);
    }

    /// Number of starts from which it can be judged whether handlers request switches.
    pub(super) fn judged(&self) -> u64 {
        let late = self
            .by_handler
            .values()
            .flat_map(|starts| starts.late.values());
        let direct = self.by_handler.values().map(|starts| starts.direct);
        direct.chain(late.map(|late| late.exits.count)).sum()
    }

    /// The first handler that does not request switches, a thread that starts late for it,
    /// and these starts.
    pub(super) fn late(&self) -> Option<(u32, ContextId, LateStarts)> {
        self.by_handler.iter().find_map(|(handler, starts)| {
            let mut all = LateStarts::default();
            let mut first = None;
            for ((thread, over), late) in &starts.late {
                if self.is_less_important(*over, *thread, starts) {
                    first.get_or_insert(*thread);
                    all.add(late);
                }
            }
            let is_late = all.exits.count >= MIN_LATE_STARTS
                && all.exits.count >= starts.direct.saturating_mul(4)
                && all.exits.count >= starts.given_way / 2
                && all.delay > all.handler.saturating_mul(4);
            Some((*handler, first.filter(|_| is_late)?, all))
        })
    }

    /// Whether a thread is more important than another one, which never took its place.
    fn preempts(&self, first: ContextId, second: ContextId) -> bool {
        let count = |first, second| -> u64 {
            let pairs = (first, second, None)..=(first, second, Some(u32::MAX));
            let of = self.preemptions.range(pairs);
            let is_tick = |by: Option<u32>| by.is_some_and(|by| self.ticks.contains(&by));
            of.filter(|((.., by), _)| !is_tick(*by))
                .map(|(_, count)| count)
                .sum()
        };
        count(first, second) >= MIN_PREEMPTIONS && count(second, first) == 0
    }

    /// Whether a context should have given way to a thread. A thread that took its place
    /// without its wait may be as important, and share the core with it by time slices, but
    /// not with two contexts if one is more important than the other.
    fn is_less_important(&self, over: ContextId, thread: ContextId, starts: &Starts) -> bool {
        let gave_way: BTreeSet<_> = starts
            .late
            .keys()
            .filter(|(other, _)| *other == thread)
            .map(|(_, over)| *over)
            .collect();
        over == Contexts::IDLE
            || self.preempts(thread, over)
            || gave_way.into_iter().any(|other| self.preempts(other, over))
    }
}

impl LateStarts {
    fn add(&mut self, other: &Self) {
        let firsts = [self.exits.first, other.exits.first];
        self.exits.first = firsts.into_iter().flatten().min();
        self.exits.count += other.exits.count;
        self.delay += other.delay;
        self.handler += other.handler;
        let next = self.next_handler.or(other.next_handler);
        self.several |= other.several || next != other.next_handler;
        self.next_handler = next;
    }

    /// The handler before these starts, if it is always the same.
    pub(super) fn only_next_handler(&self) -> Option<u32> {
        self.next_handler.filter(|_| !self.several)
    }
}
