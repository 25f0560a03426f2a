//! CPU load over time.

use super::profile::ProfileKind;
use super::rounding::percent_of;
use super::{Hex, View};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::RunningContext;
use rtoscope_trace::{ContextId, Contexts, EventHeader, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// Default number of windows.
pub const DEFAULT_WINDOWS: usize = 60;

/// Maximum number of windows.
pub const MAX_WINDOWS: usize = 4096;

/// Maximum number of threads with their own row; if there are more, those with
/// the most CPU time.
pub const MAX_THREAD_ROWS: usize = 1000;

/// The load of the cores of the scope over time, in windows of equal length.
///
/// Window `i` of `n` lasts from `start + span * i / n` to the start of the
/// next, exclusive. No window is empty: there are never more windows than
/// ticks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Load {
    /// Ticks of the longest windows; others may have one less.
    pub window: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_ns: Option<u64>,
    /// The start of each window, in ticks.
    pub start: Vec<u64>,
    /// The end of the last one, in ticks.
    pub end: u64,
    /// Share of each window's time on all cores that is neither idle nor
    /// unknown, in percent; if the scope has only some threads, their share.
    /// `None` if nothing is known about the window.
    pub busy: Vec<Option<f64>>,
    /// The busiest window, the first of several.
    pub peak: Option<LoadPeak>,
    /// Events of the scope in each window; events at the end of the last one
    /// belong to it.
    pub events: Vec<u64>,
    /// CPU time by context: threads in the order of the trace, then all
    /// interrupts together, idle, initialisation and unknown, if they ran.
    pub contexts: Vec<LoadRow>,
}

/// The busiest window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct LoadPeak {
    /// Its index.
    pub window: usize,
    /// Its start, in ticks.
    pub start: u64,
    /// Its load, in percent.
    pub percent: f64,
}

/// CPU time of a context in each window.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LoadRow {
    /// The name: a thread's, `(other threads)`, `(interrupt)`, `(idle)`, `(initialize)` or
    /// `(unknown)`.
    pub context: String,
    /// The kind of context.
    pub kind: ProfileKind,
    /// A thread's address.
    pub address: Option<Hex>,
    /// The time in ticks.
    pub cpu_time: Vec<u64>,
    /// Share of each window's time on all cores, in percent.
    pub percent: Vec<f64>,
}

impl TableRow for LoadRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "load.contexts",
        title: "Load by context",
        note: "",
        empty: "No context ran",
        rank: "cpu_time",
        columns: &[
            column!(Text, context, "Context"),
            column!(Duration, cpu_time, "CPU time", |row| Some(Cell::Duration(
                row.cpu_time.iter().sum()
            )))
            .total(),
            column!(Percent, percent, "Max", |row| row
                .percent
                .iter()
                .copied()
                .reduce(f64::max)
                .map(Cell::Percent))
            .hint("Maximum share in a window"),
        ],
    };
}

/// The load in `windows` windows; fewer if there are fewer ticks or more than
/// [`MAX_WINDOWS`], none if no time passes.
pub fn load(view: &View<'_>, windows: usize) -> Load {
    let spans = split_windows(&view.window(), windows);
    let cores = view.cores() as f64;
    let percent = |(part, span): (&u64, &Range<u64>)| {
        let whole = (span.end - span.start) as f64 * cores;
        percent_of(*part as f64, whole).unwrap_or_default()
    };
    let mut contexts = Vec::new();
    let mut active = vec![0; spans.len()];
    let mut known = vec![0; spans.len()];
    for (id, kind, ticks) in ticks_by_context(view, &spans) {
        let shown = match kind {
            ProfileKind::Thread => view.includes_thread(id),
            _ => view.scope.threads.is_none(),
        };
        if kind != ProfileKind::Unknown {
            add(&mut known, &ticks);
        }
        if shown && !matches!(kind, ProfileKind::Idle | ProfileKind::Unknown) {
            add(&mut active, &ticks);
        }
        if shown {
            let context = (kind == ProfileKind::Thread).then(|| view.trace.contexts.get(id));
            contexts.push(LoadRow {
                context: match kind {
                    ProfileKind::Unknown => "(unknown)".to_owned(),
                    ProfileKind::Thread if context == Some(None) => "(other threads)".to_owned(),
                    _ => view.trace.context_name(id),
                },
                kind,
                address: context.flatten().map(|context| Hex(context.address)),
                percent: ticks.iter().zip(&spans).map(percent).collect(),
                cpu_time: ticks,
            });
        }
    }
    let busy = active.iter().zip(&spans).map(percent).zip(&known);
    let busy: Vec<_> = busy
        .map(|(percent, known)| (*known > 0).then_some(percent))
        .collect();
    let lengths = spans.iter().map(|span| span.end - span.start);
    let window = lengths.max().unwrap_or_default();
    Load {
        window,
        window_ns: view.nanoseconds(Ticks(window)),
        start: spans.iter().map(|span| span.start).collect(),
        end: view.window().end,
        peak: peak(&busy, &spans),
        busy,
        events: events(view, &spans),
        contexts,
    }
}

