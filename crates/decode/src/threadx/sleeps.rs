//! Sleeps of threads: what the kernel's ticks say about the clock.

use crate::clock::tick_witness::{self, Sleep};
use foldhash::HashMap;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{
    ContextId, Contexts, DiagnosticKind, EventIndex, EventKindId, Gap, Ticks, Trace, parallel,
};
use std::collections::BTreeMap;
use std::ops::Range;

const RESUME: u32 = 1;
const SUSPEND: u32 = 2;
const SLEEP: u32 = 112;
const SUSPEND_API: u32 = 114;
const TERMINATE: u32 = 115;
const WAIT_ABORT: u32 = 117;
/// `TX_SLEEP` in `tx_api.h`.
const SLEEPING: u64 = 4;

/// With more sleeps, only each second one counts, then each fourth, and so on.
const MAX_SLEEPS: usize = 1 << 12;

/// Number of events of a part; a sleep that is not over when its part ends does not count.
const PART_EVENTS: usize = 1 << 20;

/// Minimum number of sleeps of a part, however many parts there are, before some do not count.
const MIN_SLEEPS_OF_PART: usize = 1 << 6;

/// Compares the clock of a trace with the sleeps of its threads.
pub(super) fn check_clock(trace: &mut Trace) {
    if trace.clock.quality != ClockQuality::Good {
        return;
    }
    let sleeps = timed_sleeps(trace);
    let restarts = trace
        .diagnostics
        .iter()
        .any(|it| it.kind == DiagnosticKind::ClockPeriod);
    let found = tick_witness::contradiction(&sleeps, trace.clock.period, restarts);
    if let Some(found) = found {
        trace.clock.quality = found.quality;
        trace.diagnostics.push(found.diagnostic);
    }
}

/// The sleeps that the kernel's timer ends, in the order of their ends.
fn timed_sleeps(trace: &Trace) -> Vec<Sleep> {
    let sleeps = trace.events.kind_counts().of(EventKindId(SLEEP));
    let Some((1.., first)) = sleeps else {
        return Vec::new();
    };
    let events = trace.events.len();
    let parts = (first.index()..events).step_by(PART_EVENTS);
    let parts: Vec<_> = parts
        .map(|first| first..events.min(first + PART_EVENTS))
        .collect();
    let max_sleeps = (MAX_SLEEPS / parts.len().max(1)).max(MIN_SLEEPS_OF_PART);
    let ended = parallel::map(parts, |part| sleeps_of_part(trace, part, max_sleeps));
    by_timer(ended.concat())
}

/// The sleeps in some events, each with the context that made the thread ready.
fn sleeps_of_part(trace: &Trace, part: Range<usize>, max_sleeps: usize) -> Vec<(Sleep, ContextId)> {
    let mut scan = SleepScan::new(trace.cores.len() <= 1, max_sleeps);
    let earlier = |gap: &Gap| gap.next_event.index() <= part.start;
    let gaps = trace.gaps.get(trace.gaps.partition_point(earlier)..);
    let mut gaps = gaps.unwrap_or_default().iter().peekable();
    let is_relevant = |kind| {
        matches!(
            kind,
            RESUME | SUSPEND | SLEEP | SUSPEND_API | TERMINATE | WAIT_ABORT
        )
    };
    trace.events.visit(part, |it| {
        if !is_relevant(it.kind.0) {
            return;
        }
        while gaps.next_if(|gap| gap.next_event <= it.index).is_some() {
            scan.forget();
        }
        let now = Moment {
            event: it.index,
            time: it.time,
            context: it.context,
        };
        match (it.kind.0, it.arguments) {
            (SLEEP, [kernel_ticks, ..]) => {
                if let Some(thread) = trace.contexts.get(it.context) {
                    scan.begin(thread.address.0, kernel_ticks, now);
                }
            }
            (RESUME, [thread, state, ..]) => scan.resume(thread, state == SLEEPING, now),
            (SUSPEND, [.., next]) => scan.suspend(next == 0, now),
            // The sleep of this thread ends early, or it stays suspended.
            (_, [thread, ..]) => scan.give_up(thread),
        }
    });
    scan.ended
}

