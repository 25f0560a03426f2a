//! Declared deadlines: which activations missed them, and why.

mod causes;

use super::View;
use super::periods::{Activation, ActivationSource, activation_streams};
use crate::deadlines::Deadline;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::{DelayCauses, ThreadState};
use causes::{CauseFinder, FoundCauses, UsualPeriod};
pub(super) use causes::{delay_culprit, describe_cause};
use rtoscope_trace::{EventIndex, EventKindId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::OnceCell;
use std::ops::RangeInclusive;

/// A declared deadline.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DeadlineRow {
    /// Its name.
    pub name: String,
    /// The name of the thread, routine, active object, state or event.
    pub source: String,
    /// Its kind, as in `periods`.
    pub kind: &'static str,
    /// The declared period, in ticks.
    pub period: Option<u64>,
    /// The declared deviation from the period, in ticks.
    pub jitter: Option<u64>,
    /// The declared response time, in ticks.
    pub deadline: Option<u64>,
    /// `met`, `missed`, or `unknown` if no miss is known, but not all activations could
    /// be judged or there are none.
    pub verdict: DeadlineVerdict,
    /// Number of judged limits: up to two for each activation.
    pub judged: u64,
    /// Number of limits that could not be judged, as a start or an end is not recorded.
    pub unjudged: u64,
    /// The misses, in order of time.
    pub misses: Vec<DeadlineMiss>,
}

impl TableRow for DeadlineRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "deadlines",
        title: ReportKind::Deadlines.title(),
        note: "",
        empty: "No deadlines were declared",
        rank: "misses",
        columns: &[
            column!(Text, name, "Name"),
            column!(Text, source, "Source"),
            column!(Text, kind, "Kind"),
            column!(Duration, period, "Period"),
            column!(Duration, jitter, "Jitter")
                .hint("Deviation from the period, in both directions"),
            column!(Duration, deadline, "Deadline"),
            column!(Text, verdict, "Verdict", |row| Cell::name(
                row.verdict.name()
            )),
            column!(Count, judged, "Judged"),
            column!(Count, unjudged, "Not judged").hint("Start or end not recorded"),
            column!(Count, misses, "Misses", |row| Some(Cell::Count(
                row.misses.len() as u64
            )))
            .only(&[Text, Html]),
        ],
    };
}

/// Whether a deadline was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeadlineVerdict {
    /// All activations met it.
    Met,
    /// At least one missed it.
    Missed,
    /// No miss is known, but not all activations could be judged.
    Unknown,
}

impl DeadlineVerdict {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "missed",
            Self::Unknown => "unknown",
        }
    }
}

/// An activation outside a limit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DeadlineMiss {
    /// The limit: `period` or `deadline`.
    pub limit: &'static str,
    /// The start of the activation.
    pub start: u64,
    /// Its event.
    pub event: u32,
    /// The observed period or response time, in ticks. Of an activation that lasts until
    /// the end of the trace, a minimum.
    pub observed: u64,
    /// The limit, in ticks: of a period with jitter, the one that was exceeded.
    pub allowed: u64,
    /// The first cause, as a sentence with its duration: that of the largest delay.
    pub cause: String,
    /// The context that caused it, if known.
    pub culprit: Option<String>,
    /// All causes, the largest delay first.
    pub causes: Vec<MissCause>,
}

impl TableRow for DeadlineMiss {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "deadlines.*.misses",
        title: "Misses",
        note: "",
        empty: "No activation missed it",
        rank: "observed",
        columns: &[
            column!(Text, limit, "Limit"),
            column!(Event, event, "Event"),
            column!(Duration, start, "Start"),
            column!(Duration, observed, "Observed"),
            column!(Duration, allowed, "Limit value"),
            column!(Text, cause, "First cause"),
            column!(Text, culprit, "Culprit"),
        ],
    };
}

/// A cause of a miss.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MissCause {
    /// As a phrase, such as `preempted by logger`.
    pub cause: String,
    /// Its time, in ticks.
    pub duration: u64,
    /// The event that began it, or the last before it.
    pub event: u32,
}

/// The declared deadlines, in the order of their declaration.
pub fn deadlines(view: &View<'_>) -> Vec<DeadlineRow> {
    if view.deadlines.is_empty() {
        return Vec::new();
    }
    let causes = DelayCauses::new(view.trace, view.schedule);
    with_activations(view, |deadline, activations| {
        row(view, &causes, deadline, activations)
    })
}

/// The verdict on each activation of each declared deadline.
pub(crate) fn verdicts(view: &View<'_>) -> Vec<Vec<(EventIndex, DeadlineVerdict)>> {
    with_activations(view, |deadline, activations| {
        activation_verdicts(view, deadline, activations)
    })
}

