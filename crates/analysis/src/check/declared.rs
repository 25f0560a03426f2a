//! Declared deadlines: of activations, pipelines and intervals.

use super::outcome::{CheckResult, Offender, RuleOutcome};
use super::rule::no_time;
use crate::report::deadlines::{DeadlineMiss, DeadlineRow, DeadlineVerdict};
use crate::report::intervals::{IntervalEntry, IntervalRow};
use crate::report::pipeline::{PipelineMiss, PipelineRow};
use crate::report::{ReportDocument, ReportKind, View};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Ticks, Timescale};

/// The reports that check them.
pub(super) const KINDS: [ReportKind; 3] = [
    ReportKind::Deadlines,
    ReportKind::Pipeline,
    ReportKind::Intervals,
];

/// Adds a result for each declared deadline without a rule of its own.
pub(super) fn check(
    document: &ReportDocument,
    view: &View<'_>,
    has_rule: impl Fn(&str) -> bool,
    results: &mut Vec<CheckResult>,
) {
    if let Some(why) = view.trace.clock.quality.no_time() {
        let activations = view.deadlines.iter().map(|it| &it.name);
        let pipelines = view.pipelines.iter().filter(|it| it.limit().is_some());
        let intervals = view.intervals.iter().filter(|it| it.deadline.is_some());
        let names = activations
            .chain(pipelines.map(|it| &it.name))
            .chain(intervals.map(|it| &it.name))
            .filter(|name| !has_rule(name));
        results.extend(names.map(|name| CheckResult::undecided(name, no_time(why))));
        return;
    }
    let scale = view.trace.timescale();
    let rows = document.deadlines.iter().flatten();
    let rows = rows.filter(|row| !has_rule(&row.name));
    results.extend(rows.map(|row| of_activations(row, &scale)));
    let rows = document.pipeline.iter().flatten();
    let rows = rows.filter(|row| !has_rule(&row.name));
    results.extend(rows.filter_map(|row| of_pipeline(row, &scale)));
    let rows = document.intervals.iter().flatten();
    let rows = rows.filter(|row| !has_rule(&row.name));
    results.extend(rows.filter_map(|row| of_intervals(row, &scale)));
}

fn of_activations(row: &DeadlineRow, scale: &Timescale) -> CheckResult {
    let offender = |miss: &DeadlineMiss| Offender {
        subject: row.source.clone(),
        found: format!(
            "{} {}, allowed {}: {}",
            miss.limit,
            scale.duration_text(Ticks(miss.observed)),
            scale.duration_text(Ticks(miss.allowed)),
            miss.cause
        ),
        event: Some(miss.event),
    };
    let mut misses: Vec<_> = row.misses.iter().collect();
    misses.sort_by_key(|miss| std::cmp::Reverse(miss.observed.abs_diff(miss.allowed)));
    let misses = misses.into_iter().map(offender).collect();
    let judged = pluralise(row.judged, "limit", "limits");
    let unknown = format!(
        "{} of {} not judged",
        row.unjudged,
        row.judged + row.unjudged
    );
    result(&row.name, row.verdict, [judged, unknown], misses)
}

fn of_pipeline(row: &PipelineRow, scale: &Timescale) -> Option<CheckResult> {
    let offender = |miss: &PipelineMiss| Offender {
        subject: format!("item {}", miss.item),
        found: format!(
            "{} in {} after {}: {}",
            miss.outcome,
            miss.stage,
            scale.duration_text(Ticks(miss.latency)),
            miss.cause
        ),
        event: Some(miss.event),
    };
    let mut misses: Vec<_> = row.misses.iter().collect();
    misses.sort_by_key(|miss| std::cmp::Reverse(miss.latency));
    let misses = misses.into_iter().map(offender).collect();
    let items = pluralise(row.items, "item", "items");
    let unknown = format!("the way of {} of {items} is unknown", row.unknown);
    Some(result(&row.name, row.verdict?, [items, unknown], misses))
}

fn of_intervals(row: &IntervalRow, scale: &Timescale) -> Option<CheckResult> {
    let late = |it: &&IntervalEntry| row.deadline.is_some_and(|limit| it.duration > limit);
    let offender = |entry: &IntervalEntry| Offender {
        subject: String::new(),
        found: scale.duration_text(Ticks(entry.duration)),
        event: Some(entry.event),
    };
    let misses = row.longest.iter().filter(late).map(offender).collect();
    let intervals = pluralise(row.intervals, "interval", "intervals");
    let unknown = format!("the start or end of some of {intervals} is unknown");
    let verdict = row.verdict()?;
    let mut result = result(&row.name, verdict, [intervals, unknown], misses);
    // The list of the longest ones is limited.
    result.violations = result.violations.max(row.late as usize);
    Some(result)
}

fn result(
    name: &str,
    verdict: DeadlineVerdict,
    [judged, unknown]: [String; 2],
    misses: Vec<Offender>,
) -> CheckResult {
    match verdict {
        DeadlineVerdict::Met => CheckResult::new(name, RuleOutcome::Passed, judged),
        DeadlineVerdict::Missed => {
            let count = pluralise(misses.len() as u64, "miss", "misses");
            CheckResult::failed(name, format!("{count}, {judged}"), misses)
        }
        DeadlineVerdict::Unknown => CheckResult::undecided(name, unknown),
    }
}
