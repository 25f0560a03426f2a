//! Missed deadlines of activations and of the items of pipelines.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use crate::report::deadlines::{DeadlineRow, deadlines};
use crate::report::pipeline::{PipelineRow, pipelines};
use rtoscope_trace::{EventIndex, Ticks};

/// The deadlines with misses, each with its worst miss.
pub(super) fn deadlines_missed(view: &View<'_>, all: &mut Vec<Finding>) {
    if !view.trace.clock.measures_time() {
        return;
    }
    for row in deadlines(view) {
        missed(view, &row, all);
    }
    for row in pipelines(view) {
        missed_by_items(view, &row, all);
    }
}

fn missed(view: &View<'_>, row: &DeadlineRow, all: &mut Vec<Finding>) {
    let excess = |it: &crate::report::deadlines::DeadlineMiss| it.observed.abs_diff(it.allowed);
    let worst = row.misses.iter().rev().max_by_key(|miss| excess(miss));
    let Some(worst) = worst else { return };
    let duration = |ticks| view.duration(Ticks(ticks));
    let message = format!(
        "{} {} missed {} in {} of {}: worst {} {}, limit {}: {}",
        row.kind,
        row.source,
        row.name,
        row.misses.len(),
        row.judged,
        worst.limit,
        duration(worst.observed),
        duration(worst.allowed),
        worst.cause
    );
    let event = Some(EventIndex(worst.event));
    let (severity, category) = (FindingSeverity::Critical, FindingCategory::MissedDeadline);
    // A period ends where the activation starts.
    let start = match worst.limit {
        "period" => worst.start.saturating_sub(worst.observed),
        _ => worst.start,
    };
    let end = start.saturating_add(worst.observed);
    let finding = Finding::new(severity, category, event, message);
    let finding = finding.lasting(Some([Ticks(start), Ticks(end)]));
    all.push(finding.with_badness(excess(worst) as f64));
}

fn missed_by_items(view: &View<'_>, row: &PipelineRow, all: &mut Vec<Finding>) {
    // A lost item is worse than any that arrives.
    let mut dropped = row.misses.iter().filter(|miss| miss.outcome == "dropped");
    let late = row.misses.iter().rev();
    let worst = dropped
        .next()
        .or_else(|| late.max_by_key(|miss| miss.latency));
    let Some(worst) = worst else { return };
    let latency = view.duration(Ticks(worst.latency));
    let fate = match worst.outcome {
        "dropped" => format!("was dropped after {latency}"),
        outcome => format!("took {latency}, {outcome}"),
    };
    let message = format!(
        "pipeline {}: {} of {} items late, {} dropped; item {} {fate} in {}: {}",
        row.name, row.late, row.items, row.dropped, worst.item, worst.stage, worst.cause
    );
    let event = Some(EventIndex(worst.event));
    let (severity, category) = (FindingSeverity::Critical, FindingCategory::MissedDeadline);
    let start = worst.start;
    let end = start.saturating_add(worst.latency);
    let finding = Finding::new(severity, category, event, message);
    let finding = finding.lasting(Some([Ticks(start), Ticks(end)]));
    let limit = row.deadline.or(row.declared_period).unwrap_or_default();
    all.push(finding.with_badness(match worst.outcome {
        "dropped" => f64::INFINITY,
        _ => worst.latency.saturating_sub(limit) as f64,
    }));
}