/// What follows from the activations of each declared deadline.
fn with_activations<T>(
    view: &View<'_>,
    mut result: impl FnMut(&Deadline, &[Activation]) -> T,
) -> Vec<T> {
    let kinds = view.deadlines.iter();
    let kinds: Vec<EventKindId> = kinds.filter_map(|it| it.source.event_kind()).collect();
    let streams = activation_streams(view, &kinds);
    let results = view.deadlines.iter().map(|deadline| {
        let mut streams = streams.iter();
        let stream = streams.find(|stream| stream.source == deadline.source);
        let activations = stream.map_or(Vec::new(), |it| it.activations.iter().collect());
        result(deadline, &activations)
    });
    results.collect()
}

fn row(
    view: &View<'_>,
    causes: &DelayCauses<'_>,
    deadline: &Deadline,
    activations: &[Activation],
) -> DeadlineRow {
    let mut check = DeadlineCheck {
        view,
        finder: CauseFinder::new(view, causes, deadline.source),
        activations,
        usual: OnceCell::new(),
        judged: 0,
        unjudged: 0,
        misses: Vec::new(),
    };
    for (activation, number) in activations.iter().zip(1..) {
        if let Some(limit) = deadline.period
            && number > 1
        {
            check.period(activation, limit, deadline.jitter);
        }
        if let Some(limit) = deadline.deadline {
            check.response(activation, limit, number == activations.len());
        }
    }
    let verdict = if !check.misses.is_empty() {
        DeadlineVerdict::Missed
    } else if check.unjudged > 0 || check.judged == 0 {
        DeadlineVerdict::Unknown
    } else {
        DeadlineVerdict::Met
    };
    DeadlineRow {
        name: deadline.name.clone(),
        source: deadline.source.name(view),
        kind: deadline.source.kind(),
        period: deadline.period.map(|it| it.0),
        jitter: deadline.jitter.map(|it| it.0),
        deadline: deadline.deadline.map(|it| it.0),
        verdict,
        judged: check.judged,
        unjudged: check.unjudged,
        misses: check.misses,
    }
}

/// Checks the activations of one deadline.
struct DeadlineCheck<'v, 'c> {
    view: &'v View<'v>,
    finder: CauseFinder<'v, 'c>,
    activations: &'v [Activation],
    /// What fills the periods within their limit, if needed so far.
    usual: OnceCell<UsualPeriod>,
    judged: u64,
    unjudged: u64,
    misses: Vec<DeadlineMiss>,
}

impl DeadlineCheck<'_, '_> {
    fn period(&mut self, activation: &Activation, nominal: Ticks, jitter: Option<Ticks>) {
        let [min, max] = period_limits(nominal, jitter);
        let (observed, limit) = match compare_period(activation, nominal, jitter) {
            Comparison::Unknown => {
                self.unjudged += 1;
                return;
            }
            Comparison::Within => {
                self.judged += 1;
                return;
            }
            Comparison::Beyond { observed, limit } => (Ticks(observed), limit),
        };
        self.judged += 1;
        let found = if observed.0 > max {
            let due = activation.start.0.saturating_sub(observed.0 - nominal.0);
            match self.finder.source {
                ActivationSource::Thread(_) if !self.view.trace.switch_model.records_states() => {
                    let periods = observed.0.saturating_add(nominal.0 / 2) / nominal.0.max(1);
                    let usual = self.usual_period(min..=max);
                    self.finder
                        .late_dispatch(activation, due, periods.max(1), usual)
                }
                _ => self.finder.late_start(activation, due),
            }
        } else {
            let early = self.view.duration(Ticks(nominal.0 - observed.0));
            FoundCauses {
                cause: format!("started {early} early"),
                culprit: None,
                all: Vec::new(),
            }
        };
        self.miss("period", activation, observed.0, limit, found);
    }

    /// What fills the periods within these limits.
    fn usual_period(&self, limits: RangeInclusive<u64>) -> &UsualPeriod {
        self.usual.get_or_init(|| {
            let is_usual = |it: &&Activation| it.period.is_some_and(|it| limits.contains(&it.0));
            let usual = self.activations.iter().filter(is_usual);
            self.finder.usual_period(usual)
        })
    }

    fn response(&mut self, activation: &Activation, limit: Ticks, is_last: bool) {
        let (view, source) = (self.view, self.finder.source);
        let Some(comparison) = compare_response(view, source, activation, limit, is_last) else {
            // Not due before the end.
            return;
        };
        match comparison {
            Comparison::Unknown => self.unjudged += 1,
            Comparison::Within => self.judged += 1,
            Comparison::Beyond { observed, limit } => {
                self.judged += 1;
                let (end_event, end) = match activation.response {
                    Some(response) => {
                        let end = view.trace.events.time(response.event);
                        (response.event, end.unwrap_or(activation.start).0)
                    }
                    None => (activation.event, view.window().end),
                };
                let window = end.saturating_sub(observed)..end;
                let finder = &self.finder;
                let found = finder.slow_response(activation, end_event, window, Ticks(limit));
                self.miss("deadline", activation, observed, limit, found);
            }
        }
    }