/// The context that ends most sleeps is the kernel's timer; others abort them.
fn by_timer(ended: Vec<(Sleep, ContextId)>) -> Vec<Sleep> {
    let mut ends: BTreeMap<ContextId, usize> = BTreeMap::new();
    for (_, context) in &ended {
        *ends.entry(*context).or_default() += 1;
    }
    let timer = ends.into_iter().max_by_key(|(_, count)| *count);
    let timer = timer.map_or(Contexts::INTERRUPT, |(context, _)| context);
    let by_timer = ended.into_iter().filter(|(_, context)| *context == timer);
    by_timer.map(|(sleep, _)| sleep).collect()
}

/// An event.
#[derive(Clone, Copy)]
struct Moment {
    event: EventIndex,
    time: Ticks,
    context: ContextId,
}

/// A sleep that has begun.
struct OpenSleep {
    kernel_ticks: u64,
    begin: Moment,
    /// The counts at its beginning.
    idle_times: u64,
    idle_ticks: u64,
}

struct SleepScan {
    is_single_core: bool,
    /// By the address of the thread.
    open: HashMap<u64, OpenSleep>,
    /// The sleeps, each with the context that made the thread ready, in the order of their ends.
    ended: Vec<(Sleep, ContextId)>,
    max_sleeps: usize,
    /// One in this many ended sleeps is kept.
    stride: u64,
    count: u64,
    /// Number of times that the only core became idle, and their ticks.
    idle_times: u64,
    idle_ticks: u64,
    idle_since: Option<Ticks>,
}

impl SleepScan {
    fn new(is_single_core: bool, max_sleeps: usize) -> Self {
        Self {
            is_single_core,
            max_sleeps,
            open: HashMap::default(),
            ended: Vec::new(),
            stride: 1,
            count: 0,
            idle_times: 0,
            idle_ticks: 0,
            idle_since: None,
        }
    }

    /// Events are missing.
    fn forget(&mut self) {
        self.open.clear();
        self.idle_since = None;
    }

    fn begin(&mut self, thread: u64, kernel_ticks: u64, begin: Moment) {
        self.open.remove(&thread);
        if kernel_ticks > 0 {
            let open = OpenSleep {
                kernel_ticks,
                begin,
                idle_times: self.idle_times,
                idle_ticks: self.idle_ticks,
            };
            self.open.insert(thread, open);
        }
    }

    fn give_up(&mut self, thread: u64) {
        self.open.remove(&thread);
    }

    fn suspend(&mut self, is_last: bool, now: Moment) {
        if is_last && self.is_single_core {
            self.idle_times += 1;
            self.idle_since = Some(now.time);
        }
    }

    /// A thread becomes ready: the core is idle no longer.
    fn resume(&mut self, thread: u64, slept: bool, now: Moment) {
        if let Some(since) = self.idle_since.take() {
            self.idle_ticks += now.time.0.saturating_sub(since.0);
        }
        let open = self.open.remove(&thread);
        let Some(open) = open.filter(|_| slept) else {
            return;
        };
        self.count += 1;
        if !self.count.is_multiple_of(self.stride) {
            return;
        }
        let was_idle = self.idle_times > open.idle_times;
        let sleep = Sleep {
            kernel_ticks: open.kernel_ticks,
            duration: now.time.0.saturating_sub(open.begin.time.0),
            first: open.begin.event,
            last: now.event,
            idle: was_idle.then(|| self.idle_ticks - open.idle_ticks),
        };
        self.ended.push((sleep, now.context));
        if self.ended.len() == self.max_sleeps {
            let mut at = 0;
            self.ended.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.stride *= 2;
        }
    }
}