/// Divides a span of time into windows.
fn split_windows(whole: &Range<u64>, windows: usize) -> Vec<Range<u64>> {
    let span = whole.end - whole.start;
    let count = (windows.min(MAX_WINDOWS) as u64).min(span);
    let bound = |window: u64| {
        let ticks = u128::from(span) * u128::from(window) / u128::from(count);
        whole.start + u64::try_from(ticks).unwrap_or(span)
    };
    (0..count)
        .map(|window| bound(window)..bound(window + 1))
        .collect()
}

/// CPU time of each context in each window: threads, then interrupts, idle,
/// initialisation and unknown, if they ran.
fn ticks_by_context(
    view: &View<'_>,
    spans: &[Range<u64>],
) -> Vec<(ContextId, ProfileKind, Vec<u64>)> {
    let count = view.schedule.threads.len();
    let minimum = min_shown_ticks(view);
    // Two more, for unknown and for threads without a row.
    let mut ticks = vec![Vec::new(); count + 2];
    let mut core = None;
    let mut rest = spans.iter().zip(0_usize..).peekable();
    for (number, slice, part) in view.slices() {
        if core != Some(number) {
            core = Some(number);
            rest = spans.iter().zip(0..).peekable();
        }
        let row = match slice.running.running_context() {
            RunningContext::Thread(id) if minimum > 0 && view.cpu_times.thread(id) < minimum => {
                count + 1
            }
            RunningContext::Thread(id) => id.index().min(count),
            RunningContext::Isr(_) | RunningContext::Kernel => Contexts::INTERRUPT.index(),
            RunningContext::Idle => Contexts::IDLE.index(),
            RunningContext::Initialize => Contexts::INITIALIZE.index(),
            RunningContext::Unknown => count,
        };
        let Some(row) = ticks.get_mut(row) else {
            continue;
        };
        row.resize(spans.len(), 0_u64);
        while let Some((span, window)) = rest.peek() {
            if let Some(ticks) = row.get_mut(*window) {
                let start = part.start.max(span.start);
                *ticks += part.end.min(span.end).saturating_sub(start);
            }
            if span.end > part.end {
                // The next slice begins in this window too.
                break;
            }
            rest.next();
        }
    }
    let others = [
        (Contexts::INTERRUPT.index(), ProfileKind::Isr),
        (Contexts::IDLE.index(), ProfileKind::Idle),
        (Contexts::INITIALIZE.index(), ProfileKind::Initialize),
        (count + 1, ProfileKind::Thread),
        (count, ProfileKind::Unknown),
    ];
    let threads = (Contexts::IDLE.index() + 1..count).map(|row| (row, ProfileKind::Thread));
    let rows = threads.chain(others).filter_map(|(row, kind)| {
        let ticks = std::mem::take(ticks.get_mut(row)?);
        let id = u32::try_from(row).map_or(ContextId::UNKNOWN, ContextId);
        (!ticks.is_empty()).then_some((id, kind, ticks))
    });
    rows.collect()
}

/// Minimum CPU time of a thread with its own row, so that a damaged trace with
/// one thread per event does not exhaust the memory.
fn min_shown_ticks(view: &View<'_>) -> u64 {
    let threads = view.cpu_times.iter().flat_map(|core| core.threads.keys());
    let threads: BTreeSet<_> = threads.copied().collect();
    let mut cpu_times: Vec<_> = threads
        .iter()
        .map(|id| view.cpu_times.thread(*id))
        .collect();
    match cpu_times
        .len()
        .checked_sub(MAX_THREAD_ROWS)
        .filter(|more| *more > 0)
    {
        Some(more) => *cpu_times.select_nth_unstable(more).1 + 1,
        None => 0,
    }
}

fn add(sums: &mut [u64], ticks: &[u64]) {
    for (sum, ticks) in sums.iter_mut().zip(ticks) {
        *sum = sum.saturating_add(*ticks);
    }
}