    fn miss(
        &mut self,
        limit: &'static str,
        activation: &Activation,
        observed: u64,
        allowed: u64,
        found: FoundCauses,
    ) {
        self.misses.push(DeadlineMiss {
            limit,
            start: activation.start.0,
            event: activation.event.0,
            observed,
            allowed,
            cause: found.cause,
            culprit: found.culprit,
            causes: found.all,
        });
    }
}

/// How an activation compares with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Within,
    /// In ticks; of a period with jitter, the limit that was exceeded.
    Beyond {
        observed: u64,
        limit: u64,
    },
    /// A start or an end is not recorded.
    Unknown,
}

/// The shortest and the longest period that a deadline allows.
fn period_limits(nominal: Ticks, jitter: Option<Ticks>) -> [u64; 2] {
    let max = nominal.0.saturating_add(jitter.unwrap_or_default().0);
    [
        jitter.map_or(0, |jitter| nominal.0.saturating_sub(jitter.0)),
        max,
    ]
}

fn compare_period(activation: &Activation, nominal: Ticks, jitter: Option<Ticks>) -> Comparison {
    let [min, max] = period_limits(nominal, jitter);
    let Some(Ticks(observed)) = activation.period else {
        return Comparison::Unknown;
    };
    match observed {
        it if it > max => Comparison::Beyond {
            observed,
            limit: max,
        },
        it if it < min => Comparison::Beyond {
            observed,
            limit: min,
        },
        _ => Comparison::Within,
    }
}

/// `None` if the activation lasts until the end of the window, and is not due before that.
fn compare_response(
    view: &View<'_>,
    source: ActivationSource,
    activation: &Activation,
    Ticks(limit): Ticks,
    is_last: bool,
) -> Option<Comparison> {
    let observed = match activation.response {
        Some(response) => response.duration.0,
        None if is_last && is_open(view, source, activation) => {
            let elapsed = view.window().end.saturating_sub(activation.start.0);
            if elapsed <= limit {
                return None;
            }
            elapsed
        }
        None => return Some(Comparison::Unknown),
    };
    Some(match observed > limit {
        true => Comparison::Beyond { observed, limit },
        false => Comparison::Within,
    })
}

/// Whether an activation is known to last until the end of the window.
fn is_open(view: &View<'_>, source: ActivationSource, activation: &Activation) -> bool {
    let window = view.window();
    let last = EventIndex(view.trace.events.len().saturating_sub(1) as u32);
    let is_complete = !view.has_gap_between(None, activation.event, last);
    let is_running = match source {
        ActivationSource::Thread(thread) => {
            let states = view.thread_states(thread);
            let at_end = states.partition_point(|it| it.start.0 <= window.end);
            let after = states.partition_point(|it| it.start < activation.start);
            let runs = |state| matches!(state, ThreadState::Ready | ThreadState::Running);
            after < at_end && states.range(after..at_end).all(|it| runs(it.state))
        }
        ActivationSource::Isr(_) => true,
        _ => false,
    };
    is_complete && is_running
}

/// The verdict on each activation of a deadline that has a limit and is due, in order of time.
fn activation_verdicts(
    view: &View<'_>,
    deadline: &Deadline,
    activations: &[Activation],
) -> Vec<(EventIndex, DeadlineVerdict)> {
    let verdict = |(activation, number): (&Activation, usize)| {
        let period = deadline.period.filter(|_| number > 1);
        let period = period.map(|nominal| compare_period(activation, nominal, deadline.jitter));
        let is_last = number == activations.len();
        let response = deadline
            .deadline
            .and_then(|limit| compare_response(view, deadline.source, activation, limit, is_last));
        let mut verdict = None;
        for comparison in period.into_iter().chain(response) {
            verdict = Some(match (comparison, verdict) {
                (Comparison::Beyond { .. }, _) | (_, Some(DeadlineVerdict::Missed)) => {
                    DeadlineVerdict::Missed
                }
                (Comparison::Unknown, _) | (_, Some(DeadlineVerdict::Unknown)) => {
                    DeadlineVerdict::Unknown
                }
                _ => DeadlineVerdict::Met,
            });
        }
        Some((activation.event, verdict?))
    };
    activations.iter().zip(1..).filter_map(verdict).collect()
}

#[cfg(test)]
mod tests;
