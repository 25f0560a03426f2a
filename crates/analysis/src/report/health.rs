//! Completeness and reliability of a recording.

use super::View;
use super::rounding::{percent_of, three_decimals};
use crate::active::{ActiveObjects, RtcStep, StepEnding, TimerEnding};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::Running;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Frequency, Severity, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// The time with a known running context.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Coverage {
    /// The first known tick on any core.
    pub start: Option<u64>,
    /// The last known tick.
    pub end: Option<u64>,
    /// Share of the time of all cores that is known; `None` if no time passes, or the
    /// clock does not measure all time.
    pub percent: Option<f64>,
}

/// A gap: missing events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GapRow {
    /// The first event after the gap.
    pub before_event: u32,
    /// Maximum number of missing events; `None` if unknown.
    pub missing: Option<u64>,
}

impl TableRow for GapRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.gaps",
        title: "Gaps",
        note: "",
        empty: "No gaps",
        rank: "missing",
        columns: &[
            column!(Event, before_event, "First event after"),
            column!(Count, missing, "Missing events").hint("Maximum number of missing events"),
        ],
    };
}

/// The clock of the timestamps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClockHealth {
    /// Quality of the clock: `good`, `static`, `event-counter`, `lossy`, `uneven` or
    /// `unknown`.
    pub quality: String,
    /// Direction of the counter: `up` or `down`.
    pub direction: String,
    /// Number of valid bits of a timestamp.
    pub bits: u32,
    /// Ticks after which the counter shows the same value again; `None` for 2^64.
    pub period: Option<u64>,
    /// Number of wraps between two events.
    pub wraps: u64,
    /// Number of small steps against its direction.
    pub backward_steps: u64,
    /// Frequency, if known.
    pub frequency_hz: Option<u64>,
}

/// The objects of the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RegistryHealth {
    /// Objects with a name or description.
    pub objects: u64,
    /// Objects that are recorded as deleted.
    pub deleted: u64,
    /// Threads that logged events and have no description.
    pub unnamed_threads: u64,
    /// Whether the registry was full.
    pub full: bool,
}

/// What gaps, and filters on the target, leave unknown about active objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ActiveObjectHealth {
    /// Posts without a known take.
    pub untaken_posts: u64,
    /// Steps without a known post, including those of completion events, which
    /// are never posted.
    pub unposted_steps: u64,
    /// Steps with missing records.
    pub lost_steps: u64,
    /// Steps whose end is filtered out on the target.
    pub unrecorded_steps: u64,
    /// State intervals with an unknown end.
    pub uncertain_visits: u64,
    /// Timer runs with an unknown end.
    pub lost_timers: u64,
}

impl TableRow for ActiveObjectHealth {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.active",
        title: "Unknown events of active objects",
        note: "",
        empty: "",
        rank: "",
        columns: &[
            column!(Count, untaken_posts, "Posts without a take"),
            column!(Count, unposted_steps, "Steps without a post"),
            column!(Count, lost_steps, "Steps with a lost end"),
            column!(Count, unrecorded_steps, "Steps with a filtered end"),
            column!(Count, uncertain_visits, "Visits with an unknown end"),
            column!(Count, lost_timers, "Timers with a lost end"),
        ],
    };
}

/// Number of diagnostics by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    /// Part of the input could not be used.
    pub error: u64,
    /// Something is missing, or was guessed.
    pub warning: u64,
    /// Worth knowing; all figures are right.
    pub info: u64,
}

/// A diagnostic: something wrong or missing in the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiagnosticRow {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// Its kind, e.g. `unregistered-thread`.
    pub kind: &'static str,
    /// A sentence that describes it.
    pub message: String,
    /// The first affected event.
    pub event: Option<u32>,
    /// Offset in the input, in bytes.
    pub offset: Option<u64>,
    /// Number of affected events, entries or bytes.
    pub count: u64,
}

impl TableRow for DiagnosticRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.diagnostics",
        title: "Diagnostics",
        note: "",
        empty: "No diagnostics",
        rank: "",
        columns: &[
            column!(Text, severity, "Severity"),
            column!(Text, kind, "Kind"),
            column!(Text, message, "Message"),
            column!(Event, event, "Event"),
            column!(Count, offset, "Offset").unit("bytes"),
            column!(Count, count, "Count").hint("Number of affected events, entries or bytes"),
        ],
    };
}

/// Completeness and reliability of the whole recording, whatever the scope.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Health {
    /// Events.
    pub events: u64,
    /// Ticks from the first event to the last.
    pub span: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_ns: Option<u64>,
    /// Events per second, if the clock's frequency is known and time passes.
    pub events_per_second: Option<f64>,
    /// The time with a known running context.
    pub coverage: Coverage,
    /// Whether older events were overwritten, so that the recording does not
    /// begin with the first traced event; `None` if unknown.
    pub overwritten: Option<bool>,
    /// The gaps.
    pub gaps: Vec<GapRow>,
    /// The events with which the target restarted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<u32>,
    /// Number of missing events in the gaps that record it.
    pub lost_events: u64,
    /// The clock of the timestamps.
    pub clock: ClockHealth,
    /// The objects of the recording.
    pub registry: RegistryHealth,
    /// Interrupt service routines with a recorded entry and no recorded exit.
    pub unfinished_isrs: u64,
    /// Interrupt service routines without a recorded entry.
    pub inferred_isrs: u64,
    /// What is unknown about active objects; absent for a trace without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<ActiveObjectHealth>,
    /// Number of diagnostics.
    pub severities: SeverityCounts,
    /// The diagnostics, in the order in which they were found.
    pub diagnostics: Vec<DiagnosticRow>,
}

