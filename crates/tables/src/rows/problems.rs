//! Tables about problems: findings, gaps and diagnostics.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::findings::{Finding, findings};
use rtoscope_trace::{Diagnostic, EventIndex, Gap, Ticks};

columns! {
    FINDINGS: Finding;
    severity: Dictionary = |_, it| Label::Static(it.severity.name()),
        "`critical`, `warning`, `note`";
    category: Text = |_, it| it.category.to_string(),
        "category of the finding, such as `starvation`";
    message: Text = |_, it| it.message.clone(),
        "the message";
    event: optional event = |ctx, it| it.event.map(|event| ctx.event_number(EventIndex(event))),
        "event to look at";
    time: optional time = |ctx, it| event_time(ctx, it),
        "time of that event, since the first event of the recording";
    start: optional time = |_, it| it.start.map(Ticks),
        "start of the interval that it describes, such as the longest priority inversion";
    end: optional time = |_, it| it.end.map(Ticks),
        "its end";
}

fn event_time(ctx: &RowContext<'_>, finding: &Finding) -> Option<Ticks> {
    finding.event.map(|event| ctx.event_time(EventIndex(event)))
}

pub(super) fn finding_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, OwnedRows(findings(&ctx.recording.view())))
}

columns! {
    GAPS: &Gap;
    next_event: event = |ctx, it| ctx.event_number(it.next_event),
        "first event after the gap";
    missing: optional count = |_, it| it.missing,
        "number of missing events; null if unknown";
    restart: Bool = |_, it| it.is_restart,
        "whether the target restarted there";
    start: time = |ctx, it| gap_start(ctx, it),
        "time of the last event before the gap, since the first event of the recording";
    end: time = |ctx, it| gap_end(ctx, it),
        "time of the first event after the gap";
    duration: duration = |ctx, it| gap_duration(ctx, it),
        "from `start` to `end`";
}

fn gap_start(ctx: &RowContext<'_>, gap: &Gap) -> Ticks {
    let [start, _] = ctx.trace().gap_bounds(gap);
    start
}

fn gap_end(ctx: &RowContext<'_>, gap: &Gap) -> Ticks {
    ctx.event_time(gap.next_event)
}

fn gap_duration(ctx: &RowContext<'_>, gap: &Gap) -> Ticks {
    let [start, end] = ctx.trace().gap_bounds(gap);
    Ticks(end.0.saturating_sub(start.0))
}

pub(super) fn gap_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.trace().gaps))
}

columns! {
    DIAGNOSTICS: &Diagnostic;
    severity: Dictionary = |_, it| Label::Severity(it.severity()),
        "`info`, `warning`, `error`";
    kind: Dictionary = |_, it| Label::Static(it.kind.name()),
        "kind of diagnostic, such as `half-written-entry`";
    message: Text = |_, it| it.message.clone(),
        "the message";
    event: optional event = |ctx, it| it.event.map(|event| ctx.event_number(event)),
        "first event concerned";
    offset: optional bytes = |_, it| it.offset,
        "position in the decompressed input";
    count: count = |_, it| it.count,
        "number of occurrences, or of events, entries or bytes concerned";
}

pub(super) fn diagnostic_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = ctx.recording.diagnostics.iter().collect();
    list_content(ctx, OwnedRows::<&'a Diagnostic>(all))
}