fn peak(busy: &[Option<f64>], spans: &[Range<u64>]) -> Option<LoadPeak> {
    let mut peak: Option<LoadPeak> = None;
    for (window, (percent, span)) in busy.iter().zip(spans).enumerate() {
        if let Some(percent) = *percent
            && peak.is_none_or(|peak| peak.percent < percent)
        {
            peak = Some(LoadPeak {
                window,
                start: span.start,
                percent,
            });
        }
    }
    peak
}

/// Number of events of the scope in each window.
fn events(view: &View<'_>, spans: &[Range<u64>]) -> Vec<u64> {
    let trace_events = &view.trace.events;
    let all = view.scope.core.is_none() && view.scope.threads.is_none();
    let is_shown = |header: &EventHeader| {
        let context = header.context;
        view.includes_core(header.core)
            && (context <= Contexts::IDLE || view.includes_thread(context))
    };
    let before = |time: u64| trace_events.index_at_or_after(Ticks(time)).index();
    let last = spans.len().saturating_sub(1);
    let count = |(window, span): (usize, &Range<u64>)| {
        let end = if window == last {
            trace_events.index_after(Ticks(span.end)).index()
        } else {
            before(span.end)
        };
        let events = before(span.start)..end;
        if all {
            return events.len() as u64;
        }
        let mut count = 0;
        trace_events.visit_headers(events, |header| count += u64::from(is_shown(&header)));
        count
    };
    spans.iter().enumerate().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{FIRST_THREAD, Fixture, window};
    use crate::report::Scope;
    use crate::schedule::{IsrActivationId, Running};
    use std::collections::BTreeSet;

    #[test]
    fn long_slices_are_divided_among_windows() {
        let (thread, idle) = (
            Running::context(FIRST_THREAD),
            Running::context(Contexts::IDLE),
        );
        let isr = Running::isr(IsrActivationId(0));
        let slices = [(0, Running::UNKNOWN), (2, thread), (8, isr), (9, idle)];
        let fixture = Fixture::empty(10, 1).with_core(0, &slices);
        let scope = Scope::default();
        let load = load(&fixture.view(&scope), 5);
        let rows: Vec<_> = load
            .contexts
            .iter()
            .map(|row| (row.kind, &row.cpu_time[..]))
            .collect();
        let expected: [(ProfileKind, &[u64]); 4] = [
            (ProfileKind::Thread, &[0, 2, 2, 2, 0]),
            (ProfileKind::Isr, &[0, 0, 0, 0, 1]),
            (ProfileKind::Idle, &[0, 0, 0, 0, 1]),
            (ProfileKind::Unknown, &[2, 0, 0, 0, 0]),
        ];
        assert_eq!(rows, expected);
        let full = Some(100.0);
        assert_eq!(load.busy, [None, full, full, full, Some(50.0)]);
        assert_eq!(load.peak.unwrap().window, 1);
        assert_eq!((load.window, load.end), (2, 10));
        assert_eq!(load.start, [0, 2, 4, 6, 8]);
        assert_eq!(load.events, [2, 2, 2, 2, 3]);
    }

    #[test]
    fn there_are_never_more_windows_than_ticks() {
        let slices = [(0, Running::context(FIRST_THREAD))];
        let fixture = Fixture::empty(7, 1).with_core(0, &slices);
        let scope = window(2, 5);
        let found = load(&fixture.view(&scope), 60);
        assert_eq!(found.start, [2, 3, 4]);
        assert_eq!(found.events, [1, 1, 2]);
        assert_eq!(found.contexts[0].percent, [100.0; 3]);
        for (scope, windows) in [(window(5, 5), 60), (window(2, 5), 0)] {
            let none = load(&fixture.view(&scope), windows);
            assert_eq!((none.busy.len(), none.peak), (0, None));
            assert_eq!(none.contexts.len(), 0);
        }
    }

    #[test]
    fn the_scope_limits_the_threads() {
        let [one, other] = [FIRST_THREAD, ContextId(FIRST_THREAD.0 + 1)];
        let slices = [(0, Running::context(one)), (6, Running::context(other))];
        let fixture = Fixture::empty(8, 2).with_core(0, &slices);
        let scope = Scope {
            threads: Some(BTreeSet::from([other])),
            ..Scope::default()
        };
        let load = load(&fixture.view(&scope), 2);
        assert_eq!(load.contexts.len(), 1);
        assert_eq!(load.contexts[0].cpu_time, [0, 2]);
        assert_eq!(load.busy, [Some(0.0), Some(50.0)]);
    }
}