impl TableRow for Health {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health",
        title: ReportKind::Health.title(),
        note: "These figures cover the whole recording, whatever the scope",
        empty: "",
        rank: "",
        columns: &[
            column!(Count, events, "Events"),
            column!(Decimal, events_per_second, "Events per second"),
            column!(Percent, coverage.percent, "Time with known context"),
            column!(Duration, coverage.start, "Known from"),
            column!(Duration, coverage.end, "Known to"),
            column!(Flag, overwritten, "Older events overwritten"),
            column!(Count, gaps, "Gaps", |row| Some(Cell::Count(
                row.gaps.len() as u64
            )))
            .only(&[Text, Viewer]),
            column!(Count, lost_events, "Missing events"),
            column!(Text, clock.quality, "Clock quality"),
            column!(Text, clock.direction, "Clock direction"),
            column!(Count, clock.bits, "Clock bits"),
            column!(Count, clock.wraps, "Clock wraps"),
            column!(Count, clock.backward_steps, "Backward steps"),
            column!(Count, registry.objects, "Registered objects"),
            column!(Count, registry.deleted, "Deleted objects"),
            column!(Count, registry.unnamed_threads, "Unregistered threads"),
            column!(Flag, registry.full, "Registry full"),
            column!(Count, unfinished_isrs, "ISRs without an exit"),
            column!(Count, inferred_isrs, "Inferred ISRs"),
            column!(Count, restarts, "Restarts", |row| Some(Cell::Count(
                row.restarts.len() as u64
            )))
            .only(&[Text, Viewer]),
            column!(Count, severities.error, "Errors"),
            column!(Count, severities.warning, "Warnings"),
            column!(Count, severities.info, "Information"),
        ],
    };
}

/// Builds the report.
pub fn health(view: &View<'_>) -> Health {
    let trace = view.trace;
    let span = trace.events.span();
    let events = trace.events.len() as u64;
    let losses = || trace.gaps.iter().filter(|gap| !gap.is_restart);
    let restarts = trace.gaps.iter().filter(|gap| gap.is_restart);
    let gaps = losses().map(|gap| GapRow {
        before_event: gap.next_event.0,
        missing: gap.missing,
    });
    let missing = losses().filter_map(|gap| gap.missing);
    let has = |kind| trace.diagnostics.iter().any(|found| found.kind == kind);
    let all = || view.diagnostics.iter();
    let activations = &view.schedule.activations;
    let unfinished = activations.iter().filter(|one| one.entered && !one.exited);
    let inferred = activations.iter().filter(|one| !one.entered);
    let rate = trace.timescale().per_second(events, span);
    Health {
        events,
        span: span.0,
        span_ns: view.nanoseconds(span),
        events_per_second: rate.map(three_decimals),
        coverage: coverage(view),
        overwritten: match has(DiagnosticKind::Overwritten) {
            true => Some(true),
            false => (!has(DiagnosticKind::PerhapsOverwritten)).then_some(false),
        },
        gaps: gaps.collect(),
        restarts: restarts.map(|gap| gap.next_event.0).collect(),
        lost_events: missing.fold(0, u64::saturating_add),
        clock: ClockHealth {
            quality: trace.clock.quality.to_string(),
            direction: trace.clock.direction.to_string(),
            bits: trace.clock.bits(),
            period: trace.clock.period,
            wraps: trace.clock.wraps,
            backward_steps: trace.clock.backward_steps,
            frequency_hz: trace.clock.frequency().map(Frequency::hertz),
        },
        registry: registry(trace, has(DiagnosticKind::RegistryFull)),
        unfinished_isrs: unfinished.count() as u64,
        inferred_isrs: inferred.count() as u64,
        active: (!view.active.is_empty()).then(|| active_objects(view.active)),
        severities: severities(all()),
        diagnostics: all().map(diagnostic_row).collect(),
    }
}

fn coverage(view: &View<'_>) -> Coverage {
    let (mut known, mut whole) = (0_u128, 0_u128);
    let (mut first, mut last) = (None::<u64>, None::<u64>);
    for core in &view.schedule.cores {
        for (slice, end) in core.iter() {
            let ticks = u128::from(end.0.saturating_sub(slice.start.0));
            whole += ticks;
            if slice.running != Running::UNKNOWN {
                known += ticks;
                first = Some(first.unwrap_or(u64::MAX).min(slice.start.0));
                last = Some(last.unwrap_or_default().max(end.0));
            }
        }
    }
    let is_whole = !matches!(
        view.trace.clock.quality,
        ClockQuality::Lossy | ClockQuality::Uneven
    );
    Coverage {
        start: first,
        end: last,
        percent: percent_of(known as f64, whole as f64).filter(|_| is_whole),
    }
}

fn registry(trace: &Trace, full: bool) -> RegistryHealth {
    let deleted = trace.objects.iter().filter(|object| object.deleted);
    let threads = trace.contexts.threads();
    let unnamed = threads.filter(|thread| thread.object.is_none());
    RegistryHealth {
        objects: trace.objects.len() as u64,
        deleted: deleted.count() as u64,
        unnamed_threads: unnamed.count() as u64,
        full,
    }
}

fn active_objects(active: &ActiveObjects) -> ActiveObjectHealth {
    let posts = active.posts.iter().filter(|post| post.step.is_none());
    let steps = |fits: fn(&RtcStep) -> bool| active.steps.iter().filter(|step| fits(step)).count();
    let intervals = active
        .state_intervals
        .iter()
        .flatten()
        .filter(|interval| !interval.complete);
    let timers = active.timer_runs.iter();
    let timers = timers.filter(|run| run.ending == TimerEnding::Lost);
    ActiveObjectHealth {
        untaken_posts: posts.count() as u64,
        unposted_steps: steps(|step| step.post.is_none() && !step.initial) as u64,
        lost_steps: steps(|step| step.ending == StepEnding::Lost) as u64,
        unrecorded_steps: steps(|step| step.ending == StepEnding::Unrecorded) as u64,
        uncertain_visits: intervals.count() as u64,
        lost_timers: timers.count() as u64,
    }
}

fn severities<'a>(all: impl Iterator<Item = &'a Diagnostic>) -> SeverityCounts {
    let mut severities = SeverityCounts::default();
    for found in all {
        match found.severity() {
            Severity::Error => severities.error += 1,
            Severity::Warning => severities.warning += 1,
            Severity::Info => severities.info += 1,
        }
    }
    severities
}

fn diagnostic_row(found: &Diagnostic) -> DiagnosticRow {
    DiagnosticRow {
        severity: found.severity().to_string(),
        kind: found.kind.name(),
        message: found.message.clone(),
        event: found.event.map(|event| event.0),
        offset: found.offset,
        count: found.count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, with_view};
    use rtoscope_trace::{EventIndex, Frequency};

    fn of(name: &str, change: impl Fn(&mut Trace)) -> Health {
        let mut trace = open(&format!("{name}.trx"));
        change(&mut trace);
        with_view(&trace, &Scope::default(), health)
    }

    #[test]
    fn a_complete_recording_has_no_problems() {
        let found = of("linux32_isr", |_| ());
        assert_eq!((found.events, found.span), (568, 603_570_870));
        assert_eq!(found.coverage.percent, Some(100.0));
        assert_eq!(found.coverage.start, Some(0));
        assert_eq!(found.coverage.end, Some(found.span));
        assert_eq!((found.gaps.len(), found.lost_events), (0, 0));
        assert_eq!(found.severities, SeverityCounts::default());
        // The application's ISR 99 has no exit.
        assert_eq!((found.unfinished_isrs, found.inferred_isrs), (1, 0));
        assert_eq!((found.span_ns, found.events_per_second), (None, None));
        let clock = &found.clock;
        assert_eq!((&*clock.quality, &*clock.direction), ("good", "up"));
        assert_eq!((clock.bits, clock.period), (32, Some(1 << 32)));
    }

    #[test]
    fn missing_events_are_counted() {
        let found = of("linux32_isr", |trace| {
            for (before, missing) in [(100, Some(7)), (200, None)] {
                trace.gaps.push(rtoscope_trace::Gap {
                    next_event: EventIndex(before),
                    missing,
                    core: None,
                    is_restart: false,
                });
            }
            trace
                .clock
                .set_frequency(Frequency::from_hertz(1_000_000_000));
        });
        let events: Vec<_> = found.gaps.iter().map(|gap| gap.before_event).collect();
        assert_eq!((events, found.lost_events), (vec![100, 200], 7));
        assert_eq!(found.span_ns, Some(found.span));
        // 568 events in 0.603570870 s.
        assert_eq!(found.events_per_second, Some(941.066));
        let whole = of("linux32_isr", |_| ());
        assert!(found.inferred_isrs > whole.inferred_isrs);
    }

    #[test]
    fn the_registry_and_its_diagnostics_are_shown() {
        let found = of("linux32_regover", |_| ());
        assert!(found.registry.full);
        assert_eq!(found.registry.objects, 10);
        assert_eq!(found.severities.warning, 1);
        let problem = &found.diagnostics[0];
        assert_eq!(
            (&*problem.severity, problem.kind),
            ("warning", "registry-full")
        );
        assert_eq!(problem.count, 15);

        let found = of("linux32_filex", |_| ());
        assert_eq!((found.registry.objects, found.registry.deleted), (11, 4));
        assert_eq!(found.overwritten, Some(false));
        let found = of("linux32_wrap", |_| ());
        assert_eq!(found.overwritten, Some(true));
    }
}
